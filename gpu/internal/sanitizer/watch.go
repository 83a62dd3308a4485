package sanitizer

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"
	"unsafe"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// device has the methods of the checked device that a Watcher uses.
type device interface {
	Sync() error
	CopyDtoH(dst []byte, src uint64, stream uint32) error
	Symbol(mod uint32, name string) (addr, size uint64, err error)
}

// Config is the configuration of a Watcher.
type Config struct {
	// Sanitizer is the path of compute-sanitizer; "" if it was not found.
	Sanitizer string
	// Timeout is the maximum time of a kernel under a tool; 0 means DefaultTimeout.
	Timeout time.Duration
	// Helper is the command of a helper on the GPU, and Simulator that of one on the simulator. If there is a Sanitizer, Simulator may be
	// empty: then the tools check alone.
	Helper, Simulator []string
	// Texture returns the texture with a handle; nil if the device has no textures.
	Texture func(handle uint32) (backend.Texture, bool)
}

// A Watcher is a backend.Checker for a device without a check mode.
type Watcher struct {
	dev    device
	config Config

	modules map[uint32]*module
	kernels map[uint32]kernel
	buffers map[uint64]*buffer
	views   []backend.View
	pending bool // views are those of the next launch
	// simulate makes the simulator check launches, even with compute-sanitizer.
	simulate bool

	helpers []*helper
	report  backend.Report
	skipped int // launches since the last report that were not executed on the device
	strange int // launches that used memory from malloc of earlier kernels
	// simulated are the simulator's findings beside those of the tools, and unsimulated the causes why it could not check
	// kernels.
	simulated   []backend.Finding
	unsimulated []string
}

var _ backend.Checker = (*Watcher)(nil)

type module struct {
	program backend.Program
	image   backend.Image
	globals map[string]bool // variables that the host has written
}

type kernel struct {
	mod     uint32
	name    string
	structs []Part
	// textures are the offsets of its texture arguments.
	textures backend.TextureArguments
}

// A Part is a range of a kernel's arguments, in bytes.
type Part struct{ Start, End int }

type buffer struct {
	size  uint64
	fresh bool // it is uninitialized
}

// New returns a Watcher, which starts helpers at the first launch.
func New(dev device, c Config) *Watcher {
	c.Timeout = cmp.Or(c.Timeout, DefaultTimeout)
	return &Watcher{dev: dev, config: c, modules: map[uint32]*module{}, kernels: map[uint32]kernel{}, buffers: map[uint64]*buffer{}}
}

// Loaded registers a loaded program with Check set.
func (w *Watcher) Loaded(mod uint32, p backend.Program, img backend.Image) {
	w.modules[mod] = &module{program: p, image: img, globals: map[string]bool{}}
}

// Bound registers a kernel of a module under a handle: structs are its arguments that are structs, which may have addresses of
// buffers, and textures its texture arguments.
func (w *Watcher) Bound(fn, mod uint32, name string, structs []Part, textures backend.TextureArguments) {
	if w.modules[mod] != nil {
		w.kernels[fn] = kernel{mod, name, structs, textures}
	}
}

// Unloaded removes a module.
func (w *Watcher) Unloaded(mod uint32) {
	delete(w.modules, mod)
	maps.DeleteFunc(w.kernels, func(_ uint32, k kernel) bool { return k.mod == mod })
}

// SetGlobal records that the host has written a variable of a module.
func (w *Watcher) SetGlobal(mod uint32, name string) {
	if m := w.modules[mod]; m != nil {
		m.globals[name] = true
	}
}

// Allocated implements backend.Checker.
func (w *Watcher) Allocated(addr, size uint64, fresh bool) error {
	w.buffers[addr] = &buffer{size, fresh}
	return nil
}

// Freed implements backend.Checker.
func (w *Watcher) Freed(addr uint64) error {
	delete(w.buffers, addr)
	return nil
}

// Written records that the buffer at an address was written.
func (w *Watcher) Written(addr uint64) {
	if _, b := w.bufferAt(addr); b != nil {
		b.fresh = false
	}
}

// WrittenAnywhere records that any buffer may have been written, by a launch that is not checked.
func (w *Watcher) WrittenAnywhere() {
	for _, b := range w.buffers {
		b.fresh = false
	}
}

// bufferAt returns the buffer that contains an address, and its start.
func (w *Watcher) bufferAt(addr uint64) (uint64, *buffer) {
	if b := w.buffers[addr]; b != nil {
		return addr, b
	}
	for at, b := range w.buffers {
		if addr >= at && addr-at < b.size {
			return at, b
		}
	}
	return 0, nil
}

// Views implements backend.Checker.
func (w *Watcher) Views(views []backend.View, _ backend.Blocks) error {
	w.views, w.pending = views, true
	return nil
}

// Simulate sets whether the simulator checks launches, even with compute-sanitizer.
func (w *Watcher) Simulate(on bool) { w.simulate = on }

// Watches reports whether the next launch is to be checked.
func (w *Watcher) Watches() bool { return w.pending }

// Launch checks a launch. It reports whether the device may execute it: a launch that could do harm must not be executed.
func (w *Watcher) Launch(l *backend.Launch) (harmless bool, err error) {
	views := w.views
	w.views, w.pending = nil, false
	k, ok := w.kernels[l.Func]
	if !ok {
		return false, &backend.Error{Code: 400, Name: "CUDA_ERROR_INVALID_HANDLE", Message: "the kernel was not compiled to be checked"}
	}
	j, err := w.job(l, k, views)
	if err != nil {
		return false, err
	}
	if err := w.ready(); err != nil {
		return false, err
	}
	w.report.Launches++
	o, err := w.outcome(j)
	if err != nil {
		return false, err
	}
	found, failed := o.found, o.failed
	for _, r := range j.Regions {
		w.Written(r.Addr)
	}
	if o.strange && len(found) == 0 {
		w.strange++
		return true, nil
	}
	// Tools that do not detect the defect themselves report only that the kernel fails.
	var fault *backend.Error
	switch {
	case failed == nil || len(found) > 0:
	case errors.As(failed, &fault) && fault.Fatal:
		found = append(found, backend.Finding{Kind: backend.KindFault, Program: j.Program.Name, Kernel: j.Kernel, Count: 1, Thread: noThread, Message: fault.Message})
		w.add(&backend.Report{Findings: found})
	default:
		return false, fmt.Errorf("checking %s: %w", k.name, failed)
	}
	if failed != nil || harmful(found) {
		w.skipped++
		return false, nil
	}
	return true, nil
}

// job collects the memory of a launch.
func (w *Watcher) job(l *backend.Launch, k kernel, views []backend.View) (*job, error) {
	m := w.modules[k.mod]
	j := &job{Image: m.image, Program: m.program, Kernel: k.name, Launch: *l, Views: views, Regions: regionsOf(views), Globals: map[string][]byte{}}
	for _, v := range views {
		j.Pointers = append(j.Pointers, v.Arg)
	}
	for _, part := range k.structs {
		j.Pointers = append(j.Pointers, w.follow(j, l.Args[:part.End], part.Start, false)...)
	}
	err := k.textures.All(func(at int, surface bool) error {
		handle := uint32(binary.NativeEndian.Uint64(l.Args[at:]))
		t, ok := w.config.Texture(handle)
		if !ok {
			return &backend.Error{Code: 400, Name: "CUDA_ERROR_INVALID_HANDLE", Message: fmt.Sprintf("there is no texture %d", handle)}
		}
		j.Textures = append(j.Textures, textureArgument{at, surface, t})
		// Its elements may be outside the views.
		if !slices.ContainsFunc(j.Regions, func(r region) bool { return t.Addr >= r.Addr && t.Addr-r.Addr < r.Size }) {
			j.Regions = append(j.Regions, region{Addr: t.Addr, Size: t.Bytes()})
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if err := w.dev.Sync(); err != nil {
		return nil, err
	}
	total := uint64(0)
	for i := 0; i < len(j.Regions); i++ { // targets of pointers are appended
		if total += j.Regions[i].Size; total > maxChecked {
			return nil, &backend.Error{
				Code: 2, Name: "CUDA_ERROR_OUT_OF_MEMORY",
				Message: fmt.Sprintf("checking %s: it works on more than %d MiB, of which each tool would need a copy: check it with less data", k.name, maxChecked>>20),
			}
		}
		if err := w.fill(j, i); err != nil {
			return nil, err
		}
	}
	for name := range m.globals {
		addr, size, err := w.dev.Symbol(k.mod, name)
		if err != nil {
			continue // no kernel uses the variable
		}
		data := make([]byte, size)
		if err := w.dev.CopyDtoH(data, addr, 0); err != nil {
			return nil, err
		}
		j.Globals[name] = data
	}
	return j, w.dev.Sync()
}

// fill copies the contents of a region, and finds the buffers that pointers in it refer to.
func (w *Watcher) fill(j *job, i int) error {
	r := &j.Regions[i]
	if _, b := w.bufferAt(r.Addr); b != nil && b.fresh {
		return nil
	}
	r.Data = make([]byte, r.Size)
	if r.Host {
		copy(r.Data, hostMemory(r.Addr, r.Size))
	} else if err := w.dev.CopyDtoH(r.Data, r.Addr, 0); err != nil {
		return err
	}
	if err := w.dev.Sync(); err != nil { // the copy may be asynchronous
		return err
	}
	has := func(elem int) bool {
		return slices.ContainsFunc(j.Views, func(v backend.View) bool {
			return v.Elem == elem && v.Addr >= r.Addr && v.Addr-r.Addr < r.Size
		})
	}
	const words, structs = 8, 0
	if has(words) || has(structs) {
		pointers := w.follow(j, r.Data, 0, has(words))
		j.Regions[i].Pointers = pointers // follow may have reallocated the regions
	}
	return nil
}

// follow finds addresses of buffers in data, and adds these buffers to the memory of the launch. Two adjacent small numbers may
// look like an address. So only words may refer to any address in a buffer; other data must refer to its start.
func (w *Watcher) follow(j *job, data []byte, from int, words bool) (pointers []int) {
	for at := (from + 7) &^ 7; at+8 <= len(data); at += 8 {
		v := binary.NativeEndian.Uint64(data[at:])
		addr, b := w.bufferAt(v)
		if b == nil || !words && v != addr {
			continue
		}
		pointers = append(pointers, at)
		if !slices.ContainsFunc(j.Regions, func(r region) bool { return v >= r.Addr && v-r.Addr < r.Size }) {
			j.Regions = append(j.Regions, region{Addr: addr, Size: b.size})
		}
	}
	return pointers
}

// hostMemory returns the memory at an address that the session has chosen, outside Go's heap.
func hostMemory(addr, n uint64) []byte {
	return unsafe.Slice(*(**byte)(unsafe.Pointer(&addr)), n)
}

// ready starts the missing helpers.
func (w *Watcher) ready() error {
	wanted := []string{checkMode}
	switch {
	case w.simulate:
		w.report.Note = "the simulator has counted copies of these launches"
	case w.config.Sanitizer == "":
		w.report.Note = "compute-sanitizer was not found (it comes with the CUDA toolkit, or `pip install nvidia-cuda-sanitizer-api`), so the simulator has checked copies of these launches"
	default:
		w.report.Note = "checked by compute-sanitizer's memcheck, racecheck, initcheck and synccheck, and by the simulator, which has also counted what each line costs"
		if len(w.config.Simulator) == 0 {
			wanted, w.report.Note = nil, "checked by compute-sanitizer's memcheck, racecheck, initcheck and synccheck"
		}
		wanted = append(wanted, tools...)
	}
	for _, tool := range wanted {
		if slices.ContainsFunc(w.helpers, func(h *helper) bool { return h.tool == tool }) {
			continue
		}
		command := w.config.Helper
		if tool == checkMode {
			command = w.config.Simulator
		}
		h, err := start(command, w.config.Sanitizer, tool)
		if err != nil {
			return err
		}
		w.helpers = append(w.helpers, h)
	}
	return nil
}

// finish stops a helper and adds the findings of its tool to the report.
func (w *Watcher) finish(h *helper) ([]backend.Finding, error) {
	log, err := h.end()
	if err != nil {
		return nil, err
	}
	findings := readLog(log, h)
	w.add(&backend.Report{Findings: findings})
	return findings, nil
}

// add adds findings and counts to the report: at most one finding of each kind per line.
func (w *Watcher) add(r *backend.Report) {
	w.report.Findings = appendFindings(w.report.Findings, r.Findings)
	for i := range r.Accesses {
		a := &r.Accesses[i]
		at, found := slices.BinarySearchFunc(w.report.Accesses, a, func(x backend.Access, y *backend.Access) int { return x.Compare(y) })
		if found {
			w.report.Accesses[at].Add(a)
		} else {
			w.report.Accesses = slices.Insert(w.report.Accesses, at, *a)
		}
	}
	for i := range r.Operations {
		w.report.Operations = backend.JoinOperations(w.report.Operations, &r.Operations[i])
	}
	for i := range r.Efforts {
		w.report.Efforts = backend.JoinEfforts(w.report.Efforts, &r.Efforts[i])
	}
}

// appendFindings adds findings to a list that has at most one of each kind per line.
func appendFindings(list, more []backend.Finding) []backend.Finding {
	for _, f := range more {
		at := slices.IndexFunc(list, func(x backend.Finding) bool {
			return x.Kind == f.Kind && x.Program == f.Program && x.Kernel == f.Kernel && x.Line == f.Line
		})
		if at >= 0 {
			list[at].Count += f.Count
			list[at].Warning = list[at].Warning && f.Warning
		} else {
			list = append(list, f)
		}
	}
	return list
}

// Report implements backend.Checker. It stops the helpers.
func (w *Watcher) Report() (backend.Report, error) {
	err := w.Close()
	r := w.report
	r.Findings = Join(r.Findings, w.simulated)
	for _, cause := range w.unsimulated {
		r.Note += "; " + cause
	}
	if w.skipped > 0 {
		r.Note += fmt.Sprintf("; %d of %d launches would have done harm, and were not carried out on the buffers themselves", w.skipped, r.Launches)
	}
	if w.strange > 0 {
		r.Note += fmt.Sprintf("; %d of %d launches could not be checked: they use memory that earlier kernels have got from malloc, of which there are no copies", w.strange, r.Launches)
	}
	w.report, w.skipped, w.strange = backend.Report{}, 0, 0
	w.simulated, w.unsimulated = nil, nil
	return r, err
}

// Close stops the helpers.
func (w *Watcher) Close() error {
	var errs []error
	for _, h := range w.helpers {
		if _, err := w.finish(h); err != nil {
			errs = append(errs, err)
		}
	}
	w.helpers = nil
	return errors.Join(errs...)
}

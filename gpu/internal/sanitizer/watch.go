package sanitizer

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
	"unsafe"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// device is what a Watcher needs of the device whose launches it checks.
type device interface {
	Sync() error
	CopyDtoH(dst []byte, src uint64, stream uint32) error
	Symbol(mod uint32, name string) (addr, size uint64, err error)
}

// Config says how launches are checked.
type Config struct {
	// Sanitizer is the path of compute-sanitizer; "" where it is missing.
	Sanitizer string
	// Timeout is how long a kernel may take under a tool; 0 is DefaultTimeout.
	Timeout time.Duration
	// Helper is the command that serves jobs on the GPU, and Simulator the one that does so on the
	// simulator.
	Helper, Simulator []string
	// Texture says what is behind a texture's handle; nil where there are no textures.
	Texture func(handle uint32) (backend.Texture, bool)
}

// A Watcher is a backend.Checker for a device that has no check mode.
type Watcher struct {
	dev    device
	config Config

	modules map[uint32]*module
	kernels map[uint32]kernel
	buffers map[uint64]*buffer
	views   []backend.View
	pending bool // views are for the next launch
	// simulate says that the simulator is to check launches, whatever tools there are.
	simulate bool

	helpers []*helper
	report  backend.Report
	skipped int // launches since the last report that were not to be carried out
	strange int // launches that worked on memory of earlier kernels' malloc
}

var _ backend.Checker = (*Watcher)(nil)

type module struct {
	program backend.Program
	image   backend.Image
	globals map[string]bool // variables that the host has set
}

type kernel struct {
	mod     uint32
	name    string
	structs []Part
	// textures is where its arguments are textures, in bytes.
	textures backend.TextureArguments
}

// A Part is where something stands among a kernel's arguments, in bytes.
type Part struct{ Start, End int }

type buffer struct {
	size  uint64
	fresh bool // nothing has been written to it
}

// New makes a Watcher, which starts no helper before there is a launch to check.
func New(dev device, c Config) *Watcher {
	c.Timeout = cmp.Or(c.Timeout, DefaultTimeout)
	return &Watcher{dev: dev, config: c, modules: map[uint32]*module{}, kernels: map[uint32]kernel{}, buffers: map[uint64]*buffer{}}
}

// Loaded says that a program with Check set was loaded.
func (w *Watcher) Loaded(mod uint32, p backend.Program, img backend.Image) {
	w.modules[mod] = &module{program: p, image: img, globals: map[string]bool{}}
}

// Bound says which kernel of a module is behind a handle, which of its arguments are structs, which
// may have addresses of buffers in them, and where textures stand among them.
func (w *Watcher) Bound(fn, mod uint32, name string, structs []Part, textures backend.TextureArguments) {
	if w.modules[mod] != nil {
		w.kernels[fn] = kernel{mod, name, structs, textures}
	}
}

// Unloaded forgets a module.
func (w *Watcher) Unloaded(mod uint32) {
	delete(w.modules, mod)
	maps.DeleteFunc(w.kernels, func(_ uint32, k kernel) bool { return k.mod == mod })
}

// SetGlobal says that the host has set a variable of a module.
func (w *Watcher) SetGlobal(mod uint32, name string) {
	if m := w.modules[mod]; m != nil {
		m.globals[name] = true
	}
}

// Allocated is as in backend.Checker.
func (w *Watcher) Allocated(addr, size uint64, fresh bool) error {
	w.buffers[addr] = &buffer{size, fresh}
	return nil
}

// Freed is as in backend.Checker.
func (w *Watcher) Freed(addr uint64) error {
	delete(w.buffers, addr)
	return nil
}

// Written says that something has written to the buffer at an address.
func (w *Watcher) Written(addr uint64) {
	if _, b := w.bufferAt(addr); b != nil {
		b.fresh = false
	}
}

// WrittenAnywhere says that a launch which is not checked may have written to any buffer.
func (w *Watcher) WrittenAnywhere() {
	for _, b := range w.buffers {
		b.fresh = false
	}
}

// bufferAt finds the buffer that an address lies in, and where it begins.
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

// Views is as in backend.Checker.
func (w *Watcher) Views(views []backend.View) error {
	w.views, w.pending = views, true
	return nil
}

// Simulate has launches checked by the simulator from now on, even where there is compute-sanitizer, or no longer.
func (w *Watcher) Simulate(on bool) { w.simulate = on }

// Watches reports whether the next launch is to be checked.
func (w *Watcher) Watches() bool { return w.pending }

// Launch checks a launch. It reports whether it may be carried out: one that would harm the device is
// not.
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
	results := make([]error, len(w.helpers))
	reports := make([]*backend.Report, len(w.helpers))
	var group sync.WaitGroup
	for i, h := range w.helpers {
		group.Go(func() { reports[i], results[i] = h.do(j, w.config.Timeout) })
	}
	group.Wait()

	var found []backend.Finding
	var kept []*helper
	var hanging []string
	var failed error
	strange := false
	for i, h := range w.helpers {
		if reports[i] != nil {
			found = append(found, reports[i].Findings...)
			w.add(reports[i])
		}
		err := results[i]
		if err == nil && !h.full() {
			kept = append(kept, h)
			continue
		}
		if errors.Is(err, errHangs) {
			h.kill()
			hanging = append(hanging, h.tool)
		} else if failed == nil {
			failed = err
		}
		more, err := w.finish(h)
		if err != nil {
			return false, err
		}
		found = append(found, more...)
		strange = strange || h.strange
	}
	w.helpers = kept
	if len(hanging) > 0 {
		f := w.endless(j, hanging)
		found = append(found, f)
		w.add(&backend.Report{Findings: []backend.Finding{f}})
	}
	for _, r := range j.Regions {
		w.Written(r.Addr)
	}
	if strange && len(found) == 0 {
		w.strange++
		return true, nil
	}
	// Tools other than the one that finds a defect see only that the kernel fails.
	var fault *backend.Error
	switch {
	case failed == nil || len(found) > 0:
	case errors.As(failed, &fault) && fault.Fatal:
		found = append(found, backend.Finding{Kind: backend.KindFault, Program: j.Program.Name, Kernel: j.Kernel, Count: 1, Thread: nobody, Message: fault.Message})
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

// harmful reports whether carrying out a launch with these defects could harm what it is not about.
func harmful(findings []backend.Finding) bool {
	return slices.ContainsFunc(findings, func(f backend.Finding) bool {
		switch f.Kind {
		case backend.KindRace, backend.KindUninitialised, backend.KindEarlyExit:
			return false
		}
		return !f.Warning
	})
}

func (w *Watcher) endless(j *job, tools []string) backend.Finding {
	return backend.Finding{
		Kind: backend.KindDeadlock, Program: j.Program.Name, Kernel: j.Kernel, Count: 1, Thread: nobody,
		Message: fmt.Sprintf("the kernel had not ended after %v under %s: threads wait for something that does not come, or there is too much to check (%s gives it more time)",
			w.config.Timeout, strings.Join(tools, ", "), TimeoutEnv),
	}
}

// job collects what a launch works on.
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
		// Its elements need not be among the views.
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
	for i := 0; i < len(j.Regions); i++ { // what pointers lead to is appended
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
			continue // no kernel uses it
		}
		data := make([]byte, size)
		if err := w.dev.CopyDtoH(data, addr, 0); err != nil {
			return nil, err
		}
		j.Globals[name] = data
	}
	return j, w.dev.Sync()
}

// fill copies what is in a region, and finds the buffers that pointers in it lead to.
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
	if err := w.dev.Sync(); err != nil { // the copy may be under way
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
		j.Regions[i].Pointers = pointers // follow may have moved the regions
	}
	return nil
}

// follow finds addresses of buffers in data, and adds those that they lead to to what the launch works on.
// Two small numbers side by side can look like an address. So only words may lead into the midst of a
// buffer; elsewhere it must be the beginning.
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

// hostMemory is memory at an address that the session has chosen for it, outside Go's own.
func hostMemory(addr, n uint64) []byte {
	return unsafe.Slice(*(**byte)(unsafe.Pointer(&addr)), n)
}

// ready starts the helpers that are missing.
func (w *Watcher) ready() error {
	wanted, command := tools, w.config.Helper
	switch {
	case w.simulate:
		wanted, command = []string{checkMode}, w.config.Simulator
		w.report.Note = "the simulator has counted copies of these launches"
	case w.config.Sanitizer == "":
		wanted, command = []string{checkMode}, w.config.Simulator
		w.report.Note = "compute-sanitizer was not found (it comes with the CUDA toolkit, or `pip install nvidia-cuda-sanitizer-api`), so the simulator has checked copies of these launches"
	default:
		w.report.Note = "checked by compute-sanitizer's memcheck, racecheck, initcheck and synccheck; the simulator (%gpu sim) also counts what each line costs"
	}
	for _, tool := range wanted {
		if slices.ContainsFunc(w.helpers, func(h *helper) bool { return h.tool == tool }) {
			continue
		}
		h, err := start(command, w.config.Sanitizer, tool)
		if err != nil {
			return err
		}
		w.helpers = append(w.helpers, h)
	}
	return nil
}

// finish ends a helper and takes what its tool has found.
func (w *Watcher) finish(h *helper) ([]backend.Finding, error) {
	log, err := h.end()
	if err != nil {
		return nil, err
	}
	findings := readLog(log, h)
	w.add(&backend.Report{Findings: findings})
	return findings, nil
}

// add joins what was found to the report: one finding of a kind for a line.
func (w *Watcher) add(r *backend.Report) {
	for _, f := range r.Findings {
		at := slices.IndexFunc(w.report.Findings, func(x backend.Finding) bool {
			return x.Kind == f.Kind && x.Program == f.Program && x.Kernel == f.Kernel && x.Line == f.Line
		})
		if at >= 0 {
			w.report.Findings[at].Count += f.Count
			w.report.Findings[at].Warning = w.report.Findings[at].Warning && f.Warning
		} else {
			w.report.Findings = append(w.report.Findings, f)
		}
	}
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

// Report is as in backend.Checker. The helpers end with it.
func (w *Watcher) Report() (backend.Report, error) {
	err := w.Close()
	r := w.report
	if w.skipped > 0 {
		r.Note += fmt.Sprintf("; %d of %d launches would have done harm, and were not carried out on the buffers themselves", w.skipped, r.Launches)
	}
	if w.strange > 0 {
		r.Note += fmt.Sprintf("; %d of %d launches could not be checked: they use memory that earlier kernels have got from malloc, of which there are no copies", w.strange, r.Launches)
	}
	w.report, w.skipped, w.strange = backend.Report{}, 0, 0
	return r, err
}

// Close ends the helpers.
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

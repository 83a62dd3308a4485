package sim

import (
	"fmt"
	"time"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/sim/collective"
	"github.com/gopherwarp/gopherwarp/gpu/internal/sim/cores"
	"github.com/gopherwarp/gopherwarp/gpu/internal/sim/linalg"
)

// device is the simulated device. Its methods complete their work before they return, so streams
// are always in order.
type device struct {
	tools *toolchain
	rt    *simRuntime
	props backend.Properties

	memory  memory
	checks  checking
	modules map[uint32]*module
	funcs   map[uint32]*function
	streams map[uint32]bool
	events  map[uint32]*event
	groups  map[uint32]*collective.Group
	// textures are mapped textures, whose addresses kernels receive.
	textures map[uint32][]byte

	// The parameters of a launch for the runtime; kept here so that launching allocates nothing.
	dims    [6]uint32
	manner  manner // of launches that set no other
	now     manner // of the current launch
	args    []byte // of a launch with textures
	arch    string // the option for the model's compute capability, "" without a model
	failure failure

	// lost is the fault after which the device rejects all work, as a GPU's context does.
	lost *backend.Error

	library linalg.Library
}

type event struct {
	recorded bool
	at       time.Time
}

func newDevice(tools *toolchain, rt *simRuntime, cores int) *device {
	total := hostMemory()
	d := &device{
		tools:   tools,
		rt:      rt,
		memory:  memory{total: total, chunks: map[uint64]uint64{}, variables: map[uint64]uint64{}},
		modules: map[uint32]*module{},
		funcs:   map[uint32]*function{},
		streams: map[uint32]bool{0: true},
		events:  map[uint32]*event{},
		groups:  map[uint32]*collective.Group{},

		textures: map[uint32][]byte{},
	}
	d.props = backend.Properties{
		Name:                        fmt.Sprintf("gopherwarp simulator (%d cores)", cores),
		Simulated:                   true,
		ComputeMajor:                9,
		MultiProcessorCount:         cores,
		WarpSize:                    32,
		MaxThreadsPerBlock:          1024,
		MaxThreadsPerMultiProcessor: 2048,
		MaxBlockDim:                 [3]int{1024, 1024, 64},
		MaxGridDim:                  [3]int{1<<31 - 1, 65535, 65535},
		SharedMemPerBlock:           maxStaticShared,
		SharedMemPerBlockOptin:      maxDynamicShared,
		RegistersPerBlock:           65536,
		L2CacheSize:                 l2CacheSize(),
		ClockRate:                   clockRate(),
		TotalMemory:                 total,

		// As on an H100 or H200, so that occupancy is the same.
		MaxBlocksPerMultiProcessor: 32,
		RegsPerMultiprocessor:      65536,
		SharedMemPerMultiprocessor: 228 << 10,
		ReservedSharedMemPerBlock:  1 << 10,
		StreamPrioritiesSupported:  1,
		LeastPriority:              0,
		MostPriority:               -5,
		CooperativeLaunch:          1,
		ClusterLaunch:              1,

		CanUseHostPointerForRegisteredMem: 1,
	}
	return d
}

func (d *device) Properties() backend.Properties { return d.props }

// alive returns the fault of the device, if it had one.
func (d *device) alive() error {
	if d.lost != nil {
		return d.lost
	}
	return nil
}

// onStream checks what is common to all work on a stream.
func (d *device) onStream(stream uint32) error {
	if d.lost != nil {
		return d.lost
	}
	if !d.streams[stream] {
		return errorf(codeInvalidHandle, "there is no stream %d", stream)
	}
	return nil
}

func (d *device) Compile(p backend.Program) (backend.Image, error) {
	if d.arch != "" {
		p.Options = append([]string{d.arch}, p.Options...)
	}
	if img, ok := arrayImage(&p); ok {
		return img, nil
	}
	compile := d.tools.compile
	if p.Check {
		compile = d.tools.compileChecked
	}
	img, err := compile(p)
	if err != nil {
		return img, err
	}
	return img, checkStaticShared(p, img)
}

// checkStaticShared rejects what CUDA's assembler rejects.
func checkStaticShared(p backend.Program, img backend.Image) error {
	shared, err := readStaticShared(img.Data)
	if err != nil {
		return wrap(codeInvalidImage, err, "reading the compiled program")
	}
	names := kernelNames(img)
	for _, name := range names {
		if n := shared.bytes(name, names); n > maxStaticShared {
			return &backend.CompileError{Program: p.Name, Log: fmt.Sprintf(
				"%s: error: kernel %s uses too much shared memory: %d bytes, of %d; arrays that are `extern __shared__` may take up to %d\n",
				p.Name, name, n, maxStaticShared, maxDynamicShared)}
		}
	}
	return nil
}

func kernelNames(img backend.Image) []string {
	names := make([]string, 0, len(img.Lowered))
	for name := range img.Lowered {
		names = append(names, name)
	}
	return names
}

func (d *device) Load(mod uint32, img backend.Image) error {
	if err := d.alive(); err != nil {
		return err
	}
	if d.modules[mod] != nil {
		return errorf(codeInvalidValue, "there is a module %d already", mod)
	}
	if m, err := loadArray(img); m != nil || err != nil {
		d.modules[mod] = m
		return err
	}
	if err := isOurs(img); err != nil {
		return err
	}
	if isChecked(img.Data) {
		if err := startCheckRuntime(d.tools); err != nil {
			return err
		}
	}
	m, err := loadModule(img)
	if err != nil {
		return err
	}
	if m.variables, err = m.findVariables(img.Data); err != nil {
		_ = m.unload()
		return wrap(codeInvalidImage, err, "reading the compiled program")
	}
	for _, v := range m.variables {
		d.memory.variables[v.addr] = v.size
	}
	d.modules[mod] = m
	return nil
}

func (d *device) Unload(mod uint32) error {
	m := d.modules[mod]
	if m == nil {
		return errorf(codeInvalidHandle, "there is no module %d", mod)
	}
	delete(d.modules, mod)
	for _, v := range m.variables {
		delete(d.memory.variables, v.addr)
	}
	for fn, f := range d.funcs {
		if f.module == m {
			delete(d.funcs, fn)
		}
	}
	return m.unload()
}

func (d *device) Function(fn, mod uint32, name string) (backend.FunctionInfo, error) {
	if err := d.alive(); err != nil {
		return backend.FunctionInfo{}, err
	}
	m := d.modules[mod]
	if m == nil {
		return backend.FunctionInfo{}, errorf(codeInvalidHandle, "there is no module %d", mod)
	}
	e, err := m.kernel(name)
	if err != nil {
		return backend.FunctionInfo{}, err
	}
	f := &function{module: m, entry: e, name: name, cname: append([]byte(name), 0)}
	f.shared = m.shared.bytes(name, kernelNames(backend.Image{Lowered: m.lowered}))
	d.funcs[fn] = f
	return backend.FunctionInfo{MaxThreadsPerBlock: int(e.maxThreads), SharedSizeBytes: f.shared}, nil
}

func (d *device) StreamCreate(stream uint32, _ int32) error {
	if err := d.alive(); err != nil {
		return err
	}
	if d.streams[stream] {
		return errorf(codeInvalidValue, "there is a stream %d already", stream)
	}
	d.streams[stream] = true
	return nil
}

func (d *device) StreamDestroy(stream uint32) error {
	if stream == 0 {
		return errorf(codeInvalidHandle, "the default stream cannot be destroyed")
	}
	if err := d.onStream(stream); err != nil {
		return err
	}
	delete(d.streams, stream)
	return nil
}

func (d *device) StreamSync(stream uint32) error { return d.onStream(stream) }

func (d *device) StreamWait(stream, ev uint32) error {
	if err := d.onStream(stream); err != nil {
		return err
	}
	_, err := d.event(ev)
	return err
}

func (d *device) event(ev uint32) (*event, error) {
	if d.lost != nil {
		return nil, d.lost
	}
	e := d.events[ev]
	if e == nil {
		return nil, errorf(codeInvalidHandle, "there is no event %d", ev)
	}
	return e, nil
}

// EventCreate makes an event; all events record time.
func (d *device) EventCreate(ev uint32, _ bool) error {
	if err := d.alive(); err != nil {
		return err
	}
	if d.events[ev] != nil {
		return errorf(codeInvalidValue, "there is an event %d already", ev)
	}
	d.events[ev] = &event{}
	return nil
}

func (d *device) EventDestroy(ev uint32) error {
	_, err := d.event(ev)
	delete(d.events, ev)
	return err
}

func (d *device) EventRecord(ev, stream uint32) error {
	if err := d.onStream(stream); err != nil {
		return err
	}
	e, err := d.event(ev)
	if err != nil {
		return err
	}
	e.recorded, e.at = true, time.Now()
	return nil
}

// EventSync returns at once if the event was never recorded, as in CUDA.
func (d *device) EventSync(ev uint32) error {
	_, err := d.event(ev)
	return err
}

func (d *device) EventElapsed(from, to uint32) (time.Duration, error) {
	a, err := d.event(from)
	if err != nil {
		return 0, err
	}
	b, err := d.event(to)
	if err != nil {
		return 0, err
	}
	if !a.recorded || !b.recorded {
		return 0, errorf(codeInvalidHandle, "an event must be recorded before time is taken from it")
	}
	return b.at.Sub(a.at), nil
}

// Await returns at once: all work is complete.
func (d *device) Await(what backend.Awaited, handle uint32) (backend.Wait, error) {
	switch what {
	case backend.AwaitStream:
		return nil, d.StreamSync(handle)
	case backend.AwaitEvent:
		return nil, d.EventSync(handle)
	}
	return nil, d.Sync()
}

// StreamDone returns true if the stream exists.
func (d *device) StreamDone(stream uint32) (bool, error) {
	err := d.onStream(stream)
	return err == nil, err
}

// EventDone returns true if the event exists.
func (d *device) EventDone(ev uint32) (bool, error) {
	_, err := d.event(ev)
	return err == nil, err
}

// Awaited lets short work be divided among threads while the process that has sent it sleeps.
func (d *device) Awaited(yes bool) { cores.Undisturbed(yes) }

func (d *device) Sync() error { return d.alive() }

// Close frees the memory of the device. The worker threads stay, for a device opened later.
func (d *device) Close() error {
	var first error
	for mod := range d.modules {
		if err := d.Unload(mod); err != nil && first == nil {
			first = err
		}
	}
	for handle := range d.textures {
		if err := d.TextureDestroy(handle); err != nil && first == nil {
			first = err
		}
	}
	d.checks.memory.Close()
	for addr := range d.memory.chunks {
		if err := d.memory.release(addr); err != nil && first == nil {
			first = err
		}
	}
	return first
}

package driver

import (
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/driver/cudalib"
)

// maxParams is the most bytes of kernel parameters that any device takes (CUDA 12.1 on
// Volta or newer; before that it is 4096, which the driver checks).
const maxParams = 32764

// device is one opened GPU. It is used from one OS thread, as backend.Device says.
type device struct {
	api     *api
	flush   symbol      // fflush, or 0
	prints  atomic.Bool // a module may print; flushing for nothing takes longer than one thinks
	ordinal int32       // CUdevice
	context uintptr
	props   backend.Properties

	granularity uint64 // of shareable memory in bytes; 0 where it cannot be had
	low         uint64 // the lowest address for shareable memory
	chunks      map[uint64]chunk
	hosts       map[*byte]int // registered host memory: its first byte and its length

	modules   map[uint32]*module
	functions map[uint32]*function
	graphs    map[uint32]uintptr // CUgraphExec
	textures  map[uint32]texture

	// The device's own thread alone changes these, under the lock; waits on other threads
	// read them.
	handles sync.RWMutex
	streams map[uint32]uintptr
	events  map[uint32]uintptr

	compiler  *compiler          // nil until the first compilation
	libraries *cudalib.Libraries // nil until the first is needed
	profile   profiling

	// The launch's arguments to the driver, the kernel's parameters among them. They stay
	// here so that a launch allocates nothing and hands out no pointer that could move.
	launch    [11]uintptr
	params    [maxParams]byte
	paramSize uintptr
	extra     [5]uintptr
}

var _ backend.Device = (*device)(nil)

func openDevice(a *api, ordinal int) (*device, error) {
	d := &device{
		api:       a,
		flush:     flushStdout(),
		chunks:    make(map[uint64]chunk),
		hosts:     make(map[*byte]int),
		modules:   make(map[uint32]*module),
		functions: make(map[uint32]*function),
		graphs:    make(map[uint32]uintptr),
		textures:  make(map[uint32]texture),
		streams:   make(map[uint32]uintptr),
		events:    make(map[uint32]uintptr),
	}
	d.extra = [5]uintptr{
		launchParamPointer, uintptr(unsafe.Pointer(&d.params)),
		launchParamSize, uintptr(unsafe.Pointer(&d.paramSize)),
		launchParamEnd,
	}
	if err := a.check(a.DeviceGet(&d.ordinal, int32(ordinal)), "finding the GPU"); err != nil {
		return nil, err
	}
	props, err := a.properties(d.ordinal)
	if err != nil {
		return nil, err
	}
	d.props = props
	d.props.Ordinal = ordinal

	if err := a.check(a.ContextRetain(&d.context, d.ordinal), "making the context"); err != nil {
		return nil, err
	}
	if err := a.check(a.ContextSet(d.context), "making the context current"); err != nil {
		a.ContextRelease(d.ordinal)
		return nil, err
	}
	var least, most int32
	if err := a.check(a.PriorityRange(&least, &most), "reading the streams' priorities"); err != nil {
		return nil, err
	}
	d.props.LeastPriority, d.props.MostPriority = int(least), int(most)
	d.reserveRange()
	return d, nil
}

// properties asks the driver for everything that Properties holds but the ordinal.
func (a *api) properties(device int32) (backend.Properties, error) {
	p := backend.Properties{}
	var name [256]byte
	var version int32
	for _, err := range []error{
		a.check(a.DeviceGetName(&name[0], int32(len(name)), device), "reading the GPU's name"),
		a.check(a.DeviceTotalMem(&p.TotalMemory, device), "reading the GPU's memory size"),
		a.check(a.DriverGetVersion(&version), "reading the driver's version"),
	} {
		if err != nil {
			return p, err
		}
	}
	p.Name, _, _ = strings.Cut(string(name[:]), "\x00")
	p.DriverVersion = int(version)

	for _, f := range []struct {
		to   *int
		attr attribute
	}{
		{&p.ComputeMajor, attrComputeMajor},
		{&p.ComputeMinor, attrComputeMinor},
		{&p.MultiProcessorCount, attrMultiprocessors},
		{&p.WarpSize, attrWarpSize},
		{&p.MaxThreadsPerBlock, attrMaxThreadsPerBlock},
		{&p.MaxThreadsPerMultiProcessor, attrMaxThreadsPerProcessor},
		{&p.MaxBlockDim[0], attrMaxBlockDimX},
		{&p.MaxBlockDim[1], attrMaxBlockDimX + 1},
		{&p.MaxBlockDim[2], attrMaxBlockDimX + 2},
		{&p.MaxGridDim[0], attrMaxGridDimX},
		{&p.MaxGridDim[1], attrMaxGridDimX + 1},
		{&p.MaxGridDim[2], attrMaxGridDimX + 2},
		{&p.SharedMemPerBlock, attrSharedPerBlock},
		{&p.SharedMemPerBlockOptin, attrSharedPerBlockOptin},
		{&p.RegistersPerBlock, attrRegistersPerBlock},
		{&p.L2CacheSize, attrL2CacheSize},
		{&p.ClockRate, attrClockRate},
		{&p.MemoryClockRate, attrMemoryClockRate},
		{&p.MemoryBusWidth, attrMemoryBusWidth},
	} {
		n, err := a.attribute(f.attr, device)
		if err != nil {
			return p, err
		}
		*f.to = n
	}
	// Older drivers do not know all of these; they stay 0 there.
	for to, attr := range map[*int]attribute{
		&p.MaxBlocksPerMultiProcessor:        attrBlocksPerProcessor,
		&p.RegsPerMultiprocessor:             attrRegistersPerProcessor,
		&p.SharedMemPerMultiprocessor:        attrSharedPerProcessor,
		&p.ReservedSharedMemPerBlock:         attrReservedShared,
		&p.StreamPrioritiesSupported:         attrStreamPriorities,
		&p.CooperativeLaunch:                 attrCooperativeLaunch,
		&p.ClusterLaunch:                     attrClusterLaunch,
		&p.CanUseHostPointerForRegisteredMem: attrHostPointers,
	} {
		*to, _ = a.attribute(attr, device)
	}
	return p, nil
}

func (a *api) attribute(attr attribute, device int32) (int, error) {
	var n int32
	err := a.check(a.DeviceGetAttr(&n, attr, device), "reading the GPU's properties")
	return int(n), err
}

func (d *device) Properties() backend.Properties { return d.props }

func (d *device) MemInfo() (free, total uint64, err error) {
	err = d.api.check(d.api.MemGetInfo(&free, &total), "reading the GPU's free memory")
	return free, total, err
}

// Sync waits for the device. The driver empties the kernels' printf buffer then.
func (d *device) Sync() error {
	r := result(d.api.ContextSync.call())
	if d.flush != 0 && d.prints.Load() {
		d.flush.call(0)
	}
	return d.api.check(r, "waiting for the GPU")
}

// Close frees what the device holds. Errors on the way are not reported one by one:
// the last step, letting go of the context, fails with them. Unlike the other methods it
// may be called from any thread, so that clean-up cannot go wrong unnoticed.
func (d *device) Close() error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	d.api.ContextSet(d.context)
	if d.libraries != nil {
		_ = d.libraries.Close()
	}
	for _, g := range d.graphs {
		d.api.GraphExecDestroy(g)
	}
	for handle := range d.textures {
		_ = d.TextureDestroy(handle)
	}
	for _, m := range d.modules {
		d.api.ModuleUnload(m.handle)
	}
	for _, s := range d.streams {
		d.api.StreamDestroy(s)
	}
	for _, e := range d.events {
		d.api.EventDestroy(e)
	}
	for addr := range d.chunks {
		_ = d.ReleaseChunk(addr)
	}
	if d.low != 0 {
		d.api.AddressFree(d.low, rangeSize)
	}
	clear(d.graphs)
	clear(d.modules)
	clear(d.functions)
	clear(d.streams)
	clear(d.events)
	return d.api.check(d.api.ContextRelease(d.ordinal), "closing the GPU")
}

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

// maxParams is the maximum size of kernel parameters on any device, in bytes (CUDA 12.1 on Volta or newer; before that it is
// 4096, which the driver checks).
const maxParams = 32764

// device is an opened GPU. It is used from one OS thread, see backend.Device.
type device struct {
	api     *api
	flush   symbol      // fflush, or 0
	prints  atomic.Bool // a module may call printf; flushing takes noticeable time
	ordinal int32       // CUdevice
	context uintptr
	props   backend.Properties

	granularity uint64 // of shareable memory in bytes; 0 if memory cannot be shared
	low         uint64 // the lowest address for shareable memory
	chunks      map[uint64]chunk
	hosts       map[*byte]int // sizes of registered host memory, by its first byte

	modules   map[uint32]*module
	functions map[uint32]*function
	graphs    map[uint32]uintptr // CUgraphExec
	textures  map[uint32]texture

	// streams and events are changed by the device's own thread only, with the lock held; waits on other threads read them.
	handles sync.RWMutex
	streams map[uint32]uintptr
	events  map[uint32]uintptr

	compiler  *compiler          // nil until the first compilation
	libraries *cudalib.Libraries // nil until they are first used
	profile   profiling

	// The driver's arguments for a launch, including the kernel's parameters. They are fields so that a launch does not allocate,
	// and so that the pointers to them remain valid.
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

	if err := a.check(a.ContextRetain(&d.context, d.ordinal), "retaining the context"); err != nil {
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

// properties reads all Properties except the ordinal from the driver.
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
	// Older drivers do not support all of these; the values are 0 then.
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

// Sync waits for the device. The driver then writes the output of the kernels' printf.
func (d *device) Sync() error {
	r := result(d.api.ContextSync.call())
	if d.flush != 0 && d.prints.Load() {
		d.flush.call(0)
	}
	return d.api.check(r, "waiting for the GPU")
}

// Close releases the device's resources. Errors before the last step, releasing the context, are not reported: after them the
// last step fails, too. Unlike the other methods, Close may be called on any thread, so that cleanup cannot fail unnoticed.
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

package mapped

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"unsafe"

	"github.com/ebitengine/purego"
)

// cuda has the functions of the driver that are needed here. Contexts belong to threads there, so each use locks its thread and restores
// its context.
type cuda struct {
	init          func(flags uint32) int32
	errorName     func(result int32, name **byte) int32
	deviceGet     func(device *int32, ordinal int32) int32
	contextRetain func(context *uintptr, device int32) int32
	contextPush   func(context uintptr) int32
	contextPop    func(context *uintptr) int32
	contextSync   func() int32
	importHandle  func(handle *uint64, fd uintptr, kind int32) int32
	releaseHandle func(handle uint64) int32
	reserve       func(addr *uint64, size, align, want, flags uint64) int32
	free          func(addr, size uint64) int32
	mapMemory     func(addr, size, offset, handle, flags uint64) int32
	unmap         func(addr, size uint64) int32
	setAccess     func(addr, size uint64, desc *access, count uint64) int32
	streamCreate  func(stream *uintptr, flags uint32) int32
	streamSync    func(stream uintptr) int32
	copyAny       func(dst, src, size uint64, stream uintptr) int32

	mu       sync.Mutex
	contexts map[int]uintptr // by device
	streams  map[int]uintptr // for copies
}

// access is CUmemAccessDesc.
type access struct{ locationKind, device, flags int32 }

const (
	handlePosixFD  = 1 // CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR
	locationDevice = 1 // CU_MEM_LOCATION_TYPE_DEVICE
	readWrite      = 3 // CU_MEM_ACCESS_FLAGS_PROT_READWRITE
	streamDefault  = 0 // CU_STREAM_DEFAULT
)

// driver opens the driver once. A process that maps no memory of a GPU never does, and has no context.
var driver = sync.OnceValues(func() (*cuda, error) {
	var handle uintptr
	var errs []error
	for _, name := range []string{"libcuda.so.1", "/usr/lib/wsl/lib/libcuda.so.1", "/usr/local/nvidia/lib64/libcuda.so.1", "/run/opengl-driver/lib/libcuda.so.1"} {
		h, err := purego.Dlopen(name, purego.RTLD_NOW|purego.RTLD_GLOBAL)
		if err == nil {
			handle, errs = h, nil
			break
		}
		errs = append(errs, err)
	}
	if err := errors.Join(errs...); err != nil {
		return nil, fmt.Errorf("opening the NVIDIA driver: %w", err)
	}
	g := &cuda{contexts: map[int]uintptr{}, streams: map[int]uintptr{}}
	for name, f := range map[string]any{
		"cuInit": &g.init, "cuGetErrorName": &g.errorName, "cuDeviceGet": &g.deviceGet,
		"cuDevicePrimaryCtxRetain": &g.contextRetain, "cuCtxPushCurrent_v2": &g.contextPush, "cuCtxPopCurrent_v2": &g.contextPop,
		"cuCtxSynchronize": &g.contextSync, "cuMemImportFromShareableHandle": &g.importHandle, "cuMemRelease": &g.releaseHandle,
		"cuMemAddressReserve": &g.reserve, "cuMemAddressFree": &g.free, "cuMemMap": &g.mapMemory, "cuMemUnmap": &g.unmap,
		"cuMemSetAccess": &g.setAccess, "cuMemcpyAsync": &g.copyAny, "cuStreamCreate": &g.streamCreate, "cuStreamSynchronize": &g.streamSync,
	} {
		symbol, err := purego.Dlsym(handle, name)
		if err != nil {
			return nil, fmt.Errorf("the NVIDIA driver is too old to share memory: %w", err)
		}
		purego.RegisterFunc(f, symbol)
	}
	return g, g.check(g.init(0), "initialising the NVIDIA driver")
})

func (g *cuda) check(result int32, doing string) error {
	if result == 0 {
		return nil
	}
	var name *byte
	if g.errorName(result, &name); name == nil {
		return fmt.Errorf("%s: CUDA error %d", doing, result)
	}
	return fmt.Errorf("%s: %s", doing, text(name))
}

// on runs f with the device's primary context.
func (g *cuda) on(device int, f func() error) error {
	g.mu.Lock()
	context, ok := g.contexts[device]
	if !ok {
		var number int32
		err := g.check(g.deviceGet(&number, int32(device)), "finding the GPU")
		if err == nil {
			err = g.check(g.contextRetain(&context, number), "opening a context on the GPU")
		}
		if err != nil {
			g.mu.Unlock()
			return err
		}
		g.contexts[device] = context
	}
	g.mu.Unlock()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := g.check(g.contextPush(context), "taking the GPU's context"); err != nil {
		return err
	}
	defer func() {
		var was uintptr
		g.contextPop(&was)
	}()
	return f()
}

// place imports an allocation and maps it.
func (g *cuda) place(device, fd int, size uint64) (uintptr, error) {
	var addr uint64
	err := g.on(device, func() error {
		var handle uint64
		if err := g.check(g.importHandle(&handle, uintptr(fd), handlePosixFD), "importing it"); err != nil {
			return err
		}
		defer g.releaseHandle(handle) // the mapping keeps the memory
		if err := g.check(g.reserve(&addr, size, 0, 0, 0), "reserving addresses"); err != nil {
			return err
		}
		if err := g.check(g.mapMemory(addr, size, 0, handle, 0), "mapping it"); err != nil {
			g.free(addr, size)
			return err
		}
		desc := access{locationDevice, int32(device), readWrite}
		if err := g.check(g.setAccess(addr, size, &desc, 1), "opening it for access"); err != nil {
			g.unmap(addr, size)
			g.free(addr, size)
			return err
		}
		return nil
	})
	return uintptr(addr), err
}

// remove waits for the work of this process, which may still use the memory, and unmaps it.
func (g *cuda) remove(device int, addr uintptr, size uint64) error {
	return g.on(device, func() error {
		return errors.Join(
			g.check(g.contextSync(), "waiting for the GPU"),
			g.check(g.unmap(uint64(addr), size), "unmapping memory of the GPU"),
			g.check(g.free(uint64(addr), size), "giving addresses back"),
		)
	})
}

// A Transfer is a copy of memory of any kind that this process can access.
type Transfer struct {
	Dst, Src uintptr
	Bytes    int
}

// Copy makes copies on a GPU and waits for them alone, which takes less time than waiting for the GPU. What wrote the memory must be done
// (see Wait).
func Copy(device int, list ...Transfer) error {
	return CopyAfter(device, func(uintptr) error { return nil }, list...)
}

// CopyAfter is like Copy, but first calls a function that makes the stream of the copies wait for what writes the memory.
func CopyAfter(device int, before func(stream uintptr) error, list ...Transfer) error {
	g, err := driver()
	if err != nil {
		return err
	}
	return g.on(device, func() error {
		stream, err := g.stream(device)
		if err != nil {
			return err
		}
		errs := []error{before(stream)}
		for _, t := range list {
			if errs[0] == nil && t.Bytes > 0 {
				errs = append(errs, g.check(g.copyAny(uint64(t.Dst), uint64(t.Src), uint64(t.Bytes), stream), "copying memory of the GPU"))
			}
		}
		return errors.Join(append(errs, g.check(g.streamSync(stream), "waiting for the GPU"))...)
	})
}

// stream returns the stream for copies. The device's context is the current one.
func (g *cuda) stream(device int) (uintptr, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	stream, ok := g.streams[device]
	if !ok {
		if err := g.check(g.streamCreate(&stream, streamDefault), "making a stream for copies"); err != nil {
			return 0, err
		}
		g.streams[device] = stream
	}
	return stream, nil
}

// text returns a C string as a Go string.
func text(s *byte) string {
	n := 0
	for *(*byte)(unsafe.Add(unsafe.Pointer(s), n)) != 0 {
		n++
	}
	return string(unsafe.Slice(s, n))
}

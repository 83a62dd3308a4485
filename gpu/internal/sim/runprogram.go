package sim

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"syscall"
	"unsafe"

	"github.com/ebitengine/purego"
	"golang.org/x/sys/unix"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// RunProgram runs an image of BuildProgram with these arguments, and exits with the program's
// status; it returns only if the program cannot be started. It passes check mode's findings and report
// to checks; the status is 1 if there are defects. The process must have nothing else to do: faults of
// host code end it as they would end any program.
func (s simulator) RunProgram(img backend.Image, args []string, checks backend.ProgramChecks) error {
	exit, err := lookup("exit")
	if err != nil {
		return err
	}
	setSignal, err := lookup("signal")
	if err != nil {
		return err
	}
	// Set before the runtime installs its handlers, which pass on faults that are not a kernel's.
	for _, sig := range []syscall.Signal{unix.SIGSEGV, unix.SIGBUS, unix.SIGFPE, unix.SIGILL, unix.SIGTRAP, unix.SIGABRT} {
		purego.SyscallN(setSignal, uintptr(sig), 0)
	}
	r := &programRun{
		sim: s, stderr: os.Stderr, checks: checks, uses: map[uint64]allocation{},
		space: virtualMemory{reserved: map[uint64]uint64{}, physical: map[uint64]*physical{}},
	}
	if _, err := r.device(0); err != nil {
		return err
	}
	if isChecked(img.Data) {
		if err := startCheckRuntime(r.devices[0].tools); err != nil {
			return err
		}
	}
	var construct constructors
	if img.Data, construct, err = withoutConstructors(img.Data, programEntry); err != nil {
		return wrap(codeInvalidImage, err, "reading the compiled program")
	}
	if r.module, err = loadModule(img); err != nil {
		return err
	}
	if r.module.variables, err = r.module.findVariables(img.Data); err != nil {
		return wrap(codeInvalidImage, err, "reading the compiled program")
	}
	r.adoptModule(r.devices[0])
	entry, err := purego.Dlsym(r.module.handle, programEntry)
	if err != nil {
		return wrap(codeInvalidImage, err, "loading the program")
	}
	ask := purego.NewCallback(func(op uintptr, args *[16]uint64) uintptr { return uintptr(r.answer(programOp(op), args)) })
	argv := make([]*byte, len(args)+1) // ends with nil
	for i, a := range args {
		if argv[i], err = unix.BytePtrFromString(a); err != nil {
			return fmt.Errorf("argument %d of the program: %w", i, err)
		}
	}
	status, _, _ := purego.SyscallN(entry, uintptr(len(args)), uintptr(unsafe.Pointer(&argv[0])), ask, uintptr(s.choice.count),
		entry+uintptr(construct.offset), uintptr(construct.size))
	purego.SyscallN(exit, status) // as main's return does
	return nil
}

// lookup returns the address of a function of the C library.
func lookup(name string) (uintptr, error) {
	f, err := purego.Dlsym(purego.RTLD_DEFAULT, name)
	if err != nil {
		return 0, wrap(codeSystemNotReady, err, "looking for the C library's %s", name)
	}
	return f, nil
}

// programOp is an operation that a program requests; shim/runtime_api.h has the same list.
type programOp uint64

const (
	opMalloc programOp = iota
	opFree
	opCopy
	opCopyRect
	opFill
	opLaunch
	opProperties
	opMemInfo
	opOccupancy
	opSetDevice
	opAdopt
	opKnown
	opEnd
	opRange
	opVirtual
)

var programOps = map[programOp]string{
	opMalloc: "cudaMalloc", opFree: "cudaFree", opCopy: "cudaMemcpy", opCopyRect: "cudaMemcpy2D", opFill: "cudaMemset",
	opProperties: "cudaGetDeviceProperties", opMemInfo: "cudaMemGetInfo", opOccupancy: "cudaOccupancy", opSetDevice: "cudaSetDevice",
}

// The values of cudaMemcpyKind.
const (
	hostToHost = iota
	hostToDevice
	deviceToHost
	deviceToDevice
)

const codeInvalidDirection = 21

// memoryUse is the kind of an allocation; shim/runtime_api.h has the same list.
type memoryUse uint64

const (
	useOfDevice memoryUse = iota
	useOfHost
	useOfBoth
)

type allocation struct {
	use    memoryUse
	device *device
	size   uint64
}

// programRun is a running program. Any thread of the program may call it.
type programRun struct {
	sim    simulator
	module *module
	stderr io.Writer
	checks backend.ProgramChecks

	mu      sync.Mutex
	devices []*device
	uses    map[uint64]allocation
	space   virtualMemory
	handles []map[*entry]uint32 // by device: the handles of kernels
	launch  backend.Launch
	printed *backend.Error // the fault whose message was printed
	shown   []int          // by device: how many findings were passed on
	ended   bool
}

// device opens a device when it is first used.
func (r *programRun) device(i int) (*device, error) {
	for len(r.devices) <= i {
		opened, err := r.sim.Open(len(r.devices))
		if err != nil {
			return nil, err
		}
		d := opened.(*device) // of this package
		r.devices = append(r.devices, d)
		r.handles = append(r.handles, map[*entry]uint32{})
		if r.module != nil {
			r.adoptModule(d)
		}
	}
	return r.devices[i], nil
}

// adoptModule makes the program's variables memory of a device. All devices share one copy, so a
// program that gives them different values on several devices behaves differently than on GPUs.
func (r *programRun) adoptModule(d *device) {
	d.modules[0] = r.module
	for _, v := range r.module.variables {
		d.memory.variables[v.addr] = v.size
	}
}

// function returns the device's handle of a kernel, which it makes at the first call.
func (r *programRun) function(device int, at *entry, name *byte) uint32 {
	d := r.devices[device]
	h, known := r.handles[device][at]
	if !known {
		h = uint32(len(d.funcs) + 1)
		text := unix.BytePtrToString(name)
		f := &function{module: r.module, entry: at, name: text, cname: append([]byte(text), 0)}
		f.shared = r.module.shared.bytes(text, kernelNames(backend.Image{Lowered: r.module.lowered}))
		d.funcs[h] = f
		r.handles[device][at] = h
	}
	return h
}

// answer executes an operation that the program requests. The first argument is the device; the
// result is a CUresult. The message of an error is printed on standard error, since the program,
// which gets only the number, cannot print it.
func (r *programRun) answer(op programOp, a *[16]uint64) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	if op == opEnd {
		if r.end() {
			return 1
		}
		return 0
	}
	d, err := r.device(int(a[0]))
	if err == nil {
		err = r.do(op, d, a)
	}
	if err == nil {
		return 0
	}
	e := new(backend.Error)
	if !errors.As(err, &e) {
		e = errorf(codeSystemNotReady, "%v", err)
	}
	if e == r.printed {
		return e.Code // a fault is permanent
	}
	if e.Fatal {
		r.printed = e
	}
	if name := programOps[op]; name != "" {
		fmt.Fprintf(r.stderr, "simulator: %s: %s\n", name, e.Message)
	} else {
		fmt.Fprintf(r.stderr, "simulator: %s\n", e.Message)
	}
	return e.Code
}

func (r *programRun) do(op programOp, d *device, a *[16]uint64) error {
	switch op {
	case opMalloc:
		use := memoryUse(a[3])
		return r.malloc(d, a[1], a[2], use, use == useOfDevice && a[4] == 0)
	case opFree:
		return r.free(a[1])
	case opCopy:
		return r.copy(d, a[1], a[2], a[3], a[4])
	case opCopyRect:
		rows, width := a[6], a[5]
		for i := range rows {
			if err := r.copy(d, a[1]+i*a[2], a[3]+i*a[4], width, a[7]); err != nil {
				return err
			}
		}
		return d.alive()
	case opFill:
		return r.owner(a[1], d).Fill(a[1], []byte{byte(a[2])}, a[3], 0)
	case opLaunch:
		return r.run(d, a)
	case opProperties:
		return r.properties(int(a[1]), a)
	case opMemInfo:
		free, total, err := d.MemInfo()
		if err == nil {
			store(a[1], free)
			store(a[2], total)
		}
		return err
	case opOccupancy:
		n, err := d.Occupancy(r.function(int(a[0]), entryAt(a[1]), (*byte)(pointer(a[2]))), int(a[3]), uint32(a[4]))
		*(*int32)(pointer(a[5])) = int32(n)
		return err
	case opAdopt:
		d.memory.chunks[a[1]] = a[2]
		return d.Allocated(a[1], a[2], false)
	case opKnown:
		for addr, u := range r.uses {
			if a[1] >= addr && a[1]-addr < u.size {
				store(a[2], uint64(u.use)+1)
			}
		}
		if r.space.find(a[1]) >= 0 {
			store(a[2], uint64(useOfDevice)+1)
		}
		return nil
	case opRange:
		begin, size, err := r.rangeOf(a[1])
		if err == nil {
			store(a[2], begin)
			store(a[3], size)
		}
		return err
	case opVirtual:
		return r.virtual(d, a)
	}
	return d.alive()
}

// rangeOf returns the allocation or the variable of the program that contains an address, or the text of a literal from there on.
func (r *programRun) rangeOf(addr uint64) (begin, size uint64, err error) {
	for begin, u := range r.uses {
		if addr >= begin && addr-begin < u.size {
			return begin, u.size, nil
		}
	}
	if i := r.space.find(addr); i >= 0 {
		return r.space.mappings[i].addr, r.space.mappings[i].size, nil
	}
	for _, v := range r.module.variables {
		if addr >= v.addr && addr-v.addr < v.size {
			return v.addr, v.size, nil
		}
	}
	if size, ok := r.module.literal(addr); ok {
		return addr, size, nil
	}
	return 0, 0, errorf(codeInvalidValue, "%#x is in no memory that the program has allocated", addr)
}

// store stores a result, unless the program passes no pointer for it.
func store(at, value uint64) {
	if at != 0 {
		*(*uint64)(pointer(at)) = value
	}
}

func entryAt(addr uint64) *entry { return (*entry)(pointer(addr)) }

// malloc stores the address of new memory at an address. fresh reports whether check mode sees all that initialises it.
func (r *programRun) malloc(d *device, at, size uint64, use memoryUse, fresh bool) error {
	store(at, 0)
	if size == 0 {
		return d.alive()
	}
	c, err := d.CreateChunk(size, 0)
	if err != nil {
		return err
	}
	unix.Close(c.FD) // no other process imports the memory
	if err := d.Allocated(c.Addr, size, fresh); err != nil {
		return err
	}
	r.uses[c.Addr] = allocation{use, d, size}
	store(at, c.Addr)
	return nil
}

func (r *programRun) free(addr uint64) error {
	u, ok := r.uses[addr]
	if !ok {
		return errorf(codeInvalidValue, "%#x is not the address of an allocation, or it has been freed before", addr)
	}
	if err := u.device.Freed(addr); err != nil {
		return err
	}
	delete(r.uses, addr)
	if r.module.checked != nil {
		return nil // the memory stays mapped, so that check mode can name it
	}
	return u.device.memory.release(addr)
}

// owner returns the device that an address belongs to, or the given device.
func (r *programRun) owner(addr uint64, or *device) *device {
	for _, d := range r.devices {
		if _, err := d.memory.bytes(addr, 1); err == nil {
			return d
		}
	}
	return or
}

// copy copies between host and device memory, as kind says. Memory for both host and device counts as either.
func (r *programRun) copy(d *device, dst, src, n, kind uint64) error {
	if n == 0 {
		return d.alive()
	}
	to, from := r.owner(dst, nil), r.owner(src, nil)
	switch kind {
	case hostToHost:
		to, from = nil, nil
	case hostToDevice:
		from = nil
	case deviceToHost:
		to = nil
	case deviceToDevice:
	default:
		if kind > deviceToDevice+1 {
			return errorf(codeInvalidDirection, "%d is not a direction of copies", kind)
		}
	}
	if to == nil && (kind == hostToDevice || kind == deviceToDevice) {
		return errorf(codeInvalidValue, "the destination %#x is not device memory, but the direction says so", dst)
	}
	if from == nil && (kind == deviceToHost || kind == deviceToDevice) {
		// Literals of kernels are in the device's memory, too.
		if text, ok := r.module.constant(src, n); ok && kind == deviceToHost {
			copy(unsafe.Slice((*byte)(pointer(dst)), n), text)
			return d.alive()
		} else if ok {
			return to.CopyHtoD(dst, text, 0)
		}
		return errorf(codeInvalidValue, "the source %#x is not device memory, but the direction says so", src)
	}
	if to == nil && dst+n-1 < n { // null, or not an address
		return errorf(codeInvalidValue, "the destination %#x is neither device nor host memory: allocate it first", dst)
	}
	if from == nil && src+n-1 < n {
		return errorf(codeInvalidValue, "the source %#x is neither device nor host memory: allocate it first", src)
	}
	host := func(addr uint64) []byte { return unsafe.Slice((*byte)(pointer(addr)), n) }
	switch {
	case to == nil && from == nil:
		copy(host(dst), host(src))
		return d.alive()
	case from == nil:
		return to.CopyHtoD(dst, host(src), 0)
	case to == nil:
		return from.CopyDtoH(host(dst), src, 0)
	case to == from:
		return to.CopyDtoD(dst, src, n, 0)
	}
	bytes, err := from.memory.bytes(src, n)
	if err != nil {
		return err
	}
	return to.CopyHtoD(dst, bytes, 0)
}

// run launches a kernel.
func (r *programRun) run(d *device, a *[16]uint64) error {
	entry := entryAt(a[1])
	dims := (*[6]uint32)(pointer(a[4]))
	l := &r.launch
	*l = backend.Launch{
		Func: r.function(int(a[0]), entry, (*byte)(pointer(a[2]))), Grid: [3]uint32(dims[:3]), Block: [3]uint32(dims[3:]),
		SharedBytes: uint32(a[5]), Args: unsafe.Slice((*byte)(pointer(a[3])), entry.argBytes), Cooperative: a[7] != 0,
	}
	if a[5] > a[6] {
		return errorf(codeInvalidValue, "kernel %s: %d bytes of dynamic shared memory: more than %d must be allowed first, by cudaFuncSetAttribute", d.funcs[l.Func].name, a[5], a[6])
	}
	err := d.Launch(l)
	r.tellFindings(int(a[0]))
	return err
}

func (r *programRun) properties(device int, a *[16]uint64) error {
	d, err := r.device(device)
	if err != nil {
		return err
	}
	p := &d.props
	copy(unsafe.Slice((*byte)(pointer(a[2])), a[3]-1), p.Name)
	values := []uint64{p.TotalMemory}
	for _, n := range []int{
		p.SharedMemPerBlock, p.RegistersPerBlock, p.WarpSize, p.MaxThreadsPerBlock,
		p.MaxBlockDim[0], p.MaxBlockDim[1], p.MaxBlockDim[2], p.MaxGridDim[0], p.MaxGridDim[1], p.MaxGridDim[2],
		p.ClockRate, p.ComputeMajor, p.ComputeMinor, p.MultiProcessorCount, p.MemoryClockRate, p.MemoryBusWidth,
		p.L2CacheSize, p.MaxThreadsPerMultiProcessor, p.SharedMemPerMultiprocessor, p.RegsPerMultiprocessor,
		p.CooperativeLaunch, p.SharedMemPerBlockOptin, p.MaxBlocksPerMultiProcessor, p.ReservedSharedMemPerBlock,
	} {
		values = append(values, uint64(n))
	}
	copy(unsafe.Slice((*uint64)(pointer(a[4])), len(values)), values)
	return nil
}

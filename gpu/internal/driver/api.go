package driver

import (
	"fmt"
	"unsafe"

	"github.com/ebitengine/purego"
)

// api is the table of the driver's functions. The names include the version suffix of the signature written here: names without a
// suffix have their first signature.
type api struct {
	Init             func(flags uint32) result                                                                  `c:"cuInit"`
	DriverGetVersion func(version *int32) result                                                                `c:"cuDriverGetVersion"`
	GetErrorName     func(r result, name **byte) result                                                         `c:"cuGetErrorName"`
	GetErrorString   func(r result, text **byte) result                                                         `c:"cuGetErrorString"`
	DeviceGetCount   func(count *int32) result                                                                  `c:"cuDeviceGetCount"`
	DeviceGet        func(device *int32, ordinal int32) result                                                  `c:"cuDeviceGet"`
	DeviceGetName    func(name *byte, size int32, device int32) result                                          `c:"cuDeviceGetName"`
	DeviceTotalMem   func(bytes *uint64, device int32) result                                                   `c:"cuDeviceTotalMem_v2"`
	DeviceGetAttr    func(value *int32, attr attribute, device int32) result                                    `c:"cuDeviceGetAttribute"`
	ContextRetain    func(context *uintptr, device int32) result                                                `c:"cuDevicePrimaryCtxRetain"`
	ContextRelease   func(device int32) result                                                                  `c:"cuDevicePrimaryCtxRelease_v2"`
	ContextSet       func(context uintptr) result                                                               `c:"cuCtxSetCurrent"`
	ContextSync      symbol                                                                                     `c:"cuCtxSynchronize"`
	MemGetInfo       func(free, total *uint64) result                                                           `c:"cuMemGetInfo_v2"`
	MemAlloc         func(addr *uint64, size uint64) result                                                     `c:"cuMemAlloc_v2"`
	MemFree          func(addr uint64) result                                                                   `c:"cuMemFree_v2"`
	HostRegister     func(p *byte, size uint64, flags uint32) result                                            `c:"cuMemHostRegister_v2"`
	HostUnregister   func(p *byte) result                                                                       `c:"cuMemHostUnregister"`
	CopyHtoD         symbol                                                                                     `c:"cuMemcpyHtoDAsync_v2"`
	CopyDtoH         symbol                                                                                     `c:"cuMemcpyDtoHAsync_v2"`
	CopyDtoD         symbol                                                                                     `c:"cuMemcpyDtoDAsync_v2"`
	SetD8            symbol                                                                                     `c:"cuMemsetD8Async"`
	SetD16           symbol                                                                                     `c:"cuMemsetD16Async"`
	SetD32           symbol                                                                                     `c:"cuMemsetD32Async"`
	StreamCreate     func(stream *uintptr, flags uint32, priority int32) result                                 `c:"cuStreamCreateWithPriority"`
	StreamDestroy    func(stream uintptr) result                                                                `c:"cuStreamDestroy_v2"`
	StreamSync       symbol                                                                                     `c:"cuStreamSynchronize"`
	StreamWait       symbol                                                                                     `c:"cuStreamWaitEvent"`
	EventCreate      func(event *uintptr, flags uint32) result                                                  `c:"cuEventCreate"`
	EventDestroy     func(event uintptr) result                                                                 `c:"cuEventDestroy_v2"`
	EventRecord      symbol                                                                                     `c:"cuEventRecord"`
	EventSync        symbol                                                                                     `c:"cuEventSynchronize"`
	EventElapsed     func(ms *float32, from, to uintptr) result                                                 `c:"cuEventElapsedTime"`
	StreamQuery      symbol                                                                                     `c:"cuStreamQuery"`
	EventQuery       symbol                                                                                     `c:"cuEventQuery"`
	PriorityRange    func(least, most *int32) result                                                            `c:"cuCtxGetStreamPriorityRange"`
	Copy2D           func(copy *copy2D, stream uintptr) result                                                  `c:"cuMemcpy2DAsync_v2"`
	ModuleLoad       func(module *uintptr, image *byte, n uint32, options *jitOption, values *jitValues) result `c:"cuModuleLoadDataEx"`
	ModuleUnload     func(module uintptr) result                                                                `c:"cuModuleUnload"`
	ModuleFunction   func(function *uintptr, module uintptr, name string) result                                `c:"cuModuleGetFunction"`
	FuncGetAttr      func(value *int32, attr funcAttribute, function uintptr) result                            `c:"cuFuncGetAttribute"`
	FuncSetAttr      func(function uintptr, attr funcAttribute, value int32) result                             `c:"cuFuncSetAttribute"`
	LaunchKernel     symbol                                                                                     `c:"cuLaunchKernel"`

	ModuleGlobal func(addr, size *uint64, module uintptr, name string) result               `c:"cuModuleGetGlobal_v2"`
	Occupancy    func(blocks *int32, function uintptr, threads int32, shared uint64) result `c:"cuOccupancyMaxActiveBlocksPerMultiprocessor"`

	ArrayCreate    func(array *uintptr, desc *arrayDescriptor) result                                        `c:"cuArray3DCreate_v2"`
	ArrayDestroy   func(array uintptr) result                                                                `c:"cuArrayDestroy"`
	Copy3D         func(copy *copy3D, stream uintptr) result                                                 `c:"cuMemcpy3DAsync_v2"`
	TextureCreate  func(object *uint64, what *resourceDescriptor, how *textureDescriptor, view *byte) result `c:"cuTexObjectCreate"`
	SurfaceCreate  func(object *uint64, what *resourceDescriptor) result                                     `c:"cuSurfObjectCreate"`
	SurfaceDestroy func(object uint64) result                                                                `c:"cuSurfObjectDestroy"`
	TextureDestroy func(object uint64) result                                                                `c:"cuTexObjectDestroy"`

	// Since CUDA 11.8.
	LaunchKernelEx func(config *launchConfig, function uintptr, params, extra *uintptr) result `c:"cuLaunchKernelEx,optional"`

	// Since CUDA 11.7.
	WriteValue32 symbol `c:"cuStreamWriteValue32_v2,optional"`

	// Since CUDA 12.0, and older ones under other names.
	BeginCapture     func(stream uintptr, mode int32) result                 `c:"cuStreamBeginCapture_v2,optional"`
	EndCapture       func(stream uintptr, graph *uintptr) result             `c:"cuStreamEndCapture,optional"`
	GraphInstantiate func(exec *uintptr, graph uintptr, flags uint64) result `c:"cuGraphInstantiateWithFlags,optional"`
	GraphUpdate      func(exec, graph uintptr, info *graphUpdateInfo) result `c:"cuGraphExecUpdate_v2,optional"`
	GraphLaunch      symbol                                                  `c:"cuGraphLaunch,optional"`
	GraphDestroy     func(graph uintptr) result                              `c:"cuGraphDestroy,optional"`
	GraphExecDestroy func(exec uintptr) result                               `c:"cuGraphExecDestroy,optional"`

	// Since CUDA 10.2. Without them device memory cannot be shared between processes.
	Granularity    func(bytes *uint64, prop *allocationProp, option int32) result               `c:"cuMemGetAllocationGranularity,optional"`
	MemCreate      func(handle *uint64, size uint64, prop *allocationProp, flags uint64) result `c:"cuMemCreate,optional"`
	MemRelease     func(handle uint64) result                                                   `c:"cuMemRelease,optional"`
	AddressReserve func(addr *uint64, size, align, want, flags uint64) result                   `c:"cuMemAddressReserve,optional"`
	AddressFree    func(addr, size uint64) result                                               `c:"cuMemAddressFree,optional"`
	MemMap         func(addr, size, offset, handle, flags uint64) result                        `c:"cuMemMap,optional"`
	MemUnmap       func(addr, size uint64) result                                               `c:"cuMemUnmap,optional"`
	MemSetAccess   func(addr, size uint64, desc *accessDesc, count uint64) result               `c:"cuMemSetAccess,optional"`
	MemExport      func(fd *int32, handle uint64, kind int32, flags uint64) result              `c:"cuMemExportToShareableHandle,optional"`
	MemImport      func(handle *uint64, fd uintptr, kind int32) result                          `c:"cuMemImportFromShareableHandle,optional"`
}

// location is CUmemLocation.
type location struct {
	kind int32 // locationDevice
	id   int32
}

// allocationProp is CUmemAllocationProp.
type allocationProp struct {
	kind     int32 // allocationPinned
	handles  int32 // handlePosixFD
	location location
	_        uintptr // win32HandleMetaData
	_        [8]byte // allocFlags
}

// accessDesc is CUmemAccessDesc.
type accessDesc struct {
	location location
	flags    int32 // accessReadWrite
}

// copy2D is CUDA_MEMCPY2D.
type copy2D struct {
	_         [2]uint64 // srcXInBytes, srcY
	srcKind   memoryKind
	srcHost   *byte
	srcDevice uint64
	_         uintptr // srcArray
	srcPitch  uint64
	_         [2]uint64 // dstXInBytes, dstY
	dstKind   memoryKind
	dstHost   *byte
	dstDevice uint64
	_         uintptr // dstArray
	dstPitch  uint64
	width     uint64
	height    uint64
}

// memoryKind is CUmemorytype.
type memoryKind int32

const (
	memoryHost   memoryKind = 1
	memoryDevice memoryKind = 2
)

// launchConfig is CUlaunchConfig.
type launchConfig struct {
	grid, block [3]uint32
	shared      uint32
	stream      uintptr
	attributes  *launchAttribute
	count       uint32
}

// launchAttribute is CUlaunchAttribute.
type launchAttribute struct {
	id    uint32 // with padding up to 8 bytes
	_     uint32
	value [16]uint32 // a union of 64 bytes
}

const (
	launchCooperative = 2
	launchCluster     = 4

	captureRelaxed = 2
)

// graphUpdateInfo is CUgraphExecUpdateResultInfo, of which only the size is needed here.
type graphUpdateInfo [3]uintptr

// jitOption is CUjit_option.
type jitOption int32

// jitValues are the values of Load's two options, each of a pointer's size.
type jitValues struct {
	log     *byte
	logSize uintptr
}

const (
	locationDevice   = 1
	allocationPinned = 1
	handlePosixFD    = 1
	accessReadWrite  = 3

	hostRegisterPortable = 1
	hostRegisterMapped   = 2

	eventNoTiming = 2

	jitErrorLogBuffer     jitOption = 5
	jitErrorLogBufferSize jitOption = 6

	launchParamEnd     = 0
	launchParamPointer = 1
	launchParamSize    = 2
)

// attribute is CUdevice_attribute.
type attribute int32

const (
	attrMaxThreadsPerBlock     attribute = 1
	attrMaxBlockDimX           attribute = 2 // Y and Z follow
	attrMaxGridDimX            attribute = 5 // Y and Z follow
	attrSharedPerBlock         attribute = 8
	attrWarpSize               attribute = 10
	attrRegistersPerBlock      attribute = 12
	attrClockRate              attribute = 13
	attrMultiprocessors        attribute = 16
	attrMemoryClockRate        attribute = 36
	attrMemoryBusWidth         attribute = 37
	attrL2CacheSize            attribute = 38
	attrMaxThreadsPerProcessor attribute = 39
	attrComputeMajor           attribute = 75
	attrComputeMinor           attribute = 76
	attrStreamPriorities       attribute = 78
	attrSharedPerProcessor     attribute = 81
	attrRegistersPerProcessor  attribute = 82
	attrHostPointers           attribute = 91
	attrCooperativeLaunch      attribute = 95
	attrSharedPerBlockOptin    attribute = 97
	attrVirtualMemory          attribute = 102
	attrHandlePosixFD          attribute = 103
	attrBlocksPerProcessor     attribute = 106
	attrReservedShared         attribute = 111
	attrClusterLaunch          attribute = 120
)

// funcAttribute is CUfunction_attribute.
type funcAttribute int32

const (
	funcMaxThreadsPerBlock funcAttribute = 0
	funcSharedSize         funcAttribute = 1
	funcConstSize          funcAttribute = 2
	funcLocalSize          funcAttribute = 3
	funcNumRegs            funcAttribute = 4
	funcMaxDynamicShared   funcAttribute = 8
)

// driverNames are the names of the driver library: first the one that the linker searches for, then the paths at which WSL,
// container runtimes and NixOS install it outside the linker's search path.
var driverNames = []string{
	"libcuda.so.1",
	"/usr/lib/wsl/lib/libcuda.so.1",
	"/usr/local/nvidia/lib64/libcuda.so.1",
	"/run/opengl-driver/lib/libcuda.so.1",
}

// loadAPI opens the driver and initializes it.
func loadAPI() (*api, error) {
	handle, name, err := openLibrary(driverNames)
	if err != nil {
		return nil, fmt.Errorf("no NVIDIA driver on this machine (%w); install it to use a GPU, or use the simulator", err)
	}
	a := new(api)
	if err := bind(handle, a); err != nil {
		return nil, fmt.Errorf("the NVIDIA driver (%s) is too old: %w; CUDA 11 or newer is needed", name, err)
	}
	if r := a.Init(0); r != success {
		return nil, a.failure(r, "initialising the NVIDIA driver"+initHints[r])
	}
	return a, nil
}

// initHints are the remedies for common errors of cuInit.
var initHints = map[result]string{
	34:  " (the library found is the toolkit's stub, not the driver: take its directory out of LD_LIBRARY_PATH)",
	100: " (is CUDA_VISIBLE_DEVICES empty, or the container started without --gpus?)",
	803: " (library and kernel module are of different versions: restart the machine after the driver's update)",
	804: " (a forward-compatibility libcuda is found before the driver's own: take its directory out of LD_LIBRARY_PATH)",
}

// goString copies a C string.
func goString(s *byte) string {
	if s == nil {
		return ""
	}
	n := 0
	for *(*byte)(unsafe.Add(unsafe.Pointer(s), n)) != 0 {
		n++
	}
	return string(unsafe.Slice(s, n))
}

// flushStdout returns the C library's fflush: the driver writes the output of kernels through C's stdout, which is buffered if
// standard output is a pipe.
func flushStdout() symbol {
	addr, err := purego.Dlsym(purego.RTLD_DEFAULT, "fflush")
	if err != nil {
		return 0
	}
	return symbol(addr)
}

package cupti

import "unsafe"

// The parameters of CUPTI's profiler functions. Each is a struct that begins with its size, up to the last field that the caller
// uses.

type head struct {
	size uintptr
	_    uintptr
}

type initializeParams struct{ head }

type chipNameParams struct {
	head
	device uintptr
	name   *byte
}

type availabilityParams struct {
	head
	context   uintptr
	imageSize uintptr
	image     *byte
}

type hostInitializeParams struct {
	head
	_            uint32 // 0 means the range profiler
	_            uint32
	chip         *byte
	availability *byte
	host         uintptr
}

type addMetricsParams struct {
	head
	host  uintptr
	names **byte
	count uintptr
}

type configSizeParams struct {
	head
	host uintptr
	n    uintptr
}

type configParams struct {
	head
	host  uintptr
	n     uintptr
	image *byte
}

type evaluateParams struct {
	head
	host   uintptr
	data   *byte
	n      uintptr
	_      uintptr // index of the range: the first
	names  **byte
	count  uintptr
	values *float64
}

type rangeEnableParams struct {
	head
	context uintptr
	object  uintptr
}

type rangeParams struct {
	head
	object uintptr
}

// rangeStopParams ends with a byte; the padding after it is not included in the size.
type rangeStopParams struct {
	head
	object uintptr
	_      [2]uintptr // indices of pass and nesting level
	all    uint8
}

type setConfigParams struct {
	head
	object     uintptr
	configSize uintptr
	config     *byte
	dataSize   uintptr
	data       *byte
	rangeMode  uint32
	replayMode uint32
	maxRanges  uintptr
	levels     uint16
	minLevel   uint16
	_          uintptr // index of the pass: the first
	target     uint16
}

type decodeParams struct {
	head
	object  uintptr
	dropped uintptr
}

type dataSizeParams struct {
	head
	object    uintptr
	names     **byte
	count     uintptr
	maxRanges uintptr
	maxNodes  uint32
	n         uintptr
}

type dataInitializeParams struct {
	head
	object uintptr
	n      uintptr
	data   *byte
}

type dataInfoParams struct {
	head
	data   *byte
	n      uintptr
	ranges uintptr
}

// sized sets the size of parameters up to the given last field.
func sized[T, F any](p *T, h *head, last *F) *T {
	h.size = uintptr(unsafe.Pointer(last)) - uintptr(unsafe.Pointer(p)) + unsafe.Sizeof(*last)
	return p
}

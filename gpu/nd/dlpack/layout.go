package dlpack

import (
	"fmt"

	"github.com/gopherwarp/gopherwarp/gpu/nd"
)

// ManagedTensorVersioned is DLManagedTensorVersioned, to which consumers take a pointer.
type ManagedTensorVersioned struct {
	Major, Minor uint32
	Context      uintptr // the producer's
	Deleter      uintptr // void (*)(struct DLManagedTensorVersioned *), or 0
	Flags        uint64
	Tensor       Tensor
}

// ManagedTensor is DLManagedTensor, to which older consumers take a pointer.
type ManagedTensor struct {
	Tensor  Tensor
	Context uintptr // the producer's
	Deleter uintptr // void (*)(struct DLManagedTensor *), or 0
}

// Tensor is DLTensor.
type Tensor struct {
	Data       uintptr
	Device     Device
	NDim       int32
	DType      DataType
	Shape      *int64
	Strides    *int64 // in elements
	ByteOffset uint64 // of the first element from Data
}

// Device is DLDevice.
type Device struct {
	Type DeviceType
	ID   int32
}

// DeviceType is DLDeviceType.
type DeviceType int32

// The kinds of memory that tensors of this package have.
const (
	CPU         DeviceType = 1
	CUDA        DeviceType = 2
	CUDAHost    DeviceType = 3  // of the host, page-locked for a GPU
	CUDAManaged DeviceType = 13 // of both
)

func (t DeviceType) String() string {
	switch t {
	case CPU:
		return "kDLCPU"
	case CUDA:
		return "kDLCUDA"
	case CUDAHost:
		return "kDLCUDAHost"
	case CUDAManaged:
		return "kDLCUDAManaged"
	}
	return fmt.Sprintf("DLDeviceType %d", int32(t))
}

// DataType is DLDataType.
type DataType struct {
	Code  uint8
	Bits  uint8
	Lanes uint16
}

const (
	major, minor = 1, 1

	// FlagReadOnly and FlagCopied are bits of Flags.
	FlagReadOnly = 1 << 0
	FlagCopied   = 1 << 1

	codeInt     = 0
	codeUint    = 1
	codeFloat   = 2
	codeBfloat  = 4
	codeComplex = 5
	codeBool    = 6
)

// dataTypes are those of arrays.
var dataTypes = map[nd.DType]DataType{
	nd.Bool: {codeBool, 8, 1},
	nd.Int8: {codeInt, 8, 1}, nd.Int16: {codeInt, 16, 1}, nd.Int32: {codeInt, 32, 1}, nd.Int64: {codeInt, 64, 1},
	nd.Uint8: {codeUint, 8, 1}, nd.Uint16: {codeUint, 16, 1}, nd.Uint32: {codeUint, 32, 1}, nd.Uint64: {codeUint, 64, 1},
	nd.F16: {codeFloat, 16, 1}, nd.BF16: {codeBfloat, 16, 1}, nd.F32: {codeFloat, 32, 1}, nd.F64: {codeFloat, 64, 1},
	nd.C64: {codeComplex, 64, 1}, nd.C128: {codeComplex, 128, 1},
}

func (t DataType) String() string {
	name, ok := map[uint8]string{
		codeInt: "int", codeUint: "uint", codeFloat: "float", codeBfloat: "bfloat", codeComplex: "complex", codeBool: "bool",
	}[t.Code]
	if !ok {
		return fmt.Sprintf("DLDataType code %d of %d bits", t.Code, t.Bits)
	}
	if t.Lanes != 1 {
		return fmt.Sprintf("%s%dx%d", name, t.Bits, t.Lanes)
	}
	return fmt.Sprintf("%s%d", name, t.Bits)
}

// dtype returns the dtype of arrays of such elements.
func (t DataType) dtype() (nd.DType, bool) {
	for dt, own := range dataTypes {
		if own == t {
			return dt, true
		}
	}
	return 0, false
}

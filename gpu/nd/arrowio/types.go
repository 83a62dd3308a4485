package arrowio

import (
	"fmt"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/gopherwarp/gopherwarp/gpu/nd"
)

// types are Arrow's types of elements.
var types = map[nd.DType]arrow.DataType{
	nd.Bool: arrow.FixedWidthTypes.Boolean,
	nd.Int8: arrow.PrimitiveTypes.Int8, nd.Int16: arrow.PrimitiveTypes.Int16, nd.Int32: arrow.PrimitiveTypes.Int32, nd.Int64: arrow.PrimitiveTypes.Int64,
	nd.Uint8: arrow.PrimitiveTypes.Uint8, nd.Uint16: arrow.PrimitiveTypes.Uint16, nd.Uint32: arrow.PrimitiveTypes.Uint32, nd.Uint64: arrow.PrimitiveTypes.Uint64,
	nd.F16: arrow.FixedWidthTypes.Float16, nd.F32: arrow.PrimitiveTypes.Float32, nd.F64: arrow.PrimitiveTypes.Float64,
}

// typeOf returns Arrow's type of an array's elements.
func typeOf(dt nd.DType) (arrow.DataType, error) {
	switch t, ok := types[dt]; {
	case ok:
		return t, nil
	case dt == nd.C64 || dt == nd.C128:
		return nil, fmt.Errorf("there is no %v in Arrow: take nd.RealPart and nd.ImagPart as two columns", dt)
	default:
		return nil, fmt.Errorf("there is no %v in Arrow: convert the array by nd.AsType", dt)
	}
}

// dtypeOf returns the dtype of Arrow's elements.
func dtypeOf(t arrow.DataType) (nd.DType, error) {
	for dt, own := range types {
		if own.ID() == t.ID() {
			return dt, nil
		}
	}
	return 0, fmt.Errorf("it holds %v, of which there are no arrays", t)
}

// unpack returns n bits, beginning at bit from, as bytes 0 or 1.
func unpack(bits []byte, from, n int) []byte {
	list := make([]byte, n)
	for i := range list {
		list[i] = bits[(from+i)/8] >> ((from + i) % 8) & 1
	}
	return list
}

// pack returns bytes as bits, and the number of zeros.
func pack(list []byte) (bits []byte, zeros int) {
	bits = make([]byte, (len(list)+7)/8)
	for i, v := range list {
		if v == 0 {
			zeros++
			continue
		}
		bits[i/8] |= 1 << (i % 8)
	}
	return bits, zeros
}

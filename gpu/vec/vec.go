// Package vec has the vector types of CUDA C++, such as float4, for the elements of buffers and for the parameters of kernels.
//
// They have CUDA's layout. Types that C aligns more strictly than Go does are aligned in a buffer. The vector types of 16-bit floats are
// in package gpu.
package vec

// The vector types.
type (
	Char2 struct{ X, Y int8 }
	Char3 struct{ X, Y, Z int8 }
	Char4 struct{ X, Y, Z, W int8 }

	Uchar2 struct{ X, Y uint8 }
	Uchar3 struct{ X, Y, Z uint8 }
	Uchar4 struct{ X, Y, Z, W uint8 }

	Short2 struct{ X, Y int16 }
	Short3 struct{ X, Y, Z int16 }
	Short4 struct{ X, Y, Z, W int16 }

	Ushort2 struct{ X, Y uint16 }
	Ushort3 struct{ X, Y, Z uint16 }
	Ushort4 struct{ X, Y, Z, W uint16 }

	Int2 struct{ X, Y int32 }
	Int3 struct{ X, Y, Z int32 }
	Int4 struct{ X, Y, Z, W int32 }

	Uint2 struct{ X, Y uint32 }
	Uint3 struct{ X, Y, Z uint32 }
	Uint4 struct{ X, Y, Z, W uint32 }

	Longlong2 struct{ X, Y int64 }
	Longlong3 struct{ X, Y, Z int64 }
	Longlong4 struct{ X, Y, Z, W int64 }

	Ulonglong2 struct{ X, Y uint64 }
	Ulonglong3 struct{ X, Y, Z uint64 }
	Ulonglong4 struct{ X, Y, Z, W uint64 }

	Float2 struct{ X, Y float32 }
	Float3 struct{ X, Y, Z float32 }
	Float4 struct{ X, Y, Z, W float32 }

	Double2 struct{ X, Y float64 }
	Double3 struct{ X, Y, Z float64 }
	Double4 struct{ X, Y, Z, W float64 }
)

// Type is a constraint that permits any of the vector types.
type Type interface {
	Char2 | Char3 | Char4 |
		Uchar2 | Uchar3 | Uchar4 |
		Short2 | Short3 | Short4 |
		Ushort2 | Ushort3 | Ushort4 |
		Int2 | Int3 | Int4 |
		Uint2 | Uint3 | Uint4 |
		Longlong2 | Longlong3 | Longlong4 |
		Ulonglong2 | Ulonglong3 | Ulonglong4 |
		Float2 | Float3 | Float4 |
		Double2 | Double3 | Double4
}

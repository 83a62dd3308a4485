package driver

// NVRTC has no C library, but the sources of users include its headers. NVRTC itself declares most of their functions (printf,
// malloc, assert, the mathematical functions), so these headers are replaced by empty files; a few need some lines. If CUDA's own
// C++ library is installed its headers are used instead, since a source that includes both would have duplicate definitions.

const stdintHeader = `#pragma once
#if __has_include(<cuda/std/cstdint>)
#include <cuda/std/cstdint>
#else
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long long uint64_t;
typedef int64_t intptr_t;
typedef uint64_t uintptr_t;
#define INT8_MAX 127
#define INT8_MIN (-INT8_MAX - 1)
#define UINT8_MAX 255
#define INT16_MAX 32767
#define INT16_MIN (-INT16_MAX - 1)
#define UINT16_MAX 65535
#define INT32_MAX 2147483647
#define INT32_MIN (-INT32_MAX - 1)
#define UINT32_MAX 4294967295U
#define INT64_MAX 9223372036854775807LL
#define INT64_MIN (-INT64_MAX - 1)
#define UINT64_MAX 18446744073709551615ULL
#endif
`

const cstdintHeader = `#pragma once
#include <stdint.h>
namespace std {
using ::int8_t; using ::int16_t; using ::int32_t; using ::int64_t;
using ::uint8_t; using ::uint16_t; using ::uint32_t; using ::uint64_t;
using ::intptr_t; using ::uintptr_t;
}
`

const limitsHeader = `#pragma once
#if __has_include(<cuda/std/climits>)
#include <cuda/std/climits>
#else
#define CHAR_BIT 8
#define SCHAR_MAX 127
#define SCHAR_MIN (-SCHAR_MAX - 1)
#define UCHAR_MAX 255
#define CHAR_MAX SCHAR_MAX
#define CHAR_MIN SCHAR_MIN
#define SHRT_MAX 32767
#define SHRT_MIN (-SHRT_MAX - 1)
#define USHRT_MAX 65535
#define INT_MAX 2147483647
#define INT_MIN (-INT_MAX - 1)
#define UINT_MAX 4294967295U
#define LONG_MAX 9223372036854775807L
#define LONG_MIN (-LONG_MAX - 1)
#define ULONG_MAX 18446744073709551615UL
#define LLONG_MAX 9223372036854775807LL
#define LLONG_MIN (-LLONG_MAX - 1)
#define ULLONG_MAX 18446744073709551615ULL
#endif
`

const floatHeader = `#pragma once
#define FLT_RADIX 2
#define FLT_DIG 6
#define FLT_MANT_DIG 24
#define FLT_MIN 1.175494351e-38F
#define FLT_MAX 3.402823466e+38F
#define FLT_EPSILON 1.192092896e-07F
#define DBL_DIG 15
#define DBL_MANT_DIG 53
#define DBL_MIN 2.2250738585072014e-308
#define DBL_MAX 1.7976931348623157e+308
#define DBL_EPSILON 2.2204460492503131e-16
`

const mathHeader = `#pragma once
#ifndef INFINITY
#define INFINITY __int_as_float(0x7f800000)
#endif
#ifndef NAN
#define NAN __int_as_float(0x7fffffff)
#endif
#ifndef M_PI
#define M_E 2.7182818284590452354
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
#endif
`

// The real cuda.h declares host functions, which NVRTC rejects. Kernels use only one of its types.
const cudaHeader = `#pragma once
typedef struct CUtensorMap_st { alignas(64) unsigned long long opaque[16]; } CUtensorMap;
`

// libraryHeaders are headers of C++ that CUDA's C++ library has for kernels under the name cuda/std/NAME.
var libraryHeaders = []string{
	"algorithm", "array", "bit", "complex", "functional", "initializer_list", "limits", "numeric", "optional", "ratio", "span", "tuple",
	"type_traits", "utility", "variant",
}

// libraryHeader returns the text that stands for a header of C++: its names are those of CUDA's C++ library.
func libraryHeader(name string) string {
	return `#pragma once
#if !__has_include(<cuda/std/` + name + `>)
#error <` + name + `> is part of CUDA's C++ library, which is not installed here: pip install nvidia-cuda-cccl
#endif
#include <cuda/std/` + name + `>
namespace std { using namespace cuda::std; }
`
}

// standInHeaders returns the contents and names of the replaced headers.
func standInHeaders() (texts, names []string) {
	for _, name := range libraryHeaders {
		texts = append(texts, libraryHeader(name))
		names = append(names, name)
	}
	for _, h := range []struct {
		text  string
		names []string
	}{
		{"", []string{
			"assert.h", "cassert", "stdio.h", "cstdio", "stdlib.h", "cstdlib", "string.h", "cstring", "stddef.h", "cstddef",
			"cuda_runtime.h", "device_launch_parameters.h",
		}},
		{cudaHeader, []string{"cuda.h"}},
		{mathHeader, []string{"math.h", "cmath"}},
		{stdintHeader, []string{"stdint.h"}},
		{cstdintHeader, []string{"cstdint"}},
		{limitsHeader, []string{"limits.h", "climits"}},
		{floatHeader, []string{"float.h", "cfloat"}},
	} {
		for _, name := range h.names {
			texts = append(texts, h.text)
			names = append(names, name)
		}
	}
	return texts, names
}

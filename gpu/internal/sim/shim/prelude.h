// What CUDA C++ takes for granted, for the host's compiler. It stands before every
// program, which is why it must not be part of the program's lines.
#pragma once

// Those whose names become macros below must have been read before: they undefine them.
#include <cfenv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <float.h>
#include <limits.h>
#include <limits>
#include <math.h>
#include <stdlib.h>
#include <type_traits>
#include <utility>

#include "abi.h"

#define __CUDACC__ 1
#ifndef GW_ARCH
#define GW_ARCH 900
#endif
#define __CUDA_ARCH__ GW_ARCH
#define GOPHERWARP_SIM 1

#define __host__
#define __device__
#define __constant__
#define __managed__
#define __grid_constant__
#define __launch_bounds__(...)
#define __cluster_dims__(...)
#define __maxnreg__(...)
#define __inline_hint__
#define __nv_pure__
#define GW_KERNEL_CALLER
#if defined(GW_SEVERAL) && defined(GW_CHECK)
#define __global__ __attribute__((noinline))
#elif defined(GW_SEVERAL) || defined(GW_NESTED)
// A program of several files may launch in one what another defines, so that a kernel is a function like others. What calls
// its threads still has it inlined. And one that launches others may launch itself.
#define __global__
#undef GW_KERNEL_CALLER
#define GW_KERNEL_CALLER __attribute__((flatten))
#elif defined(GW_CHECK)
// On its own, since its entry point is not to be watched.
#define __global__ inline __attribute__((noinline))
#else
// Inlined into its entry point, the one place that calls it.
#define __global__ inline __attribute__((always_inline))
#endif
// A worker runs one block at a time, so what a block shares is what an OS thread owns.
#define __shared__ thread_local
#define __forceinline__ inline __attribute__((always_inline))
// A hint for compilers, which changes no result: the C++ library has the same word in attributes, where a definition that is an attribute is wrong.
#define __noinline__
#define __align__(n) __attribute__((aligned(n)))

#define GW_DEVICE static inline __attribute__((always_inline, unused))

#include "vector.h"
#include "sync.h"
#include "atomic.h"
#include "special.h"
#include "intrinsics.h"
#include "simd.h"
#include "dpx.h"
#include "entry.h"
#include "split.h"
#include "lanes.h"
#include "nv_atomic.h"
#include "textures.h"
#include "texture_fetch.h"
#include "ptx.h"
#include "newer.h"
#include "ptx_half.h"
#include "ptx_matrix.h"

#define printf(...) ::gwsim::print(__VA_ARGS__)
#define __trap() ::gwsim::trap()
#define __brkpt() ::gwsim::trap()
#define __assertfail(condition, file, line, function, size) ::gwsim::assertFailed(condition, file, (int)(line), function)
#define clock() ((clock_t)clock64())

#include "include/assert.h"

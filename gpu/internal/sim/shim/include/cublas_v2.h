// cuBLAS: dense linear algebra in column-major order.
#pragma once
#include "cuComplex.h"

#include "cuda_bf16.h"
#include "cuda_fp16.h"

#include "../library.h"

// Programs find out by the guards of cuBLAS's headers that it is there.
#define CUBLAS_V2_H_
#define CUBLAS_API_H_
#define CUBLAS_VER_MAJOR 13
#define CUBLAS_VER_MINOR 0
#define CUBLAS_VER_PATCH 0
#define CUBLAS_VERSION 130000

#include "../cublas/context.h"

#include "../cublas/level1.h"
#include "../cublas/level2.h"
#include "../cublas/gemm.h"
#include "../cublas/level3.h"
#include "../cublas/level1ex.h"

// cuBLASLt, over what the simulator has of cuBLAS.
#pragma once
#include "cublas_v2.h"

#include "../cublas/lt.h"

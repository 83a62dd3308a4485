// Random numbers in kernels, in cuRAND's sequences.
#pragma once
#include "cuda_runtime.h"

#ifndef QUALIFIERS
#define QUALIFIERS static inline
#endif

#include "../curand/xorwow.h"
#include "../curand/philox.h"
#include "../curand/mrg32k3a.h"
#include "../curand/sobol.h"
#include "../curand/uniform.h"
#include "../curand/normal.h"
#include "../curand/poisson.h"

#include "curand.h" // as with NVIDIA's: programs take it for granted

// Names that a profiler shows for objects of CUDA.
#pragma once
#include "nvtx3/nvToolsExt.h"

#define nvtxNameCuDeviceA(device, name) ((void)(device), (void)(name))
#define nvtxNameCuContextA(context, name) ((void)(context), (void)(name))
#define nvtxNameCuStreamA(stream, name) ((void)(stream), (void)(name))
#define nvtxNameCuEventA(event, name) ((void)(event), (void)(name))
#define nvtxNameCudaDeviceA(device, name) ((void)(device), (void)(name))
#define nvtxNameCudaStreamA(stream, name) ((void)(stream), (void)(name))
#define nvtxNameCudaEventA(event, name) ((void)(event), (void)(name))

// The include guards of CUDA's headers, by which programs find out which of them they have. All of them are there from the
// beginning, as nvcc reads cuda_runtime.h before every program.
#pragma once

#define __DRIVER_TYPES_H__
#define __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_API_H__
#define __VECTOR_TYPES_H__
#define __VECTOR_FUNCTIONS_H__
#define __DEVICE_TYPES_H__
#define __BUILTIN_TYPES_H__
#define __HOST_DEFINES_H__
#define __HOST_CONFIG_H__
#define __CHANNEL_DESCRIPTOR_H__
#define __DEVICE_FUNCTIONS_H__
#define __DEVICE_LAUNCH_PARAMETERS_H__
#define __TEXTURE_TYPES_H__
#define __SURFACE_TYPES_H__
#define __CUDA_DEVICE_RUNTIME_API_H__
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0
#define __NVCC__ 1

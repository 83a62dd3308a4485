// Package cupti measures the work of a process's GPU by NVIDIA's CUPTI, which is loaded at run time.
//
// Activity records (activity.go) have the time of each kernel and copy, and do not slow them down. The range profiler
// (counters.go) reads the GPU's counters: the memory traffic of a kernel, its operations, its active warps. For that it runs a
// kernel several times, and restores the memory before each of them. It needs CUDA 12.6, and only administrators may use it
// unless the driver is configured otherwise.
package cupti

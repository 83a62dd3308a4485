// Package cupti measures what a process's GPU does, by NVIDIA's CUPTI, which is loaded at run time.
//
// Its activity records (activity.go) have the time of each kernel and copy, and do not disturb
// them. Its range profiler (counters.go) reads the GPU's counters: how much memory a kernel moved, how
// many operations it did, how many warps there were. It must run a kernel several times for that, and
// puts the memory back before each time. It exists since CUDA 12.6, and only administrators may use it
// unless the driver was told otherwise.
package cupti

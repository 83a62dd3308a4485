// Package nvtx sends the names of a process's ranges of time to profilers such as NVIDIA's Nsight.
//
// Programs in C include NVTX's headers, which read the environment variable NVTX_INJECTION64_PATH when they are first used: a
// profiler sets it to the path of its library. The headers load that library and pass it tables, into which it writes its
// functions. This package does the same, so it needs neither a compiler nor a library. Without a profiler no library is loaded,
// and a range costs nothing.
package nvtx

// Package nvtx tells profilers such as NVIDIA's Nsight what a process is about, in named ranges
// of time.
//
// Programs in C include NVTX's headers, which look at the environment variable
// NVTX_INJECTION64_PATH when they are first used: a profiler has set it to a library of its own.
// They load that and hand it tables, into which it writes its functions. This package does
// what the headers do, so it needs neither a compiler nor a library. Without a profiler there
// is nothing to load, and a range costs nothing.
package nvtx

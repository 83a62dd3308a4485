// Package collective is how simulated devices, each in a process of its own, do things together, as
// NCCL has GPUs do: by memory that all of them map, and waiting for each other on futexes.
//
// A member that waits for one that is gone waits forever; package gpu ends its process then, as it
// must on a GPU.
package collective

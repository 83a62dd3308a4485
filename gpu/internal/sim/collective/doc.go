// Package collective implements collective operations of simulated devices, each in its own process,
// as NCCL does for GPUs: through shared memory that all of them map, with futexes to wait.
//
// A member that waits for one whose process has exited waits forever; package gpu kills its process
// then, as it must on a GPU.
package collective

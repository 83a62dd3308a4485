// Command session measures the times that a learner waits for: the start of the kernel,
// small cells with new text, the same text again, a compile error, and the memory of the
// idle processes. It talks to the kernel as a front end does; a cell's time is from
// sending the request until the kernel is idle again.
//
// With -arrays it compares binaries by cells with arrays: their time, and the processor time of the
// compiler and the linker.
//
// With -releases it compares releases of Go, in alternation.
//
// It measures ipykernel in the same run, if make lab has installed it.
//
// Kernels and the GPU are measured in bench/launch.
package main

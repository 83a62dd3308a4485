// Command session measures what a learner waits for: the start of the kernel, small cells
// whose text is new, the same text again, a compile error, and the memory of the idle
// processes. It talks to the kernel as a front end does; a cell's time is from sending the
// request to the kernel being idle again.
//
// With -releases it compares releases of Go by turns.
//
// It measures ipykernel in the same run, where make lab has installed it.
//
// What kernels and the GPU cost is measured in bench/launch.
package main

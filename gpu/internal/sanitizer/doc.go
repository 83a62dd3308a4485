// Package sanitizer checks launches of a device that has no check mode of its own: a GPU.
//
// A launch is carried out once more by helper processes, each with a copy of the buffers that the
// kernel is given, as large as these and not a byte larger. The helpers run under the tools of NVIDIA's
// compute-sanitizer (memcheck, racecheck, initcheck and synccheck), whose reports become findings. Where
// compute-sanitizer is missing there is one helper, which runs the simulator's check mode.
//
// What a kernel works on is found by its pointer arguments. Tables of pointers are followed, if their elements are of
// 8 bytes, and so are addresses in structs, if they are those of a buffer's beginning. Others lead nowhere in a
// helper, as those of freed buffers do. A kernel that follows a pointer which an earlier one has got from malloc can't be
// checked; the report says so.
//
// What a kernel does wrong happens to a helper, and so harms nothing.
package sanitizer

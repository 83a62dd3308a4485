// Package sanitizer checks launches of a device without a check mode: a GPU.
//
// Before a launch, helper processes execute it, each with copies of the kernel's buffers, which have exactly their sizes. The
// helpers run under the tools of NVIDIA's compute-sanitizer (memcheck, racecheck, initcheck and synccheck), whose reports are
// converted to findings. One more runs the simulator's check mode, which sees what the tools do not: races in global memory,
// uninitialised shared memory, shuffles from inactive lanes. What both have found is one finding. Without compute-sanitizer
// the simulator checks alone.
//
// The memory of a kernel is found by its pointer arguments. Tables of pointers are followed if their elements have 8 bytes, and
// so are addresses in structs, if they are those of the start of a buffer. Other addresses are invalid in a helper, as are those
// of freed buffers. A kernel that uses a pointer which an earlier kernel got from malloc can't be checked; the report says so.
//
// A defect of a kernel affects only a helper, and not the buffers.
package sanitizer

package simd

import "golang.org/x/sys/cpu"

// Has reports whether the processor has the instructions.
var Has = cpu.X86.HasAVX2 && cpu.X86.HasFMA

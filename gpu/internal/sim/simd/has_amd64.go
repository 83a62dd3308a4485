package simd

import "golang.org/x/sys/cpu"

// Has reports whether the processor has the instructions.
var Has = cpu.X86.HasAVX2 && cpu.X86.HasFMA

// Has512 reports whether the processor also has those of TallTile and LargeTile, which are of AVX-512.
var Has512 = Has && cpu.X86.HasAVX512F

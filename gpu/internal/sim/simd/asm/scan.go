package main

import (
	. "github.com/mmcloughlin/avo/build" //nolint:revive // avo's way of writing instructions
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// running writes the running sums of integers.
func running() {
	const name = "running32"
	TEXT(name, NOSPLIT, "func(out, a, sum *int32, n int)")
	Pragma("noescape")
	Doc(name + " stores the sum of sum and all elements up to each of n, a multiple of 8, and the last one in sum.")
	out, a, sum, n := Load(Param("out"), GP64()), Load(Param("a"), GP64()), Load(Param("sum"), GP64()), Load(Param("n"), GP64())
	before, last := YMM(), YMM()
	VPBROADCASTD(Mem{Base: sum}, before)
	VPCMPEQD(last, last, last)
	VPSRLD(Imm(29), last, last) // the index of the last lane
	single.loop(n, name, 2, func(vectors int, at reg.Register) {
		for k := range vectors {
			v, t := YMM(), YMM()
			VMOVDQU(single.element(a, at, k), v)
			VPSLLDQ(Imm(4), v, t) // within each half
			VPADDD(t, v, v)
			VPSLLDQ(Imm(8), v, t)
			VPADDD(t, v, v)
			VPERM2I128(Imm(8), v, v, t) // the lower half in the upper one
			VPSHUFD(Imm(0xff), t, t)
			VPADDD(t, v, v)
			VPERMD(v, last, t)
			VPADDD(before, v, v)
			VMOVDQU(v, single.element(out, at, k))
			VPADDD(t, before, before) // all that the next vector waits for
		}
	})
	VMOVD(before.AsX(), Mem{Base: sum})
	VZEROUPPER()
	RET()
}

// sumInt32 stores partial sums of integers.
func sumInt32() {
	const name = "sumInt32"
	TEXT(name, NOSPLIT, "func(out, a *int32, n int)")
	Pragma("noescape")
	Doc(name + " stores 8 partial sums of n int32s, a multiple of 8.")
	out, a, n := Load(Param("out"), GP64()), Load(Param("a"), GP64()), Load(Param("n"), GP64())
	sums := zeros(4)
	single.loop(n, name, 4, func(vectors int, at reg.Register) {
		for k := range vectors {
			VPADDD(single.element(a, at, k), sums[k], sums[k])
		}
	})
	VPADDD(sums[1], sums[0], sums[0])
	VPADDD(sums[3], sums[2], sums[2])
	VPADDD(sums[2], sums[0], sums[0])
	VMOVDQU(sums[0], Mem{Base: out})
	VZEROUPPER()
	RET()
}

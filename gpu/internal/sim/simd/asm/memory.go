package main

import (
	. "github.com/mmcloughlin/avo/build" //nolint:revive // avo's way of writing instructions
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// spread fills rows with an element each.
func (i *instructions) spread() {
	name := "Spread" + i.suffix
	TEXT(name, NOSPLIT, i.signature("out, a", "stride", "rows"))
	Pragma("noescape")
	Doc(name+" stores n copies, a multiple of a vector, of each of some elements, which are stride bytes apart, one after the other. There is", "at least one.")
	out, a := Load(Param("out"), GP64()), Load(Param("a"), GP64())
	stride, rows, n := Load(Param("stride"), GP64()), Load(Param("rows"), GP64()), Load(Param("n"), GP64())
	v := YMM()
	Label(name + "_row")
	i.broadcast(Mem{Base: a}, v)
	i.loop(n, name, 4, func(vectors int, at reg.Register) {
		for k := range vectors {
			i.load(v, i.element(out, at, k))
		}
	})
	LEAQ(Mem{Base: out, Index: n, Scale: uint8(i.size)}, out)
	ADDQ(stride, a)
	DECQ(rows)
	JNE(LabelRef(name + "_row"))
	VZEROUPPER()
	RET()
}

// range32 stores the smallest and the largest number of each lane.
func range32() {
	const name = "range32"
	TEXT(name, NOSPLIT, "func(out *int32, a *int32, n int)")
	Pragma("noescape")
	Doc(name + " stores the smallest and then the largest int32 of each lane of n, a multiple of 8 and at least that.")
	out, a, n := Load(Param("out"), GP64()), Load(Param("a"), GP64()), Load(Param("n"), GP64())
	low, high := [2]reg.VecVirtual{YMM(), YMM()}, [2]reg.VecVirtual{YMM(), YMM()}
	for k := range 2 {
		VMOVDQU(Mem{Base: a}, low[k])
		VMOVDQU(Mem{Base: a}, high[k])
	}
	single.loop(n, name, 2, func(vectors int, at reg.Register) {
		for k := range vectors {
			v := YMM()
			VMOVDQU(single.element(a, at, k), v)
			VPMINSD(v, low[k], low[k])
			VPMAXSD(v, high[k], high[k])
		}
	})
	VPMINSD(low[1], low[0], low[0])
	VPMAXSD(high[1], high[0], high[0])
	VMOVDQU(low[0], Mem{Base: out})
	VMOVDQU(high[0], Mem{Base: out, Disp: 32})
	VZEROUPPER()
	RET()
}

// range64 is range32 for numbers of 64 bits, for whose minimum there is no instruction.
func range64() {
	const name = "range64"
	TEXT(name, NOSPLIT, "func(out *int64, a *int64, n int)")
	Pragma("noescape")
	Doc(name + " stores the smallest and then the largest int64 of each lane of n, a multiple of 4 and at least that.")
	out, a, n := Load(Param("out"), GP64()), Load(Param("a"), GP64()), Load(Param("n"), GP64())
	low, high := YMM(), YMM()
	VMOVDQU(Mem{Base: a}, low)
	VMOVDQU(Mem{Base: a}, high)
	double.loop(n, name, 2, func(vectors int, at reg.Register) {
		for k := range vectors {
			v, less, more := YMM(), YMM(), YMM()
			VMOVDQU(double.element(a, at, k), v)
			VPCMPGTQ(v, low, less)
			VPCMPGTQ(high, v, more)
			VBLENDVPD(less, v, low, low)
			VBLENDVPD(more, v, high, high)
		}
	})
	VMOVDQU(low, Mem{Base: out})
	VMOVDQU(high, Mem{Base: out, Disp: 32})
	VZEROUPPER()
	RET()
}

// lines copies the lines of a tile of packed factors.
func lines() {
	const name = "Lines"
	TEXT(name, NOSPLIT, "func(to, from *byte, apart, stride, lines, n int)")
	Pragma("noescape")
	Doc(name+" copies lines of 64 bytes from n rows, which are stride bytes apart. Line i of each row is copied to those that begin i times apart",
		"bytes behind the first one. There is at least one line and one row.")
	to, from := Load(Param("to"), GP64()), Load(Param("from"), GP64())
	apart, stride, n := Load(Param("apart"), GP64()), Load(Param("stride"), GP64()), Load(Param("n"), GP64())
	source, ahead, target, left := GP64(), GP64(), GP64(), GP64()
	low, high := YMM(), YMM()
	Label(name + "_row")
	MOVQ(from, source)
	// Rows of a large matrix are in many pages, so nothing but this loads them early.
	LEAQ(Mem{Base: from, Index: stride, Scale: 4}, ahead)
	MOVQ(to, target)
	Load(Param("lines"), left)
	Label(name + "_line")
	PREFETCHT0(Mem{Base: ahead})
	VMOVUPS(Mem{Base: source}, low)
	VMOVUPS(Mem{Base: source, Disp: 32}, high)
	VMOVUPS(low, Mem{Base: target})
	VMOVUPS(high, Mem{Base: target, Disp: 32})
	ADDQ(Imm(64), source)
	ADDQ(Imm(64), ahead)
	ADDQ(apart, target)
	DECQ(left)
	JNE(LabelRef(name + "_line"))
	ADDQ(stride, from)
	ADDQ(Imm(64), to)
	DECQ(n)
	JNE(LabelRef(name + "_row"))
	VZEROUPPER()
	RET()
}

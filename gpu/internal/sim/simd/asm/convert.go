package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build" //nolint:revive // avo's way of writing instructions
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// eights writes a function that computes 8 elements at a time. body is called with the operands' addresses and the register of the index.
func eights(name, signature string, params []string, body func(p []reg.Register, at reg.Register), more ...string) {
	TEXT(name, NOSPLIT, signature)
	Pragma("noescape")
	Doc(append([]string{name + " computes n elements, a multiple of 8."}, more...)...)
	var p []reg.Register
	for _, param := range params {
		p = append(p, Load(Param(param), GP64()))
	}
	n, at := Load(Param("n"), GP64()), GP64()
	XORQ(at, at)
	Label(name + "_loop")
	CMPQ(at, n)
	JGE(LabelRef(name + "_end"))
	body(p, at)
	ADDQ(Imm(8), at)
	JMP(LabelRef(name + "_loop"))
	Label(name + "_end")
	VZEROUPPER()
	RET()
}

// at returns the operand of element k of the 8 from the index on.
func at(base, index reg.Register, size, k int) Mem {
	return Mem{Base: base, Index: index, Scale: uint8(size), Disp: k * size}
}

// one writes the operations of one operand that are one instruction.
func (i *instructions) one() {
	round := func(mode uint64) func(in Mem, v reg.VecVirtual) {
		return func(in Mem, v reg.VecVirtual) {
			if i.size == 4 {
				VROUNDPS(Imm(mode), in, v)
			} else {
				VROUNDPD(Imm(mode), in, v)
			}
		}
	}
	var sign reg.VecVirtual // of the current function
	masked := func(op func(...Op)) func(in Mem, v reg.VecVirtual) {
		return func(in Mem, v reg.VecVirtual) { op(in, sign, v) }
	}
	for _, f := range []struct {
		name string
		mask uint64
		body func(in Mem, v reg.VecVirtual)
	}{
		{"Rint", 0, round(8)},
		{"Floor", 0, round(9)},
		{"Ceil", 0, round(10)},
		{"Trunc", 0, round(11)},
		{"Abs", 1<<63 - 1, masked(VANDPS)},
		{"Neg", 1 << 63, masked(VXORPS)},
	} {
		name := f.name + i.suffix
		TEXT(name, NOSPLIT, i.signature("out, a"))
		Pragma("noescape")
		Doc(name + " computes n elements, a multiple of a vector.")
		out, a, n := Load(Param("out"), GP64()), Load(Param("a"), GP64()), Load(Param("n"), GP64())
		if f.mask != 0 {
			sign = YMM()
			if i.size == 4 {
				VBROADCASTSS(ConstData(name+"_mask", U32(f.mask>>32)), sign)
			} else {
				VBROADCASTSD(ConstData(name+"_mask", U64(f.mask)), sign)
			}
		}
		i.loop(n, name, 2, func(vectors int, at reg.Register) {
			for k := range vectors {
				v := YMM()
				f.body(i.element(a, at, k), v)
				i.load(v, i.element(out, at, k))
			}
		})
		VZEROUPPER()
		RET()
	}
}

// comparisons write bools.
func comparisons() {
	for _, c := range []struct {
		name      string
		predicate uint64
	}{{"Equal", 0x00}, {"NotEqual", 0x04}, {"Less", 0x11}, {"LessEqual", 0x12}} {
		compare(c.name+"32", "float32", 4, func(a, b Mem, m reg.VecVirtual) {
			VMOVUPS(a, m)
			VCMPPS(Imm(c.predicate), b, m, m)
		})
		compare(c.name+"64", "float64", 8, func(a, b Mem, m reg.VecVirtual) {
			VMOVUPD(a, m)
			VCMPPD(Imm(c.predicate), b, m, m)
		})
	}
	compare("EqualInt32", "int32", 4, func(a, b Mem, m reg.VecVirtual) {
		VMOVDQU(a, m)
		VPCMPEQD(b, m, m)
	})
	compare("EqualInt64", "int64", 8, func(a, b Mem, m reg.VecVirtual) {
		VMOVDQU(a, m)
		VPCMPEQQ(b, m, m)
	})
	compare("LessInt32", "int32", 4, func(a, b Mem, m reg.VecVirtual) {
		VMOVDQU(b, m)
		VPCMPGTD(a, m, m)
	})
	compare("LessInt64", "int64", 8, func(a, b Mem, m reg.VecVirtual) {
		VMOVDQU(b, m)
		VPCMPGTQ(a, m, m)
	})
}

// compare writes a function of elements of that many bytes, of which body compares a vector: it sets the bits of those for which the
// comparison holds.
func compare(name, of string, size int, body func(a, b Mem, m reg.VecVirtual)) {
	eights(name, "func(out *bool, a, b *"+of+", n int)", []string{"out", "a", "b"}, func(p []reg.Register, index reg.Register) {
		m := YMM()
		body(at(p[1], index, size, 0), at(p[2], index, size, 0), m)
		if size == 8 {
			other := YMM()
			body(at(p[1], index, size, 4), at(p[2], index, size, 4), other)
			VSHUFPS(Imm(0x88), other, m, m) // the lower halves of the words, of which two have changed places
			VPERMQ(Imm(0xd8), m, m)
		}
		low, high := m.AsX(), XMM()
		VEXTRACTI128(Imm(1), m, high)
		VPACKSSDW(high, low, low)
		VPACKSSWB(low, low, low)
		VPABSB(low, low) // 1 for -1
		VMOVQ(low, Mem{Base: p[0], Index: index, Scale: 1})
	})
}

// conversions writes those between types of numbers.
func conversions() {
	limit := ConstData("limit32", U32(math.Float32bits(1<<31)))
	for _, c := range []struct {
		name, to, from   string
		toSize, fromSize int
		at               []int // the first element of each vector
		vector           func() reg.VecVirtual
		convert          func(...Op)
	}{
		{"Widened32", "float64", "float32", 8, 4, []int{0, 4}, YMM, VCVTPS2PD},
		{"Narrowed64", "float32", "float64", 4, 8, []int{0, 4}, XMM, VCVTPD2PSY},
		{"Float32OfInt32", "float32", "int32", 4, 4, []int{0}, YMM, VCVTDQ2PS},
		{"Float64OfInt32", "float64", "int32", 8, 4, []int{0, 4}, YMM, VCVTDQ2PD},
	} {
		eights(c.name, "func(out *"+c.to+", a *"+c.from+", n int)", []string{"out", "a"}, func(p []reg.Register, index reg.Register) {
			for _, k := range c.at {
				v := c.vector()
				c.convert(at(p[1], index, c.fromSize, k), v)
				VMOVUPS(v, at(p[0], index, c.toSize, k))
			}
		})
	}
	eights("SquaredDifferences32", "func(out *float64, a *float32, b *float64, n int)", []string{"out", "a", "b"}, func(p []reg.Register, index reg.Register) {
		for _, k := range []int{0, 4} {
			v := YMM()
			VCVTPS2PD(at(p[1], index, 4, k), v)
			VSUBPD(at(p[2], index, 8, k), v, v)
			VMULPD(v, v, v)
			VMOVUPD(v, at(p[0], index, 8, k))
		}
	})
	// As on a GPU, what is too large is the largest or the smallest integer, and what is no number is 0.
	eights("Int32OfFloat32", "func(out *int32, a *float32, n int)", []string{"out", "a"}, func(p []reg.Register, index reg.Register) {
		x, v, m := YMM(), YMM(), YMM()
		VMOVUPS(at(p[1], index, 4, 0), x)
		VCVTTPS2DQ(x, v) // 1<<31 where it is too large
		VBROADCASTSS(limit, m)
		VCMPPS(Imm(0x02), x, m, m) // limit <= x
		VXORPS(m, v, v)
		VCMPPS(Imm(0x07), x, x, m) // is a number
		VANDPS(m, v, v)
		VMOVUPS(v, at(p[0], index, 4, 0))
	})
	eights("Float32OfUint8", "func(out *float32, a *uint8, n int)", []string{"out", "a"}, func(p []reg.Register, index reg.Register) {
		v := YMM()
		VPMOVZXBD(at(p[1], index, 1, 0), v)
		VCVTDQ2PS(v, v)
		VMOVUPS(v, at(p[0], index, 4, 0))
	})
}

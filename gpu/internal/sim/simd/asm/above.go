package main

import (
	. "github.com/mmcloughlin/avo/build" //nolint:revive // avo's way of writing instructions
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// above writes the functions that tell which elements are larger than a limit, by a bit for each: where they are few, bits take less time to
// write and to look through than bools.
func above() {
	single.above("Above32", "float32", func(a Mem, limit, _, m reg.VecVirtual) {
		VMOVUPS(a, m)
		VCMPPS(Imm(6), limit, m, m) // NLE_US
	})
	double.above("Above64", "float64", func(a Mem, limit, _, m reg.VecVirtual) {
		VMOVUPD(a, m)
		VCMPPD(Imm(6), limit, m, m)
	})
	single.above("AboveInt32", "int32", func(a Mem, limit, flip, m reg.VecVirtual) {
		VPXOR(a, flip, m)
		VPCMPGTD(limit, m, m)
	})
	double.above("AboveInt64", "int64", func(a Mem, limit, flip, m reg.VecVirtual) {
		VPXOR(a, flip, m)
		VPCMPGTQ(limit, m, m)
	})
}

// above writes one of them. compare is called with the address of a vector and the registers of the limit, of what is inverted, and of the
// result.
func (i *instructions) above(name, of string, compare func(a Mem, limit, flip, m reg.VecVirtual)) {
	isInt := of[0] == 'i'
	params, doc := "a, limit *", []string{
		name + " stores a bit for each of n elements, a multiple of 8: whether it is larger than the one at limit, or no number.",
	}
	if isInt {
		params, doc = "a, limit, flip *", []string{
			name + " stores a bit for each of n elements, a multiple of 8: whether it is larger than the one at limit after the bits at flip of it",
			"have been inverted.",
		}
	}
	TEXT(name, NOSPLIT, "func(out *byte, "+params+of+", n int)")
	Pragma("noescape")
	Doc(doc...)
	out, a, n := Load(Param("out"), GP64()), Load(Param("a"), GP64()), Load(Param("n"), GP64())
	limit, flip := YMM(), YMM()
	i.broadcast(Mem{Base: Load(Param("limit"), GP64())}, limit)
	if isInt {
		i.broadcast(Mem{Base: Load(Param("flip"), GP64())}, flip)
	}
	bits, half := GP32(), GP32()
	turn := func(eights int) {
		for k := range eights {
			m := YMM()
			if i.size == 4 {
				compare(Mem{Base: a, Disp: 32 * k}, limit, flip, m)
				VMOVMSKPS(m, bits)
			} else {
				high := YMM()
				compare(Mem{Base: a, Disp: 64 * k}, limit, flip, m)
				compare(Mem{Base: a, Disp: 64*k + 32}, limit, flip, high)
				VMOVMSKPD(m, bits)
				VMOVMSKPD(high, half)
				SHLL(Imm(4), half)
				ORL(half, bits)
			}
			MOVB(bits.As8(), Mem{Base: out, Disp: k})
		}
		ADDQ(U32(8*i.size*eights), a)
		ADDQ(Imm(uint64(eights)), out)
	}
	const most = 4
	SHRQ(Imm(3), n)
	SUBQ(Imm(most), n)
	JL(LabelRef(name + "_few"))
	Label(name + "_many")
	turn(most)
	SUBQ(Imm(most), n)
	JGE(LabelRef(name + "_many"))
	Label(name + "_few")
	ADDQ(Imm(most), n)
	JE(LabelRef(name + "_end"))
	Label(name + "_one")
	turn(1)
	DECQ(n)
	JNE(LabelRef(name + "_one"))
	Label(name + "_end")
	VZEROUPPER()
	RET()
}

package main

import (
	. "github.com/mmcloughlin/avo/build" //nolint:revive // avo's way of writing instructions
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// sparseRows writes the function that multiplies rows of a sparse matrix by a vector. Elements of the vector are put together by one
// instruction each, four at a time: one that gathers them takes longer.
func (i *instructions) sparseRows() {
	name := "SparseRows" + i.suffix
	TEXT(name, NOSPLIT, "func(out *"+i.of+", starts, columns *int32, values, x *"+i.of+", rows int)")
	Pragma("noescape")
	Doc(name+" stores the sums of the products of some rows of a sparse matrix and x. Row k has the elements from starts[k] to starts[k+1].",
		"There is at least one row.")
	out, starts, columns := Load(Param("out"), GP64()), Load(Param("starts"), GP64()), Load(Param("columns"), GP64())
	values, x, rows := Load(Param("values"), GP64()), Load(Param("x"), GP64()), Load(Param("rows"), GP64())
	at, end, last, index := GP64(), GP64(), GP64(), GP64()
	place := func(k int) Mem {
		MOVLQSX(Mem{Base: columns, Index: at, Scale: 4, Disp: 4 * k}, index)
		return Mem{Base: x, Index: index, Scale: uint8(i.size)}
	}
	sum, rest := YMM(), XMM()
	low, high := sum.AsX(), XMM()
	MOVLQSX(Mem{Base: starts}, at)
	Label(name + "_row")
	ADDQ(Imm(4), starts)
	MOVLQSX(Mem{Base: starts}, end)
	VXORPS(sum, sum, sum)
	VXORPS(rest, rest, rest)
	LEAQ(Mem{Base: end, Disp: -4}, last)
	CMPQ(at, last)
	JG(LabelRef(name + "_few"))
	Label(name + "_four")
	i.sparseFour(place, i.element(values, at, 0), sum)
	ADDQ(Imm(4), at)
	CMPQ(at, last)
	JLE(LabelRef(name + "_four"))
	Label(name + "_few")
	CMPQ(at, end)
	JGE(LabelRef(name + "_sum"))
	Label(name + "_one")
	v := XMM()
	if i.size == 4 {
		VMOVSS(i.element(values, at, 0), v)
		VFMADD231SS(place(0), v, rest)
	} else {
		VMOVSD(i.element(values, at, 0), v)
		VFMADD231SD(place(0), v, rest)
	}
	INCQ(at)
	CMPQ(at, end)
	JL(LabelRef(name + "_one"))
	Label(name + "_sum")
	MOVQ(end, at)
	if i.size == 4 {
		VMOVHLPS(low, low, high)
		VADDPS(high, low, low)
		VMOVSHDUP(low, high)
		VADDSS(rest, low, low)
		VADDSS(high, low, low)
		VMOVSS(low, Mem{Base: out})
	} else {
		VEXTRACTF128(Imm(1), sum, high)
		VADDPD(high, low, low)
		VPERMILPD(Imm(1), low, high)
		VADDSD(rest, low, low)
		VADDSD(high, low, low)
		VMOVSD(low, Mem{Base: out})
	}
	ADDQ(Imm(uint64(i.size)), out)
	DECQ(rows)
	JNE(LabelRef(name + "_row"))
	VZEROUPPER()
	RET()
}

// sparseFour adds the products of four elements and those of the vector that are at the places.
func (i *instructions) sparseFour(place func(k int) Mem, values Mem, sum reg.VecVirtual) {
	if i.size == 4 {
		v := XMM()
		VMOVSS(place(0), v)
		for k := 1; k < 4; k++ {
			VINSERTPS(Imm(uint64(k<<4)), place(k), v, v)
		}
		VFMADD231PS(values, v, sum.AsX())
		return
	}
	low, high := YMM(), XMM()
	VMOVSD(place(0), low.AsX())
	VMOVHPD(place(1), low.AsX(), low.AsX())
	VMOVSD(place(2), high)
	VMOVHPD(place(3), high, high)
	VINSERTF128(Imm(1), high, low, low)
	VFMADD231PD(values, low, sum)
}

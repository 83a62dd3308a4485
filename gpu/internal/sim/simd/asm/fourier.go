package main

import (
	"fmt"
	"math"

	. "github.com/mmcloughlin/avo/build" //nolint:revive // avo's way of writing instructions
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Fourier transforms of float32s have real and imaginary parts in separate memory, so that vectors need no shuffling but at the ends.

// pair is a vector of complex numbers.
type pair struct{ re, im reg.VecVirtual }

// butterfly is a step of radix 4 on vectors.
type butterfly struct {
	vector func() reg.VecVirtual
	// input returns the operands of the real and the imaginary parts of number k.
	input func(k int) (re, im Mem)
	// root returns the powers of the root that results 1 to 3 are multiplied by.
	root  func(k int) pair
	store func(k int, y pair)
}

// sumAndRest returns a + b and a - b.
func (f *butterfly) sumAndRest(a, b Mem) (sum, rest reg.VecVirtual) {
	sum, rest = f.vector(), f.vector()
	VMOVUPS(a, rest)
	VADDPS(b, rest, sum)
	VSUBPS(b, rest, rest)
	return sum, rest
}

func (f *butterfly) write() {
	var re, im [4]Mem
	for k := range 4 {
		re[k], im[k] = f.input(k)
	}
	sumR, restR := f.sumAndRest(re[0], re[2])
	otherR, turnR := f.sumAndRest(re[1], re[3])
	y0, y2 := f.vector(), sumR
	VADDPS(otherR, sumR, y0)
	VSUBPS(otherR, sumR, y2)
	sumI, restI := f.sumAndRest(im[0], im[2])
	otherI, turnI := f.sumAndRest(im[1], im[3])
	z0, z2 := f.vector(), sumI
	VADDPS(otherI, sumI, z0)
	VSUBPS(otherI, sumI, z2)
	f.store(0, pair{y0, z0})
	f.store(2, f.product(pair{y2, z2}, f.root(2)))
	// -i times the difference is added for result 1 and subtracted for result 3.
	y1, z1 := f.vector(), f.vector()
	VADDPS(turnI, restR, y1)
	VSUBPS(turnR, restI, z1)
	f.store(1, f.product(pair{y1, z1}, f.root(1)))
	VSUBPS(turnI, restR, restR)
	VADDPS(turnR, restI, restI)
	f.store(3, f.product(pair{restR, restI}, f.root(3)))
}

// product returns x·w, and changes x.
func (f *butterfly) product(x, w pair) pair {
	re, im := f.vector(), f.vector()
	VMULPS(w.im, x.im, re)
	VFMSUB231PS(w.re, x.re, re)
	VMULPS(w.im, x.re, im)
	VFMADD231PS(w.re, x.im, im)
	return pair{re, im}
}

// pass writes the function of a step in which adjacent numbers have the same roots.
func pass(name string, vector func() reg.VecVirtual, size int) {
	TEXT(name, NOSPLIT, "func(toRe, toIm, fromRe, fromIm, roots *float32, apart, near, fromSkip, toSkip, count, n int)")
	Pragma("noescape")
	Doc(fmt.Sprintf("%s does count steps of radix 4 on n numbers each, a multiple of %d. The four operands are apart bytes from each", name, size),
		"other, the results near bytes. The operands of the next step begin fromSkip bytes behind the last ones of operand 0, its results",
		"toSkip bytes behind the last ones of result 0. Each step has three roots, the real part of each before the imaginary one.")
	toRe, toIm := Load(Param("toRe"), GP64()), Load(Param("toIm"), GP64())
	fromRe, fromIm, roots := Load(Param("fromRe"), GP64()), Load(Param("fromIm"), GP64()), Load(Param("roots"), GP64())
	apart, near, n := Load(Param("apart"), GP64()), Load(Param("near"), GP64()), Load(Param("n"), GP64())
	count := Load(Param("count"), GP64())
	apart3, near3, left := GP64(), GP64(), GP64()
	LEAQ(Mem{Base: apart, Index: apart, Scale: 2}, apart3)
	LEAQ(Mem{Base: near, Index: near, Scale: 2}, near3)
	at := func(base, one, three reg.Register, k int) Mem {
		return [4]Mem{{Base: base}, {Base: base, Index: one, Scale: 1}, {Base: base, Index: one, Scale: 2}, {Base: base, Index: three, Scale: 1}}[k]
	}
	w := make([]pair, 4)
	Label(name + "_step")
	for k := 1; k < 4; k++ {
		w[k] = pair{vector(), vector()}
		VBROADCASTSS(Mem{Base: roots, Disp: 8 * (k - 1)}, w[k].re)
		VBROADCASTSS(Mem{Base: roots, Disp: 8*(k-1) + 4}, w[k].im)
	}
	MOVQ(n, left)
	Label(name + "_loop")
	f := butterfly{
		vector: vector,
		input:  func(k int) (re, im Mem) { return at(fromRe, apart, apart3, k), at(fromIm, apart, apart3, k) },
		root:   func(k int) pair { return w[k] },
		store: func(k int, y pair) {
			VMOVUPS(y.re, at(toRe, near, near3, k))
			VMOVUPS(y.im, at(toIm, near, near3, k))
		},
	}
	f.write()
	for _, r := range []reg.Register{toRe, toIm, fromRe, fromIm} {
		ADDQ(Imm(uint64(4*size)), r)
	}
	SUBQ(Imm(uint64(size)), left)
	JNE(LabelRef(name + "_loop"))
	Load(Param("toSkip"), left)
	ADDQ(left, toRe)
	ADDQ(left, toIm)
	Load(Param("fromSkip"), left)
	ADDQ(left, fromRe)
	ADDQ(left, fromIm)
	ADDQ(Imm(24), roots)
	DECQ(count)
	JNE(LabelRef(name + "_step"))
	VZEROUPPER()
	RET()
}

// firstPass writes the function of the step in which all numbers have other roots, and results are adjacent.
func firstPass() {
	const name = "FourierFirst32"
	TEXT(name, NOSPLIT, "func(toRe, toIm, fromRe, fromIm, roots *float32, apart, n int)")
	Pragma("noescape")
	Doc(name+" does n steps of radix 4, a multiple of a vector. The four operands are apart bytes from each other, the results adjacent. The",
		"roots of 8 steps are adjacent: the real parts of the first root of each, the imaginary parts, and those of the others.")
	toRe, toIm := Load(Param("toRe"), GP64()), Load(Param("toIm"), GP64())
	fromRe, fromIm, roots := Load(Param("fromRe"), GP64()), Load(Param("fromIm"), GP64()), Load(Param("roots"), GP64())
	apart, n := Load(Param("apart"), GP64()), Load(Param("n"), GP64())
	apart3 := GP64()
	LEAQ(Mem{Base: apart, Index: apart, Scale: 2}, apart3)
	at := func(base reg.Register, k int) Mem {
		return [4]Mem{{Base: base}, {Base: base, Index: apart, Scale: 1}, {Base: base, Index: apart, Scale: 2}, {Base: base, Index: apart3, Scale: 1}}[k]
	}
	Label(name + "_loop")
	var results [4]pair
	f := butterfly{
		vector: YMM,
		input:  func(k int) (re, im Mem) { return at(fromRe, k), at(fromIm, k) },
		root: func(k int) pair {
			w := pair{YMM(), YMM()}
			VMOVUPS(Mem{Base: roots, Disp: 64 * (k - 1)}, w.re)
			VMOVUPS(Mem{Base: roots, Disp: 64*(k-1) + 32}, w.im)
			return w
		},
		store: func(k int, y pair) { results[k] = y },
	}
	f.write()
	storeTurned(toRe, [4]reg.VecVirtual{results[0].re, results[1].re, results[2].re, results[3].re})
	storeTurned(toIm, [4]reg.VecVirtual{results[0].im, results[1].im, results[2].im, results[3].im})
	for _, r := range []reg.Register{fromRe, fromIm} {
		ADDQ(Imm(32), r)
	}
	for _, r := range []reg.Register{toRe, toIm} {
		ADDQ(Imm(128), r)
	}
	ADDQ(Imm(192), roots)
	SUBQ(Imm(8), n)
	JNE(LabelRef(name + "_loop"))
	VZEROUPPER()
	RET()
}

// storeTurned stores the first elements of four vectors, then the second ones, and so on.
func storeTurned(to reg.Register, y [4]reg.VecVirtual) {
	lowEven, highEven, lowOdd, highOdd := YMM(), YMM(), YMM(), YMM()
	VUNPCKLPS(y[2], y[0], lowEven) // 0 and 2 of elements 0, 1, 4, 5
	VUNPCKHPS(y[2], y[0], highEven)
	VUNPCKLPS(y[3], y[1], lowOdd)
	VUNPCKHPS(y[3], y[1], highOdd)
	parts := [4]reg.VecVirtual{y[0], y[1], y[2], y[3]}
	VUNPCKLPS(lowOdd, lowEven, parts[0])   // elements 0 and 4
	VUNPCKHPS(lowOdd, lowEven, parts[1])   // 1 and 5
	VUNPCKLPS(highOdd, highEven, parts[2]) // 2 and 6
	VUNPCKHPS(highOdd, highEven, parts[3]) // 3 and 7
	for k, v := range parts {
		VMOVUPS(v.AsX(), Mem{Base: to, Disp: 16 * k})
		VEXTRACTF128(Imm(1), v, Mem{Base: to, Disp: 64 + 16*k})
	}
}

// parted loads 8 complex numbers.
func parted(at Mem) pair {
	first, second := YMM(), YMM()
	VMOVUPS(at, first)
	at.Disp += 32
	VMOVUPS(at, second)
	re, im := YMM(), YMM()
	VSHUFPS(Imm(0x88), second, first, re)
	VSHUFPS(Imm(0xdd), second, first, im)
	VPERMPD(Imm(0xd8), re, re)
	VPERMPD(Imm(0xd8), im, im)
	return pair{re, im}
}

// storeJoined stores 8 complex numbers, and changes them.
func storeJoined(v pair, at Mem) {
	low, high := YMM(), YMM()
	VUNPCKLPS(v.im, v.re, low)
	VUNPCKHPS(v.im, v.re, high)
	VPERM2F128(Imm(0x20), high, low, v.re)
	VPERM2F128(Imm(0x31), high, low, v.im)
	VMOVUPS(v.re, at)
	at.Disp += 32
	VMOVUPS(v.im, at)
}

// partsAndJoined write the functions that take complex numbers apart and put them together.
func partsAndJoined() {
	TEXT("Parts32", NOSPLIT, "func(re, im, a *float32, n int)")
	Pragma("noescape")
	Doc("Parts32 stores the parts of n complex numbers, a multiple of 8.")
	re, im, a, n := Load(Param("re"), GP64()), Load(Param("im"), GP64()), Load(Param("a"), GP64()), Load(Param("n"), GP64())
	at := GP64()
	XORQ(at, at)
	Label("Parts32_loop")
	v := parted(Mem{Base: a, Index: at, Scale: 8})
	VMOVUPS(v.re, Mem{Base: re, Index: at, Scale: 4})
	VMOVUPS(v.im, Mem{Base: im, Index: at, Scale: 4})
	ADDQ(Imm(8), at)
	CMPQ(at, n)
	JL(LabelRef("Parts32_loop"))
	VZEROUPPER()
	RET()

	TEXT("Joined32", NOSPLIT, "func(out, re, im *float32, n int)")
	Pragma("noescape")
	Doc("Joined32 stores n complex numbers, a multiple of 8, by their parts.")
	out, re, im, n := Load(Param("out"), GP64()), Load(Param("re"), GP64()), Load(Param("im"), GP64()), Load(Param("n"), GP64())
	at = GP64()
	XORQ(at, at)
	Label("Joined32_loop")
	v = pair{YMM(), YMM()}
	VMOVUPS(Mem{Base: re, Index: at, Scale: 4}, v.re)
	VMOVUPS(Mem{Base: im, Index: at, Scale: 4}, v.im)
	storeJoined(v, Mem{Base: out, Index: at, Scale: 8})
	ADDQ(Imm(8), at)
	CMPQ(at, n)
	JL(LabelRef("Joined32_loop"))
	VZEROUPPER()
	RET()
}

// halves are the registers of a function that goes through numbers from both ends: low is the offset of 8 numbers, high that of the 8
// numbers that mirror them.
type halves struct {
	low, high, n reg.GPVirtual
	rootRe       reg.Register
	rootIm       reg.Register
	turn         reg.VecVirtual
}

// mirrored begins the loop of such a function, in which numbers 1 to n mirror those from whole-n to whole-1.
func mirrored(name string) *halves {
	h := &halves{low: GP64(), high: GP64(), turn: YMM()}
	h.rootRe, h.rootIm = Load(Param("rootRe"), GP64()), Load(Param("rootIm"), GP64())
	h.n = GP64()
	Load(Param("n"), h.n)
	Load(Param("whole"), h.high)
	MOVQ(U32(1), h.low)
	SUBQ(Imm(8), h.high)
	order := GLOBL(name+"_order", RODATA|NOPTR)
	for k := range 8 {
		DATA(4*k, U32(7-k))
	}
	VMOVDQU(order, h.turn)
	Label(name + "_loop")
	return h
}

func (h *halves) end(name string) {
	ADDQ(Imm(8), h.low)
	SUBQ(Imm(8), h.high)
	SUBQ(Imm(8), h.n)
	JNE(LabelRef(name + "_loop"))
	VZEROUPPER()
	RET()
}

// reversed returns a vector with its elements in reverse order.
func (h *halves) reversed(v reg.VecVirtual) reg.VecVirtual {
	VPERMPS(v, h.turn, v)
	return v
}

func (h *halves) root() pair {
	w := pair{YMM(), YMM()}
	VMOVUPS(Mem{Base: h.rootRe, Index: h.low, Scale: 4}, w.re)
	VMOVUPS(Mem{Base: h.rootIm, Index: h.low, Scale: 4}, w.im)
	return w
}

// realOut writes the function that makes the transform of real numbers of that of half as many complex ones.
func realOut() {
	const name = "RealOut32"
	TEXT(name, NOSPLIT, "func(out, re, im, rootRe, rootIm *float32, whole, n int)")
	Pragma("noescape")
	Doc(name+" makes, of the transform of whole complex numbers that consist of two real ones each, that of the real ones: its numbers 1 to n, a",
		"multiple of 8 that is less than half of whole, and those that mirror them.")
	h := mirrored(name)
	out, re, im := Load(Param("out"), GP64()), Load(Param("re"), GP64()), Load(Param("im"), GP64())
	half := YMM()
	VBROADCASTSS(ConstData(name+"_half", U32(math.Float32bits(0.5))), half)
	a, b := pair{YMM(), YMM()}, pair{YMM(), YMM()}
	VMULPS(Mem{Base: re, Index: h.low, Scale: 4}, half, a.re)
	VMULPS(Mem{Base: im, Index: h.low, Scale: 4}, half, a.im)
	VMULPS(Mem{Base: re, Index: h.high, Scale: 4}, half, b.re)
	VMULPS(Mem{Base: im, Index: h.high, Scale: 4}, half, b.im)
	h.reversed(b.re)
	h.reversed(b.im)
	even, odd := pair{YMM(), YMM()}, pair{YMM(), YMM()}
	VADDPS(b.re, a.re, even.re)
	VSUBPS(b.im, a.im, even.im)
	VADDPS(b.im, a.im, odd.re)
	VSUBPS(a.re, b.re, odd.im)
	t := (&butterfly{vector: YMM}).product(odd, h.root())
	VADDPS(t.re, even.re, a.re)
	VADDPS(t.im, even.im, a.im)
	storeJoined(a, Mem{Base: out, Index: h.low, Scale: 8})
	VSUBPS(t.re, even.re, b.re)
	VSUBPS(even.im, t.im, b.im)
	h.reversed(b.re)
	h.reversed(b.im)
	storeJoined(b, Mem{Base: out, Index: h.high, Scale: 8})
	h.end(name)
}

// realIn writes the inverse of realOut.
func realIn() {
	const name = "RealIn32"
	TEXT(name, NOSPLIT, "func(re, im, a, rootRe, rootIm *float32, whole, n int)")
	Pragma("noescape")
	Doc(name + " is the inverse of RealOut32, but for a factor of 2.")
	h := mirrored(name)
	in, re, im := Load(Param("a"), GP64()), Load(Param("re"), GP64()), Load(Param("im"), GP64())
	a, b := parted(Mem{Base: in, Index: h.low, Scale: 8}), parted(Mem{Base: in, Index: h.high, Scale: 8})
	h.reversed(b.re)
	h.reversed(b.im)
	even, rest := pair{YMM(), YMM()}, pair{YMM(), YMM()}
	VADDPS(b.re, a.re, even.re)
	VSUBPS(b.im, a.im, even.im)
	VSUBPS(b.re, a.re, rest.re)
	VADDPS(b.im, a.im, rest.im)
	w, odd := h.root(), pair{YMM(), YMM()}
	VMULPS(w.im, rest.im, odd.re)
	VFMADD231PS(w.re, rest.re, odd.re)
	VMULPS(w.im, rest.re, odd.im)
	VFMSUB231PS(w.re, rest.im, odd.im)
	VSUBPS(odd.im, even.re, a.re)
	VADDPS(odd.re, even.im, a.im)
	VMOVUPS(a.re, Mem{Base: re, Index: h.low, Scale: 4})
	VMOVUPS(a.im, Mem{Base: im, Index: h.low, Scale: 4})
	VADDPS(odd.im, even.re, b.re)
	VSUBPS(even.im, odd.re, b.im)
	VMOVUPS(h.reversed(b.re), Mem{Base: re, Index: h.high, Scale: 4})
	VMOVUPS(h.reversed(b.im), Mem{Base: im, Index: h.high, Scale: 4})
	h.end(name)
}

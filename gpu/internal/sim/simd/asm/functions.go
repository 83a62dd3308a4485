package main

import (
	"fmt"
	"math"

	. "github.com/mmcloughlin/avo/build" //nolint:revive // avo's way of writing instructions
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// constants are the operands of float32s and other words of 32 bits, which a file has once each.
type constants map[uint32]Mem

func (c constants) word(v uint32) Mem {
	m, ok := c[v]
	if !ok {
		m = ConstData(fmt.Sprintf("c%08x", v), U32(v))
		c[v] = m
	}
	return m
}

// number returns a register with copies of a float32.
func (c constants) number(v float64) reg.VecVirtual {
	y := YMM()
	VBROADCASTSS(c.word(math.Float32bits(float32(v))), y)
	return y
}

// exp32 computes e to the power of x = n·ln 2 + r, by a polynomial in r. The power of two is added to the exponent of the result, and
// multiplied in two steps where it may be out of a float32's range.
func exp32() {
	const name = "Exp32"
	TEXT(name, NOSPLIT, single.signature("out, a"))
	Pragma("noescape")
	Doc(name + " computes n elements, a multiple of a vector.")
	out, a, n := Load(Param("out"), GP64()), Load(Param("a"), GP64()), Load(Param("n"), GP64())
	c := constants{}
	e := exponential{
		constants: c, invLn: c.number(math.Log2E), high: c.number(-lnHigh), rest: c.number(-(math.Ln2 - lnHigh)), shift: c.number(0x1.8p23), one: c.number(1),
	}
	limit, absolute := c.number(87), YMM()
	VBROADCASTSS(c.word(1<<31-1), absolute)
	single.loop(n, name, 2, func(vectors int, at reg.Register) {
		wide, far := fmt.Sprintf("%s_wide%d", name, vectors), GP32()
		x, beyond := make([]reg.VecVirtual, vectors), YMM()
		for k := range x {
			x[k] = YMM()
			VMOVUPS(single.element(a, at, k), x[k])
			u := beyond
			if k > 0 {
				u = YMM()
			}
			VANDPS(x[k], absolute, u)
			VCMPPS(Imm(5), limit, u, u) // not <, so also if x is no number
			if k > 0 {
				VORPS(u, beyond, beyond)
			}
		}
		VMOVMSKPS(beyond, far)
		TESTL(far, far)
		JNE(LabelRef(wide))
		for k := range x {
			p, t := e.power(x[k])
			VPSLLD(Imm(23), t, t)
			VPADDD(t, p, p)
			VMOVUPS(p, single.element(out, at, k))
		}
		JMP(LabelRef(wide + "_end"))
		Label(wide)
		for k := range x {
			// The second operand is the result if either is no number, which x then is.
			VMINPS(x[k], c.number(89), x[k])
			VMAXPS(x[k], c.number(-104), x[k])
			p, t := e.power(x[k])
			i, j, bias := YMM(), YMM(), YMM()
			VBROADCASTSS(c.word(127), bias)
			VPSLLD(Imm(10), t, i) // the integer is in the lowest bits
			VPSRAD(Imm(10), i, i)
			VPSRAD(Imm(1), i, j)
			VPSUBD(j, i, i)
			for _, part := range []reg.VecVirtual{i, j} {
				VPADDD(bias, part, part)
				VPSLLD(Imm(23), part, part)
				VMULPS(part, p, p)
			}
			VMOVUPS(p, single.element(out, at, k))
		}
		Label(wide + "_end")
	})
	VZEROUPPER()
	RET()
}

// lnHigh is ln 2 with few bits, so that products with integers are exact.
const lnHigh = 0x1.62e4p-1

// exponential has the constants of exp32.
type exponential struct {
	constants
	invLn, high, rest, shift, one reg.VecVirtual
}

// power returns e to the power of r, and the integer n in the lowest bits of a sum with shift. The coefficients are a least-squares fit whose
// points were weighted until the largest relative error did not fall any more, 3e-9.
func (e *exponential) power(x reg.VecVirtual) (p, t reg.VecVirtual) {
	t, p = YMM(), YMM()
	n := YMM()
	VMOVAPS(x, t)
	VFMADD213PS(e.shift, e.invLn, t)
	VSUBPS(e.shift, t, n)
	VFMADD231PS(e.high, n, x)
	VFMADD231PS(e.rest, n, x)
	VBROADCASTSS(e.word(math.Float32bits(0.001381454007852424)), p)
	for _, v := range []float64{0.008368745212824234, 0.0416683907929745, 0.16666520398167148, 0.4999999343206666} {
		VFMADD213PS(e.number(v), x, p)
	}
	VFMADD213PS(e.one, x, p)
	VFMADD213PS(e.one, x, p)
	return p, t
}

// doubles are the operands of float64s and other words of 64 bits, which a file has once each. The functions are of float32s, computed in
// float64, as those of single.go in package arrays.
type doubles map[uint64]Mem

func (c doubles) word(v uint64) Mem {
	m, ok := c[v]
	if !ok {
		m = ConstData(fmt.Sprintf("d%016x", v), U64(v))
		c[v] = m
	}
	return m
}

// bits returns a register with copies of a word.
func (c doubles) bits(v uint64) reg.VecVirtual {
	y := YMM()
	VBROADCASTSD(c.word(v), y)
	return y
}

func (c doubles) number(v float64) reg.VecVirtual { return c.bits(math.Float64bits(v)) }

// function writes a function of float32s: body returns that of four float64s, and may change them.
func (c doubles) function(name string, body func(x reg.VecVirtual) reg.VecVirtual) {
	eights(name, single.signature("out, a"), []string{"out", "a"}, func(p []reg.Register, index reg.Register) {
		for _, k := range []int{0, 4} {
			x := YMM()
			VCVTPS2PD(at(p[1], index, 4, k), x)
			store(body(x), at(p[0], index, 4, k))
		}
	})
}

// store rounds four float64s to float32s and stores them.
func store(v reg.VecVirtual, to Mem) {
	VCVTPD2PSY(v, v.AsX())
	VMOVUPS(v.AsX(), to)
}

// polynomial returns that of x, with the coefficients from the constant one on.
func (c doubles) polynomial(x reg.VecVirtual, coefficients ...float64) reg.VecVirtual {
	last := len(coefficients) - 1
	p := c.number(coefficients[last])
	for k := last - 1; k >= 0; k-- {
		VFMADD213PD(c.number(coefficients[k]), x, p)
	}
	return p
}

// exp returns e to the power of x, from about -700 to 700, and changes x.
func (c doubles) exp(x reg.VecVirtual) reg.VecVirtual {
	const shift = 0x1.8p52 // adding it rounds to an integer, in the lowest bits
	t, n := c.number(math.Log2E), YMM()
	VFMADD213PD(c.number(shift), x, t)
	VSUBPD(c.number(shift), t, n)
	VFNMADD231PD(c.number(math.Ln2), n, x)
	p := c.polynomial(x, 1, 1, 1.0/2, 1.0/6, 1.0/24, 1.0/120, 1.0/720, 1.0/5040)
	VPADDQ(c.bits(1023), t, t)
	VPSLLQ(Imm(52), t, t)
	VMULPD(t, p, p)
	return p
}

// absolute returns |x|, at most limit. It is limit if x is no number.
func (c doubles) absolute(x reg.VecVirtual, limit float64) reg.VecVirtual {
	u := c.bits(1<<63 - 1)
	VPAND(x, u, u)
	VMINPD(c.number(limit), u, u)
	return u
}

// unless returns v, or x where that is no number.
func (c doubles) unless(x, v reg.VecVirtual) reg.VecVirtual {
	m := YMM()
	VCMPPD(Imm(3), x, x, m) // UNORD
	VBLENDVPD(m, x, v, v)
	return v
}

func (c doubles) log(x reg.VecVirtual) reg.VecVirtual {
	p := c.positiveLog(x, 5)
	zero, is := YMM(), YMM()
	VXORPD(zero, zero, zero)
	VCMPPD(Imm(9), zero, x, is) // not ≥
	VBLENDVPD(is, c.number(math.NaN()), p, p)
	VCMPPD(Imm(0), zero, x, is)
	VBLENDVPD(is, c.number(math.Inf(-1)), p, p)
	infinite := c.number(math.Inf(1))
	VCMPPD(Imm(0), infinite, x, is)
	VBLENDVPD(is, infinite, p, p)
	return p
}

// positiveLog returns the logarithm of a positive normal number: x = m·2ᵉ with m from √½ to √2, and so many terms of 2·artanh((m-1)/(m+1)).
func (c doubles) positiveLog(x reg.VecVirtual, terms int) reg.VecVirtual {
	const rootHalf = 0x3fe6a09e667f3bcd
	e, m := YMM(), YMM()
	base := uint64(1023<<52) - rootHalf
	VPADDQ(c.bits(base), x, e)
	VPAND(c.bits(1<<52-1), e, m)
	VPADDQ(c.bits(rootHalf), m, m)
	VPSRLQ(Imm(52), e, e)
	VPOR(c.bits(0x4330000000000000), e, e) // 2⁵² plus the exponent
	VSUBPD(c.number(0x1p52+1023), e, e)
	one := c.number(1)
	s, d, z := YMM(), YMM(), YMM()
	VSUBPD(one, m, s)
	VADDPD(one, m, d)
	VDIVPD(d, s, s)
	VMULPD(s, s, z)
	series := make([]float64, terms)
	for k := range series {
		series[k] = 2 / float64(2*k+1)
	}
	p := c.polynomial(z, series...)
	VMULPD(s, p, p)
	VFMADD231PD(c.number(math.Ln2), e, p)
	return p
}

// power writes the function of powers of positive finite numbers. The logarithm has two terms more than that of a float32, since it is
// multiplied with up to 100.
func (c doubles) power() {
	eights("Pow32", single.signature("out, a, b"), []string{"out", "a", "b"}, func(p []reg.Register, index reg.Register) {
		for _, k := range []int{0, 4} {
			x, y := YMM(), YMM()
			VCVTPS2PD(at(p[1], index, 4, k), x)
			VCVTPS2PD(at(p[2], index, 4, k), y)
			VMULPD(c.positiveLog(x, 7), y, y)
			VMINPD(c.number(100), y, y) // infinite as a float32, and below 0
			VMAXPD(c.number(-120), y, y)
			store(c.exp(y), at(p[0], index, 4, k))
		}
	}, "Elements of a are positive and finite, those of b finite.")
}

func (c doubles) erfc(x reg.VecVirtual) reg.VecVirtual {
	u := c.absolute(x, 10.2)
	t := c.number(1)
	d := c.number(0.5)
	VFMADD213PD(t, u, d)
	VDIVPD(d, t, t)
	p := c.polynomial(t, 0.2820986126017985, 0.2819737243968109, 0.24852736712342516, 0.16247803596444782, 0.15691005400099273,
		-0.2674111329721102, 0.5959738086381865, -1.158578498866181, 1.2086708361015353, -0.6999332534685672, 0.21824439480558325,
		-0.028953948021414558)
	VMULPD(t, p, p)
	square := YMM()
	VXORPD(square, square, square)
	VFNMADD231PD(u, u, square)
	VMULPD(c.exp(square), p, p)
	other := c.number(2)
	VSUBPD(p, other, other)
	VBLENDVPD(x, other, p, p) // by the sign
	return c.unless(x, p)
}

// decay returns e to the power of factor·|x|, where |x| is at most limit.
func (c doubles) decay(x reg.VecVirtual, factor, limit float64) reg.VecVirtual {
	u := c.absolute(x, limit)
	VMULPD(c.number(factor), u, u)
	return c.exp(u)
}

func (c doubles) sigmoid(x reg.VecVirtual) reg.VecVirtual {
	e := c.decay(x, -1, 200)
	top, d := c.number(1), YMM()
	VADDPD(top, e, d)
	VBLENDVPD(x, e, top, top) // by the sign
	VDIVPD(d, top, top)
	return c.unless(x, top)
}

func (c doubles) tanh(x reg.VecVirtual) reg.VecVirtual {
	// Near 0 the difference of 1 and the exponential would lose too many digits.
	z, near := YMM(), YMM()
	VMULPD(x, x, z)
	small := c.number(1)
	VFNMADD231PD(c.number(1.0/3), z, small)
	VMULPD(x, small, small)
	VCMPPD(Imm(1), c.number(0x1p-20), z, near) // <
	e := c.decay(x, -2, 20)
	top, d := c.number(1), YMM()
	VADDPD(top, e, d)
	VSUBPD(e, top, top)
	VDIVPD(d, top, top)
	sign := c.bits(1 << 63)
	VPAND(x, sign, sign)
	VPOR(sign, top, top)
	VBLENDVPD(near, small, top, top)
	return c.unless(x, top)
}

// sine returns the sine of x plus so many quarters of a turn: x = n·π/2 + r, and the series of sin r and cos r, of which the quarter chooses.
// n must fit in 32 bits.
func (c doubles) sine(quarters uint64) func(x reg.VecVirtual) reg.VecVirtual {
	return func(x reg.VecVirtual) reg.VecVirtual {
		const shift = 0x1.8p52 // adding it rounds to an integer, in the lowest bits
		t, n, z := c.number(2/math.Pi), YMM(), YMM()
		VFMADD213PD(c.number(shift), x, t)
		VSUBPD(c.number(shift), t, n)
		VFNMADD231PD(c.number(math.Pi/2), n, x)
		VFNMADD231PD(c.number(6.123233995736766e-17), n, x) // the rest of π/2
		VMULPD(x, x, z)
		s := c.polynomial(z, 1, -1.0/6, 1.0/120, -1.0/5040, 1.0/362880, -1.0/39916800)
		VMULPD(x, s, s)
		y := c.polynomial(z, 1, -1.0/2, 1.0/24, -1.0/720, 1.0/40320, -1.0/3628800, 1.0/479001600)
		if quarters != 0 {
			VPADDQ(c.bits(quarters), t, t)
		}
		odd, half := YMM(), YMM()
		VPSLLQ(Imm(63), t, odd)
		VPSRLQ(Imm(1), t, half)
		VPSLLQ(Imm(63), half, half)
		VBLENDVPD(odd, y, s, s)
		VXORPD(half, s, s)
		return s
	}
}

package arrays

import (
	"math"
	"math/big"
	"sync"
)

// These are functions of package math where its own are less accurate than a kernel's.

// least is the smallest normal float64.
const least = 0x1p-1022

func log(x float64) float64 {
	if x > 0 && x < least {
		return math.Log(x*0x1p54) - 54*math.Ln2
	}
	return math.Log(x)
}

func log10(x float64) float64 {
	if x > 0 && x < least {
		return math.Log10(x*0x1p54) - 54*(math.Ln2/math.Ln10)
	}
	return math.Log10(x)
}

// atan2 has the sign of y also where y/x is too small.
func atan2(y, x float64) float64 { return math.Copysign(math.Atan2(y, x), y) }

// nextafter is b if a equals b, which may have another sign.
func nextafter(a, b float64) float64 {
	if a == b {
		return b
	}
	return math.Nextafter(a, b)
}

func nextafter32(a, b float32) float32 {
	if a == b {
		return b
	}
	return math.Nextafter32(a, b)
}

// π/2 as the sum of three numbers.
const (
	halfPi1 = 0x1.921fb54442d18p+0
	halfPi2 = 0x1.1a62633145c07p-54
	halfPi3 = -0x1.f1976b7ed8fbcp-110
)

// The digits of π that package math has are too few for large numbers near a multiple of it. From the limit on, π has as many bits as
// the largest number needs.
const (
	largeAngle = 1 << 48
	piBits     = 1024 + 160
)

// bigHalfPi returns π/2·2^piBits, by Machin's formula.
var bigHalfPi = sync.OnceValue(func() *big.Int {
	arctan := func(n int64) *big.Int { // of 1/n
		term := new(big.Int).Lsh(big.NewInt(1), piBits+16)
		term.Div(term, big.NewInt(n))
		sum, square := new(big.Int), big.NewInt(n*n)
		for k := int64(1); term.Sign() != 0; k += 2 {
			part := new(big.Int).Div(term, big.NewInt(k))
			if k&2 != 0 {
				part.Neg(part)
			}
			sum.Add(sum, part)
			term.Div(term, square)
		}
		return sum
	}
	pi := arctan(5)
	pi.Lsh(pi, 2).Sub(pi, arctan(239)) // π/4
	return pi.Rsh(pi, 15)
})

// largeQuarter is quarter for large numbers.
func largeQuarter(x float64) (hi, lo float64, k int64) {
	m, e := math.Frexp(x)
	v := big.NewInt(int64(m * 0x1p53))
	v.Lsh(v, uint(e-53+piBits))
	half := bigHalfPi()
	n, rest := new(big.Int).DivMod(v, half, new(big.Int))
	k = new(big.Int).And(n, big.NewInt(3)).Int64()
	if new(big.Int).Lsh(rest, 1).Cmp(half) > 0 {
		rest.Sub(rest, half)
		k++
	}
	f := new(big.Float).SetInt(rest)
	hi, _ = f.SetMantExp(f, -piBits).Float64()
	return hi, 0, k
}

// quarter returns x - k·π/2 for the nearest integer k, as the sum of two numbers, and k modulo 4.
func quarter(x float64) (hi, lo float64, k int64) {
	if math.Abs(x) >= largeAngle {
		return largeQuarter(x)
	}
	n := math.RoundToEven(x * (2 / math.Pi))
	p := n * halfPi1
	hi, lo = difference(x-p, math.FMA(n, halfPi1, -p)) // x - p is exact
	q := n * halfPi2
	hi, rest := difference(hi, q)
	lo += rest - math.FMA(n, halfPi2, -q) - n*halfPi3
	s := hi + lo
	return s, hi - s + lo, int64(n)
}

// difference returns a - b as the sum of two numbers.
func difference(a, b float64) (hi, lo float64) {
	hi = a - b
	v := hi - a
	return hi, (a - (hi - v)) - (b + v)
}

func sin(x float64) float64 {
	if math.Abs(x) < math.Pi/4 || x-x != 0 {
		return math.Sin(x)
	}
	return circle(quarter(x))
}

func cos(x float64) float64 {
	if math.Abs(x) < math.Pi/4 || x-x != 0 {
		return math.Cos(x)
	}
	hi, lo, k := quarter(x)
	return circle(hi, lo, k+1)
}

// circle returns the sine of hi + lo + k·π/2, where lo is much smaller than hi.
func circle(hi, lo float64, k int64) float64 {
	var v float64
	if k&1 == 0 {
		v = math.Sin(hi) + lo*math.Cos(hi)
	} else {
		v = math.Cos(hi) - lo*math.Sin(hi)
	}
	if k&2 != 0 {
		return -v
	}
	return v
}

func tan(x float64) float64 {
	if math.Abs(x) < math.Pi/4 || x-x != 0 {
		return math.Tan(x)
	}
	hi, lo, k := quarter(x)
	t := math.Tan(hi)
	t += lo * (1 + t*t)
	if k&1 == 0 {
		return t
	}
	return -1 / t
}

// mantissaHalf has the bits of √½.
const mantissaHalf = 0x3fe6a09e667f3bcd

// pow computes the logarithm to about 65 bits, since the exponent multiplies its error.
func pow(x, y float64) float64 {
	negative := x < 0
	whole := y == math.Trunc(y)
	if a := math.Abs(x); !(a > 0 && a <= math.MaxFloat64) || y-y != 0 || negative && !whole || whole && math.Abs(y) <= 32 {
		return math.Pow(x, y)
	}
	hi, lo := logarithm(math.Abs(x))
	p := y * hi
	lo = math.FMA(y, hi, -p) + y*lo
	if math.Abs(p) > 745 {
		return math.Pow(x, y)
	}
	e := math.Exp(p)
	if v := e + e*lo; v-v == 0 {
		e = v
	}
	if negative && math.Abs(y) < 1<<53 && int64(y)&1 != 0 {
		return -e
	}
	return e
}

// logarithm returns log x, of a positive number, as the sum of two numbers: x = m·2ᵉ with m from √½ to √2, and
// log m = 2·artanh s for s = (m-1)/(m+1).
func logarithm(x float64) (hi, lo float64) {
	var e float64
	if x < least {
		x, e = x*0x1p54, -54
	}
	bits := math.Float64bits(x) - mantissaHalf
	e += float64(int64(bits) >> 52)
	m := math.Float64frombits(bits&(1<<52-1) + mantissaHalf)
	n, d := m-1, m+1 // n is exact
	rest := m - (d - 1)
	s := n / d
	sLow := (math.FMA(-s, d, n) - s*rest) / d
	z := s * s
	// Of the terms from s³ on the first has an exact product, too.
	c := s * z
	cLow := math.FMA(s, z, -c) + s*math.FMA(s, s, -z) + 3*z*sLow
	const third, thirdLow = 1.0 / 3, 0x1p-54 / 3
	t := c * third
	tLow := math.FMA(c, third, -t) + c*thirdLow + cLow*third
	tail := 1.0 / 25
	for k := 23.0; k >= 5; k -= 2 {
		tail = math.FMA(tail, z, 1/k)
	}
	tail *= c * z
	a := e * math.Ln2
	aLow := math.FMA(e, math.Ln2, -a) + e*0x1.abc9e3b39803fp-56
	hi, lo = difference(a, -2*s)
	hi, more := difference(hi, -2*t)
	lo += more + aLow + 2*(sLow+tLow+tail)
	v := hi + lo
	return v, hi - v + lo
}

// inverseErf returns the y at which erf is p and erfc is q, which is 1 - p: an approximation of few digits, then steps of Halley.
func inverseErf(p, q float64) float64 {
	if !(p >= 0 && q >= 0) {
		return math.NaN()
	}
	if q == 0 {
		return math.Inf(1)
	}
	l := log(q * (1 + p))
	t := 4.330746750799873 + l/2
	y := math.Sqrt(math.Sqrt(t*t-l/0.147) - t)
	for range 4 {
		u := math.Erf(y) - p
		if p >= 0.5 {
			u = q - math.Erfc(y)
		}
		u /= 2 / math.SqrtPi * math.Exp(-y*y)
		y -= u / (1 + y*u)
	}
	return y
}

func erfinv(a float64) float64 {
	return math.Copysign(inverseErf(math.Abs(a), 1-math.Abs(a)), a)
}

func erfcinv(a float64) float64 {
	if a <= 1 {
		return inverseErf(1-a, a)
	}
	return -inverseErf(a-1, 2-a)
}

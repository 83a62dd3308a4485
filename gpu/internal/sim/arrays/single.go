package arrays

import (
	"math"
)

// These are functions of float32s, computed in float64 by polynomials with a relative error of about 2⁻²⁷, so that the rounded result is
// hardly ever the second nearest number. Loops have them inlined.

// expOf returns e to the power of x, from about -700 to 700: x = n·ln 2 + r, and the series of eʳ.
func expOf(x float64) float64 {
	const shift = 0x1.8p52 // adding it rounds to an integer, in the lowest bits
	t := x*math.Log2E + shift
	r := x - (t-shift)*math.Ln2
	z := r * r
	p := (1 + r) + z*((1.0/2+r*(1.0/6))+z*((1.0/24+r*(1.0/120))+z*(1.0/720+r*(1.0/5040))))
	return p * math.Float64frombits((math.Float64bits(t)+1023)<<52)
}

// The limits of the exponential function of a float32: beyond them it is 0 or infinite.
const (
	leastExp = -104
	mostExp  = 89
)

func exp32(out, a, _, _ pointer, n int) {
	o, x := elements[float32](out, n), elements[float32](a, n)
	for i := range o {
		v := float64(x[i])
		switch {
		case v > mostExp:
			v = mostExp
		case v < leastExp:
			v = leastExp
		}
		e := expOf(v)
		if v != v {
			e = v
		}
		o[i] = float32(e)
	}
}

// logOf returns the logarithm of a positive normal number: x = m·2ᵉ with m from √½ to √2, and log m = 2·artanh s for s = (m-1)/(m+1).
func logOf(x float64) float64 {
	b := math.Float64bits(x) - mantissaHalf
	m := math.Float64frombits(b&(1<<52-1) + mantissaHalf)
	s := (m - 1) / (m + 1)
	z := s * s
	return float64(int64(b)>>52)*math.Ln2 + s*(2+z*(2.0/3+z*(2.0/5+z*(2.0/7+z*(2.0/9)))))
}

// The limits of the exponents of e beyond which a power is infinite or 0 as a float32.
const (
	leastPower = -120
	mostPower  = 100
)

// pow32 computes powers of positive numbers by the exponential function and a logarithm with two terms more than logOf has, since it is
// multiplied with up to 100.
func pow32(out, a, b, _ pointer, n int) {
	o, x, y := elements[float32](out, n), elements[float32](a, n), elements[float32](b, n)
	for i := range o {
		u, v := float64(x[i]), float64(y[i])
		if !(u > 0 && u <= math.MaxFloat32 && v-v == 0) {
			o[i] = float32(pow(u, v))
			continue
		}
		bits := math.Float64bits(u) - mantissaHalf
		m := math.Float64frombits(bits&(1<<52-1) + mantissaHalf)
		s := (m - 1) / (m + 1)
		z := s * s
		series := 2 + z*(2.0/3+z*(2.0/5+z*(2.0/7+z*(2.0/9+z*(2.0/11+z*(2.0/13))))))
		o[i] = float32(expOf(min(max(v*(float64(int64(bits)>>52)*math.Ln2+s*series), leastPower), mostPower)))
	}
}

func log32(out, a, _, _ pointer, n int) {
	o, x := elements[float32](out, n), elements[float32](a, n)
	for i := range o {
		v := x[i]
		if v > 0 && v <= math.MaxFloat32 {
			o[i] = float32(logOf(float64(v)))
			continue
		}
		o[i] = float32(math.Log(float64(v)))
	}
}

// log1pOf32 computes log(1+x) as the logarithm of the rounded sum u, times x/(u-1), which makes up for the rounding.
func log1pOf32(out, a, _, _ pointer, n int) {
	o, x := elements[float32](out, n), elements[float32](a, n)
	for i := range o {
		v := float64(x[i])
		switch u := 1 + v; {
		case u == 1:
			o[i] = x[i]
		case u > 0 && v <= math.MaxFloat32:
			o[i] = float32(logOf(u) * (v / (u - 1)))
		default:
			o[i] = float32(math.Log1p(v))
		}
	}
}

func log2of32(out, a, _, _ pointer, n int)  { scaledLog(out, a, n, math.Log2E, math.Log2) }
func log10of32(out, a, _, _ pointer, n int) { scaledLog(out, a, n, math.Log10E, math.Log10) }

// scaledLog computes a logarithm of another base. Powers of two have exact ones of base 2.
func scaledLog(out, a pointer, n int, scale float64, rest func(float64) float64) {
	o, x := elements[float32](out, n), elements[float32](a, n)
	for i := range o {
		v := x[i]
		if v > 0 && v <= math.MaxFloat32 {
			o[i] = float32(logOf(float64(v)) * scale)
			continue
		}
		o[i] = float32(rest(float64(v)))
	}
}

func sigmoid32(out, a, _, _ pointer, n int) {
	o, x := elements[float32](out, n), elements[float32](a, n)
	for i := range o {
		v := float64(x[i])
		u := math.Abs(v)
		if u > 200 {
			u = 200
		}
		e := expOf(-u)
		s := 1 / (1 + e)
		if v < 0 {
			s *= e
		}
		o[i] = float32(s)
	}
}

func tanh32(out, a, _, _ pointer, n int) {
	o, x := elements[float32](out, n), elements[float32](a, n)
	for i := range o {
		v := float64(x[i])
		if -0x1p-10 < v && v < 0x1p-10 {
			o[i] = float32(v * (1 - v*v*(1.0/3)))
			continue
		}
		u := math.Abs(v)
		if u > 20 {
			u = 20
		}
		e := expOf(-2 * u)
		o[i] = float32(math.Copysign((1-e)/(1+e), v))
	}
}

// erfcFit has the coefficients of the polynomial p for which exp(-x²)·t·p(t) with t = 1/(1+x/2) approximates erfc x, for x from 0 to 10.2,
// with a relative error of 3e-10, and erfFit those of the one for which x·p(x²) approximates erf x, for x up to 0.6, with 1e-10. Both are
// least-squares fits whose points were weighted until the largest error did not fall any more.
var (
	erfcFit = [...]float64{
		0.2820986126017985, 0.2819737243968109, 0.24852736712342516, 0.16247803596444782, 0.15691005400099273, -0.2674111329721102,
		0.5959738086381865, -1.158578498866181, 1.2086708361015353, -0.6999332534685672, 0.21824439480558325, -0.028953948021414558,
	}
	erfFit = [...]float64{
		1.1283791669779948, -0.3761263658515469, 0.11283717069498542, -0.026857336571266214, 0.00517632053566147, -0.0007344650013942937,
	}
)

// erfcOf returns erfc x for x from 0 to 10.2.
func erfcOf(x float64) float64 {
	t := 1 / (1 + x*0.5)
	c := &erfcFit
	z := t * t
	y := z * z
	p := (c[0] + c[1]*t + z*(c[2]+c[3]*t)) + y*((c[4]+c[5]*t+z*(c[6]+c[7]*t))+y*(c[8]+c[9]*t+z*(c[10]+c[11]*t)))
	return expOf(-x*x) * (t * p)
}

func erfc32(out, a, _, _ pointer, n int) {
	o, x := elements[float32](out, n), elements[float32](a, n)
	for i := range o {
		v := float64(x[i])
		switch {
		case v != v:
			o[i] = x[i]
		case v < 0:
			if v < -10 {
				v = -10
			}
			o[i] = float32(2 - erfcOf(-v))
		case v > 10.2:
			o[i] = 0
		default:
			o[i] = float32(erfcOf(v))
		}
	}
}

func erf32(out, a, _, _ pointer, n int) {
	o, x := elements[float32](out, n), elements[float32](a, n)
	for i := range o {
		v := float64(x[i])
		u := math.Abs(v)
		switch {
		case u < 0.6:
			z, c := v*v, &erfFit
			o[i] = float32(v * (c[0] + z*(c[1]+z*(c[2]+z*(c[3]+z*(c[4]+z*c[5]))))))
		case u >= 0.6:
			if u > 10 {
				u = 10
			}
			o[i] = float32(math.Copysign(1-erfcOf(u), v))
		default:
			o[i] = x[i]
		}
	}
}

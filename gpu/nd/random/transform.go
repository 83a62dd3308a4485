package random

import "math"

// What is computed here is computed by kernels too, in the same order, so that all bits are the same. Products are
// fused with sums where that is written down (fma32, math.FMA) and nowhere else: conversions keep Go's compilers from
// it, and kernels are compiled so. Series are Taylor's, which converge quickly enough where they are used.

// open32 and open64 are numbers above 0, up to 1, of which there is a logarithm.
func open32(w uint32) float32 { return float32(w>>8+1) * 0x1p-24 }
func open64(w uint64) float64 { return float64(w>>11+1) * 0x1p-53 }

// fma32 is a·b + c, rounded once: the sum in float64 is rounded to odd, so that rounding it again does no harm.
func fma32(a, b, c float32) float32 {
	p, q := float64(a)*float64(b), float64(c) // exact
	s := p + q
	v := s - p
	rest := (p - (s - v)) + (q - v)
	if bits := math.Float64bits(s); rest != 0 && bits&1 == 0 {
		if (rest > 0) == (s > 0) {
			bits++
		} else {
			bits--
		}
		s = math.Float64frombits(bits)
	}
	return float32(s)
}

// log64 is the natural logarithm of a positive normal number: x = m·2ᵉ with m from √½ to √2, and log m =
// 2·artanh((m-1)/(m+1)).
func log64(x float64) float64 {
	b := math.Float64bits(x) - rootHalf64
	e := float64(int64(b) >> 52)
	m := math.Float64frombits(b&(1<<52-1) + rootHalf64)
	s := (m - 1) / (m + 1)
	z := s * s
	p := 1.0 / 23
	for k := 21.0; k >= 1; k -= 2 {
		p = math.FMA(p, z, 1/k)
	}
	return math.FMA(2*s, p, float64(e*math.Ln2))
}

// The bits of √½.
const (
	rootHalf64 = 0x3fe6a09e667f3bcd
	rootHalf32 = 0x3f3504f3
)

// logFit are the coefficients of the polynomial p for which f - f²/2 + f³·p(f) comes closest to log(1+f) for 1+f from √½ to
// √2, found by least squares.
var logFit = [...]float32{
	0.333333283662796, -0.2500084638595581, 0.200014129281044, -0.1662275195121765,
	0.14197877049446106, -0.13161605596542358, 0.1278633028268814, -0.07660818845033646,
}

// log32 is log64 in single precision, without a division.
func log32(x float32) float32 {
	b := math.Float32bits(x) - rootHalf32
	e := float32(int32(b) >> 23)
	f := math.Float32frombits(b&(1<<23-1)+rootHalf32) - 1
	p := logFit[7]
	for k := 6; k >= 0; k-- {
		p = fma32(p, f, logFit[k])
	}
	r := fma32(f*f, fma32(p, f, -0.5), f)
	return fma32(e, float32(math.Ln2), r)
}

// circle64 is a point on the unit circle. The upper two bits choose the quadrant, the others an angle of
// up to 45° on both sides of its middle, which lies on an axis.
func circle64(w uint64) (x, y float64) {
	t := (float64(int64(w<<2>>11)-1<<52) + 0.5) * (math.Pi / 2 * 0x1p-53)
	z := -(t * t)
	s, c := 1.0, 1.0
	for k := 18.0; k >= 2; k -= 2 {
		s = math.FMA(s, float64(z*(1/(k*(k+1)))), 1)
		c = math.FMA(c, float64(z*(1/(k*(k-1)))), 1)
	}
	return turn(w>>62, c, s*t)
}

// circle32 is circle64 in single precision.
func circle32(w uint32) (x, y float32) {
	t := (float32(int32(w<<2>>8)-1<<23) + 0.5) * float32(math.Pi/2*0x1p-24)
	z := -(t * t)
	s, c := float32(1), float32(1)
	for k := float32(10); k >= 2; k -= 2 {
		s = fma32(s, z*(1/(k*(k+1))), 1)
		c = fma32(c, z*(1/(k*(k-1))), 1)
	}
	return turn(uint64(w>>30), c, s*t)
}

func turn[T float32 | float64](quadrant uint64, c, s T) (x, y T) {
	switch quadrant {
	case 1:
		return -s, c
	case 2:
		return -c, -s
	case 3:
		return s, -c
	}
	return c, s
}

// normal64 is two normal numbers, by the way of Box and Muller.
func normal64(a, b uint64) [2]float64 {
	r := math.Sqrt(-2 * log64(open64(a)))
	x, y := circle64(b)
	return [2]float64{r * x, r * y}
}

// normal32 is normal64 in single precision. The largest number is 5.8.
func normal32(a, b uint32) [2]float32 {
	r := float32(math.Sqrt(float64(-2 * log32(open32(a)))))
	x, y := circle32(b)
	return [2]float32{r * x, r * y}
}

package philox

import "math"

// Everything here is computed by kernels too, in the same order, so that all bits are the same. Products are contracted with sums where
// that is written down (FMA32, math.FMA) and nowhere else: conversions keep Go's compilers from it, and kernels are compiled so. Series
// in double precision are Taylor's, which converge quickly enough where they are used.

// Open64 returns a number in (0, 1], which has a logarithm.
func Open64(w uint64) float64 { return float64(w>>11+1) * 0x1p-53 }

// FMA32 returns a·b + c, rounded once: the sum in float64 is rounded to odd, so that rounding it again does no harm.
func FMA32(a, b, c float32) float32 {
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

// Log64 returns the natural logarithm of a positive normal number: x = m·2ᵉ with m from √½ to √2, and log m = 2·artanh((m-1)/(m+1)).
func Log64(x float64) float64 {
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

// logFit has the coefficients of the polynomial p for which f - f²/2 + f³·p(f) approximates log(1+f) with the least relative error, for
// 1+f from √½ to √2, times -2.
var logFit = [...]float32{
	-2 * 0.3333390951156616, -2 * -0.2500133812427521, -2 * 0.19963063299655914, -2 * -0.1657758355140686,
	-2 * 0.14914768934249878, -2 * -0.14267492294311523, -2 * 0.08700438588857651,
}

// MinusTwoLog32 returns -2·log(w/2³²), where w is taken as an odd number and rounded down to a float32: a number above 0, up to 44.4.
func MinusTwoLog32(w uint32) float32 {
	n := float32(w | 1)
	if float64(n) > float64(w|1) {
		n = math.Float32frombits(math.Float32bits(n) - 1)
	}
	x := math.Float32bits(n) - 32<<23
	e := (x - rootHalf32) &^ (1<<23 - 1)
	f := math.Float32frombits(x-e) - 1
	p := logFit[6]
	for k := 5; k >= 0; k-- {
		p = FMA32(p, f, logFit[k])
	}
	p = FMA32(FMA32(p, f, 1), f, -2)
	return FMA32(p, f, float32(float32(int32(e))*(-2*math.Ln2*0x1p-23)))
}

// circle64 returns a point on the unit circle. The upper two bits choose the quadrant, the others an angle of up to 45° on both sides of
// its middle, which is on an axis.
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

// The coefficients of the polynomials in v² that approximate sin(π/2·v)/v and cos(π/2·v) for v from -½ to ½ with the least error.
var (
	sinFit = [...]float32{1.5707963705062866, -0.6459634900093079, 0.07968022674322128, -0.004602177068591118}
	cosFit = [...]float32{1, -1.2336980104446411, 0.2536063492298126, -0.020426249131560326}
)

// circle32 returns a point on the unit circle. The lower 23 bits choose an angle of up to 45° on both sides of the first axis; of the
// upper two, one mirrors the point at the second axis and one exchanges the axes.
func circle32(w uint32) (x, y float32) {
	v := math.Float32frombits(w&(1<<23-1)|0x3f800001) - 1.5
	z := float32(v * v)
	s, c := sinFit[3], cosFit[3]
	for k := 2; k >= 0; k-- {
		s, c = FMA32(s, z, sinFit[k]), FMA32(c, z, cosFit[k])
	}
	s *= v
	if w>>31 == 1 {
		c = -c
	}
	if w>>30&1 == 1 {
		return s, c
	}
	return c, s
}

func turn(quadrant uint64, c, s float64) (x, y float64) {
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

// normal64 returns two normal numbers, by the method of Box and Muller.
func normal64(a, b uint64) [2]float64 {
	r := math.Sqrt(-2 * Log64(Open64(a)))
	x, y := circle64(b)
	return [2]float64{r * x, r * y}
}

// normal32 is normal64 in single precision. The largest number is 6.7.
func normal32(a, b uint32) [2]float32 {
	r := float32(math.Sqrt(float64(MinusTwoLog32(a))))
	x, y := circle32(b)
	return [2]float32{r * x, r * y}
}

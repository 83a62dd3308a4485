package random

import "math"

// What is computed here is computed by kernels too, in the same order, so that all bits are the same.
// Conversions of products keep compilers from fusing them with sums; kernels are compiled without
// fusing. Series are Taylor's, which converge quickly enough where they are used.

// open32 and open64 are numbers above 0, up to 1, of which there is a logarithm.
func open32(w uint32) float32 { return float32(w>>8+1) * 0x1p-24 }
func open64(w uint64) float64 { return float64(w>>11+1) * 0x1p-53 }

// log64 is the natural logarithm of a positive normal number: x = m·2ᵉ with m from √½ to √2, and log m =
// 2·artanh((m-1)/(m+1)).
func log64(x float64) float64 {
	b := math.Float64bits(x)
	e := int(b>>52) - 1023
	m := math.Float64frombits(b&(1<<52-1) | 1023<<52)
	if m > math.Sqrt2 {
		m *= 0.5
		e++
	}
	s := (m - 1) / (m + 1)
	z := s * s
	p := 1.0 / 23
	for k := 21.0; k >= 1; k -= 2 {
		p = float64(p*z) + 1/k
	}
	return float64(2*s*p) + float64(float64(e)*math.Ln2)
}

// log32 is log64 in single precision.
func log32(x float32) float32 {
	b := math.Float32bits(x)
	e := int(b>>23) - 127
	m := math.Float32frombits(b&(1<<23-1) | 127<<23)
	if m > float32(math.Sqrt2) {
		m *= 0.5
		e++
	}
	s := (m - 1) / (m + 1)
	z := s * s
	p := float32(1) / 9
	for k := float32(7); k >= 1; k -= 2 {
		p = float32(p*z) + 1/k
	}
	return float32(2*s*p) + float32(float32(e)*float32(math.Ln2))
}

// circle64 is a point on the unit circle. The upper two bits choose the quadrant, the others an angle of
// up to 45° on both sides of its middle, which lies on an axis.
func circle64(w uint64) (x, y float64) {
	t := (float64(int64(w<<2>>11)-1<<52) + 0.5) * (math.Pi / 2 * 0x1p-53)
	z := t * t
	s, c := 1.0, 1.0
	for k := 18.0; k >= 2; k -= 2 {
		s = 1 - float64(float64(s*z)*(1/(k*(k+1))))
		c = 1 - float64(float64(c*z)*(1/(k*(k-1))))
	}
	return turn(w>>62, c, s*t)
}

// circle32 is circle64 in single precision.
func circle32(w uint32) (x, y float32) {
	t := (float32(int32(w<<2>>8)-1<<23) + 0.5) * float32(math.Pi/2*0x1p-24)
	z := t * t
	s, c := float32(1), float32(1)
	for k := float32(10); k >= 2; k -= 2 {
		s = 1 - float32(float32(s*z)*(1/(k*(k+1))))
		c = 1 - float32(float32(c*z)*(1/(k*(k-1))))
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

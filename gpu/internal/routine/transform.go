package routine

import "errors"

// Kind is the kind of a Fourier transform: the types of its input and output.
type Kind uint32

// The kinds.
const (
	ComplexToComplex Kind = iota
	RealToComplex         // the last dimension of the output has Dims[Rank-1]/2+1 elements
	ComplexToReal         // the inverse of that; Dims are those of the output. In is overwritten
)

// Transform is a Fourier transform of one to three dimensions, of arrays in row-major order without gaps.
type Transform struct {
	Double  bool // float64 and complex128 instead of float32 and complex64
	Kind    Kind
	Inverse bool // for ComplexToComplex: the sign of the exponent is positive. The other kinds have a fixed direction
	Rank    int
	Dims    [3]int
	Count   int
	In, Out uint64 // addresses, which may be equal for ComplexToComplex; the arrays follow one another without gaps
}

// Routine implements Call.
func (*Transform) Routine() Routine { return RoutineTransform }

// Sizes returns the numbers of elements of one input and one output array.
func (t *Transform) Sizes() (in, out int) {
	whole, half := 1, 1
	for i, n := range t.Dims[:t.Rank] {
		whole *= n
		if i == t.Rank-1 {
			n = n/2 + 1
		}
		half *= n
	}
	switch t.Kind {
	case RealToComplex:
		return whole, half
	case ComplexToReal:
		return half, whole
	}
	return whole, whole
}

// Check implements Call.
func (t *Transform) Check() error {
	if t.Rank < 1 || t.Rank > 3 {
		return errors.New("a Fourier transform has 1 to 3 dimensions")
	}
	total := uint64(1)
	for _, n := range t.Dims[:t.Rank] {
		if n < 1 || n > maxSize {
			return errors.New("each dimension of a Fourier transform has at least one element")
		}
		if total *= uint64(n); total > maxSize {
			return errors.New("the arrays of a Fourier transform have at most 2147483647 elements")
		}
	}
	if t.Kind != ComplexToComplex && t.In == t.Out && t.Count > 0 {
		return errors.New("a transform from or to real numbers can't be in place")
	}
	return sizes(dimension{"Count", t.Count})
}

// Operands implements Call.
func (t *Transform) Operands(list []Operand) []Operand {
	from, to := uint64(8), uint64(8)
	if t.Kind == RealToComplex {
		from = 4
	} else if t.Kind == ComplexToReal {
		to = 4
	}
	if t.Double {
		from, to = 2*from, 2*to
	}
	in, out := t.Sizes()
	return append(list,
		Operand{"In", t.In, uint64(in) * uint64(t.Count) * from, from, t.Kind == ComplexToReal},
		Operand{"Out", t.Out, uint64(out) * uint64(t.Count) * to, to, true})
}

package verify

import "slices"

// A Case is one run of a check: a size, and the kernel's inputs and outputs.
type Case struct {
	// N is the size of the case. It may be 0.
	N int

	block  int
	drawn  uint64 // number of inputs made so far
	salt   uint64 // selects other inputs of the same size
	arrays []array
	output bool // an output was made

	twice    bool // Launch calls its function twice
	launches bool // Launch was called
	limits   []Limit
	// drawnInputs are the inputs made so far.
	drawnInputs []func() []float64
}

// Within limits the costs of the case's launches, as Cost does. The limits may depend on N. They are checked for the largest size that
// runs in check mode, and all must hold.
func (c *Case) Within(limits ...Limit) { c.limits = append(c.limits, limits...) }

// Launch calls f, which launches kernels, and in an additional run of each size calls it twice in a row: the effects of an earlier launch
// must not change the results of the next one. f must set everything that has to be set before each launch. Launch returns f's error.
func (c *Case) Launch(f func() error) error {
	c.launches = true
	if c.twice {
		if err := f(); err != nil {
			return err
		}
	}
	return f()
}

// array is a watched array of any element type.
type array interface {
	// observe compares the array with its expected contents; it returns nil if they are equal.
	observe() (*observation, error)
	// values returns the contents of an input; nil for an output.
	values() []float64
	free()
}

// Float32s returns n random numbers from -1 (inclusive) to 1 (exclusive). Each call within a run returns different numbers; runs of the
// same size get the same ones.
func (c *Case) Float32s(n int) []float32 {
	draw := c.stream()
	s := make([]float32, n)
	for i := range s {
		const steps = 1 << 23 // all multiples of 1/steps in the range are float32 values
		s[i] = float32(draw(i)>>40)/steps - 1
	}
	remember(c, s)
	return s
}

// Bytes returns n random bytes, with Float32s's rules.
func (c *Case) Bytes(n int) []byte {
	draw := c.stream()
	s := make([]byte, n)
	for i := range s {
		s[i] = byte(draw(i) >> 56)
	}
	remember(c, s)
	return s
}

// remember keeps inputs, so that they are recognized in a result. The check may change them before it uses them.
func remember[T Number](c *Case, s []T) {
	c.drawnInputs = append(c.drawnInputs, func() []float64 {
		list := make([]float64, len(s))
		for i, v := range s {
			list[i] = float64(v)
		}
		return list
	})
}

// stream returns the next sequence of random 64-bit numbers. The i-th depends on its index only, so that inputs can be made in any order
// and size.
func (c *Case) stream() func(i int) uint64 {
	c.drawn++
	key := mix(seed()<<32 ^ uint64(c.N)<<8 ^ c.drawn ^ c.salt)
	return func(i int) uint64 { return mix(key + uint64(i)*0x9E3779B97F4A7C15) }
}

// mix is the finalizer of SplitMix64: each bit of x changes about half of the result's bits.
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xBF58476D1CE4E5B9
	x = (x ^ x>>27) * 0x94D049BB133111EB
	return x ^ x>>31
}

// run calls f and compares all arrays, which waits for the kernels.
func (c *Case) run(f func() error) ([]*observation, error) {
	if err := f(); err != nil {
		return nil, err
	}
	seen := make([]*observation, len(c.arrays))
	for i, a := range c.arrays {
		var err error
		if seen[i], err = a.observe(); err != nil {
			return nil, err
		}
	}
	for _, o := range seen {
		if o != nil && !o.input && o.count > 0 {
			o.copied = c.given(o.got)
		}
	}
	return seen, nil
}

// given reports whether values are those of an input.
func (c *Case) given(values []float64) bool {
	for _, a := range c.arrays {
		if len(values) > 1 && slices.Equal(a.values(), values) {
			return true
		}
	}
	return false
}

// outputs returns the number of arrays that kernels are to write.
func (c *Case) outputs() (n int) {
	for _, a := range c.arrays {
		if a.values() == nil {
			n++
		}
	}
	return n
}

func (c *Case) free() {
	for _, a := range c.arrays {
		a.free()
	}
}

package verify

// A Case is one run of a check: a size, and what the kernel is given and has to write.
type Case struct {
	// N is the size of the case. It may be 0.
	N int

	block  int
	drawn  uint64 // inputs made so far
	arrays []array
	output bool // an output was made

	twice    bool // Launch launches two times
	launches bool // Launch was called
}

// Launch calls f, which launches kernels, and in an additional run of each size calls it two
// times in a row: what an earlier launch left behind must not change what the next one
// computes. Whatever has to be set before each launch belongs into f.
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
	// observe compares the array with what it should hold; nil means that it does.
	observe() (*observation, error)
	free()
}

// Float32s returns n random numbers from -1 (included) to 1 (not included). Each call
// within a run gives others; runs of the same size get the same.
func (c *Case) Float32s(n int) []float32 {
	draw := c.stream()
	s := make([]float32, n)
	for i := range s {
		const steps = 1 << 23 // all multiples of 1/steps in the range are float32 values
		s[i] = float32(draw(i)>>40)/steps - 1
	}
	return s
}

// Bytes returns n random bytes.
func (c *Case) Bytes(n int) []byte {
	draw := c.stream()
	s := make([]byte, n)
	for i := range s {
		s[i] = byte(draw(i) >> 56)
	}
	return s
}

// stream is the next sequence of random 64-bit numbers. The i-th is a mix of its place
// alone, so inputs can be made in any order and size.
func (c *Case) stream() func(i int) uint64 {
	c.drawn++
	key := mix(seed<<32 ^ uint64(c.N)<<8 ^ c.drawn)
	return func(i int) uint64 { return mix(key + uint64(i)*0x9E3779B97F4A7C15) }
}

// mix is the finalizer of SplitMix64: each bit of x changes about half of the result's.
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xBF58476D1CE4E5B9
	x = (x ^ x>>27) * 0x94D049BB133111EB
	return x ^ x>>31
}

// run calls f and looks at all arrays, which waits for the kernels.
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
	return seen, nil
}

func (c *Case) free() {
	for _, a := range c.arrays {
		a.free()
	}
}

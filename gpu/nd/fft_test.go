package nd_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/nd"
)

// roundings is the tolerance of sums of up to a hundred numbers, in units in the last place of the largest one.
const roundings = 10

func TestNumPyFFT(t *testing.T) {
	s := newSuite(t)
	for _, shape := range [][]int{{1}, {8}, {15}, {97}, {3, 10}, {4, 5, 6}, {2, 3, 4, 5}} {
		transforms[complex64, float32](s, shape)
		transforms[complex128, float64](s, shape)
	}
	for _, shape := range [][]int{{7}, {4, 5}} {
		a, x := array[float64](s, shape...)
		expectFrom(s, "np.fft.fftshift(x0)", 0, func() *nd.Array[float64] { return nd.FFTShift(a) }, x)
		expectFrom(s, "np.fft.ifftshift(x0, 0)", 0, func() *nd.Array[float64] { return nd.IFFTShift(a, 0) }, x)
	}
	for _, n := range []int{1, 6, 9} {
		expectFrom(s, fmt.Sprintf("np.fft.fftfreq(%d, 0.25)", n), 1, func() *nd.Array[float64] { return nd.FFTFreq(n, 0.25) })
		expectFrom(s, fmt.Sprintf("np.fft.rfftfreq(%d, 0.25)", n), 1, func() *nd.Array[float64] { return nd.RFFTFreq(n, 0.25) })
	}
	for _, c := range s.cases {
		c.ofLargest = true // whose sums the others are what is left of
	}
	s.run()
}

func transforms[C nd.Complex, R float32 | float64](s *suite, shape []int) {
	a, x := small[C](s, shape...)
	b, y := small[R](s, shape...)
	type complexes = *nd.Array[C]
	type reals = *nd.Array[R]
	for axis := range shape {
		arg := fmt.Sprintf("(x0, axis=%d)", axis)
		expectFrom(s, "np.fft.fft"+arg, roundings, func() complexes { return nd.FFT(a, axis) }, x)
		expectFrom(s, "np.fft.ifft"+arg, roundings, func() complexes { return nd.IFFT(a, axis) }, x)
		expectFrom(s, "np.fft.rfft"+arg, roundings, func() complexes { return nd.RFFT[C](b, axis) }, y)
		expectFrom(s, "np.fft.irfft(np.fft.rfft(x0, axis=0), x0.shape[0], axis=0).astype(x0.dtype)", roundings, func() reals { return nd.IRFFT[R](nd.RFFT[C](b, 0), shape[0], 0) }, y)
	}
	expectFrom(s, "np.fft.fftn(x0)", roundings, func() complexes { return nd.FFTN(a) }, x)
	expectFrom(s, "np.fft.ifftn(x0)", roundings, func() complexes { return nd.IFFTN(a) }, x)
	expectFrom(s, "np.fft.rfftn(x0)", roundings, func() complexes { return nd.RFFTN[C](b) }, y)
	if n := shape[len(shape)-1]; n > 2 {
		expr := fmt.Sprintf("np.fft.irfftn(np.fft.rfftn(x0), x0.shape[:-1] + (%d,), tuple(range(x0.ndim)))", n&^1)
		expectFrom(s, expr, roundings, func() reals { return nd.IRFFTN[R](nd.RFFTN[C](b), 0) }, y)
	}
	if len(shape) > 1 {
		expectFrom(s, "np.fft.fft2(x0)", roundings, func() complexes { return nd.FFT2(a) }, x)
		expectFrom(s, "np.fft.ifft2(x0)", roundings, func() complexes { return nd.IFFT2(a) }, x)
		expectFrom(s, "np.fft.rfft2(x0)", roundings, func() complexes { return nd.RFFT2[C](b) }, y)
		expectFrom(s, "np.fft.fftn(x0, axes=(1, 0))", roundings, func() complexes { return nd.FFTN(a, 1, 0) }, x)
		expectFrom(s, "np.fft.rfftn(x0, axes=(1, 0))", roundings, func() complexes { return nd.RFFTN[C](b, 1, 0) }, y)
		n := shape[len(shape)-1]
		expectFrom(s, "x0", roundings, func() reals { return nd.IRFFT2[R](nd.RFFT2[C](b), n) }, y)
		expectFrom(s, "np.fft.fft(x0[::-1].T, axis=0)", roundings, func() complexes { return nd.FFT(a.Flip(0).T(), 0) }, x)
	}
}

func TestFFTErrors(t *testing.T) {
	a := nd.Zeros[complex64](2, 3)
	for _, c := range []struct {
		want string
		f    func()
	}{
		{"nd.FFT: axis 2 is out of bounds for an array of 2 axes", func() { nd.FFT(a, 2) }},
		{"nd.FFTN: axis 1 is given twice", func() { nd.FFTN(a, 1, -1) }},
		{"nd.FFT2: an array of shape (3,) has no 2 axes", func() { nd.FFT2(nd.Zeros[complex64](3)) }},
		{"nd.FFT: axis 0 of shape (0, 3) has no elements", func() { nd.FFT(nd.Zeros[complex64](0, 3), 0) }},
		{"nd.RFFT: the transform of float32 is no complex128", func() { nd.RFFT[complex128](nd.Zeros[float32](3)) }},
		{"nd.IRFFT: 9 numbers along axis 1 of shape (2, 3): it takes 5", func() { nd.IRFFT[float32](a, 9) }},
	} {
		if got := panics(t, c.f); !strings.Contains(got, c.want) {
			t.Errorf("got %q, want %q in it", got, c.want)
		}
	}
	if got := nd.FFT(nd.Zeros[complex64](0, 3)).Shape(); !slices.Equal(got, []int{0, 3}) {
		t.Errorf("no transforms have the shape %v", got)
	}
}

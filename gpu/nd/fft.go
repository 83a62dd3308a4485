package nd

import (
	"slices"

	"github.com/gopherwarp/gopherwarp/gpu/internal/routine"
)

// Fourier transforms are defined as in NumPy: forward ones have a minus sign in the exponent, and inverse ones are divided by the number
// of elements. They are computed by cuFFT or, on the simulator, by loops in Go and assembly or gonum.

// FFT returns the discrete Fourier transform along an axis, the last one by default. Real arrays are converted with AsType; RFFT takes
// half the time for those.
func FFT[T Complex](a *Array[T], axis ...int) *Array[T] {
	return fourier("FFT", a, single("FFT", nodeOf(a), axis), false)
}

// IFFT returns the inverse of FFT.
func IFFT[T Complex](a *Array[T], axis ...int) *Array[T] {
	return fourier("IFFT", a, single("IFFT", nodeOf(a), axis), true)
}

// FFT2 returns the Fourier transform along the last two axes.
func FFT2[T Complex](a *Array[T]) *Array[T] {
	return fourier("FFT2", a, lastAxes("FFT2", nodeOf(a), 2), false)
}

// IFFT2 returns the inverse of FFT2.
func IFFT2[T Complex](a *Array[T]) *Array[T] {
	return fourier("IFFT2", a, lastAxes("IFFT2", nodeOf(a), 2), true)
}

// FFTN returns the Fourier transform along the given axes, by default all.
func FFTN[T Complex](a *Array[T], axes ...int) *Array[T] {
	return fourier("FFTN", a, several("FFTN", nodeOf(a), axes), false)
}

// IFFTN returns the inverse of FFTN.
func IFFTN[T Complex](a *Array[T], axes ...int) *Array[T] {
	return fourier("IFFTN", a, several("IFFTN", nodeOf(a), axes), true)
}

// RFFT returns the Fourier transform of real numbers along an axis, the last one by default. Of the n numbers of the transform it returns
// the first n/2+1, as the others are their conjugates: nd.RFFT[complex64](a) of float32s.
func RFFT[C Complex, R float32 | float64](a *Array[R], axis ...int) *Array[C] {
	return realToComplex[C]("RFFT", a, single("RFFT", nodeOf(a), axis))
}

// RFFT2 returns RFFT along the last axis and FFT along the one before.
func RFFT2[C Complex, R float32 | float64](a *Array[R]) *Array[C] {
	return realToComplex[C]("RFFT2", a, lastAxes("RFFT2", nodeOf(a), 2))
}

// RFFTN returns RFFT along the last of the given axes and FFT along the others; by default all axes.
func RFFTN[C Complex, R float32 | float64](a *Array[R], axes ...int) *Array[C] {
	return realToComplex[C]("RFFTN", a, several("RFFTN", nodeOf(a), axes))
}

// IRFFT returns the inverse of RFFT. The result has n numbers along the axis or, if n is 0, 2·(m-1), where m is the length of a;
// superfluous elements of a are ignored.
func IRFFT[R float32 | float64, C Complex](a *Array[C], n int, axis ...int) *Array[R] {
	return complexToReal[R]("IRFFT", a, n, single("IRFFT", nodeOf(a), axis))
}

// IRFFT2 returns the inverse of RFFT2, with n as for IRFFT.
func IRFFT2[R float32 | float64, C Complex](a *Array[C], n int) *Array[R] {
	return complexToReal[R]("IRFFT2", a, n, lastAxes("IRFFT2", nodeOf(a), 2))
}

// IRFFTN returns the inverse of RFFTN, with n as for IRFFT.
func IRFFTN[R float32 | float64, C Complex](a *Array[C], n int, axes ...int) *Array[R] {
	return complexToReal[R]("IRFFTN", a, n, several("IRFFTN", nodeOf(a), axes))
}

func single(op string, n *node, axis []int) []int {
	n.check(op)
	switch len(axis) {
	case 0:
		axis = []int{-1}
	case 1:
	default:
		fail(op, "%d axes are given, want one or none", len(axis))
	}
	return several(op, n, axis)
}

func lastAxes(op string, n *node, count int) []int {
	rank := n.check(op).lay.rank()
	if rank < count {
		fail(op, "an array of shape %s has no %d axes", shapeString(n.lay.shape), count)
	}
	return axesOf(op, nil, rank)[rank-count:]
}

// several returns the checked axes in the given order.
func several(op string, n *node, axes []int) []int {
	rank := n.check(op).lay.rank()
	list := axesOf(op, axes, rank) // each once
	for i, axis := range axes {
		list[i] = axisOf(op, axis, rank)
	}
	if len(list) == 0 {
		fail(op, "an array without axes has no Fourier transform")
	}
	for _, axis := range list {
		if n.lay.shape[axis] == 0 {
			fail(op, "axis %d of shape %s has no elements to transform", axis, shapeString(n.lay.shape))
		}
	}
	return list
}

// mostDims is the number of axes that the libraries can transform in one call.
const mostDims = 3

// fourier transforms complex numbers along axes.
func fourier[T Complex](op string, a *Array[T], axes []int, inverse bool) *Array[T] {
	if out := nodeOf(a).fourierParts(op, axes, func(p *node) *node { return nodeOf(fourier(op, as[T](p), axes, inverse)) }); out != nil {
		return as[T](out)
	}
	for len(axes) > mostDims {
		a, axes = fourier(op, a, axes[:mostDims], inverse), axes[mostDims:]
	}
	x, back := last(a, axes)
	out := transform[T](op, routine.ComplexToComplex, inverse, nodeOf(packed(x)), nodeOf(x).lay.shape, len(axes))
	if inverse {
		out = divided(out, nodeOf(x).lay.shape[len(nodeOf(x).lay.shape)-len(axes):])
	}
	return out.Transpose(back...)
}

func realToComplex[C Complex, R float32 | float64](op string, a *Array[R], axes []int) *Array[C] {
	if dt := DTypeOf[C](); dt.realPart() != nodeOf(a).dt {
		fail(op, "the transform of %v is no %v: the parts must be of the same type", nodeOf(a).dt, dt)
	}
	if out := nodeOf(a).fourierParts(op, axes, func(p *node) *node { return nodeOf(realToComplex[C](op, as[R](p), axes)) }); out != nil {
		return as[C](out)
	}
	now := axes[max(0, len(axes)-mostDims):]
	x, back := last(a, now)
	shape := slices.Clone(nodeOf(x).lay.shape)
	shape[len(shape)-1] = shape[len(shape)-1]/2 + 1
	out := transform[C](op, routine.RealToComplex, false, nodeOf(packed(x)), shape, len(now)).Transpose(back...)
	if rest := axes[:len(axes)-len(now)]; len(rest) > 0 {
		return fourier(op, out, rest, false)
	}
	return out
}

func complexToReal[R float32 | float64, C Complex](op string, a *Array[C], n int, axes []int) *Array[R] {
	if dt := DTypeOf[R](); nodeOf(a).dt.realPart() != dt {
		fail(op, "the inverse transform of %v is no %v: the parts must be of the same type", nodeOf(a).dt, dt)
	}
	half := axes[len(axes)-1]
	have := nodeOf(a).lay.shape[half]
	if n == 0 {
		n = 2 * (have - 1)
	}
	if n < 1 || n/2+1 > have {
		fail(op, "%d numbers along axis %d of shape %s: it takes %d to make them of", n, half, shapeString(nodeOf(a).lay.shape), max(n, 0)/2+1)
	}
	if out := nodeOf(a).fourierParts(op, axes, func(p *node) *node { return nodeOf(complexToReal[R](op, as[C](p), n, axes)) }); out != nil {
		return as[R](out)
	}
	now := axes[max(0, len(axes)-mostDims):]
	if rest := axes[:len(axes)-len(now)]; len(rest) > 0 {
		a = fourier(op, a, rest, true)
	}
	x, back := last(a, now)
	x = copyOf(x.Slice(Rest, To(n/2+1))) // which is lost
	shape := slices.Clone(nodeOf(x).lay.shape)
	shape[len(shape)-1] = n
	out := transform[R](op, routine.ComplexToReal, true, nodeOf(x), shape, len(now))
	return divided(out, shape[len(shape)-len(now):]).Transpose(back...)
}

// last returns a view in which those axes are the last ones, and the order of axes that undoes that.
func last[T Elem](a *Array[T], axes []int) (x *Array[T], back []int) {
	var order []int
	for i := range nodeOf(a).lay.rank() {
		if !slices.Contains(axes, i) {
			order = append(order, i)
		}
	}
	order = append(order, axes...)
	back = make([]int, len(order))
	for i, axis := range order {
		back[axis] = i
	}
	return a.Transpose(order...), back
}

// divided returns the array divided by the number of elements of a shape. Like NumPy it multiplies by the inverse.
func divided[T Elem](a *Array[T], shape []int) *Array[T] {
	n := new(node)
	factor := 1 / float64(product(shape))
	n.constant(nodeOf(a).dt, numberOf(factor))
	return binary[T]("IFFT", opMul, nodeOf(a).dt, nodeOf(a), n)
}

// transform calls the library to transform the last axes of dense arrays. The shape is the result's.
func transform[T Elem](op string, kind routine.Kind, inverse bool, in *node, shape []int, rank int) *Array[T] {
	out := newArray[T](in.eng, contiguous(op, slices.Clone(shape)))
	if nodeOf(out).lay.size == 0 {
		return out
	}
	whole := in.lay.shape // which has the real numbers' lengths
	if kind == routine.ComplexToReal {
		whole = shape
	}
	split := len(shape) - rank
	c := &routine.Transform{
		Double: nodeOf(out).dt == F64 || nodeOf(out).dt == C128, Kind: kind, Inverse: inverse, Rank: rank,
		Count: product(shape[:split]), In: in.address(), Out: nodeOf(out).address(),
	}
	copy(c.Dims[:], whole[split:])
	in.eng.call(c, in, nodeOf(out))
	return out
}

// FFTFreq returns the sample frequencies of FFT for n samples at the given distance: 0, 1, …, -1 in units of 1/(n·distance).
func FFTFreq[T float32 | float64](n int, distance T) *Array[T] {
	list := frequencies(n, distance, n)
	for i := (n + 1) / 2; i < n; i++ {
		list[i] = T(i-n) / (T(n) * distance)
	}
	return FromSlice(list)
}

// RFFTFreq returns the sample frequencies of RFFT, none of which is negative, with arguments as for FFTFreq.
func RFFTFreq[T float32 | float64](n int, distance T) *Array[T] {
	return FromSlice(frequencies(n, distance, n/2+1))
}

func frequencies[T float32 | float64](n int, distance T, count int) []T {
	if n < 1 {
		fail("FFTFreq", "there are no frequencies of %d samples", n)
	}
	list := make([]T, count)
	for i := range list {
		list[i] = T(i) / (T(n) * distance)
	}
	return list
}

// FFTShift shifts the frequency 0 to the middle of the given axes, by default all.
func FFTShift[T Elem](a *Array[T], axes ...int) *Array[T] {
	return shifted("FFTShift", a, axes, func(n int) int { return n / 2 })
}

// IFFTShift returns the inverse of FFTShift.
func IFFTShift[T Elem](a *Array[T], axes ...int) *Array[T] {
	return shifted("IFFTShift", a, axes, func(n int) int { return (n + 1) / 2 })
}

// shifted rolls the elements along each axis by the distance that the function by returns for its length.
func shifted[T Elem](op string, a *Array[T], axes []int, by func(n int) int) *Array[T] {
	nodeOf(a).check(op)
	for _, axis := range axesOf(op, axes, nodeOf(a).lay.rank()) {
		n := nodeOf(a).lay.shape[axis]
		k := by(n)
		if k == 0 || k == n {
			continue
		}
		out := newArray[T](nodeOf(a).ready().eng, contiguous(op, a.Shape()))
		index := make([]Index, axis+1)
		part := func(x *Array[T], i Index) *Array[T] {
			index[axis] = i
			return x.Slice(index...)
		}
		part(out, From(k)).Assign(part(a, To(n-k)))
		part(out, To(k)).Assign(part(a, From(n-k)))
		a = out
	}
	return a
}

package nd

import (
	"math"
	"slices"
	"unsafe"

	"github.com/gopherwarp/gopherwarp/gpu"
)

// bytesOf returns the memory of a slice.
func bytesOf[T any](s []T) []byte {
	if len(s) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&s[0])), len(s)*int(unsafe.Sizeof(s[0])))
}

// numberOf returns a value as a constant's.
func numberOf[T Elem](v T) number { return numberAt(DTypeOf[T](), ref(&v)) }

// numberAt returns the value in memory as a constant's.
func numberAt(dt DType, at unsafe.Pointer) number {
	switch dt {
	case Bool, Uint8:
		return number{uint64(*(*uint8)(at))}
	case Int8:
		return number{uint64(*(*int8)(at))}
	case Int16:
		return number{uint64(*(*int16)(at))}
	case Int32:
		return number{uint64(*(*int32)(at))}
	case Uint16:
		return number{uint64(*(*uint16)(at))}
	case Uint32:
		return number{uint64(*(*uint32)(at))}
	case F16:
		return number{math.Float64bits(float64((*Float16)(at).Float32()))}
	case BF16:
		return number{math.Float64bits(float64((*BFloat16)(at).Float32()))}
	case F32:
		return number{math.Float64bits(float64(*(*float32)(at)))}
	case C64:
		v := *(*complex64)(at)
		return number{math.Float64bits(float64(real(v))), math.Float64bits(float64(imag(v)))}
	case C128:
		return *(*number)(at)
	}
	return number{*(*uint64)(at)} // 64 bits unchanged
}

// constant makes n a value without axes that is part of the kernels that use it.
func (n *node) constant(dt DType, v number) { n.dt, n.op, n.lay, n.num = dt, opConst, scalarLayout, v }

// Scalar returns an array without axes that holds v. It can be used with arrays of any shape and device, and adds no launch:
// nd.Scalar(1.0).Sub(a).
func Scalar[T Elem](v T) *Array[T] {
	return (*Array[T])(constantOf(DTypeOf[T](), ref(&v)))
}

// constantOf returns an array without axes that holds the value at an address.
func constantOf(dt DType, v ref) ref {
	n := new(node)
	n.constant(dt, numberAt(dt, v))
	return ref(n)
}

// Empty returns an array whose elements are undefined.
func Empty[T Elem](shape ...int) *Array[T] {
	return (*Array[T])(empty("Empty", DTypeOf[T](), shape))
}

func empty(op string, dt DType, shape []int) ref {
	return ref(newNode(current(op), dt, contiguous(op, slices.Clone(shape))))
}

// Zeros returns an array of zeros. Without lengths it has no axes and one element.
func Zeros[T Elem](shape ...int) *Array[T] {
	return (*Array[T])(zeros(DTypeOf[T](), shape))
}

func zeros(dt DType, shape []int) ref {
	a := empty("Zeros", dt, shape)
	(*node)(a).mem.now.buf.Fill(0)
	return a
}

// Ones returns an array of ones.
func Ones[T Elem](shape ...int) *Array[T] {
	return (*Array[T])(ones(DTypeOf[T](), shape))
}

func ones(dt DType, shape []int) ref { return ref(filled("Ones", dt, oneOf(dt), shape)) }

// Full returns an array whose elements are all v.
func Full[T Elem](v T, shape ...int) *Array[T] {
	return (*Array[T])(full(DTypeOf[T](), ref(&v), shape))
}

func full(dt DType, v ref, shape []int) ref {
	return ref(filled("Full", dt, numberAt(dt, v), shape))
}

// filled returns an expression, so that a constant array that is only used in another one needs no memory.
func filled(op string, dt DType, v number, shape []int) *node {
	n, c := new(node), new(node)
	c.constant(dt, v)
	n.init(op, opCopy, dt, current(op), contiguous(op, slices.Clone(shape)), c, nil, nil)
	return n
}

// oneOf returns 1 in that dtype.
func oneOf(dt DType) number {
	if dt.is(kindFloat | kindComplex) {
		return number{math.Float64bits(1)}
	}
	return number{1}
}

// ZerosLike returns an array of zeros of the shape of a.
func ZerosLike[T Elem](a *Array[T]) *Array[T] {
	return (*Array[T])(filledLike("ZerosLike", ref(a), nil))
}

// OnesLike returns an array of ones of the shape of a.
func OnesLike[T Elem](a *Array[T]) *Array[T] {
	return (*Array[T])(onesLike(ref(a)))
}

func onesLike(a ref) ref {
	n := (*node)(a).check("OnesLike")
	return ref(filled("OnesLike", n.dt, oneOf(n.dt), n.lay.shape))
}

// FullLike returns an array of the shape of a whose elements are all v.
func FullLike[T Elem](a *Array[T], v T) *Array[T] {
	return (*Array[T])(filledLike("FullLike", ref(a), ref(&v)))
}

// filledLike returns an array of the shape and dtype of a whose elements are the value at an address, or zeros.
func filledLike(op string, a, v ref) ref {
	n, value := (*node)(a).check(op), number{}
	if v != nil {
		value = numberAt(n.dt, v)
	}
	return ref(filled(op, n.dt, value, n.lay.shape))
}

// FromSlice copies a slice to the current device. The elements are in row-major order; one length of the shape may be -1, which is
// computed; no lengths mean one axis.
func FromSlice[T Elem](host []T, shape ...int) *Array[T] {
	return (*Array[T])(fromSlice(DTypeOf[T](), ref(unsafe.SliceData(host)), len(host), shape))
}

// fromSlice is FromSlice of count elements at an address.
func fromSlice(dt DType, host ref, count int, shape []int) ref {
	if len(shape) == 0 {
		shape = []int{count}
	}
	n := newNode(current("FromSlice"), dt, contiguous("FromSlice", completeShape("FromSlice", shape, count)))
	n.upload(unsafe.Slice((*byte)(host), count*dt.Size()))
	return ref(n)
}

// upload sets the elements of a dense array.
func (n *node) upload(data []byte) {
	if len(data) == 0 {
		return
	}
	if err := n.span().CopyFrom(data); err != nil {
		panic(err)
	}
}

// completeShape computes the length that is given as -1 and compares the number of elements.
func completeShape(op string, shape []int, size int) []int {
	shape = slices.Clone(shape)
	open, rest := -1, 1
	for i, n := range shape {
		switch {
		case n == -1 && open < 0:
			open = i
		case n < 0:
			fail(op, "shape %s: only one length can be -1, and none less", shapeString(shape))
		default:
			rest *= n
		}
	}
	switch {
	case open >= 0 && rest > 0 && size%rest == 0:
		shape[open] = size / rest
	case open >= 0 || rest != size:
		fail(op, "cannot reshape array of size %d into shape %s", size, shapeString(shape))
	}
	return shape
}

// FromBuffer returns an array that shares the memory of a buffer. The lengths are as for FromSlice.
func FromBuffer[T Elem](b *gpu.Buffer[T], shape ...int) *Array[T] {
	if b == nil {
		fail("FromBuffer", "the buffer is nil: make it with gpu.Alloc, gpu.Zeros or gpu.ToDevice")
	}
	if len(shape) == 0 {
		shape = []int{b.Len()}
	}
	a := new(Array[T])
	m := &memory{open: true}
	m.first.buf = asBuffer(gpu.Reinterpret[byte](b))
	m.now = &m.first
	nodeOf(a).eng, nodeOf(a).dt, nodeOf(a).op, nodeOf(a).mem = engineOf(b.Device()), DTypeOf[T](), opLeaf, m
	nodeOf(a).lay = contiguous("FromBuffer", completeShape("FromBuffer", shape, b.Len()))
	return a
}

// Arange returns start, start+step, … up to but not including stop, as NumPy's arange does: one number is the stop, two are start and
// stop.
func Arange[T Real](bounds ...T) *Array[T] {
	return (*Array[T])(arange(DTypeOf[T](), ref(unsafe.SliceData(bounds)), len(bounds)))
}

// arange is Arange of count numbers at an address.
func arange(dt DType, bounds ref, count int) ref {
	read := func(i int) number { return numberAt(dt, unsafe.Add(bounds, i*dt.Size())) }
	at := func(i int) float64 { return toFloat(dt, read(i)) }
	var start, stop, step float64 = 0, 0, 1
	first, each := number{}, oneOf(dt)
	switch count {
	case 1:
		stop = at(0)
	case 2, 3:
		start, stop, first = at(0), at(1), read(0)
		if count == 3 {
			step, each = at(2), read(2)
		}
	default:
		fail("Arange", "%d numbers, want 1 to 3: stop; start and stop; start, stop and step", count)
	}
	if step == 0 {
		fail("Arange", "the step is 0")
	}
	n := math.Ceil((stop - start) / step)
	if math.IsNaN(n) || n > maxElements {
		fail("Arange", "from %v to %v by %v is no number of elements that can be", start, stop, step)
	}
	return ref(ramp("Arange", dt, first, each, max(int(n), 0)))
}

// toFloat returns a constant's value.
func toFloat(dt DType, v number) float64 {
	switch {
	case dt.is(kindFloat | kindComplex):
		return math.Float64frombits(v[0])
	case dt.is(kindInt):
		return float64(int64(v[0]))
	}
	return float64(v[0])
}

// ramp returns first + i·each for i from 0 to n-1.
func ramp(op string, dt DType, first, each number, n int) *node {
	i, f, s := new(node), new(node), new(node)
	e := current(op)
	f.constant(dt, first)
	s.constant(dt, each)
	i.init(op, opIndex, Int64, e, contiguous(op, []int{n}), nil, nil, nil)
	return f.binary(op, opAdd, dt, i.cast(op, dt).binary(op, opMul, dt, s))
}

// Linspace returns n evenly spaced numbers from start to stop, both included.
func Linspace[T Float](start, stop T, n int) *Array[T] {
	if n < 0 {
		fail("Linspace", "%d elements", n)
	}
	dt := DTypeOf[T]()
	from, to := toFloat(dt, numberOf(start)), toFloat(dt, numberOf(stop))
	step := 0.0
	if n > 1 {
		step = (to - from) / float64(n-1)
	}
	list := make([]float64, n)
	for i := range list {
		list[i] = float64(float64(i)*step) + from
	}
	if n > 1 {
		list[n-1] = to
	}
	return AsType[T](FromSlice(list))
}

// Eye returns an n×m matrix of zeros with ones on diagonal k, counted upward from the main diagonal; by default m is n and k is 0.
func Eye[T Number](n int, mk ...int) *Array[T] {
	m, k := n, 0
	if len(mk) > 0 {
		m = mk[0]
	}
	if len(mk) > 1 {
		k = mk[1]
	}
	if n < 0 || m < 0 || len(mk) > 2 {
		fail("Eye", "want rows, and perhaps columns and the diagonal, of which rows and columns are not negative")
	}
	row := as[int64](ramp("Eye", Int64, number{uint64(k)}, number{1}, n)).Reshape(n, 1)
	return AsType[T](row.Equal(Arange(int64(m))))
}

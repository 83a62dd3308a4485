package arrays

import (
	"unsafe"

	"github.com/gopherwarp/gopherwarp/gpu/internal/sim/simd"
)

// A number is what an element or a length in memory can be.
type number interface {
	signed | unsigned | float32 | float64
}

type signed interface{ int8 | int16 | int32 | int64 }

type unsigned interface {
	uint8 | uint16 | uint32 | uint64
}

type real interface{ float32 | float64 }

// elements returns n elements of memory as a slice.
func elements[T any](p pointer, n int) []T { return unsafe.Slice((*T)(p), n) }

// path is the way of an operand through a space: nested loops with the operand's strides. The last loop is the innermost one.
type path struct {
	lens, strides []int
}

// newPath returns the path with loops merged where one continues the other, and without loops of length 1.
func newPath(lens, strides []int) path {
	var p path
	for i, n := range lens {
		last := len(p.lens) - 1
		switch {
		case n == 1:
		case last >= 0 && p.strides[last] == strides[i]*n:
			p.lens[last] *= n
			p.strides[last] = strides[i]
		default:
			p.lens, p.strides = append(p.lens, n), append(p.strides, strides[i])
		}
	}
	if len(p.lens) == 0 {
		p.lens, p.strides = []int{1}, []int{0}
	}
	return p
}

// still reports whether all elements are the same one.
func (p *path) still() bool {
	for i, n := range p.lens {
		if n > 1 && p.strides[i] != 0 {
			return false
		}
	}
	return true
}

// inner returns the length and the stride of the innermost loop.
func (p *path) inner() (n, stride int) {
	last := len(p.lens) - 1
	return p.lens[last], p.strides[last]
}

// at returns the offset of index i, and the number of elements from there to the end of its innermost loop.
func (p *path) at(i int) (off, left int) {
	last := len(p.lens) - 1
	if last == 0 {
		return i * p.strides[0], p.lens[0] - i
	}
	n := p.lens[last]
	q := i / n
	r := i - q*n
	off, left = r*p.strides[last], n-r
	for d := last - 1; d > 0; d-- {
		n := p.lens[d]
		up := q / n
		off += (q - up*n) * p.strides[d]
		q = up
	}
	return off + q*p.strides[0], left
}

// maxLoops is the number of loops of a path that runs has room for.
const maxLoops = 32

// runs calls f for each run of the n elements from index i on, which is within one innermost loop, with its offset and its first element.
func (p *path) runs(i, n int, f func(off, from, count int)) {
	off, left := p.at(i)
	if left >= n {
		f(off, 0, n)
		return
	}
	last := len(p.lens) - 1
	length, stride := p.inner()
	var index [maxLoops]int
	for d, q := last-1, i/length; d >= 0; d-- {
		index[d] = q % p.lens[d]
		q /= p.lens[d]
	}
	f(off, 0, left)
	off -= (length - left) * stride
	for from := left; from < n; from += length {
		for d := last - 1; d >= 0; d-- {
			off += p.strides[d]
			if index[d]++; index[d] < p.lens[d] {
				break
			}
			off -= index[d] * p.strides[d]
			index[d] = 0
		}
		f(off, from, min(length, n-from))
	}
}

// gather copies the elements from index i on to out. base is the address of offset 0, and start what is added to offsets: the sum of
// the two alone may be outside of the memory.
func gather[T any](out []T, base pointer, start int, p *path, i int) {
	if gatherRows(out, base, start, p, i) {
		return
	}
	_, stride := p.inner()
	var v T
	size := int(unsafe.Sizeof(v))
	p.runs(i, len(out), func(off, from, count int) {
		to := out[from:][:count]
		first := unsafe.Add(base, (start+off)*size)
		switch {
		case stride == 1:
			copy(to, elements[T](first, count))
		case stride == 0:
			spreadRows(to, first, 0, 1, count)
		default:
			for k := range to {
				to[k] = *(*T)(unsafe.Add(first, k*stride*size))
			}
		}
	})
}

// gatherRows is gather for whole rows of two loops, of which one has the stride 0, as operands of another shape have. It reports whether
// these are.
func gatherRows[T any](out []T, base pointer, start int, p *path, i int) bool {
	if len(p.lens) != 2 || p.strides[0] != 0 && p.strides[1] != 0 {
		return false
	}
	length := p.lens[1]
	row := i / length
	if row*length != i || len(out)%length != 0 {
		return false
	}
	var v T
	size := int(unsafe.Sizeof(v))
	switch {
	case p.strides[1] == 0:
		spreadRows(out, unsafe.Add(base, (start+row*p.strides[0])*size), p.strides[0]*size, len(out)/length, length)
	case p.strides[1] == 1:
		repeat(out, copy(out, elements[T](unsafe.Add(base, start*size), length)))
	default:
		for k := range out[:length] {
			out[k] = *(*T)(unsafe.Add(base, (start+k*p.strides[1])*size))
		}
		repeat(out, length)
	}
	return true
}

// spreadRows fills each of some rows of that length with an element; these are stride bytes apart.
func spreadRows[T any](out []T, first pointer, stride, rows, length int) {
	var v T
	if size := int(unsafe.Sizeof(v)); simd.Has && length > 0 && rows > 0 && length*size%32 == 0 {
		switch size {
		case 4:
			simd.Spread32((*float32)(pointer(&out[0])), (*float32)(first), stride, rows, length)
			return
		case 8:
			simd.Spread64((*float64)(pointer(&out[0])), (*float64)(first), stride, rows, length)
			return
		}
	}
	for r := range rows {
		fill(out[r*length:][:length], *(*T)(unsafe.Add(first, r*stride)))
	}
}

// fill stores copies of an element.
func fill[T any](to []T, v T) {
	const first = 16
	for k := range to[:min(first, len(to))] {
		to[k] = v
	}
	repeat(to, first)
}

// repeat copies the first elements, of that number, to all places behind them: twice as many each time.
func repeat[T any](to []T, first int) {
	for k := first; k < len(to); k *= 2 {
		copy(to[k:], to[:k])
	}
}

// scatter is the inverse of gather.
func scatter[T any](in []T, base pointer, start int, p *path, i int) {
	_, stride := p.inner()
	var v T
	size := int(unsafe.Sizeof(v))
	p.runs(i, len(in), func(off, from, count int) {
		values := in[from:][:count]
		first := unsafe.Add(base, (start+off)*size)
		if stride == 1 {
			copy(elements[T](first, count), values)
			return
		}
		for k, v := range values {
			*(*T)(unsafe.Add(first, k*stride*size)) = v
		}
	})
}

// wide is an element of 16 bytes.
type wide [2]uint64

// gatherBytes is gather for elements of that many bytes.
func gatherBytes(size int, out, base pointer, start int, p *path, i, n int) {
	switch size {
	case 1:
		gather(elements[uint8](out, n), base, start, p, i)
	case 2:
		gather(elements[uint16](out, n), base, start, p, i)
	case 4:
		gather(elements[uint32](out, n), base, start, p, i)
	case 8:
		gather(elements[uint64](out, n), base, start, p, i)
	default:
		gather(elements[wide](out, n), base, start, p, i)
	}
}

// scatterBytes is scatter for elements of that many bytes.
func scatterBytes(size int, in, base pointer, start int, p *path, i, n int) {
	switch size {
	case 1:
		scatter(elements[uint8](in, n), base, start, p, i)
	case 2:
		scatter(elements[uint16](in, n), base, start, p, i)
	case 4:
		scatter(elements[uint32](in, n), base, start, p, i)
	case 8:
		scatter(elements[uint64](in, n), base, start, p, i)
	default:
		scatter(elements[wide](in, n), base, start, p, i)
	}
}

// offsets stores the offsets of the n elements from index i on: those that a leaf without memory consists of.
func offsets(out []int64, start int, p *path, i int) {
	_, stride := p.inner()
	p.runs(i, len(out), func(off, from, count int) {
		for k := range count {
			out[from+k] = int64(start + off + k*stride)
		}
	})
}

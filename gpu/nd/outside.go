package nd

import (
	"fmt"
	"math"
	"slices"

	"github.com/gopherwarp/gopherwarp/gpu"
)

// ownAround is own for a write of all elements of n: only the rest of the memory is copied for expressions that need the present contents.
// Steps of a simulation, which write the inside of an array from itself, copy only its edges. What is returned must be copied by copyAround
// after the write, unless it is nil. The lock is held.
func (e *engine) ownAround(n *node) *around {
	e.flush()
	old := n.mem.now
	old.extents = nil
	if old.readers == 0 {
		return nil
	}
	b, ok := n.box(old.buf.Len() / n.dt.Size())
	if !ok || n.lay.size < b.total/2 {
		e.own(n.mem)
		return nil
	}
	fresh := &version{buf: e.alloc(old.buf.Len())}
	n.mem.now = fresh
	if len(b.dims) == 1 {
		size := n.dt.Size()
		begin, end := b.low[0]*size, b.high[0]*size
		for _, part := range [][2]int{{0, begin}, {end, old.buf.Len()}} {
			if part[0] < part[1] {
				if err := gpu.Copy(bufferOf(fresh.buf.Slice(part[0], part[1])), bufferOf(old.buf.Slice(part[0], part[1]))); err != nil {
					panic(err)
				}
			}
		}
		return nil
	}
	return &around{box: b, from: old.buf}
}

// around is what is outside of a box that is written: it is in other memory. The kernel that writes the box may copy the ends of its rows,
// which share units of memory with elements that it writes.
type around struct {
	box
	from *buffer
	ends bool // are copied by the kernel
}

// mostEnds is the number of elements at both ends of a row that a kernel copies at most.
const mostEnds = 32

// endsOf returns how many elements of each row are before the box, and after it, if the loops go through its rows and these are few. All rows
// must be complete: the memory may end before the end of the last one.
func (a *around) endsOf(s *space) (left, right int, ok bool) {
	last := len(a.dims) - 1
	left, right = a.low[last], a.dims[last]-a.high[last]
	n := a.high[last] - a.low[last]
	return left, right, s.step(0) == 1 && s.inner() == n && product(a.dims) == a.total && left+right > 0 && left+right <= min(n, mostEnds)
}

// copyAround copies what the kernel did not. The lock is held.
func (e *engine) copyAround(a *around, size int, to *buffer) {
	b := a.box
	if last := len(b.dims) - 1; a.ends {
		b.low[last], b.high[last] = 0, b.dims[last]
	}
	e.copyOutside(b, size, to, a.from)
}

// box is a part of memory that is in row-major order: the indices from low to high along each of its axes.
type box struct {
	total           int // elements of the memory
	dims, low, high []int
}

// box returns the part of its memory, of that many elements, that an array is, if its elements are such a part.
func (n *node) box(total int) (b box, ok bool) {
	type axis struct{ length, stride int }
	var axes []axis
	for i, length := range n.lay.shape {
		if length != 1 {
			axes = append(axes, axis{length, n.lay.strides[i]})
		}
	}
	slices.SortFunc(axes, func(a, b axis) int { return b.stride - a.stride })
	if len(axes) == 0 || axes[len(axes)-1].stride != 1 {
		return b, false
	}
	b.total = total
	rest, whole := n.off, total
	for i, a := range axes {
		if i > 0 && whole%a.stride != 0 {
			return b, false
		}
		dim, low := (whole+a.stride-1)/a.stride, rest/a.stride
		if low+a.length > dim {
			return b, false
		}
		b.dims, b.low, b.high = append(b.dims, dim), append(b.low, low), append(b.high, low+a.length)
		rest, whole = rest%a.stride, a.stride
	}
	return b, true
}

// copyOutside copies the elements that are not in the box, each by a thread. The lock is held.
func (e *engine) copyOutside(b box, size int, to, from *buffer) {
	last := len(b.dims) - 1
	all := 1
	w := e.words[:0].list([]int{b.total})
	for k := last; k >= 0; k-- {
		w = w.list([]int{b.dims[k], b.low[k], b.high[k]})
		all *= b.dims[k]
	}
	e.words = w
	outside := all - b.size()
	if outside == 0 {
		return
	}
	index := "unsigned"
	if all > math.MaxInt32 {
		index = "long long"
	}
	e.key = append(e.key[:0], fmt.Sprintf("outside%d,%d%s", size, last, index)...)
	e.submit(&request{
		key: e.key, words: w, write: func() source { return outsideSource(size, last, index) },
		cfg: gpu.Launch{Grid: gpu.Dim3{X: (outside + mapBlock - 1) / mapBlock, Y: 1, Z: 1}, Block: gpu.Dim3{X: mapBlock, Y: 1, Z: 1}},
	}, 2*size*outside, to, from)
}

// size returns the number of elements in the box.
func (b box) size() int {
	n := 1
	for i := range b.dims {
		n *= b.high[i] - b.low[i]
	}
	return n
}

// outsideSource returns the kernel that copies what is outside of a box, for elements of that size, that many axes apart from the last, and
// indices of that type. For each axis, from the first to the last, it copies the elements that are outside of the box along that axis and
// inside of it along those before.
func outsideSource(size, outer int, index string) source {
	raw, declare := rawType(size)
	return source{name: "outside", text: fmt.Sprintf(`struct nd_args { long long v[%[1]d]; };
%[2]sextern "C" __global__ void outside(%[3]s *to, const %[3]s *from, const nd_args a) {
    typedef %[4]s T;
    T i = (T)blockIdx.x * blockDim.x + threadIdx.x;
    // Axes count from the last.
    T dim[%[5]d], low[%[5]d], length[%[5]d], stride[%[5]d];
#pragma unroll
    for (int k = 0; k < %[5]d; k++) {
        dim[k] = (T)a.v[1 + 3 * k];
        low[k] = (T)a.v[2 + 3 * k];
        length[k] = (T)a.v[3 + 3 * k] - low[k];
        stride[k] = k == 0 ? 1 : stride[k - 1] * dim[k - 1];
    }
#pragma unroll
    for (int k = %[6]d; k >= 0; k--) {
        const T beside = dim[k] - length[k];
        T count = beside * stride[k];
#pragma unroll
        for (int j = k + 1; j <= %[6]d; j++)
            count *= length[j];
        if (i >= count) {
            i -= count;
            continue;
        }
        T rest = i / stride[k];
        const T x = rest %% beside;
        rest /= beside;
        T at = i %% stride[k] + (x < low[k] ? x : x + length[k]) * stride[k];
#pragma unroll
        for (int j = k + 1; j <= %[6]d; j++) {
            at += (low[j] + rest %% length[j]) * stride[j];
            rest /= length[j];
        }
        if (at < (T)a.v[0])
            to[at] = from[at];
        return;
    }
}
`, 4+3*outer, declare, raw, index, outer+1, outer)}.describedAs([]DType{rawDType(size)}, outer)
}

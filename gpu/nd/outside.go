package nd

import (
	"fmt"
	"slices"

	"github.com/gopherwarp/gopherwarp/gpu"
)

// ownAround is own for a write of all elements of n: only the rest of the memory is copied for expressions that need the present contents.
// Steps of a simulation, which write the inside of an array from itself, copy only its edges. The lock is held.
func (e *engine) ownAround(n *node) {
	e.flush()
	old := n.mem.now
	old.extents = nil
	if old.readers == 0 {
		return
	}
	b, ok := n.box(old.buf.Len() / n.dt.Size())
	if !ok || n.lay.size < b.total/2 {
		e.own(n.mem)
		return
	}
	fresh := &version{buf: e.alloc(old.buf.Len())}
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
	} else {
		e.copyOutside(b, n.dt.Size(), fresh.buf, old.buf)
	}
	n.mem.now = fresh
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

// copyOutside copies the elements that are not in the box, a warp for each row. The lock is held.
func (e *engine) copyOutside(b box, size int, to, from *buffer) {
	last := len(b.dims) - 1
	w := e.words[:0].list([]int{b.total, b.dims[last], b.low[last], b.high[last]})
	for k := last - 1; k >= 0; k-- {
		w = w.list([]int{b.dims[k], b.low[k], b.high[k]})
	}
	e.words = w
	e.key = append(e.key[:0], fmt.Sprintf("outside%d,%d", size, last)...)
	rows := (b.total + b.dims[last] - 1) / b.dims[last]
	const rowsInBlock = 8
	e.submit(&request{
		key: e.key, words: w, write: func() source { return outsideSource(size, last) },
		cfg: gpu.Launch{Grid: gpu.Dim3{X: (rows + rowsInBlock - 1) / rowsInBlock, Y: 1, Z: 1}, Block: gpu.Dim3{X: 32 * rowsInBlock, Y: 1, Z: 1}},
	}, 2*size*(b.total-b.size()), to, from)
}

// size returns the number of elements in the box.
func (b box) size() int {
	n := 1
	for i := range b.dims {
		n *= b.high[i] - b.low[i]
	}
	return n
}

// outsideSource returns the kernel that copies what is outside of a box, for elements of that size and for that many axes apart from the last.
func outsideSource(size, outer int) source {
	raw, declare := rawType(size)
	return source{name: "outside", text: fmt.Sprintf(`struct nd_args { long long v[%[1]d]; };
%[2]sextern "C" __global__ void outside(%[3]s *to, const %[3]s *from, const nd_args a) {
    const long long row = ((long long)blockIdx.x * blockDim.x + threadIdx.x) / 32, begin = row * a.v[1];
    bool inside = true;
    long long rest = row;
    for (int k = 0; k < %[4]d; k++) {
        const long long at = k == %[4]d - 1 ? rest : rest %% a.v[4 + 3 * k];
        rest /= a.v[4 + 3 * k];
        inside = inside && at >= a.v[5 + 3 * k] && at < a.v[6 + 3 * k];
    }
    for (long long x = threadIdx.x %% 32; x < a.v[1] && begin + x < a.v[0]; x += 32) {
        if (inside && x >= a.v[2] && x < a.v[3]) {
            // Goes on behind the box, with the same lane.
            x += (a.v[3] - x - 1) / 32 * 32;
            continue;
        }
        to[begin + x] = from[begin + x];
    }
}
`, 4+3*outer, declare, raw, outer)}.describedAs([]DType{rawDType(size)}, outer)
}

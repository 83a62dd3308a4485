package nd

import (
	_ "embed"
	"fmt"
	"runtime"
	"slices"

	"github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/gpu/internal/hook"
)

// extremesKernel finds the range of integers.
//
//go:embed kernels/extremes.cu
var extremesKernel string

// extent is the smallest and the largest one of the integers of an array, which is described by its place in memory.
type extent struct {
	dt        DType
	off       int
	lay       *layout
	low, high int64
}

// extents are those that have been found in one version of memory, the latest last. A write takes them away from the version, also from the
// old one where it goes to a copy, so what somebody finds who has begun before is not kept.
type extents struct {
	list []extent
	// below is set for the results of Argmin and Argmax, which are indices: none of the integers in the memory is less than 0, or as large.
	below int64
}

// maxExtents is how many are kept: enough for the columns of a list of edges.
const maxExtents = 4

// of returns the extent of an array, or nil.
func (x *extents) of(n *node) *extent {
	for i := range x.list {
		f := &x.list[i]
		if f.dt == n.dt && f.off == n.off && f.lay.sameElements(n.lay) {
			return f
		}
	}
	return nil
}

// sameElements reports whether arrays of two layouts that begin at the same element are known to have the same ones.
func (l *layout) sameElements(o *layout) bool {
	return l == o || l.contig && o.contig && l.size == o.size || slices.Equal(l.shape, o.shape) && slices.Equal(l.strides, o.strides)
}

// extents returns what has been found in the array's memory, or nil if others may write there at any time, or if nothing is computed. The
// lock is held.
func (n *node) extents() *extents {
	if n.mem.open || n.eng.rehearsal != nil || hook.Skips(n.eng.dev) {
		return nil
	}
	v := n.mem.now
	if v.extents == nil {
		v.extents = &extents{}
	}
	return v.extents
}

// noteIndices notes in a version what is known of the results of Argmin and Argmax of n. The lock is held.
func (e *engine) noteIndices(f fold, n *node, results int, v *version) {
	if f.arg() && results > 0 && e.rehearsal == nil && !hook.Skips(e.dev) {
		v.extents = &extents{below: int64(n.lay.size / results)}
	}
}

// areBelow reports whether the integers of an array are known to be from 0 to end - 1, without looking at them.
func (n *node) areBelow(end int) bool {
	n.ready()
	n.eng.mu.Lock()
	defer n.eng.mu.Unlock()
	known := n.extents()
	return known != nil && n.dt == Int64 && known.below > 0 && known.below <= int64(end)
}

// extremes returns the smallest and the largest one of an array of integers, which is not empty, as int64s. It waits for the array, unless
// that has been done since it was last written.
func (n *node) extremes(op string) (low, high int64) {
	n.ready()
	var known *extents
	var found *extent
	n.eng.locked(func() {
		if known = n.extents(); known != nil {
			found = known.of(n)
		}
	})
	if found != nil {
		return found.low, found.high
	}
	low, high = n.findExtremes(op)
	n.eng.locked(func() {
		if known == nil {
			return
		}
		if len(known.list) == maxExtents {
			known.list = known.list[1:]
		}
		known.list = append(slices.Clone(known.list), extent{n.dt, n.off, n.lay, low, high})
	})
	return low, high
}

// findExtremes is extremes for an array that has been computed.
func (n *node) findExtremes(op string) (low, high int64) {
	p := n.evenly()
	out := newNode(p.eng, Int64, contiguous(op, []int{2}))
	out.fill(number{1 << 63})
	blocks := min((p.lay.size+8*reduceBlock-1)/(8*reduceBlock), bincountBlocks)
	cfg := gpu.Launch{Grid: gpu.Dim3{X: blocks, Y: 1, Z: 1}, Block: gpu.Dim3{X: reduceBlock, Y: 1, Z: 1}}
	memory, list, at := p.lent(), []int{p.lay.size, p.off, p.step()}, "a.v[1] + i * a.v[2]"
	if p.lay.contig {
		memory, list, at = p.from(memory), list[:1], "i"
	}
	bytes := p.lay.size*p.dt.Size() + out.Bytes()
	p.eng.routineOf(bytes, fmt.Sprintf("extremes%d,%t", p.dt, p.lay.contig), cfg, func() source {
		return source{name: "extremes", need: p.dt.needs(), text: fill(extremesKernel, holes{
			"threads": reduceBlock, "T": p.dt.info().stored, "x": "(long long)" + p.dt.load("in["+at+"]"), "words": len(list),
		})}.describedAs([]DType{p.dt}, int(boolByte(!p.lay.contig)))
	}, list, out.buffer(), memory)
	runtime.KeepAlive(p)
	// The kernel has the largest ~x, which is the complement of the smallest x.
	host := as[int64](out).ToHost()
	return ^host[0], host[1]
}

package gothread

import (
	"fmt"
	"unsafe"
)

// A Dim is a size or an index in three dimensions.
type Dim struct{ X, Y, Z int }

func (d Dim) String() string { return fmt.Sprintf("(%d,%d,%d)", d.X, d.Y, d.Z) }

// index returns the i-th index below d, where X counts fastest.
func (d Dim) index(i int) Dim { return Dim{i % d.X, i / d.X % d.Y, i / d.X / d.Y} }

func (d Dim) count() int { return d.X * d.Y * d.Z }

// A Thread is one thread of a kernel that runs.
type Thread struct {
	// labels is what the goroutine's labels are for the profiler, which has the address of this struct. It must be the first field.
	labels []label

	Grid, BlockDim   Dim
	Block, ThreadIdx Dim
	Lane             int // index in the warp

	block  *block
	warp   *warp
	shared int // number of its calls of Shared
}

// label has the layout of a label of package runtime/pprof.
type label struct{ key, value string }

// mark are the labels of all threads, by whose address they are told apart from labels that a program sets.
var mark = [...]label{{"gpu", "thread"}}

// Go has no storage for a goroutine, but the profiler has labels for each, and keeps these two functions for others (go.dev/issue/67401).

//go:linkname getLabels runtime/pprof.runtime_getProfLabel
func getLabels() unsafe.Pointer

//go:linkname setLabels runtime/pprof.runtime_setProfLabel
func setLabels(unsafe.Pointer)

// Current returns the thread that this goroutine runs, or nil if it runs none.
func Current() *Thread {
	p := getLabels()
	if p == nil {
		return nil
	}
	// Other labels than ours have at least a slice, too.
	if labels := *(*[]label)(p); len(labels) != len(mark) || unsafe.SliceData(labels) != &mark[0] {
		return nil
	}
	return (*Thread)(p)
}

// enter makes t the thread of this goroutine. leave, which must be called, restores the labels.
func (t *Thread) enter() (leave func()) {
	before := getLabels()
	t.labels = mark[:]
	setLabels(unsafe.Pointer(t))
	return func() { setLabels(before) }
}

// Shared returns the block's n-th shared object, where this is the thread's n-th call. The first thread that asks makes it.
func Shared[T any](t *Thread) *T {
	n := t.shared
	t.shared++
	b := t.block
	b.mu.Lock()
	defer b.mu.Unlock()
	if n == len(b.shared) {
		b.shared = append(b.shared, new(T))
	}
	p, ok := b.shared[n].(*T)
	if !ok {
		panic(fmt.Sprintf("the threads of a block ask for different shared memory: %T and %T; ask in the same order in all", b.shared[n], p))
	}
	return p
}

// Sync waits for all threads of the block that have not ended.
func (t *Thread) Sync() { t.block.barrier.wait() }

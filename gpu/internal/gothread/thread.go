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

// Within reports whether d is an index below size.
func (d Dim) Within(size Dim) bool {
	return 0 <= d.X && d.X < size.X && 0 <= d.Y && d.Y < size.Y && 0 <= d.Z && d.Z < size.Z
}

// An At is one thread of a launch.
type At struct{ Block, Thread Dim }

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
	grid   *barrier       // of a cooperative launch, or nil
	shared int            // number of its calls of Shared
	stop   *At            // the only thread in which a debugger stops, or nil
	before unsafe.Pointer // the labels of the goroutine before it ran a thread

	sharedBytes int // of dynamic shared memory
}

// label has the layout of a label of package runtime/pprof.
type label struct{ key, value string }

// These are the labels of threads, by whose address they are told apart from labels that a program sets: mark of those in which a debugger stops,
// and passing of the others.
var mark, passing = [...]label{{"gpu", "thread"}}, [...]label{{"gpu", "thread"}}

// The addresses of mark and passing, one of which a thread begins with. The debugger reads them.
var (
	debuggerStops  = uintptr(unsafe.Pointer(&mark))
	debuggerPasses = uintptr(unsafe.Pointer(&passing))
)

// Go has no storage for a goroutine, but the profiler has labels for each, and keeps these two functions for others (go.dev/issue/67401).

//go:linkname getLabels runtime/pprof.runtime_getProfLabel
func getLabels() unsafe.Pointer

//go:linkname setLabels runtime/pprof.runtime_setProfLabel
func setLabels(unsafe.Pointer)

// Current returns the thread that this goroutine runs, or nil if it runs none.
func Current() *Thread {
	return of(getLabels())
}

// of returns the thread with these labels, or nil.
func of(labels unsafe.Pointer) *Thread {
	if labels == nil {
		return nil
	}
	// Other labels than ours begin with a slice, too.
	if at := *(*uintptr)(labels); at != debuggerStops && at != debuggerPasses {
		return nil
	}
	return (*Thread)(labels)
}

// Behind returns the labels that a goroutine had before it ran the thread with these labels, or nil if they are no thread's.
func Behind(labels unsafe.Pointer) unsafe.Pointer {
	t := of(labels)
	if t == nil {
		return nil
	}
	return t.before
}

// enter makes t the thread of this goroutine. leave, which must be called, restores the labels.
func (t *Thread) enter() (leave func()) {
	t.before = getLabels()
	if t.labels == nil {
		t.labels = mark[:]
	}
	setLabels(unsafe.Pointer(t))
	return func() { setLabels(t.before) }
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

// DynamicShared returns the block's dynamic shared memory.
func DynamicShared[T any](t *Thread) []T {
	var zero T
	n := t.sharedBytes / max(1, int(unsafe.Sizeof(zero)))
	if n == 0 {
		return nil
	}
	return unsafe.Slice((*T)(unsafe.Pointer(&t.block.dynamic[0])), n)
}

// Sync waits for all threads of the block that have not ended.
func (t *Thread) Sync() { t.block.barrier.wait() }

// SyncGrid waits for all threads of a cooperative launch that have not ended. It reports whether the launch is one.
func (t *Thread) SyncGrid() bool {
	if t.grid == nil {
		return false
	}
	t.grid.wait()
	return true
}

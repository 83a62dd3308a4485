package cell

import (
	"runtime"
	"sync"
	"sync/atomic"
	"unsafe"
)

// Interrupts are polled. Loops of cell code call Poll, whose fast path is one load. A cell's
// goroutine has a profiler label of its own, which goroutines started from it inherit. After a
// cell is stopped, every goroutine with its label exits at its next poll. Goroutines of other cells
// continue.

// Mark identifies one run of a cell.
type Mark struct {
	stopped, settled atomic.Bool
	// OnPanic is called when a goroutine that the cell started panics, or when one of the
	// cell's goroutines calls a function that would end a program: then v is an exit.Exited.
	OnPanic func(v any, stack []uintptr)
}

// Stopping is the number of stopped runs that have not settled. It is exported so that Poll can be
// inlined into cells.
var Stopping atomic.Int32

// marks maps the address of a run's label set, which is only compared, to the run's mark.
var marks sync.Map // unsafe.Pointer → *Mark

// runtime/pprof can set the calling goroutine's labels but not read them.
//
//go:linkname goroutineLabels runtime/pprof.runtime_getProfLabel
func goroutineLabels() unsafe.Pointer

// Behind returns the labels that a goroutine had before a library gave it others, as package gpu does to threads of kernels that run as plain Go,
// or nil. It is set before cells run, or nil.
var Behind func(labels unsafe.Pointer) unsafe.Pointer

// Enter makes the calling goroutine's label set identify the run m. The caller has just given the
// goroutine a new label set by pprof.SetGoroutineLabels.
func Enter(m *Mark) { marks.Store(goroutineLabels(), m) }

// Stop makes the goroutines of the run exit at their next poll.
func (m *Mark) Stop() {
	if m.stopped.CompareAndSwap(false, true) {
		Stopping.Add(1)
	}
}

// Stopped reports whether Stop was called.
func (m *Mark) Stopped() bool { return m.stopped.Load() }

// Settle records that the main goroutine of a run has exited. If the run was stopped, other cells
// poll on the fast path again.
func (m *Mark) Settle() {
	m.settled.Store(true)
	if m.stopped.Load() {
		Stopping.Add(-1)
	}
}

// Settled reports whether Settle was called.
func (m *Mark) Settled() bool { return m.settled.Load() }

// Current returns the run that the calling goroutine belongs to, or nil.
func Current() *Mark {
	labels := goroutineLabels()
	v, ok := marks.Load(labels)
	if !ok && Behind != nil {
		v, _ = marks.Load(Behind(labels))
	}
	m, _ := v.(*Mark)
	return m
}

// Poll ends the goroutine if its run was stopped. Deferred calls run; recover returns nil in them.
func Poll() {
	if Stopping.Load() != 0 {
		stopIfMarked()
	}
}

func stopIfMarked() {
	if m := Current(); m != nil && m.stopped.Load() {
		runtime.Goexit()
	}
}

// Guard is deferred in goroutines that a cell starts, so that a panic there fails the cell instead
// of ending the process.
func Guard() {
	v := recover()
	if v == nil {
		return
	}
	if m := Current(); m != nil && m.OnPanic != nil {
		m.OnPanic(v, Callers(1))
		return
	}
	panic(v)
}

// Guarded returns f with the guard of the calling goroutine's run, for functions that are called
// by goroutines that no cell started.
func Guarded(f func()) func() {
	m := Current()
	return func() {
		defer m.guard()
		f()
	}
}

func (m *Mark) guard() {
	v := recover()
	if v == nil {
		return
	}
	if m == nil || m.OnPanic == nil {
		panic(v)
	}
	m.OnPanic(v, Callers(1))
}

// maxCallers is the maximum number of frames read of a stack.
const maxCallers = 1 << 18

// Callers returns the program counters of the calling goroutine's stack.
func Callers(skip int) []uintptr {
	for size := 64; ; size *= 8 {
		pcs := make([]uintptr, size)
		if n := runtime.Callers(skip+2, pcs); n < size || size >= maxCallers {
			return pcs[:n]
		}
	}
}

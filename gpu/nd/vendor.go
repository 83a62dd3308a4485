package nd

import (
	"runtime"
	"slices"

	"github.com/gopherwarp/gopherwarp/gpu/internal/hook"
	"github.com/gopherwarp/gopherwarp/gpu/internal/routine"
)

// Inexact is a constraint that permits the types of elements that linear algebra works on.
type Inexact interface {
	float32 | float64 | complex64 | complex128
}

// libraryTypes are the types that numerical libraries multiply matrices of.
var libraryTypes = map[DType]routine.Type{
	F16: routine.Float16, BF16: routine.BFloat16, F32: routine.Float32, F64: routine.Float64,
	C64: routine.Complex64, C128: routine.Complex128,
}

// call submits a routine to the device. It reads and writes the arrays.
func (e *engine) call(c routine.Call, arrays ...*node) {
	if err := e.tryCall(c, arrays...); err != nil {
		panic(err)
	}
}

// tryCall is like call, but returns the error.
func (e *engine) tryCall(c routine.Call, arrays ...*node) error {
	on := make([]any, len(arrays))
	e.locked(func() {
		e.flush()
		for i, n := range arrays {
			n.mem.now.shared = true // as lent does
			on[i] = bufferOf(n.mem.now.buf)
		}
	})
	if err := hook.CallLibrary(c, on...); err != nil {
		return err
	}
	runtime.KeepAlive(arrays)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.countCall(c)
	return nil
}

// countCall adds a call of a library to the counts. The lock is held.
func (e *engine) countCall(c routine.Call) {
	e.operands = c.Operands(e.operands[:0])
	for i := range e.operands {
		e.stats.Bytes += int64(e.operands[i].Bytes)
	}
	e.stats.Launches++
}

// count adds a launch that reads and writes that many bytes to the counts.
func (e *engine) count(bytes int64) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.stats.Launches++
	e.stats.Bytes += bytes
}

// address returns the address of the array's first element.
func (n *node) address() uint64 {
	n.withoutGradient()
	return n.lent().Address() + uint64(n.off*n.dt.Size())
}

// matrixShape returns the shape of the axes before the last two, and the lengths of those.
func (n *node) matrixShape(op string) (batch []int, rows, cols int) {
	s := n.lay.shape
	if len(s) < 2 {
		fail(op, "an array of shape %s is no matrix: it has %d axes, want at least 2", shapeString(s), len(s))
	}
	return s[:len(s)-2], s[len(s)-2], s[len(s)-1]
}

// square returns matrixShape of square matrices.
func (n *node) square(op string) (batch []int, order int) {
	batch, rows, cols := n.matrixShape(op)
	if rows != cols {
		fail(op, "the last two axes of shape %s must be of the same length", shapeString(n.lay.shape))
	}
	return batch, rows
}

// stack returns consecutive dense matrices as routines read them: in column-major order.
func (n *node) stack(rows, cols int) routine.Matrices {
	return routine.Matrices{Addr: n.address(), Lead: max(rows, 1), Step: rows * cols}
}

// vectors returns consecutive dense vectors.
func (n *node) vectors(length int) routine.Vectors {
	return routine.Vectors{Addr: n.address(), Step: length}
}

// byColumns returns a dense copy of the matrices' transposes: the matrices in column-major order.
func byColumns[T Elem](a *Array[T]) *Array[T] { return copyOf(a.SwapAxes(-1, -2)) }

// infos returns memory for the status of a routine for each problem of a batch.
func infos(op string, e *engine, batch []int) *Array[int32] {
	return newArray[int32](e, contiguous(op, slices.Clone(batch)))
}

// solved waits for the status of a routine for each problem, and panics with the message for the first one that could not be solved.
func solved(op, message string, info *Array[int32]) {
	for i, v := range info.ToHost() {
		if v == 0 {
			continue
		}
		if nodeOf(info).lay.size > 1 {
			fail(op, "matrix %d: %s", i, message)
		}
		fail(op, "%s", message)
	}
}

package nd

import (
	_ "embed"
	"runtime"

	"github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/gpu/internal/routine"
)

// The kernel of inner products. Its last block adds what the others have left, so that one launch is enough.
//
//go:embed kernels/inner_product.cu
var innerKernel string

const (
	innerBlock  = 256     // threads
	innerBlocks = 1 << 10 // at most
	innerEach   = 16      // elements of a thread, if that makes no more blocks
)

// addsProducts reports whether a kernel computes inner products of that type, instead of a library.
func (e *engine) addsProducts(dt DType) bool { return (dt == F32 || dt == F64) && !e.describes() }

// addProducts submits the kernel for the inner product of two contiguous arrays. The products are added in double precision, in an order that
// only the length and the alignment decide.
func (e *engine) addProducts(x, y, out *node) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.flush()
	n, dt := x.lay.size, x.dt
	blocks := min((n+innerBlock*innerEach-1)/(innerBlock*innerEach), innerBlocks)
	parts := out.span() // unused by one block
	if blocks > 1 {
		temp := scratch{e: e}
		defer temp.free()
		parts = temp.alloc(8 * blocks)
	}
	e.words = e.words[:0].put(n)
	e.key = append(append(e.key[:0], "inner product "...), byte(dt))
	e.submit(&request{key: e.key, words: e.words, write: func() source { return innerSource(dt) }, cfg: gpu.Launch{
		Grid: gpu.Dim3{X: blocks, Y: 1, Z: 1}, Block: gpu.Dim3{X: innerBlock, Y: 1, Z: 1},
	}}, 2*n*dt.Size()+dt.Size(), out.span(), parts, x.span(), y.span())
	runtime.KeepAlive(x)
	runtime.KeepAlive(y)
}

// innerSource writes the kernel.
func innerSource(dt DType) source {
	const name = "inner_product"
	return source{name: name, need: needVector, text: fill(innerKernel, holes{"name": name, "T": dt.info().stored, "threads": innerBlock})}
}

// callInner calls a library for the inner product of two contiguous arrays.
func (e *engine) callInner(x, y, out *node) {
	length := x.lay.size
	e.call(&routine.Gemm{
		Type: libraryTypes[x.dt], M: 1, N: 1, K: length, Alpha: 1, Count: 1,
		A: routine.Matrices{Addr: y.address(), Lead: 1},
		B: routine.Matrices{Addr: x.address(), Lead: length},
		C: routine.Matrices{Addr: out.address(), Lead: 1},
	}, x, y, out)
}

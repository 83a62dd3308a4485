package gpu

import (
	"fmt"
	"sync/atomic"
	"unsafe"

	"github.com/gopherwarp/gopherwarp/gpu/internal/gothread"
)

// The functions in this file are for kernels written in Go, and for what they call. A GPU and the simulator run them as the CUDA functions
// of the same meaning; Launch.Run runs them as Go. Elsewhere they panic.

// thread returns the thread that calls the function of that name.
func thread(name string) *gothread.Thread {
	t := gothread.Current()
	if t == nil {
		panic("gpu." + name + ": no kernel runs here: call it from a kernel, which is a function with the comment //gpu:kernel, in Launch or Run")
	}
	return t
}

// ThreadIdx returns the index of the thread in its block: CUDA's threadIdx.
func ThreadIdx() Dim3 { return Dim3(thread("ThreadIdx").ThreadIdx) }

// BlockIdx returns the index of the block in the grid: CUDA's blockIdx.
func BlockIdx() Dim3 { return Dim3(thread("BlockIdx").Block) }

// BlockDim returns the number of threads of a block: CUDA's blockDim.
func BlockDim() Dim3 { return Dim3(thread("BlockDim").BlockDim) }

// GridDim returns the number of blocks: CUDA's gridDim.
func GridDim() Dim3 { return Dim3(thread("GridDim").Grid) }

// GlobalID returns the index of the thread among all in direction x: blockIdx.x*blockDim.x + threadIdx.x.
func GlobalID() int {
	t := thread("GlobalID")
	return t.Block.X*t.BlockDim.X + t.ThreadIdx.X
}

// GlobalID2D returns the indices of the thread among all in the directions x and y.
func GlobalID2D() (x, y int) {
	t := thread("GlobalID2D")
	return t.Block.X*t.BlockDim.X + t.ThreadIdx.X, t.Block.Y*t.BlockDim.Y + t.ThreadIdx.Y
}

// GlobalSize returns the number of all threads in direction x, the stride of a loop in which each thread handles several items:
//
//	for i := gpu.GlobalID(); i < len(x); i += gpu.GlobalSize() {
func GlobalSize() int {
	t := thread("GlobalSize")
	return t.Grid.X * t.BlockDim.X
}

// LaneID returns the index of the thread in its warp, 0 to 31.
func LaneID() int { return thread("LaneID").Lane }

// SyncThreads waits until all threads of the block have called it: CUDA's __syncthreads.
func SyncThreads() { thread("SyncThreads").Sync() }

// SyncWarp waits until all threads of the warp have called it: CUDA's __syncwarp.
func SyncWarp() { thread("SyncWarp").SyncWarp(gothread.WarpSize) }

// SyncGrid waits until all threads of the grid have called it: cooperative groups' this_grid().sync(). The launch must be Cooperative.
func SyncGrid() {
	if !thread("SyncGrid").SyncGrid() {
		panic("gpu.SyncGrid: the launch is not cooperative: set Cooperative in the gpu.Launch")
	}
}

// Shared returns memory that the threads of a block share, CUDA's __shared__. T is an array, or any other type without pointers. A kernel
// calls it in a declaration at the beginning:
//
//	tile := gpu.Shared[[16][17]float32]()
//
// The memory has no particular values at the beginning.
func Shared[T any]() *T { return gothread.Shared[T](thread("Shared")) }

// DynamicShared returns the dynamic shared memory of the block, whose size the launch has as SharedBytes, as elements of type T, which has no
// pointers. All calls return the same memory. It has no particular values at the beginning.
func DynamicShared[T any]() []T { return gothread.DynamicShared[T](thread("DynamicShared")) }

// Atomic is a constraint that permits the types of atomic functions.
type Atomic interface {
	~int32 | ~uint32 | ~int64 | ~uint64 | ~int | ~uint | ~float32 | ~float64
}

// AtomicAdd adds v to *p in one step and returns what *p was: CUDA's atomicAdd.
func AtomicAdd[T Atomic](p *T, v T) (old T) { return update(p, func(x T) T { return x + v }) }

// AtomicMin stores the smaller one of *p and v in one step and returns what *p was: CUDA's atomicMin.
func AtomicMin[T Atomic](p *T, v T) (old T) { return update(p, func(x T) T { return min(x, v) }) }

// AtomicMax stores the larger one of *p and v in one step and returns what *p was: CUDA's atomicMax.
func AtomicMax[T Atomic](p *T, v T) (old T) { return update(p, func(x T) T { return max(x, v) }) }

// AtomicExchange stores v in one step and returns what *p was: CUDA's atomicExch.
func AtomicExchange[T Atomic](p *T, v T) (old T) { return update(p, func(T) T { return v }) }

// AtomicCompareAndSwap stores v in one step if *p is old, and returns what *p was: CUDA's atomicCAS.
func AtomicCompareAndSwap[T Atomic](p *T, old, v T) (was T) {
	return update(p, func(x T) T {
		if x == old {
			return v
		}
		return x
	})
}

// update replaces *p by f(*p) in one step.
func update[T Atomic](p *T, f func(T) T) (old T) {
	if unsafe.Sizeof(old) == 4 {
		at := (*uint32)(unsafe.Pointer(p))
		for {
			bits := atomic.LoadUint32(at)
			old = *(*T)(unsafe.Pointer(&bits))
			v := f(old)
			if atomic.CompareAndSwapUint32(at, bits, *(*uint32)(unsafe.Pointer(&v))) {
				return old
			}
		}
	}
	at := (*uint64)(unsafe.Pointer(p))
	for {
		bits := atomic.LoadUint64(at)
		old = *(*T)(unsafe.Pointer(&bits))
		v := f(old)
		if atomic.CompareAndSwapUint64(at, bits, *(*uint64)(unsafe.Pointer(&v))) {
			return old
		}
	}
}

// Lane is a constraint that permits the types of values that the threads of a warp exchange.
type Lane interface {
	~int32 | ~uint32 | ~int64 | ~uint64 | ~int | ~uint | ~float32 | ~float64
}

// Shuffle returns the v of the thread with index lane in the warp: CUDA's __shfl_sync. All threads of the warp must call it.
func Shuffle[T Lane](v T, lane int) T {
	return exchange("Shuffle", v, func(int) int { return lane % gothread.WarpSize })
}

// ShuffleDown returns the v of the thread whose lane is delta higher, or v if there is none: CUDA's __shfl_down_sync. All threads of the
// warp must call it.
func ShuffleDown[T Lane](v T, delta int) T {
	return exchange("ShuffleDown", v, func(lane int) int { return lane + delta })
}

// ShuffleUp returns the v of the thread whose lane is delta lower, or v if there is none: CUDA's __shfl_up_sync. All threads of the
// warp must call it.
func ShuffleUp[T Lane](v T, delta int) T {
	return exchange("ShuffleUp", v, func(lane int) int { return lane - delta })
}

// ShuffleXor returns the v of the thread whose lane is the own one XOR mask: CUDA's __shfl_xor_sync. All threads of the warp must call it.
func ShuffleXor[T Lane](v T, mask int) T {
	return exchange("ShuffleXor", v, func(lane int) int { return lane ^ mask })
}

// exchange returns the v of the lane that from returns for the own lane, or v if there is none.
func exchange[T Lane](name string, v T, from func(lane int) int) T {
	return exchangeIn(thread(name), gothread.WarpSize, v, from)
}

// exchangeIn returns the v of another thread of the tile, which from chooses by the place of this one, or v if there is none.
func exchangeIn[T Lane](t *gothread.Thread, size int, v T, from func(at int) int) T {
	values, here := t.Exchange(size, v)
	at := from(t.Lane % size)
	if at < 0 || at >= size || here>>at&1 == 0 {
		return v
	}
	return values[at].(T)
}

// Ballot returns a bit for each thread of the warp that passes true: CUDA's __ballot_sync. All threads of the warp must call it.
func Ballot(b bool) uint32 { return ballotIn(thread("Ballot"), gothread.WarpSize, b) }

// ballotIn returns a bit for each thread of the tile that passes true.
func ballotIn(t *gothread.Thread, size int, b bool) uint32 {
	values, lanes := t.Exchange(size, b)
	var bits uint32
	for lane, v := range values {
		if lanes>>lane&1 != 0 && v.(bool) {
			bits |= 1 << lane
		}
	}
	return bits
}

// All reports whether all threads of the warp pass true: CUDA's __all_sync. All threads of the warp must call it.
func All(b bool) bool { return Ballot(!b) == 0 }

// Any reports whether a thread of the warp passes true: CUDA's __any_sync. All threads of the warp must call it.
func Any(b bool) bool { return Ballot(b) != 0 }

// WarpSum returns the sum of the v of all threads of the warp, to each of them. The warp must be a whole one, and all of its threads must call
// it.
func WarpSum[T Lane](v T) T { return reduced(v, func(a, b T) T { return a + b }) }

// WarpMin returns the smallest v of all threads of the warp, to each of them. The warp must be a whole one, and all of its threads must
// call it.
func WarpMin[T Lane](v T) T { return reduced(v, func(a, b T) T { return min(a, b) }) }

// WarpMax returns the largest v of all threads of the warp, to each of them. The warp must be a whole one, and all of its threads must call
// it.
func WarpMax[T Lane](v T) T { return reduced(v, func(a, b T) T { return max(a, b) }) }

// reduced combines the values of a warp.
func reduced[T Lane](v T, combine func(a, b T) T) T {
	for mask := gothread.WarpSize / 2; mask > 0; mask /= 2 {
		v = combine(v, ShuffleXor(v, mask))
	}
	return v
}

// Printf prints as fmt.Printf does, from a thread of a kernel. The format is a constant, and the values are numbers and bools. On a device, %g and
// %v print six digits of a float, as C does; %.9g prints all of a float32, and %.17g all of a float64.
func Printf(format string, args ...any) { fmt.Printf(format, args...) }

// Run runs a kernel written in Go as plain Go, in this process: blocks in parallel, and the threads of a block one after the other, or at the
// same time if together is true, which kernels need that call SyncThreads or exchange values. Under the race detector they always run at
// the same time. The launchers of kernels call it.
//
// The error is that of a thread that panics, with its block and its index.
func (l Launch) Run(together bool, kernel func()) error {
	const op = "running a kernel as Go"
	if l.empty {
		return nil
	}
	grid, block := l.Grid.full(), l.Block.full()
	for _, d := range []Dim3{grid, block} {
		if d.X <= 0 || d.Y <= 0 || d.Z <= 0 {
			return misuse(op, "the grid %v and the block %v must be positive", l.Grid, l.Block)
		}
	}
	if n := block.X * block.Y * block.Z; n > 1024 {
		return misuse(op, "a block of %d threads: CUDA permits 1024", n)
	}
	if at := l.stop; at != nil && (!at.Block.Within(gothread.Dim(grid)) || !at.Thread.Within(gothread.Dim(block))) {
		return misuse(op, "StopIn: there is no thread %v in block %v of a grid %v of blocks %v", at.Thread, at.Block, grid, block)
	}
	if n := grid.X * grid.Y * grid.Z * block.X * block.Y * block.Z; l.Cooperative && together && n > gothread.MaxCooperative() {
		return misuse(op, "a cooperative launch of %d threads: plain Go runs %d at the same time", n, gothread.MaxCooperative())
	}
	launch := gothread.Launch{Grid: gothread.Dim(grid), Block: gothread.Dim(block), SharedBytes: l.SharedBytes, Together: together, Cooperative: l.Cooperative, Stop: l.stop}
	if err := launch.Run(kernel); err != nil {
		return fmt.Errorf("%s: %w", op, err)
	}
	return nil
}

// full returns d with 1 for a Y or Z of 0.
func (d Dim3) full() Dim3 {
	if d.Y == 0 {
		d.Y = 1
	}
	if d.Z == 0 {
		d.Z = 1
	}
	return d
}

// PassBlock passes the bytes of v, an array or struct without pointers, in words of 8 bytes. The launchers of kernels written in Go call it.
func PassBlock[T any](c *Call, v T) {
	words := make([]uint64, (unsafe.Sizeof(v)+7)/8)
	b := bytesOf(words)
	copy(b, unsafe.Slice((*byte)(unsafe.Pointer(&v)), unsafe.Sizeof(v)))
	c.Bytes(b)
}

// PassSlice passes the elements that p points to as two arguments: their address, to a pointer parameter, and their number, to the integer
// parameter after it. The launchers of kernels written in Go call it for slices.
func PassSlice[T Element](c *Call, p Ptr[T]) {
	PassPointer(c, p)
	if p == nil || c.err != nil {
		return
	}
	n, err := p.elements()
	c.sizes(err, n)
}

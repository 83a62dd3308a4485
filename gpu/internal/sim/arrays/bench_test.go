package arrays

import (
	"sync/atomic"
	"testing"
	"unsafe"

	"github.com/gopherwarp/gopherwarp/gpu/internal/expression"
)

// launched are the pointers of the last launch. As they are stored here, the compiler allocates what they point to on the heap: as numbers they
// would not change with a stack that moves.
var launched atomic.Pointer[[]unsafe.Pointer]

// launchOf returns the arguments of a launch.
func launchOf(pointers []unsafe.Pointer, words ...int) []byte {
	launched.Store(&pointers)
	list := make([]uint64, 0, len(pointers)+len(words))
	for _, p := range pointers {
		list = append(list, uint64(uintptr(p)))
	}
	for _, w := range words {
		list = append(list, uint64(w))
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&list[0])), 8*len(list))
}

func program(t testing.TB, k *expression.Kernel) *Program {
	t.Helper()
	p, err := New(k)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// BenchmarkFold folds a matrix of 2^18 float32s along either axis.
func BenchmarkFold(b *testing.B) {
	const rows, columns = 16, 1 << 14
	in, out := make([]float32, rows*columns), make([]float32, columns)
	for _, c := range []struct {
		name                                    string
		folding                                 expression.Folding
		acc                                     expression.Type
		keeps, folds, keptStride, reducedStride int
	}{
		{"sum of rows", expression.Sum, expression.Float64, rows, columns, columns, 1},
		{"sum of columns", expression.Sum, expression.Float64, columns, rows, 1, columns},
		{"maximum of rows", expression.Maximum, expression.Float32, rows, columns, columns, 1},
		{"argmin of rows", expression.Argmin, expression.Float32, rows, columns, columns, 1},
		{"argmin of short rows", expression.Argmin, expression.Float32, columns, rows, rows, 1},
		{"sum of short rows", expression.Sum, expression.Float64, columns, rows, rows, 1},
	} {
		result := expression.Float32
		if c.folding == expression.Argmin {
			result = expression.Int32
		}
		p := program(b, &expression.Kernel{
			Form: expression.Fold, Result: result, Leaves: []expression.Leaf{{Type: expression.Float32}},
			Steps: []expression.Step{{Op: expression.Operand, Type: expression.Float32, Args: []uint8{0}}},
			Loops: 1, Reduced: 1, Folding: c.folding, Acc: c.acc,
		})
		args := launchOf([]unsafe.Pointer{unsafe.Pointer(&out[0]), unsafe.Pointer(&in[0])}, c.keeps, c.folds, c.folds, 1, 0, c.keeps, c.folds, c.keptStride, c.reducedStride)
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				if err := p.Run(args, 1); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkLoop computes blocks of operations.
func BenchmarkLoop(b *testing.B) {
	x, y, out := make([]float32, blockSize), make([]float32, blockSize), make([]float32, blockSize)
	for i := range x {
		x[i], y[i] = float32(i)/blockSize, 1+float32(i)
	}
	for _, op := range []string{"Add", "Mul", "Div", "Maximum", "sqrt", "exp", "log", "erfc", "Sigmoid", "tanh", "sin", "Less"} {
		b.Run(op, func(b *testing.B) {
			for b.Loop() {
				float32s[op](unsafe.Pointer(&out[0]), unsafe.Pointer(&x[0]), unsafe.Pointer(&y[0]), nil, blockSize)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/blockSize, "ns/element")
		})
	}
}

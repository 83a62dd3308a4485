package verify

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu"
)

// slab is memory of the device, as far as these tests need one.
type slab[T Number] struct{ all []T }

func (s *slab[T]) CopyFrom(v []T) error { s.all = slices.Clone(v); return nil }
func (s *slab[T]) CopyTo(v []T) error   { copy(v, s.all); return nil }

// at is element i, where i may lie in the guard zones.
func (s *slab[T]) at(i int) *T { return &s.all[guard+i] }

func output[T, W Number](c *Case, n int, want func(i int) W, opts ...OutputOption) *slab[T] {
	s := &slab[T]{}
	if err := watch(c, s, func() error { return nil }, n, want, opts...); err != nil {
		panic(err)
	}
	return s
}

func input[T Number](c *Case, v []T) *slab[T] {
	s := &slab[T]{}
	if err := keep(c, s, func() error { return nil }, v); err != nil {
		panic(err)
	}
	return s
}

// thread is where a thread of a kernel stands.
type thread struct{ block, index, size int }

func (t thread) global() int { return t.block*t.size + t.index }

const blockSize = 64

// launch runs a kernel's body for each thread of that many blocks.
func launch(blocks int, body func(t thread)) {
	for b := range blocks {
		for i := range blockSize {
			body(thread{b, i, blockSize})
		}
	}
}

// run checks without a device.
func run(name string, block int, sizes []int, f func(*Case) error) error {
	return (&inspection{name: name, block: block, sizes: sizes}).run(f)
}

// vectors are the arguments of a kernel that adds vectors.
type vectors struct {
	n         int
	a, b, sum *slab[float32]
	run       int // counts the runs
}

// adders are kernels, with the reason for which each must be refused; "" for a right one.
var adders = []struct {
	name   string
	reason Reason
	launch func(v *vectors) error
}{
	{"right", "", func(v *vectors) error {
		launch(up(v.n, blockSize), func(t thread) {
			if i := t.global(); i < v.n {
				*v.sum.at(i) = *v.a.at(i) + *v.b.at(i)
			}
		})
		return nil
	}},
	{"no bounds check", GuardAfter, func(v *vectors) error {
		launch(up(v.n, blockSize), func(t thread) {
			i := t.global()
			*v.sum.at(i) = *v.a.at(i) + *v.b.at(i)
		})
		return nil
	}},
	{"index from -1", GuardBefore, func(v *vectors) error {
		launch(up(v.n, blockSize), func(t thread) {
			if i := t.global() - 1; i < v.n {
				*v.sum.at(i) = *v.a.at(max(i, 0)) + *v.b.at(max(i, 0))
			}
		})
		return nil
	}},
	{"threadIdx alone", FirstBlockOnly, func(v *vectors) error {
		launch(up(v.n, blockSize), func(t thread) {
			if i := t.index; i < v.n {
				*v.sum.at(i) = *v.a.at(i) + *v.b.at(i)
			}
		})
		return nil
	}},
	{"too few blocks", TailMissing, func(v *vectors) error {
		launch(v.n/blockSize, func(t thread) {
			i := t.global()
			*v.sum.at(i) = *v.a.at(i) + *v.b.at(i)
		})
		return nil
	}},
	{"too few blocks, refused", TailMissing, func(v *vectors) error {
		if v.n < blockSize {
			return &gpu.Error{Code: 1, Message: "grid of 0 blocks"}
		}
		launch(v.n/blockSize, func(t thread) {
			i := t.global()
			*v.sum.at(i) = *v.a.at(i) + *v.b.at(i)
		})
		return nil
	}},
	{"stops early", LastMissing, func(v *vectors) error {
		launch(up(v.n, blockSize), func(t thread) {
			if i := t.global(); i < v.n-1 {
				*v.sum.at(i) = *v.a.at(i) + *v.b.at(i)
			}
		})
		return nil
	}},
	{"not launched", NotWritten, func(*vectors) error { return nil }},
	{"arguments swapped", InputChanged, func(v *vectors) error {
		v.a, v.sum = v.sum, v.a
		launch(up(v.n, blockSize), func(t thread) {
			if i := t.global(); i < v.n {
				*v.sum.at(i) = *v.a.at(i) + *v.b.at(i)
			}
		})
		return nil
	}},
	{"added to NaN", Accumulated, func(v *vectors) error {
		launch(up(v.n, blockSize), func(t thread) {
			if i := t.global(); i < v.n {
				setBits(v.sum.at(i), 0x7FFFFFFF) // the NaN that NVIDIA's GPUs compute
			}
		})
		return nil
	}},
	{"neighbour's value", OffByOne, func(v *vectors) error {
		launch(up(v.n, blockSize), func(t thread) {
			if i := t.global(); i < v.n {
				j := min(i+1, v.n-1)
				*v.sum.at(i) = *v.a.at(j) + *v.b.at(j)
			}
		})
		return nil
	}},
	{"differs between runs", Unsteady, func(v *vectors) error {
		launch(up(v.n, blockSize), func(t thread) {
			if i := t.global(); i < v.n {
				*v.sum.at(i) = *v.a.at(i) + *v.b.at(i) + float32(v.run)
			}
		})
		return nil
	}},
	{"wrong in the last run", Unsteady, func(v *vectors) error {
		launch(up(v.n, blockSize), func(t thread) {
			if i := t.global(); i < v.n {
				*v.sum.at(i) = *v.a.at(i) + *v.b.at(i)
				if v.run%repeats == 0 {
					*v.sum.at(i) += 2
				}
			}
		})
		return nil
	}},
	{"wrong formula", WrongValues, func(v *vectors) error {
		launch(up(v.n, blockSize), func(t thread) {
			if i := t.global(); i < v.n {
				*v.sum.at(i) = *v.a.at(i) - *v.b.at(i)
			}
		})
		return nil
	}},
	{"device fault", Fault, func(v *vectors) error {
		if v.n > blockSize {
			return &gpu.Error{Code: 700, Name: "CUDA_ERROR_ILLEGAL_ADDRESS", Message: "address out of bounds"}
		}
		launch(up(v.n, blockSize), func(t thread) {
			if i := t.global(); i < v.n {
				*v.sum.at(i) = *v.a.at(i) + *v.b.at(i)
			}
		})
		return nil
	}},
	{"a rounding error", "", func(v *vectors) error {
		launch(up(v.n, blockSize), func(t thread) {
			if i := t.global(); i < v.n {
				*v.sum.at(i) = (*v.a.at(i) + *v.b.at(i)) * (1 + 0x1p-23)
			}
		})
		return nil
	}},
	{"too inexact", WrongValues, func(v *vectors) error {
		launch(up(v.n, blockSize), func(t thread) {
			if i := t.global(); i < v.n {
				*v.sum.at(i) = (*v.a.at(i) + *v.b.at(i)) * (1 + 0x1p-16)
			}
		})
		return nil
	}},
}

var testSizes = sizesFor(blockSize, 500)

func TestAdders(t *testing.T) {
	for _, k := range adders {
		t.Run(k.name, func(t *testing.T) {
			runs := 0
			err := run("vecAdd", blockSize, testSizes, func(c *Case) error {
				runs++
				a, b := c.Float32s(c.N), c.Float32s(c.N)
				sum := output[float32](c, c.N, func(i int) float64 { return float64(a[i]) + float64(b[i]) })
				return k.launch(&vectors{n: c.N, a: input(c, a), b: input(c, b), sum: sum, run: runs})
			})
			expect(t, err, k.reason)
		})
	}
}

// counters are kernels that count bytes.
var counters = []struct {
	name   string
	reason Reason
	launch func(data []byte, bins *slab[int32], run int) error
}{
	{"right", "", func(data []byte, bins *slab[int32], _ int) error {
		for i := range 256 {
			*bins.at(i) = 0
		}
		for _, v := range data {
			*bins.at(int(v))++
		}
		return nil
	}},
	{"not set to zero", Accumulated, func(data []byte, bins *slab[int32], _ int) error {
		for _, v := range data {
			*bins.at(int(v))++
		}
		return nil
	}},
	{"lost updates", TooLow, func(data []byte, bins *slab[int32], _ int) error {
		for i := range 256 {
			*bins.at(i) = 0
		}
		for i, v := range data {
			if i%7 != 3 {
				*bins.at(int(v))++
			}
		}
		return nil
	}},
	{"lost updates, others each time", Unsteady, func(data []byte, bins *slab[int32], run int) error {
		for i := range 256 {
			*bins.at(i) = 0
		}
		for i, v := range data {
			if i%7 != run%7 {
				*bins.at(int(v))++
			}
		}
		return nil
	}},
	{"a bin too many", GuardAfter, func(data []byte, bins *slab[int32], _ int) error {
		for i := range 257 {
			*bins.at(i) = 0
		}
		for _, v := range data {
			*bins.at(int(v))++
		}
		return nil
	}},
	{"bins shifted", WrongValues, func(data []byte, bins *slab[int32], _ int) error {
		for i := range 256 {
			*bins.at(i) = 0
		}
		for _, v := range data {
			*bins.at(int(v + 1))++
		}
		return nil
	}},
}

func TestCounters(t *testing.T) {
	for _, k := range counters {
		t.Run(k.name, func(t *testing.T) {
			runs := 0
			err := run("histogram", blockSize, testSizes, func(c *Case) error {
				runs++
				data := c.Bytes(c.N)
				var want [256]int
				for _, v := range data {
					want[v]++
				}
				bins := output[int32](c, 256, func(bin int) int { return want[bin] }, Shared("bin"))
				return k.launch(data, bins, runs)
			})
			expect(t, err, k.reason)
			if err != nil && !strings.Contains(err.Error(), "bin") {
				t.Errorf("no bin is named:\n%v", err)
			}
		})
	}
}

// expect compares a check's error with the reason it must have.
func expect(t *testing.T, err error, reason Reason) {
	t.Helper()
	if reason == "" {
		if err != nil {
			t.Fatalf("refused:\n%v", err)
		}
		return
	}
	var f *Failure
	if !errors.As(err, &f) {
		t.Fatalf("got %v, want a failure for %q", err, reason)
	}
	if f.Reason != reason {
		t.Fatalf("refused because %q, want %q:\n%v", f.Reason, reason, err)
	}
	if f.ErrorKind() != "CheckFailed" || f.Hint != "" && !strings.Contains(f.Error(), string(reason)) {
		t.Errorf("kind %s, message:\n%v", f.ErrorKind(), err)
	}
	t.Log(err)
}

func TestMessage(t *testing.T) {
	err := run("vecAdd", blockSize, []int{64, 200}, func(c *Case) error {
		sum := output[float32](c, c.N, func(i int) float64 { return float64(i) / 2 })
		for i := range min(c.N, blockSize) {
			*sum.at(i) = float32(i) / 2
		}
		return nil
	})
	const want = `vecAdd: only the first block's elements are right
All blocks worked on the same elements. threadIdx.x counts within a block: the index of
the whole grid is blockIdx.x * blockDim.x + threadIdx.x, in an int: a smaller type
begins anew at 256.

Wrong for n = 200; right for n = 64.
n = 200, blocks of 64, seed 1: 136 of 200 elements wrong
  element 64 (block 1, thread 0): got NaN (the check's poison), want 32
  element 65 (block 1, thread 1): got NaN (the check's poison), want 32.5
  element 66 (block 1, thread 2): got NaN (the check's poison), want 33
  element 67 (block 1, thread 3): got NaN (the check's poison), want 33.5
  element 68 (block 1, thread 4): got NaN (the check's poison), want 34
  where (. right, o unwritten, x wrong, * some of them):
  ....................*ooooooooooooooooooooooooooooooooooooooooooo`
	if err == nil || err.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
}

// A fault ends the check: each further one would cost a device process.
func TestStopsAtFault(t *testing.T) {
	calls := 0
	err := run("vecAdd", blockSize, testSizes, func(*Case) error {
		calls++
		return &gpu.Error{Code: 700}
	})
	expect(t, err, Fault)
	var e *gpu.Error
	if calls != 1 || !errors.As(err, &e) {
		t.Errorf("%d calls, error %v", calls, err)
	}
}

func TestCheckWithoutOutput(t *testing.T) {
	err := run("vecAdd", blockSize, testSizes, func(*Case) error { return nil })
	if err == nil || !strings.Contains(err.Error(), "verify.Output") {
		t.Errorf("got %v", err)
	}
}

func TestTerms(t *testing.T) {
	sum := func(opts ...OutputOption) error {
		return run("sum", blockSize, []int{1 << 16}, func(c *Case) error {
			v := c.Float32s(c.N)
			var exact float64
			var rounded float32
			for _, x := range v {
				exact += float64(x * x)
				rounded += x * x
			}
			*output[float32](c, 1, func(int) float64 { return exact }, opts...).at(0) = rounded
			return nil
		})
	}
	expect(t, sum(), WrongValues)
	expect(t, sum(Terms(1<<16)), "")
}

func TestInputs(t *testing.T) {
	c, again, other := &Case{N: 1000}, &Case{N: 1000}, &Case{N: 999}
	v, w := c.Float32s(1000), c.Float32s(1000)
	if slices.Equal(v, w) || slices.Equal(v[:999], other.Float32s(999)) {
		t.Error("two inputs are the same")
	}
	if !slices.Equal(v, again.Float32s(1000)) {
		t.Error("another run of the same size gets other inputs")
	}
	var sum float64
	for _, x := range v {
		if x < -1 || x >= 1 {
			t.Fatalf("%v is out of range", x)
		}
		sum += float64(x)
	}
	if sum /= 1000; sum < -0.1 || sum > 0.1 {
		t.Errorf("the mean is %v", sum)
	}
	var seen [256]bool
	for _, b := range c.Bytes(1 << 14) {
		seen[b] = true
	}
	if slices.Contains(seen[:], false) {
		t.Error("a byte value never came")
	}
}

func TestSizes(t *testing.T) {
	if got, want := fmt.Sprint(sizesFor(64, 500)), "[0 1 31 32 33 63 64 65 545]"; got != want {
		t.Errorf("got %v, want %v", got, want)
	}
	if got, want := fmt.Sprint(sizesFor(32, 64)), "[0 1 31 32 33 113]"; got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestPoison(t *testing.T) {
	// Only the poison itself is unwritten: another NaN was computed.
	nan := poison[float64]()
	setBits(&nan, 0x7FF8000000000000)
	if sameBits(nan, poison[float64]()) || !sameBits(poison[float64](), poison[float64]()) {
		t.Error("NaNs are not told apart")
	}
	if got := poison[int32](); uint32(got) != 0xA5A5A5A5 {
		t.Errorf("got %x", got)
	}
	if got := poison[uint8](); got != 0xA5 {
		t.Errorf("got %x", got)
	}
}

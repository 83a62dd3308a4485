package arrays

import (
	"sync"
	"unsafe"

	"github.com/gopherwarp/gopherwarp/gpu/internal/expression"
	"github.com/gopherwarp/gopherwarp/gpu/internal/sim/cores"
	"github.com/gopherwarp/gopherwarp/gpu/internal/sim/simd"
)

// counting counts integers, or adds their weights.
type counting struct {
	// tally counts n integers, the bins of which begin at low; add adds their weights.
	tally            func(counts []int64, numbers pointer, n int, low int64)
	add              func(sums []float64, numbers, weights pointer, n int, low int64)
	size, weightSize int
	lowAt            int  // the word with the number of the first bin
	strided          bool // the words after that are the first element and the step of the integers, and those of the weights
}

// strided is one of several operands whose elements are equally far from each other, which begin at memory.
type strided struct {
	memory          pointer
	off, step, size int
}

// stridedAt returns the operand whose first element and step are the next words.
func stridedAt(memory pointer, w []int64, size int) strided {
	return strided{memory, int(w[0]), int(w[1]), size}
}

// block returns the elements from begin to end one after the other: in memory, or as a copy in room, which has 8 bytes for each.
func (s strided) block(room *[8 * blockSize]byte, begin, end int) pointer {
	from := unsafe.Add(s.memory, (s.off+begin*s.step)*s.size)
	if s.step == 1 {
		return from
	}
	to, n := pointer(room), end-begin
	switch s.size {
	case 1:
		gatherSteps[uint8](to, from, s.step, n)
	case 2:
		gatherSteps[uint16](to, from, s.step, n)
	case 4:
		gatherSteps[uint32](to, from, s.step, n)
	default:
		gatherSteps[uint64](to, from, s.step, n)
	}
	return to
}

func gatherSteps[T any](to, from pointer, step, n int) {
	out := elements[T](to, n)
	bytes := step * int(unsafe.Sizeof(out[0]))
	for i := range out {
		out[i] = *(*T)(unsafe.Add(from, i*bytes))
	}
}

// counter returns the routine that counts, or nil.
func counter(k *expression.Kernel) *routine {
	t := k.Types[0]
	c := counting{size: t.Size(), lowAt: 3, strided: len(k.Numbers) > 0 && k.Numbers[0] != 0}
	if k.Name == "count" {
		c.lowAt = 2
	}
	words := c.lowAt + 1
	if c.strided {
		words += 4
	}
	if len(k.Types) == 1 {
		c.tally = tallying(t)
		return &routine{3, words, c.run}
	}
	if k.Types[1].Half() {
		return nil
	}
	c.add, c.weightSize = adding(t, k.Types[1]), k.Types[1].Size()
	return &routine{3, words, c.run}
}

func (c counting) run(p []pointer, w []int64, _ int) {
	n, bins, low := int(w[0]), int(w[1]), w[c.lowAt]
	numbers, weights := strided{p[1], 0, 1, c.size}, strided{p[2], 0, 1, c.weightSize}
	if c.strided {
		numbers, weights = stridedAt(p[1], w[c.lowAt+1:], c.size), stridedAt(p[2], w[c.lowAt+3:], c.weightSize)
	}
	if c.add != nil {
		c.sum(elements[float64](p[0], bins), numbers, weights, n, low)
		return
	}
	var mu sync.Mutex
	count, each := (n+blockSize-1)/blockSize, float64(blockSize)
	if bins > n/4 { // to add the bins of several threads would take longer
		each = 0
	}
	cores.Blocks(count, each, func(blocks func() (from, to int)) {
		var room [8 * blockSize]byte
		counts := make([]int64, bins)
		for from, to := blocks(); from < to; from, to = blocks() {
			end := min(n, to*blockSize)
			for begin := from * blockSize; begin < end; {
				next := c.list(begin, end)
				c.tally(counts, numbers.block(&room, begin, next), next-begin, low)
				begin = next
			}
		}
		mu.Lock()
		defer mu.Unlock()
		addAcross(elements[int64](p[0], bins), counts)
	})
}

// Each part of the weights has sums of its own. It has at least weightsPart weights, and at least weightsBins weights for each bin.
const (
	weightsPart  = 1 << 14
	weightsBins  = 8
	weightsParts = 64 // at most
)

// sum adds weights to the sums of their bins. The order of additions does not depend on threads: it is that of the weights within a part, and
// then that of the parts.
func (c counting) sum(out []float64, numbers, weights strided, n int, low int64) {
	bins := len(out)
	parts := min(max(1, n/max(weightsPart, weightsBins*bins)), weightsParts)
	per := (n + parts - 1) / parts
	sums := make([]float64, parts*bins)
	cores.Blocks(parts, float64(per), func(next func() (from, to int)) {
		var rooms [2][8 * blockSize]byte
		for from, to := next(); from < to; from, to = next() {
			for part := from; part < to; part++ {
				of, end := sums[part*bins:][:bins], min(n, (part+1)*per)
				for begin := part * per; begin < end; {
					next := c.list(begin, end)
					c.add(of, numbers.block(&rooms[0], begin, next), weights.block(&rooms[1], begin, next), next-begin, low)
					begin = next
				}
			}
		}
	})
	for part := range parts {
		addAcross(out, sums[part*bins:][:bins])
	}
}

// list returns the end of the integers that are counted at once, of those from begin to end: a block if they are copied.
func (c counting) list(begin, end int) int {
	if c.strided {
		return min(end, begin+blockSize)
	}
	return end
}

// tallying returns the function that counts integers of a type.
func tallying(t expression.Type) func(counts []int64, numbers pointer, n int, low int64) {
	switch t {
	case expression.Int32:
		return func(counts []int64, numbers pointer, n int, low int64) {
			tally(counts, elements[int32](numbers, n), low)
		}
	case expression.Int64:
		return func(counts []int64, numbers pointer, n int, low int64) {
			tally(counts, elements[int64](numbers, n), low)
		}
	}
	numbersOf := cast(expression.Int64, t)
	return func(counts []int64, numbers pointer, n int, low int64) {
		var block [blockSize]int64
		for i := 0; i < n; i += blockSize {
			some := min(blockSize, n-i)
			numbersOf(pointer(&block), unsafe.Add(numbers, i*t.Size()), nil, nil, some)
			tally(counts, block[:some], low)
		}
	}
}

func tally[X int32 | int64](counts []int64, numbers []X, low int64) {
	for _, x := range numbers {
		if i := uint64(int64(x) - low); i < uint64(len(counts)) {
			counts[i]++
		}
	}
}

// adding returns the function that adds weights of a type to the sums of integers of a type.
func adding(t, weight expression.Type) func(sums []float64, numbers, weights pointer, n int, low int64) {
	if t == expression.Int32 && weight == expression.Float32 {
		return func(sums []float64, numbers, weights pointer, n int, low int64) {
			addWeights(sums, elements[int32](numbers, n), elements[float32](weights, n), low)
		}
	}
	if t == expression.Int64 && weight == expression.Float32 {
		return func(sums []float64, numbers, weights pointer, n int, low int64) {
			addWeights(sums, elements[int64](numbers, n), elements[float32](weights, n), low)
		}
	}
	numbersOf, weightsOf := cast(expression.Int64, t), cast(expression.Float64, weight)
	return func(sums []float64, numbers, weights pointer, n int, low int64) {
		var block [blockSize]int64
		var held [blockSize]float64
		for i := 0; i < n; i += blockSize {
			some := min(blockSize, n-i)
			numbersOf(pointer(&block), unsafe.Add(numbers, i*t.Size()), nil, nil, some)
			weightsOf(pointer(&held), unsafe.Add(weights, i*weight.Size()), nil, nil, some)
			addWeights(sums, block[:some], held[:some], low)
		}
	}
}

func addWeights[X int32 | int64, W real](sums []float64, numbers []X, weights []W, low int64) {
	weights = weights[:len(numbers)]
	for k, x := range numbers {
		if i := uint64(int64(x) - low); i < uint64(len(sums)) {
			sums[i] += float64(weights[k])
		}
	}
}

// extentOf returns the function that finds the smallest and the largest of integers of a type.
func extentOf(t expression.Type) func(numbers pointer, n int) (low, high int64) {
	switch t {
	case expression.Int32:
		return func(numbers pointer, n int) (int64, int64) {
			low, high := simd.Range32(elements[int32](numbers, n))
			return int64(low), int64(high)
		}
	case expression.Int64:
		return func(numbers pointer, n int) (int64, int64) { return simd.Range64(elements[int64](numbers, n)) }
	}
	numbersOf := cast(expression.Int64, t)
	return func(numbers pointer, n int) (low, high int64) {
		low, high = 1<<63-1, -1<<63
		var block [blockSize]int64
		for i := 0; i < n; i += blockSize {
			some := min(blockSize, n-i)
			numbersOf(pointer(&block), unsafe.Add(numbers, i*t.Size()), nil, nil, some)
			l, h := simd.Range64(block[:some])
			low, high = min(low, l), max(high, h)
		}
		return low, high
	}
}

// extremesOf stores the largest complement and the largest of some integers, unless those that are there are larger.
func extremesOf(p []pointer, n int, extent func(numbers pointer, n int) (low, high int64), numbers strided) {
	out := elements[int64](p[0], 2)
	var mu sync.Mutex
	cores.Range(n, 0.15, func(from, to int) {
		low, high := numbers.extent(extent, from, to)
		mu.Lock()
		defer mu.Unlock()
		out[0], out[1] = max(out[0], ^low), max(out[1], high)
	})
}

// extent returns the smallest and the largest one of the integers from begin to end.
func (s strided) extent(of func(numbers pointer, n int) (low, high int64), begin, end int) (low, high int64) {
	if s.step == 1 {
		return of(s.block(nil, begin, end), end-begin)
	}
	var room [8 * blockSize]byte
	low, high = 1<<63-1, -1<<63
	for ; begin < end; begin += blockSize {
		next := min(end, begin+blockSize)
		l, h := of(s.block(&room, begin, next), next-begin)
		low, high = min(low, l), max(high, h)
	}
	return low, high
}

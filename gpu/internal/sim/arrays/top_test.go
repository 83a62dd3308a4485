package arrays

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"unsafe"

	"github.com/gopherwarp/gopherwarp/gpu/internal/expression"
)

// checkTop compares the routine with a sort of the rows by the keys of sorts.
func checkTop[K keys](t *testing.T, name string, of expression.Type, in []K, rows, k int) {
	t.Helper()
	n := len(in) / rows
	values, places := make([]K, rows*k+1), make([]int64, rows*k+1)
	values[rows*k], places[rows*k] = 77, 77
	p := program(t, &expression.Kernel{Form: expression.Routine, Name: "top_row", Types: []expression.Type{of}})
	args := launchOf([]unsafe.Pointer{unsafe.Pointer(&values[0]), unsafe.Pointer(&places[0]), unsafe.Pointer(&in[0])}, n, k)
	if err := p.Run(args, rows); err != nil {
		t.Fatal(err)
	}
	if values[rows*k] != 77 || places[rows*k] != 77 {
		t.Errorf("%s: type %d: more than the results are written", name, of)
	}
	o := orderOf(of)
	for row := range rows {
		list := in[row*n:][:n]
		order, key := make([]int, n), make([]K, n)
		for i := range order {
			order[i], key[i] = i, encode(o, list[i], true)
		}
		slices.SortFunc(order, func(i, j int) int { return cmp.Or(cmp.Compare(key[j], key[i]), cmp.Compare(j, i)) })
		for i := range k {
			at := row*k + i
			if got := places[at]; got != int64(order[i]) || values[at] != list[order[i]] {
				t.Fatalf("%s: type %d, %d rows of %d: number %d of the %d largest of row %d is %#x at %d, want %#x at %d",
					name, of, rows, n, i, k, row, values[at], got, list[order[i]], order[i])
			}
		}
	}
}

// topBits returns numbers of which many are special ones.
func topBits[K keys](rng *rand.Rand, n int, o order, kind string) []K {
	list := make([]K, n)
	sign := K(1) << (8*unsafe.Sizeof(K(0)) - 1)
	special := []K{0, sign, ^K(0), ^sign, 1, sign | 1, K(o.infinity), K(o.infinity) | sign, K(o.infinity) + 1, K(o.infinity) - 1}
	for i := range list {
		switch kind {
		case "bits":
			list[i] = K(rng.Uint64())
		case "special":
			list[i] = special[rng.IntN(len(special))]
		case "zeros":
			list[i] = sign * K(rng.IntN(2))
		case "ascending":
			list[i] = K(i)
		case "descending":
			list[i] = K(n - i)
		case "few":
			list[i] = special[min(rng.IntN(5000), len(special)-1)]
		case "least":
			list[i] = encodeLeast(o, sign)
		}
	}
	return list
}

// encodeLeast returns the number that no other is less than.
func encodeLeast[K keys](o order, sign K) K {
	switch {
	case o.signed:
		return sign
	case o.infinity == 0:
		return 0
	}
	return K(o.infinity) | sign
}

var topKinds = []string{"bits", "special", "zeros", "ascending", "descending", "few", "least"}

func topOfType[K keys](t *testing.T, rng *rand.Rand, of expression.Type) {
	t.Helper()
	for _, kind := range topKinds {
		for _, c := range []struct{ rows, n, k int }{
			{1, 1, 1},
			{3, 7, 7},
			{50, 10, 3},
			{5, 33, 33},
			{7, 200, 5},
			{3, 1000, 999},
			{2, 5003, 40},
			{1, 9001, 2500},
			{1, 40009, 1},
			{2, 40009, 300},
			{1, 70001, 17000},
			{1, 70001, 60000},
		} {
			if c.n > 50_000 && kind != "bits" && kind != "few" {
				continue // to sort takes long
			}
			checkTop(t, kind, of, topBits[K](rng, c.rows*c.n, orderOf(of), kind), c.rows, c.k)
		}
	}
}

// The largest elements are those of a sort, whatever the number of threads is.
func TestTop(t *testing.T) {
	for _, threads := range []int{1, 3} {
		t.Run(fmt.Sprint(threads), func(t *testing.T) {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(threads))
			rng := rand.New(rand.NewPCG(5, uint64(threads)))
			topOfType[uint8](t, rng, expression.Int8)
			topOfType[uint8](t, rng, expression.Uint8)
			topOfType[uint16](t, rng, expression.Int16)
			topOfType[uint16](t, rng, expression.Float16)
			topOfType[uint16](t, rng, expression.BFloat16)
			topOfType[uint32](t, rng, expression.Int32)
			topOfType[uint32](t, rng, expression.Uint32)
			topOfType[uint32](t, rng, expression.Float32)
			topOfType[uint64](t, rng, expression.Int64)
			topOfType[uint64](t, rng, expression.Uint64)
			topOfType[uint64](t, rng, expression.Float64)
		})
	}
}

// Limits that are keys of no number have no fewer elements above them than they should.
func TestFloatBelow(t *testing.T) {
	list := []float32{
		float32(math.Inf(-1)), -math.MaxFloat32, -1, -math.SmallestNonzeroFloat32, float32(math.Copysign(0, -1)), 0, math.SmallestNonzeroFloat32, 1, math.MaxFloat32,
		float32(math.Inf(1)), float32(math.NaN()),
	}
	o := orderOf(expression.Float32)
	for _, of := range list {
		key := encode(o, math.Float32bits(of), true)
		for _, limit := range []uint32{key - 1, key, key + 1} {
			below := math.Float32frombits(floatBelow(o, limit))
			for _, v := range list {
				above := encode(o, math.Float32bits(v), true) > limit
				if got := !(v <= below); above && !got {
					t.Errorf("%v is above the limit %#x, but not above %v", v, limit, below)
				}
			}
		}
	}
}

func BenchmarkTop(b *testing.B) {
	const n, k = 1 << 18, 1000
	rng := rand.New(rand.NewPCG(5, 6))
	in, values, places := make([]float32, n), make([]float32, n), make([]int64, n) // results are so large that they are not on the stack, which moves
	for i := range in {
		in[i] = rng.Float32()
	}
	p := program(b, &expression.Kernel{Form: expression.Routine, Name: "top_row", Types: []expression.Type{expression.Float32}})
	args := launchOf([]unsafe.Pointer{unsafe.Pointer(&values[0]), unsafe.Pointer(&places[0]), unsafe.Pointer(&in[0])}, n, k)
	for b.Loop() {
		if err := p.Run(args, 1); err != nil {
			b.Fatal(err)
		}
	}
	runtime.KeepAlive([]any{in, values, places})
}

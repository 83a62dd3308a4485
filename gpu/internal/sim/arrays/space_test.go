package arrays

import (
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"
)

// Elements are gathered from, and scattered to, where the loops of a space lead.
func TestPaths(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 500 {
		var lens, strides []int
		total, reach := 1, 0
		for range random.IntN(5) {
			n, s := 1+random.IntN(5), random.IntN(7)-2
			if len(lens) < 2 && random.IntN(3) == 0 {
				n, s = 8*n, s*random.IntN(2) // rows of whole vectors, of which each element may be the same
			}
			if last := len(lens) - 1; last >= 0 && random.IntN(3) == 0 {
				strides[last] = s * n // so that the two are merged
			}
			lens, strides = append(lens, n), append(strides, s)
			total *= n
		}
		offsets := []int{0}
		for d, n := range lens {
			var next []int
			for _, o := range offsets {
				for i := range n {
					next = append(next, o+i*strides[d])
				}
			}
			offsets = next
		}
		low := slices.Min(offsets)
		reach = slices.Max(offsets) - low + 1
		memory := make([]int32, reach)
		for i := range memory {
			memory[i] = int32(random.Uint32())
		}
		p := newPath(lens, strides)
		from := random.IntN(total)
		n := 1 + random.IntN(total-from)
		if random.IntN(2) == 0 {
			from, n = 0, total
		}
		got := make([]int32, n)
		base := unsafe.Pointer(&memory[0])
		gather(got, base, -low, &p, from)
		for i, v := range got {
			if want := memory[offsets[from+i]-low]; v != want {
				t.Fatalf("lengths %v, strides %v: element %d is %d, want %d", lens, strides, from+i, v, want)
			}
		}
		places := make([]int64, n)
		paths(t, places, &p, from, offsets)
		for i := range got {
			got[i] = int32(offsets[from+i]) // the same for elements at the same place
		}
		scatter(got, base, -low, &p, from)
		for i := range got {
			if o := offsets[from+i]; memory[o-low] != int32(o) {
				t.Fatalf("lengths %v, strides %v: %d is stored at %d", lens, strides, memory[o-low], o)
			}
		}
	}
}

func paths(t *testing.T, got []int64, p *path, from int, want []int) {
	t.Helper()
	offsets(got, 5, p, from)
	for i, v := range got {
		if v != int64(want[from+i]+5) {
			t.Fatalf("%v: offset %d is %d, want %d", p, from+i, v-5, want[from+i])
		}
	}
}

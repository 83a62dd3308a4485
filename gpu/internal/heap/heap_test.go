package heap

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestAgainstModel allocates and frees at random and compares the result with a plain list of allocations.
func TestAgainstModel(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 1))
		var h Heap
		// The first two chunks are adjacent: ranges must not extend across the boundary.
		chunks := []Range{{0x10000, 0x8000}, {0x18000, 0x4000}, {0x40000, 0x10000}}
		for _, i := range r.Perm(len(chunks)) {
			h.Add(chunks[i])
		}
		var out []Range
		for range 3000 {
			if len(out) > 0 && r.IntN(5) < 2 {
				i := r.IntN(len(out))
				h.Give(out[i])
				out = slices.Delete(out, i, i+1)
			} else {
				n := uint64(r.IntN(5000))
				addr, ok := h.Take(n)
				if !ok {
					continue
				}
				got := Range{addr, Round(n)}
				if addr%Align != 0 || !within(got, chunks) {
					t.Fatalf("seed %d: %#x bytes at %#x are not within a chunk", seed, n, addr)
				}
				for _, o := range out {
					if got.Addr < o.end() && o.Addr < got.end() {
						t.Fatalf("seed %d: %#x overlaps %#x", seed, got, o)
					}
				}
				out = append(out, got)
			}
			var sum uint64
			for _, o := range out {
				sum += o.Size
			}
			if n, bytes := h.Used(); n != len(out) || bytes != sum {
				t.Fatalf("seed %d: Used is %d, %d, want %d, %d", seed, n, bytes, len(out), sum)
			}
		}
		for _, o := range out {
			h.Give(o)
		}
		// All ranges were merged: the chunks are empty, in the order of their size.
		want := []Range{chunks[1], chunks[0], chunks[2]}
		if got := h.Empty(); !slices.Equal(got, want) {
			t.Fatalf("seed %d: empty chunks %#x, want %#x", seed, got, want)
		}
	}
}

func within(r Range, chunks []Range) bool {
	return slices.ContainsFunc(chunks, func(c Range) bool { return r.Addr >= c.Addr && r.end() <= c.end() })
}

func TestRemoveAndAbandon(t *testing.T) {
	var h Heap
	a, b := Range{0x1000, 0x1000}, Range{0x9000, 0x1000}
	h.Add(a)
	h.Add(b)
	first, _ := h.Take(0x1000)
	second, _ := h.Take(0x100)
	if first != a.Addr || second != b.Addr {
		t.Fatalf("took %#x and %#x, want the chunks' starts", first, second)
	}
	h.Give(Range{first, 0x1000})
	if got := h.Empty(); len(got) != 1 || got[0] != a {
		t.Fatalf("empty: %#x, want %#x", got, a)
	}
	h.Remove(a)
	h.Abandon(b)
	if n, bytes := h.Used(); n != 0 || bytes != 0 || h.Reserved() != 0 {
		t.Errorf("after all chunks are gone: %d ranges, %d bytes, %d reserved", n, bytes, h.Reserved())
	}
	if addr, ok := h.Take(1); ok {
		t.Errorf("took %#x from nothing", addr)
	}
}

// TestTakeFromSmallest takes a range from the smallest free one that is large enough.
func TestTakeFromSmallest(t *testing.T) {
	var h Heap
	large, small := Range{0x10000, 0x4000}, Range{0x20000, 0x1000}
	h.Add(large)
	h.Add(small)
	for _, c := range []struct{ size, want uint64 }{{0x100, small.Addr}, {0x4000, large.Addr}, {0xf00, small.Addr + 0x100}} {
		if addr, ok := h.Take(c.size); !ok || addr != c.want {
			t.Errorf("%#x bytes are at %#x, %v, want %#x", c.size, addr, ok, c.want)
		}
	}
}

// TestGivePanics gives what is not allocated: all or a part of it is free, or is in no chunk, or in another one.
func TestGivePanics(t *testing.T) {
	var h Heap
	h.Add(Range{0x1000, 0x1000})
	h.Add(Range{0x2000, 0x1000})
	h.Take(0x1000)
	first, _ := h.Take(0x100)
	second, _ := h.Take(0x100)
	third, _ := h.Take(0x100)
	h.Give(Range{second, 0x100})
	for name, r := range map[string]Range{
		"twice": {second, 0x100}, "too long": {first, 0x200}, "too early": {second, 0x200}, "all": {first, 0x300},
		"free": {third + 0x100, 0x100}, "before all": {0x100, 0x100}, "behind all": {0x3000, 0x100}, "two chunks": {0x1000, 0x1100},
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("Give did not panic")
				}
			}()
			h.Give(r)
		})
	}
	h.Give(Range{first, 0x100})
	h.Give(Range{third, 0x100})
	h.Give(Range{0x1000, 0x1000})
	if n, bytes := h.Used(); n != 0 || bytes != 0 || len(h.Empty()) != 2 {
		t.Errorf("in the end %d ranges of %d bytes are allocated, and the chunks %v are empty", n, bytes, h.Empty())
	}
}

func TestRound(t *testing.T) {
	for n, want := range map[uint64]uint64{0: 256, 1: 256, 256: 256, 257: 512, math.MaxUint64: 0} {
		if got := Round(n); got != want {
			t.Errorf("Round(%d) is %d, want %d", n, got, want)
		}
	}
}

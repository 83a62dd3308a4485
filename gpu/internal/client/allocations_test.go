package client

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestAllocations adds and removes at random and compares the list with a slice.
func TestAllocations(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var l allocations
	var want []*Allocation // the newest first
	for range 2000 {
		if len(want) > 0 && r.IntN(2) == 0 {
			i := r.IntN(len(want))
			l.remove(want[i])
			want = slices.Delete(want, i, i+1)
		} else {
			a := new(Allocation)
			l.add(a)
			want = slices.Insert(want, 0, a)
		}
		if got := slices.Collect(l.all); !slices.Equal(got, want) {
			t.Fatalf("%d allocations, want %d, or they are others", len(got), len(want))
		}
	}
	for a := range l.all {
		if a != l.last {
			t.Error("the list goes on after the first one")
		}
		break
	}
}

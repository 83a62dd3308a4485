package arrays

import (
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/internal/expression"
)

// A selection and a sort have the same keys.
func TestKeysOfSelections(t *testing.T) {
	for _, of := range []expression.Type{expression.Int16, expression.Uint16, expression.Float16, expression.BFloat16} {
		o := orderOf(of)
		for _, ties := range []bool{false, true} {
			r := rankingOf[uint16](o, ties)
			for i := range 1 << 16 {
				if got, want := r.key(uint16(i)), encode(o, uint16(i), ties); got != want {
					t.Fatalf("type %d, ties %t: the key of %#x is %#x, a sort has %#x", of, ties, i, got, want)
				}
			}
		}
	}
}

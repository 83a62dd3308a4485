package tutor

import (
	"strings"
	"testing"
)

// bank returns the bank of this program.
func bank(t testing.TB) *Bank {
	t.Helper()
	b, err := Load(Source())
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestBank checks the bank of this program: its numbers are computed again, and its wrong answers name misconceptions.
func TestBank(t *testing.T) {
	b := bank(t)
	r := b.Lint()
	for _, problem := range r.Problems {
		t.Error(problem)
	}
	const concepts, items, covered = 45, 200, 60
	if len(b.Concepts) < concepts || r.Items < items || len(r.Covered) < covered {
		t.Errorf("%d concepts, %d items, %d errors of the sources covered; want %d, %d, %d", len(b.Concepts), r.Items, len(r.Covered), concepts, items, covered)
	}
	t.Logf("%d concepts, %d items %v; %d errors: %s", len(b.Concepts), r.Items, r.ByType, len(r.Covered), strings.Join(r.Covered, " "))
	for _, short := range r.Short {
		t.Error(short)
	}
}

package wire

import "testing"

// TestOpNames checks that each operation has a unique name.
func TestOpNames(t *testing.T) {
	seen := map[string]Op{}
	for op := OpMessage; op < OpEnd; op++ {
		if opNames[op] == "" {
			t.Errorf("operation %d has no name", op)
		}
		if other, ok := seen[op.String()]; ok {
			t.Errorf("operations %d and %d are both called %s", other, op, op)
		}
		seen[op.String()] = op
	}
	if got := Op(1000).String(); got != "Op(1000)" {
		t.Errorf("got %s", got)
	}
}

package check

import "testing"

func TestShape(t *testing.T) {
	for _, tt := range []struct {
		shape    shape
		offset   int64
		size     int64
		index    string
		elements string
	}{
		{shape{4, "", []int64{64}}, 12, 256, "[3]", "64 elements (0 to 63)"},
		{shape{4, "", []int64{64}}, 258, 256, "[64]", "64 elements (0 to 63)"},
		{shape{4, "", []int64{64}}, -4, 256, "[-1]", "64 elements (0 to 63)"},
		{shape{4, "", []int64{32, 33}}, 4 * 34, 4 * 32 * 33, "[1][1]", "32 × 33 elements"},
		{shape{4, "", []int64{32, 33}}, -4, 4 * 32 * 33, "[-1][32]", "32 × 33 elements"},
		{shape{8, "", []int64{2, 3, 4}}, 8 * 23, 8 * 24, "[1][2][3]", "2 × 3 × 4 elements"},
		{shape{2, "", []int64{0}}, 6, 8, "[3]", "4 elements (0 to 3)"}, // dynamic shared memory
		{shape{2, "", []int64{0, 5}}, 12, 100, "[1][1]", "10 × 5 elements"},
	} {
		if got := tt.shape.index(tt.offset); got != tt.index {
			t.Errorf("%v at %d: got %q, want %q", tt.shape, tt.offset, got, tt.index)
		}
		if got := tt.shape.elements(tt.size); got != tt.elements {
			t.Errorf("%v of %d bytes: got %q, want %q", tt.shape, tt.size, got, tt.elements)
		}
	}
	if got := (shape{elem: 4}).index(0); got != "" {
		t.Errorf("a variable that is no array has the index %q", got)
	}
}

// TestAddUnplaced matches variables to entries of the debug information that have no location.
func TestAddUnplaced(t *testing.T) {
	row, square, pair := shape{4, "", []int64{256}}, shape{4, "", []int64{16, 16}}, shape{8, "", []int64{2}}
	m := Image{shared: []variable{
		{name: "tile", size: 1024},
		{name: "both", size: 1024},
		{name: "sums", size: 16},
		{name: "none", size: 4},
		{name: "placed", size: 1024, shape: row},
		{name: "dynamic", dynamic: true},
	}}
	m.addUnplaced(map[string][]shape{
		"tile": {square, pair, square}, "both": {row, square}, "sums": {pair}, "placed": {square}, "dynamic": {row},
	})
	for i, want := range []shape{square, {}, pair, {}, row, {}} {
		if v := m.shared[i]; !v.shape.equal(want) {
			t.Errorf("%s: got %v, want %v", v.name, v.shape, want)
		}
	}
}

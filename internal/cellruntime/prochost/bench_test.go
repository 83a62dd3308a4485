package prochost

import (
	"errors"
	"testing"
	"time"
)

func TestReport(t *testing.T) {
	for _, tc := range []struct {
		seconds []float64
		n       int
		want    string
	}{
		{[]float64{3e-9, 1e-9, 2.5e-9}, 1000, "median 2.5 ns (quartiles 2.5 ns to 3 ns, min 1 ns, 3 × 1000 runs), 2 allocations of 48 B"},
		{[]float64{1.5}, 1, "median 1.5 s (quartiles 1.5 s to 1.5 s, min 1.5 s, 1 × 1 run), 2 allocations of 48 B"},
	} {
		if got := report(tc.seconds, tc.n, 2.1, 48); got != tc.want {
			t.Errorf("%q, want %q", got, tc.want)
		}
	}
}

func TestBench(t *testing.T) {
	calls, runs := 0, 0
	count := func(n int) error { calls++; runs += n; return nil }
	if err := bench(count, 10, 4); err != nil || calls != 5 || runs != 50 {
		t.Errorf("%d calls, %d runs, error %v; want 1 + 4 calls of 10", calls, runs, err)
	}
	failed := errors.New("failed")
	if err := bench(func(int) error { return failed }, 0, 0); !errors.Is(err, failed) {
		t.Errorf("error %v, want that of the function", err)
	}
}

func TestGrow(t *testing.T) {
	for _, tc := range []struct {
		n    int
		took time.Duration
		want int
	}{
		{1, 0, 100}, {1, 10 * time.Millisecond, 6}, {1000, 49 * time.Millisecond, 1224}, {1, 49900 * time.Microsecond, 2},
	} {
		if got := grow(tc.n, tc.took); got != tc.want {
			t.Errorf("grow(%d, %v) = %d, want %d", tc.n, tc.took, got, tc.want)
		}
	}
}

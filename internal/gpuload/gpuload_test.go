package gpuload

import (
	"context"
	"errors"
	"os"
	"testing"
	"time"
)

func TestGPU(t *testing.T) {
	const text = "0, 87, 1234, 81559\n1, [N/A], 10, 20\n2, 5\n"
	for _, tc := range []struct {
		ordinal int
		err     error
		want    Load
	}{
		{0, nil, Load{87, 1234 << 20, 81559 << 20}},
		{1, nil, Load{-1, 10 << 20, 20 << 20}},
		{2, nil, Load{Percent: -1}},
		{0, errors.New("no such program"), Load{Percent: -1}},
	} {
		m := Meter{Query: func(context.Context) (string, error) { return text, tc.err }}
		if got := m.GPU(t.Context(), tc.ordinal); got != tc.want {
			t.Errorf("GPU %d: %+v, want %+v", tc.ordinal, got, tc.want)
		}
	}
}

func TestProcessors(t *testing.T) {
	var m Meter
	start := time.Now()
	if got := m.Processors(os.Getpid(), start); got.Percent != 0 {
		t.Errorf("at first %+v", got)
	}
	before, ok := cpuTime(os.Getpid())
	if !ok {
		t.Skip("SKIPPED: there is no /proc here")
	}
	for used := before; used-before < 50*time.Millisecond; used, _ = cpuTime(os.Getpid()) {
	}
	// In a time of which nothing else is known, the process was busy for 50 ms or a little more.
	if got := m.Processors(os.Getpid(), start.Add(time.Millisecond)); got.Percent != 100 {
		t.Errorf("in a millisecond %+v", got)
	}
	if got := m.Processors(os.Getpid(), start.Add(time.Hour)); got.Percent != 0 {
		t.Errorf("in an hour %+v", got)
	}
	if got := m.Processors(1<<30, start); got.Percent != -1 {
		t.Errorf("of no process %+v", got)
	}
}

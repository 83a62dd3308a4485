package gpuload

import (
	"context"
	"errors"
	"maps"
	"os"
	"testing"
	"time"
)

func TestGPUs(t *testing.T) {
	const text = "0, 87, 1234, 81559\n1, [N/A], 10, 20\n2, 5\n"
	for _, tc := range []struct {
		err  error
		want map[int]Load
	}{
		{nil, map[int]Load{0: {87, 1234 << 20, 81559 << 20}, 1: {-1, 10 << 20, 20 << 20}}},
		{errors.New("no such program"), map[int]Load{}},
	} {
		m := Meter{Query: func(context.Context) (string, error) { return text, tc.err }}
		if got := m.GPUs(t.Context()); !maps.Equal(got, tc.want) {
			t.Errorf("%+v, want %+v", got, tc.want)
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

package client

import (
	"testing"
	"time"
)

// Memory that buffers have needed counts for one period at least, and for two at most.
func TestRetention(t *testing.T) {
	var r retention
	begin := time.Unix(1000, 0)
	for _, step := range []struct {
		after      time.Duration
		note, used uint64
		want       uint64
	}{
		{0, 100, 10, 100},
		{retainPeriod - 1, 0, 10, 100},
		{retainPeriod, 0, 10, 100}, // the second period
		{retainPeriod + 1, 50, 10, 100},
		{2 * retainPeriod, 0, 10, 50}, // the third period
		{4*retainPeriod - 1, 0, 20, 20},
		{8 * retainPeriod, 0, 5, 5},
		{8*retainPeriod + 1, 0, 7, 7},
	} {
		r.note(step.note)
		if got := r.peak(step.used, begin.Add(step.after)); got != step.want {
			t.Errorf("after %v the most memory is %d, want %d", step.after, got, step.want)
		}
	}
}

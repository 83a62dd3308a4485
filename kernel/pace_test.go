package kernel

import (
	"testing"
	"time"
)

// TestPacer has cells that send as fast as they may, one after the other or with pauses: within any 3 seconds there are at most 3000
// messages, and a cell that sends few never waits.
func TestPacer(t *testing.T) {
	for name, tt := range map[string]struct {
		messages int
		pause    func(i int) time.Duration
		waits    bool
	}{
		"flood":           {20_000, func(int) time.Duration { return 0 }, true},
		"bursts":          {20_000, func(i int) time.Duration { return time.Duration(i%2000/1999) * 10 * time.Second }, true},
		"burst and drips": {20_000, func(i int) time.Duration { return time.Duration(min(i/1000, 1)) * time.Millisecond }, true},
		"400 per second":  {20_000, func(int) time.Duration { return 2500 * time.Microsecond }, false},
		"few":             {paceBurst, func(int) time.Duration { return 0 }, false},
	} {
		t.Run(name, func(t *testing.T) {
			var p pacer
			now, waited := time.Unix(1e9, 0), time.Duration(0)
			var sent []time.Time
			for i := range tt.messages {
				wait := p.wait(now)
				now, waited = now.Add(wait), waited+wait
				p.take()
				sent = append(sent, now)
				if first := i - 3000; first >= 0 && now.Sub(sent[first]) <= 3*time.Second {
					t.Fatalf("messages %d to %d within %v", first, i, now.Sub(sent[first]))
				}
				now = now.Add(tt.pause(i))
			}
			if (waited > 0) != tt.waits {
				t.Errorf("waited %v in total, want any: %v", waited, tt.waits)
			}
		})
	}
	var p pacer
	for range paceBurst {
		p.take()
	}
	p.last = time.Unix(1e9, 0)
	if p.wait(p.last) == 0 {
		t.Error("no wait after a burst")
	}
	if p.reset(); p.wait(p.last) != 0 {
		t.Error("the next cell waits for messages of the last one")
	}
}

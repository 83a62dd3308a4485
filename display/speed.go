package display

import (
	"math"
	"time"

	"github.com/gopherwarp/gopherwarp/internal/render"
)

// smoothing is the weight of the latest measurement in a rate; that of the earlier ones decreases exponentially.
const smoothing = 0.3

// A speed measures the rate of a meter.
type speed struct {
	began, last time.Time
	done        int64
	steps, time average
}

func (s *speed) begin(now time.Time) { s.began, s.last = now, now }

// take adds a measurement, fills in the time and the rate of a bar, and reports whether its number has changed. While the work runs, the
// rate is a moving average; at its end it is that of all of it.
func (s *speed) take(now time.Time, b *render.Bar) (changed bool) {
	b.Elapsed = now.Sub(s.began)
	changed = b.Done != s.done
	if steps, took := b.Done-s.done, now.Sub(s.last); steps > 0 && took > 0 {
		s.steps.add(float64(steps))
		s.time.add(took.Seconds())
		s.done, s.last = b.Done, now
	} else if steps < 0 {
		*s = speed{began: s.began, last: now, done: b.Done}
	}
	switch {
	case b.State == render.Running && s.time.count > 0:
		b.Rate = s.steps.value() / s.time.value()
	case b.State != render.Running && b.Elapsed > 0:
		b.Rate = float64(b.Done) / b.Elapsed.Seconds()
	}
	return changed
}

// An average is an exponential moving average, corrected for its beginning at 0.
type average struct {
	sum   float64
	count int
}

func (a *average) add(v float64) {
	a.sum = smoothing*v + (1-smoothing)*a.sum
	a.count++
}

func (a *average) value() float64 { return a.sum / (1 - math.Pow(1-smoothing, float64(a.count))) }

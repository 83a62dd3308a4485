package prof

import (
	"slices"
	"strings"
	"testing"
	"time"
)

func TestTimingText(t *testing.T) {
	timing := Timing{
		Median: 12345, Q1: 12000, Q3: 1e6, Min: 999, Hot: 9000, CPU: 2e9, Runs: 7, Stopped: "noise has settled",
		Bytes: 24690, Flops: 12345, Noise: 0.0123, CopyGBs: 4, Throttled: true,
	}
	text := timing.String()
	page := timing.MIMEBundle()["text/html"].(string)
	for _, want := range []string{"cold L2 cache", ">12.35 µs<", ">9 µs<", ">2 s<", ">50 %<", "7 runs, noise 1.2 %, stopped", "heat, power"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page is %q, want %q in it", page, want)
		}
	}
	if page := (Timing{Median: 5, Runs: 1}).MIMEBundle()["text/html"].(string); strings.Contains(page, "GB/s") || strings.Contains(page, "of a copy") {
		t.Errorf("a page without rates is %q", page)
	}
	if want := "median 12.35 µs cold (quartiles 12 µs to 1 ms, min 999 ns), 2 GB/s (50 % of the rate of a copy), 1 GFLOP/s\n" +
		"  back to back 9 µs, with what fits in the L2 cache\n" +
		"  CPU 2 s; 7 runs, noise 1.2 %, stopped: noise has settled\n" +
		"  the device runs below three quarters of its clock rate (heat, power), so it can be faster"; text != want {
		t.Errorf("got %q, want %q", text, want)
	}
}

func TestTimingNoise(t *testing.T) {
	for noise, want := range map[float64]string{0.5: "noise 50 %", 4.4: "some of them far longer than the others"} {
		if text := (Timing{Noise: noise}).String(); !strings.Contains(text, "0 runs, "+want) {
			t.Errorf("noise %v: got %q, want %q", noise, text, want)
		}
	}
}

func TestStopRule(t *testing.T) {
	steady := slices.Repeat([]time.Duration{1000}, 10)
	wild := slices.Repeat([]time.Duration{1000, 2000}, 10)
	for name, c := range map[string]struct {
		times   []time.Duration
		elapsed time.Duration
		batches int // before, with the same times
		want    string
	}{
		"steady":         {steady, time.Second, 0, "noise is at most 0.5 %"},
		"too few":        {steady[:9], time.Minute, 0, ""},
		"too soon":       {steady, time.Millisecond, 0, ""},
		"noisy":          {wild, time.Second, 0, ""},
		"settled":        {wild, time.Second, 7, "noise has settled"},
		"time is up":     {wild, 5 * time.Second, 0, "reached the maximum of 5 s"},
		"many, too soon": {slices.Repeat(steady, 1000), 0, 0, "reached the maximum of runs"},
	} {
		r := newStopRule(false)
		for range c.batches {
			if r.done(c.times, time.Second) != "" {
				t.Errorf("%s: done too soon", name)
			}
		}
		if got := r.done(c.times, c.elapsed); got != c.want {
			t.Errorf("%s: stopped as %q, want %q", name, got, c.want)
		}
	}
	r := newStopRule(true)
	if got := r.done(wild, time.Second); got != "reached the maximum of 1 s" {
		t.Errorf("the simulator stopped as %q", got)
	}
	if got := scatter([]time.Duration{1, 3}); got < 0.707 || got > 0.7072 {
		t.Errorf("1 and 3 scatter by %v", got)
	}
	if scatter(nil) != 0 || scatter([]time.Duration{0, 0}) != 0 {
		t.Error("nothing scatters")
	}
}

func TestQuantile(t *testing.T) {
	list := []time.Duration{10, 20, 30, 40}
	for q, want := range map[float64]time.Duration{0: 10, 0.25: 17, 0.5: 25, 1: 40} {
		if got := quantile(list, q); got != want {
			t.Errorf("quantile %v is %v, want %v", q, got, want)
		}
	}
	if got := quantile(nil, 0.5); got != 0 {
		t.Errorf("of nothing: %v", got)
	}
}

package display

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"github.com/gopherwarp/gopherwarp/internal/cellruntime/cell"
	"github.com/gopherwarp/gopherwarp/internal/render"
)

// The rates and times left are those of tqdm 4.67 for the same steps.
func TestSpeed(t *testing.T) {
	var s speed
	now := time.Now()
	s.begin(now)
	done := int64(0)
	for _, tc := range []struct {
		steps      int64
		took       time.Duration
		rate, left float64
	}{
		{10, 100 * time.Millisecond, 100, 9.9},
		{30, 100 * time.Millisecond, 217.647058824, 4.41081081081},
		{5, 200 * time.Millisecond, 96.8652037618, 9.85906148867},
		{1, 4 * time.Second, 5.3583690479, 178.039248785},
		{100, 500 * time.Millisecond, 33.515801534, 25.4805184693},
		{100, 500 * time.Millisecond, 62.0290626519, 12.1555923589},
	} {
		done, now = done+tc.steps, now.Add(tc.took)
		b := &render.Bar{Done: done, Total: 1000}
		s.take(now, b)
		if math.Abs(b.Rate-tc.rate) > 1e-8*tc.rate || math.Abs(b.Left().Seconds()-tc.left) > 1e-6 {
			t.Errorf("after %d: %v/s, %v left, want %v and %v", done, b.Rate, b.Left(), tc.rate, tc.left)
		}
	}
	if b := (&render.Bar{Done: done, State: render.Finished}); s.take(now, b) || math.Abs(b.Rate-246/5.4) > 1e-6 {
		t.Errorf("at the end %v/s, want the mean of all", b.Rate)
	}
}

// lastOf calls f, and returns the last text of each area that it has shown.
func lastOf(t *testing.T, f func()) (last []string) {
	t.Helper()
	h := &lockedFront{}
	cell.SetHost(h)
	defer cell.SetHost(nil)
	f()
	h.mu.Lock()
	defer h.mu.Unlock()
	index := map[string]int{}
	for i, id := range h.ids {
		id, update := strings.CutSuffix(id, "!")
		if _, known := index[id]; known != update {
			t.Errorf("update is %v of a known area: %v", update, known)
		}
		if !update {
			index[id] = len(last)
			last = append(last, "")
		}
		last[index[id]] = h.shown[i]["text/plain"].(string)
	}
	return last
}

type lockedFront struct {
	front
	mu sync.Mutex
}

func (f *lockedFront) Display(mime, metadata map[string]any, id string, update bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.front.Display(mime, metadata, id, update)
}

func TestProgress(t *testing.T) {
	for _, tc := range []struct {
		name, want string
		run        func()
	}{
		{"a loop", "train  |████████████████████████|  100 %, 5 of 5, ", func() {
			sum := 0
			for i := range Progress(5, "train") {
				sum += i
			}
			if sum != 10 {
				t.Errorf("the sum is %d", sum)
			}
		}},
		{"a loop that is left", "|████▊                   |   20 %, 1 of 5, stopped after ", func() {
			for i := range Progress(5) {
				if i == 1 {
					break
				}
			}
		}},
		{"a panic", "|                        |    0 %, 0 of 5, stopped after ", func() {
			defer func() { _ = recover() }()
			for range Progress(5) {
				panic("here")
			}
		}},
		{"no steps", "|████████████████████████|  0, ", func() {
			for range Progress(-3) {
				t.Error("a step")
			}
		}},
		{"a list", "100 %, 2 of 2", func() {
			for i, s := range ProgressOf([]string{"a", "b"}) {
				if s != string(rune('a'+i)) {
					t.Errorf("%d is %s", i, s)
				}
			}
		}},
		{"a loop in a loop", "out  |████████████████████████|  100 %, 3 of 3, ", func() {
			for range Progress(3, "out") {
				for range Progress(2, "in") {
					continue
				}
			}
		}},
		{"a reader", "|████████████████████████|  100 %, 2.0 KiB of 2.0 KiB, ", func() {
			all, err := io.ReadAll(ProgressReader(strings.NewReader(strings.Repeat("x", 2048)), 2048))
			if len(all) != 2048 || err != nil {
				t.Errorf("%d bytes, %v", len(all), err)
			}
		}},
		{"a reader of unknown size", "3 B, ", func() { _, _ = io.ReadAll(ProgressReader(strings.NewReader("abc"), 0)) }},
		{"a reader that fails", "stopped after ", func() { _, _ = io.ReadAll(ProgressReader(iotest.ErrReader(errors.New("broken")), 9)) }},
		{"a writer", "file  |████████████            |   50 %, 3 B of 6 B, ", func() {
			w := ProgressWriter(io.Discard, 6, "file")
			_, _ = io.WriteString(w, "abc")
			w.Close()
		}},
		{"a closed meter", "100 %, 7 of 7, ", func() {
			m := NewMeter(7)
			m.Set(7)
			m.Close()
			m.Stop()
			m.Close()
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			last := lastOf(t, tc.run)
			if len(last) != 1 || !strings.Contains(last[0], tc.want) || strings.Contains(last[0], "\n") {
				t.Errorf("%q, want one with %q", last, tc.want)
			}
		})
	}
}

// TestProgressOfGoroutines counts from several goroutines, whose bars are shown one below the other.
func TestProgressOfGoroutines(t *testing.T) {
	last := lastOf(t, func() {
		var all sync.WaitGroup
		begun := make(chan *Meter, 4)
		for i := range 4 {
			all.Go(func() {
				m := NewMeter(1000, fmt.Sprint(i))
				begun <- m
				for range 1000 {
					m.Add(1)
				}
			})
		}
		all.Wait()
		close(begun)
		for m := range begun {
			m.Close()
		}
	})
	if len(last) != 1 || strings.Count(last[0], "1000 of 1000") < 1 {
		t.Errorf("%q", last)
	}
}

// TestProgressInTime waits until a bar shows what was counted in the meantime.
func TestProgressInTime(t *testing.T) {
	h := &lockedFront{}
	cell.SetHost(h)
	defer cell.SetHost(nil)
	m := NewMeter(4)
	defer m.Close()
	m.Add(3)
	deadline := time.Now().Add(10 * time.Second)
	for {
		h.mu.Lock()
		text := h.shown[len(h.shown)-1]["text/plain"].(string)
		h.mu.Unlock()
		if strings.Contains(text, "3 of 4") && strings.Contains(text, "/s") && strings.Contains(text, " left") {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("still %q", text)
		}
		time.Sleep(time.Millisecond)
	}
}

func TestProgressOutside(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	old := os.Stderr
	os.Stderr = w
	for range Progress(2, "a") {
		continue
	}
	os.Stderr = old
	w.Close()
	text, err := io.ReadAll(r)
	if got := string(text); err != nil || !strings.HasPrefix(got, "a  |████████████████████████|  100 %, 2 of 2") || strings.Count(got, "\n") != 1 {
		t.Errorf("%q %v", got, err)
	}
}

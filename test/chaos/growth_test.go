package chaos

import (
	"fmt"
	"os"
	"testing"

	"github.com/gopherwarp/gopherwarp/internal/memory"
)

const (
	// growthCells is the number of cells that a session runs. Memory is measured from the cell growthStart on, when
	// everything that is allocated once is there, after every growthStep cells.
	growthCells, growthStart, growthStep = 1000, 200, 20
	// maxGrowth is the maximum memory that a cell may add to the session and the kernel together, in bytes.
	maxGrowth = 25 << 10
)

// TestGrowth runs a thousand different cells in one session, and measures the memory that each adds.
func TestGrowth(t *testing.T) {
	if os.Getenv(stepsEnv) == "" {
		t.Skip("SKIPPED: takes minutes: run make chaos")
	}
	w := newWorld(t, 1)
	w.startKernel()
	w.succeeds("sum := 0")
	var session, kernel trend
	measure := func(cells int) {
		w.succeeds("debug.FreeOSMemory();")
		session.add(float64(cells), float64(memory.Resident(w.find("gopherwarp-session"))))
		kernel.add(float64(cells), float64(memory.Resident(w.kernel.Process.Pid)))
	}
	for i := range growthCells {
		if i >= growthStart && i%growthStep == 0 {
			measure(i)
		}
		switch i % 4 {
		case 0:
			w.succeeds(fmt.Sprintf("x%d := %d\nsum += x%d", i, i, i))
		case 1:
			w.succeeds(fmt.Sprintf("func f%d(n int) int { return n + %d }\nsum = f%d(sum)", i, i, i))
		case 2:
			w.succeeds(fmt.Sprintf("type t%d struct{ a, b int }\nfmt.Println(t%d{%d, sum})", i, i, i))
		case 3:
			w.succeeds(fmt.Sprintf("for i := range 3 { fmt.Println(i, sum, %d) }", i))
		}
	}
	t.Logf("a cell adds %.1f KiB to the session and %.1f KiB to the kernel, without the code that is mapped from files",
		session.slope()/1024, kernel.slope()/1024)
	if session.slope()+kernel.slope() > maxGrowth {
		t.Errorf("together that is more than %d KiB", maxGrowth>>10)
	}
}

// A trend is a linear regression. Single measurements of memory differ by some megabytes, which the garbage collector has
// not yet freed.
type trend struct{ n, x, y, xx, xy float64 }

func (t *trend) add(x, y float64) {
	t.n++
	t.x += x
	t.y += y
	t.xx += x * x
	t.xy += x * y
}

func (t *trend) slope() float64 { return (t.n*t.xy - t.x*t.y) / (t.n*t.xx - t.x*t.x) }

func TestTrend(t *testing.T) {
	var line trend
	for x := range 10 {
		line.add(float64(x), 3*float64(x)+7+float64(x%2))
	}
	if got := line.slope(); got < 3 || got > 3.1 {
		t.Errorf("the slope is %v, want that of 3x+7", got)
	}
}

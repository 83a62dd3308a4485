package chaos

import (
	"fmt"
	"os"
	"testing"

	"github.com/gopherwarp/gopherwarp/internal/memory"
)

const (
	// growthCells is how many cells a session runs, and growthStart from which on it is measured: by then
	// everything that comes once is there.
	growthCells, growthStart = 1000, 200
	// maxGrowth is what a cell may add to the session and the kernel together, in bytes.
	maxGrowth = 25 << 10
)

// TestGrowth runs a thousand different cells in one session, and looks at the memory that each adds.
func TestGrowth(t *testing.T) {
	if os.Getenv(stepsEnv) == "" {
		t.Skip("takes minutes: run make chaos")
	}
	w := newWorld(t, 1)
	w.startKernel()
	w.succeeds("sum := 0")
	// Both give back what they do not use before they are measured: the session by this cell, the kernel as time passes.
	measured := func() (session, kernel int64) {
		w.succeeds("debug.FreeOSMemory();")
		return memory.Resident(w.find("gopherwarp-session")), memory.Resident(w.kernel.Process.Pid)
	}
	var session, kernel int64
	for i := range growthCells {
		if i == growthStart {
			session, kernel = measured()
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
	sessionEnd, kernelEnd := measured()
	n := int64(growthCells - growthStart)
	perSession, perKernel := (sessionEnd-session)/n, (kernelEnd-kernel)/n
	t.Logf("a cell adds %.1f KiB to the session and %.1f KiB to the kernel, without the code that is mapped from files", float64(perSession)/1024, float64(perKernel)/1024)
	if perSession+perKernel > maxGrowth {
		t.Errorf("together that is more than %d KiB", maxGrowth>>10)
	}
}

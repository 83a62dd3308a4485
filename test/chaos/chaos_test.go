package chaos

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"syscall"
	"testing"
	"time"
)

const (
	// seedEnv and stepsEnv select the run: the same seed gives the same steps.
	seedEnv, stepsEnv = "GOPHERWARP_SEED", "GOPHERWARP_STEPS"
	// onlyEnv has the names of the steps to take, separated by commas; by default all steps.
	onlyEnv  = "GOPHERWARP_ONLY"
	fewSteps = 6
	// maxDisk is the size of the file system for temporary files, in bytes.
	maxDisk = 768 << 20
	// The maximum number of descriptors and megabytes of the kernel process: guests have a descriptor each, and pending
	// output for clients that do not read is bounded.
	maxDescriptors, maxMegabytes = 100, 400
)

// TestChaos disturbs a notebook at each step, and then compares it with the model.
func TestChaos(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: disturbs a notebook for minutes; run the tests without -short")
	}
	seed, count := number(seedEnv, 1), number(stepsEnv, fewSteps)
	w := newWorld(t, uint64(seed))
	if os.Geteuid() == 0 {
		if err := syscall.Mount("tmpfs", w.tmp, "tmpfs", 0, fmt.Sprintf("size=%d,mode=0700", maxDisk)); err == nil {
			t.Cleanup(func() { _ = syscall.Unmount(w.tmp, syscall.MNT_DETACH) })
		} else {
			t.Logf("the disk is not filled: %v", err)
		}
	}
	w.startKernel()
	w.succeeds("1;")
	from := chosen()
	for i := range count {
		s := w.next(from)
		start := time.Now()
		s.do(w)
		w.counts[s.name]++
		w.compare()
		l := w.settle()
		t.Logf("step %d: %s, %.1f s", i+1, s.name, time.Since(start).Seconds())
		w.most.max(l)
		if l.descriptors > maxDescriptors || l.megabytes > maxMegabytes {
			t.Fatalf("the kernel has %d descriptors and takes %d MB", l.descriptors, l.megabytes)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(w.counts)) {
		t.Logf("%-16s %d", name, w.counts[name])
	}
	t.Logf("seed %d, %d steps; at most %d processes, %d folders, %d descriptors and %d MB of the kernel",
		seed, count, w.most.processes, w.most.folders, w.most.descriptors, w.most.megabytes)
}

func number(env string, otherwise int) int {
	if n, err := strconv.Atoi(os.Getenv(env)); err == nil {
		return n
	}
	return otherwise
}

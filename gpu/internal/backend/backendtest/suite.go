package backendtest

import (
	"os"
	"runtime"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// Run runs the tests on the backend's first device. It skips them if there is none.
//
// Some of the tests need a process of their own: they start the test binary again, with only the calling test. So Run must be
// called from a test function, not from a subtest, and at most once in each.
func Run(t *testing.T, b backend.Backend) {
	if role := os.Getenv(roleVariable); role != "" {
		playRole(t, b, role)
		return
	}
	n, err := b.Count()
	if n == 0 {
		t.Skipf("SKIPPED: backend %s has no device here: %v", b.Name(), err)
	}
	if err != nil {
		t.Fatalf("Count: %d devices and the error %v", n, err)
	}
	s := &suite{b: b, root: t.Name()}
	for _, tt := range []struct {
		name string
		run  func(*testing.T, *suite)
	}{
		{"Open", testOpen},
		{"Properties", testProperties},
		{"Chunks", testChunks},
		{"ChunkInNewProcess", testChunkInNewProcess},
		{"Copies", testCopies},
		{"Fill", testFill},
		{"Rects", testRects},
		{"Modules", testModules},
		{"CompileErrors", testCompileErrors},
		{"Warnings", testWarnings},
		{"Options", testOptions},
		{"Symbols", testSymbols},
		{"Occupancy", testOccupancy},
		{"Graphs", testGraphs},
		{"Marks", testMarks},
		{"Special", testSpecialLaunches},
		{"Kernels", testKernels},
		{"Corpus", testCorpus},
		{"Parameters", testParameters},
		{"Printf", testPrintf},
		{"LaunchLimits", testLaunchLimits},
		{"Streams", testStreams},
		{"Events", testEvents},
		{"Waits", testWaits},
		{"Faults", testFaults},
	} {
		t.Run(tt.name, func(t *testing.T) {
			onThread(func() { tt.run(t, s) })
		})
	}
}

type suite struct {
	b    backend.Backend
	root string // the test that called Run
}

func testOpen(t *testing.T, s *suite) {
	n, err := s.b.Count()
	try(t, err)
	for _, ordinal := range []int{-1, n} {
		if d, err := s.b.Open(ordinal); err == nil {
			t.Errorf("device %d of %d could be opened", ordinal, n)
			d.Close()
		}
	}
}

func testProperties(t *testing.T, s *suite) {
	r := newRig(t, s)
	p := r.d.Properties()
	for name, value := range map[string]int{
		"ComputeMajor": p.ComputeMajor, "MultiProcessorCount": p.MultiProcessorCount, "WarpSize": p.WarpSize - 31,
		"MaxThreadsPerBlock": p.MaxThreadsPerBlock - 255, "MaxBlockDim[2]": p.MaxBlockDim[2], "MaxGridDim[2]": p.MaxGridDim[2],
		"SharedMemPerBlock": p.SharedMemPerBlock, "SharedMemPerBlockOptin": p.SharedMemPerBlockOptin - p.SharedMemPerBlock + 1,
		"MaxThreadsPerMultiProcessor": p.MaxThreadsPerMultiProcessor, "RegistersPerBlock": p.RegistersPerBlock,
	} {
		if value <= 0 {
			t.Errorf("%s is too small: %+v", name, p)
		}
	}
	if p.Name == "" || p.Simulated != (s.b.Name() == "sim") {
		t.Errorf("name and kind do not fit backend %s: %+v", s.b.Name(), p)
	}
	free, total, err := r.d.MemInfo()
	try(t, err)
	if free == 0 || free > total || total != p.TotalMemory {
		t.Errorf("%d bytes free of %d, and TotalMemory %d", free, total, p.TotalMemory)
	}
}

// onThread runs f on one OS thread: a device can be used only on the thread that opened it.
func onThread(f func()) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	f()
}

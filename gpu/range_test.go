package gpu_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	. "github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/gpu/prof"
	"github.com/gopherwarp/gopherwarp/internal/gpuhooks"
)

func init() {
	sessions["ranges"] = func() {
		gpuhooks.Warm()
		succeed(Sync())
		x := ToDevice([]int32{1})
		outer := prof.Range("outer")
		inner := prof.Range("inner")
		x.Fill(3)
		outer()
		outer() // a second time is nothing
		inner()
		succeed(Sync())
		fmt.Println(os.Getpid(), Status()[0].Pid)
	}
}

// A profiler is told of ranges by the process whose kernels they are about.
func TestRangesReachNVTXTools(t *testing.T) {
	gxx, err := exec.LookPath("g++")
	if err != nil {
		t.Skip("SKIPPED: the test's profiler needs g++: apt install g++")
	}
	dir := t.TempDir()
	tool, log := filepath.Join(dir, "tool.so"), filepath.Join(dir, "log")
	if out, err := exec.Command(gxx, "-shared", "-fPIC", "-o", tool, "testdata/nvtxtool.cpp").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	run := func(library string) (stdout, stderr string) {
		t.Helper()
		cmd := session("ranges")
		var errs strings.Builder
		cmd.Stderr = &errs
		cmd.Env = append(os.Environ(), NVTXVariable+"="+library, "NVTX_TEST_LOG="+log)
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%v\n%s", err, errs.String())
		}
		return string(out), errs.String()
	}
	out, stderr := run(tool)
	var self, pid int
	if _, err := fmt.Sscan(out, &self, &pid); err != nil || stderr != "" {
		t.Fatalf("%q, %q, %v", out, stderr, err)
	}
	got, err := os.ReadFile(log)
	want := fmt.Sprintf("%[1]d start outer 1\n%[1]d start inner 2\n%[1]d end 1\n%[1]d end 2\n", pid)
	if err != nil || string(got) != want {
		t.Errorf("the profiler was told %q, %v, want %q", got, err, want)
	}
	// Without a profiler all is as ever, and one that is not there is worth a line.
	if _, stderr := run(""); stderr != "" {
		t.Errorf("without a profiler: %q", stderr)
	}
	if _, stderr := run("/nowhere/tool.so"); !strings.Contains(stderr, NVTXVariable) || strings.Count(stderr, "\n") != 1 {
		t.Errorf("with a missing one: %q", stderr)
	}
}

// A range that nobody wants to know of costs next to nothing.
func TestRangeWithoutProfile(t *testing.T) {
	fresh(t)
	if n := testing.AllocsPerRun(100, func() { prof.Range("nothing")() }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

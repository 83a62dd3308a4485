package e2e

import (
	"encoding/json"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gopherwarp/gopherwarp/internal/top"
	"github.com/gopherwarp/gopherwarp/kernel"
)

// listed returns what "gopherwarp top" says of the kernels that run in a directory.
func listed(t *testing.T, dir string) []top.Kernel {
	t.Helper()
	out, err := exec.Command(program, "top", "--json").Output()
	if err != nil {
		t.Fatal(err)
	}
	var all []top.Kernel
	if err := json.Unmarshal(out, &all); err != nil {
		t.Fatalf("%v in %s", err, out)
	}
	return slices.DeleteFunc(all, func(k top.Kernel) bool { return k.Notebook != dir })
}

// TestTop finds a kernel, whether it is busy, and its device, which is suspended when it is idle and keeps what is on it.
func TestTop(t *testing.T) {
	t.Parallel()
	n := open(t, "GOPHERWARP_GPU_IDLE=200ms")
	dir := n.run("must(os.Getwd())").result
	dir = strings.Trim(dir, `"`)
	until := func(what string, ok func(k top.Kernel) bool) {
		t.Helper()
		for begin := time.Now(); ; time.Sleep(20 * time.Millisecond) {
			list := listed(t, dir)
			if len(list) == 1 && ok(list[0]) {
				return
			}
			if time.Since(begin) > time.Minute {
				t.Fatalf("%s: %+v", what, list)
			}
		}
	}
	until("idle", func(k top.Kernel) bool {
		return !k.Busy && k.User != "" && time.Since(k.Since) < time.Minute && k.Memory > 1<<20 && k.Processes > 1
	})
	n.run("x := gpu.ToDevice([]float32{1, 2, 3})")
	until("suspended", func(k top.Kernel) bool {
		return len(k.Devices) == 1 && k.Devices[0].Name == "sim" && k.Devices[0].Reserved == 0
	})
	n.gives("x.ToHost()", "[1 2 3]")
	n.gives("gpu.Status()[0].Starts > 1", "true")

	out, err := exec.Command(program, "top").Output()
	if text := string(out); err != nil || !strings.Contains(text, "NOTEBOOK") || !strings.Contains(text, dir) {
		t.Errorf("%v, %s", err, text)
	}
	go func() {
		_, _ = n.Execute(t.Context(), kernel.ExecuteRequest{Code: "for { x.ToHost(); time.Sleep(time.Millisecond) }"})
	}()
	until("busy with a device", func(k top.Kernel) bool { return k.Busy && len(k.Devices) == 1 && k.Devices[0].Reserved > 0 })
	_ = n.Interrupt(t.Context())
}

func TestBadLimitsOfDevices(t *testing.T) {
	t.Parallel()
	n := open(t, "GOPHERWARP_GPU_MEMORY=lots")
	n.fails("gpu.Zeros[byte](1)", `GOPHERWARP_GPU_MEMORY: "lots" is no limit of memory`)
}

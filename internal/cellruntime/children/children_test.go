package children

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestEnd(t *testing.T) {
	entry := fmt.Sprintf("CHILDREN_TEST=%d %d", os.Getpid(), time.Now().UnixNano())
	// A child, a grandchild whose parent has exited, one in its own process group, and two in their own sessions.
	script := `sleep 1000 & (sleep 1001 &) ; set -m; sleep 1002 & setsid sleep 1003 & setsid setsid sleep 1004 & wait`
	cmd := exec.Command("bash", "-c", script)
	cmd.Env = append(os.Environ(), entry)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	other := exec.Command("sleep", "1005")
	other.Env = append(os.Environ(), entry+"0")
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, c := range []*exec.Cmd{cmd, other} {
			_ = c.Process.Kill()
			_ = c.Wait()
		}
		for _, p := range marked(entry) {
			if process, err := os.FindProcess(p.PID); err == nil {
				_ = process.Kill()
			}
		}
	})
	sleeping := func() (n int) {
		for _, p := range marked(entry) {
			if p.Name == "sleep" {
				n++
			}
		}
		return n
	}
	for deadline := time.Now().Add(time.Minute); sleeping() < 5; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("started: %v", marked(entry))
		}
	}
	if of := Of(cmd.Process.Pid); len(of) < 2 || !slices.ContainsFunc(of, func(p Process) bool { return p.Name == "sleep" }) {
		t.Errorf("children: %v", of)
	}
	left := End(entry, OwnSession())
	if len(left) != 2 || !strings.HasPrefix(left[0].String(), "sleep (process ") {
		t.Errorf("left: %v", left)
	}
	for deadline := time.Now().Add(time.Minute); len(marked(entry)) > 2; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("alive: %v", marked(entry))
		}
	}
	if p, err := look(other.Process.Pid); err != nil || p.state == 'Z' {
		t.Errorf("a stranger was ended: %v, %v", p, err)
	}
}

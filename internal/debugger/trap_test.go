package debugger

import (
	"os/exec"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestTrapPending sends a SIGTRAP to a process while it is stopped.
func TestTrapPending(t *testing.T) {
	cmd := exec.Command("sleep", "60")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}()
	pid := cmd.Process.Pid
	if trapPending(pid) {
		t.Error("a trap is pending before any was sent")
	}
	// A stopped process is given signals when it continues.
	if err := unix.Kill(pid, unix.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	var status unix.WaitStatus
	if _, err := unix.Wait4(pid, &status, unix.WUNTRACED, nil); err != nil || !status.Stopped() {
		t.Fatalf("sleep did not stop: %v, %v", status, err)
	}
	if err := unix.Kill(pid, unix.SIGTRAP); err != nil {
		t.Fatal(err)
	}
	if !trapPending(pid) {
		t.Error("no trap is pending after one was sent")
	}
	if err := unix.Kill(pid, unix.SIGCONT); err != nil {
		t.Fatal(err)
	}
	var ended unix.WaitStatus
	for deadline := time.Now().Add(time.Minute); !ended.Signaled(); time.Sleep(time.Millisecond) {
		if _, err := unix.Wait4(pid, &ended, unix.WNOHANG, nil); err != nil || time.Now().After(deadline) {
			t.Fatalf("sleep did not end by the signal: %v, %v", ended, err)
		}
	}
	if ended.Signal() != unix.SIGTRAP {
		t.Errorf("sleep ended by %v", ended.Signal())
	}
}

func TestPendingSignals(t *testing.T) {
	for status, want := range map[string]uint64{
		"": 0,
		"Name:\tx\nSigPnd:\t0000000000000000\nShdPnd:\t0000000000000000\n": 0,
		"SigPnd:\t0000000000000010\nShdPnd:\t0000000000000000\n":           1 << (syscall.SIGTRAP - 1),
		"SigPnd:\t0000000000000000\nShdPnd:\t0000000000040010\n":           1<<(syscall.SIGTRAP-1) | 1<<(syscall.SIGSTOP-1),
		"SigQ:\t10/16\nSigBlk:\t0000000000000010\n":                        0,
	} {
		if got := pendingSignals([]byte(status)); got != want {
			t.Errorf("%q: %x, want %x", status, got, want)
		}
	}
}

package debugger

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

// trapPending reports whether a SIGTRAP has been sent to a process or to one of its threads and not been delivered yet. Without
// a debugger it would end the process.
func trapPending(pid int) bool {
	threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/status", pid))
	for _, path := range threads {
		status, _ := os.ReadFile(path) // fails if the thread has ended
		if pendingSignals(status)&(1<<(syscall.SIGTRAP-1)) != 0 {
			return true
		}
	}
	return false
}

// pendingSignals returns the set of signals that are pending for a thread or its process, by the thread's status file: bit i is
// signal i+1. See proc_pid_status(5).
func pendingSignals(status []byte) (set uint64) {
	for line := range bytes.Lines(status) {
		name, value, _ := bytes.Cut(line, []byte(":"))
		if string(name) == "SigPnd" || string(name) == "ShdPnd" {
			signals, _ := strconv.ParseUint(string(bytes.TrimSpace(value)), 16, 64)
			set |= signals
		}
	}
	return set
}

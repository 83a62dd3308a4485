package memory

import (
	"fmt"
	"os"
)

// Resident returns how many bytes of memory processes use, excluding mapped files. Shared memory is counted once.
// Processes that have exited are not counted.
func Resident(pids ...int) int64 {
	var own, shared int64
	for _, p := range pids {
		status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p))
		if err != nil {
			continue
		}
		anonymous, _ := field(string(status), "RssAnon:")
		common, _ := field(string(status), "RssShmem:")
		own += anonymous << 10
		shared = max(shared, common<<10)
	}
	return own + shared
}

// Proportional returns how many bytes of memory a process uses, with its share of what it shares with others (PSS), or 0 if that may not
// be read.
func Proportional(pid int) int64 {
	rollup, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", pid))
	if err != nil {
		return 0
	}
	kib, _ := field(string(rollup), "Pss:")
	return kib << 10
}

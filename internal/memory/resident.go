package memory

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Resident returns how many bytes of memory a process and those that it has started take, without the files that are mapped. Memory
// that they share counts once. What has ended meanwhile counts nothing.
func Resident(pid int) int64 { return resident(append(descendants(pid), pid)) }

// Own returns how many bytes a process takes itself, counted as by Resident.
func Own(pid int) int64 { return resident([]int{pid}) }

func resident(pids []int) int64 {
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

// descendants returns the children of a process, theirs, and so on.
func descendants(pid int) []int {
	var all []int
	// Each thread has the children that it has started.
	files, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	for _, file := range files {
		text, _ := os.ReadFile(file)
		for _, word := range strings.Fields(string(text)) {
			if child, err := strconv.Atoi(word); err == nil {
				all = append(append(all, child), descendants(child)...)
			}
		}
	}
	return all
}

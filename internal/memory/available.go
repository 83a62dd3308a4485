package memory

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Available returns how many bytes can be allocated without swapping: MemAvailable of the machine (proc(5)), or what the control
// groups of this process have left, if that is less.
func Available() (int64, error) {
	left, err := machine("/proc/meminfo")
	if err != nil {
		return 0, err
	}
	groups, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return left, nil // a kernel without control groups
	}
	for _, dir := range groupDirs("/sys/fs/cgroup", string(groups)) {
		if n, ok := groupAvailable(dir); ok {
			left = min(left, n)
		}
	}
	return left, nil
}

func machine(file string) (int64, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return 0, fmt.Errorf("read how much memory is available: %w", err)
	}
	kib, ok := field(string(text), "MemAvailable:")
	if !ok {
		return 0, fmt.Errorf("read how much memory is available: there is no MemAvailable in %s", file)
	}
	return kib << 10, nil
}

// field returns the number after the word at the beginning of a line.
func field(text, word string) (int64, bool) {
	for line := range strings.Lines(text) {
		if words := strings.Fields(line); len(words) > 1 && words[0] == word {
			n, err := strconv.ParseInt(words[1], 10, 64)
			return n, err == nil
		}
	}
	return 0, false
}

// groupDirs returns the directories of the memory groups in /proc/self/cgroup and of their parents, each of which can have a limit.
// In a container the path may be the host's, which does not exist there, so the mounted root is always included.
func groupDirs(root, groups string) []string {
	var dirs []string
	for line := range strings.Lines(groups) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3) // cgroups(7): number, controllers, path
		if len(parts) != 3 {
			continue
		}
		top := root // version 2
		if parts[1] != "" {
			if !strings.Contains(","+parts[1]+",", ",memory,") {
				continue
			}
			top = filepath.Join(root, "memory")
		}
		for path := filepath.Clean("/" + parts[2]); ; path = filepath.Dir(path) {
			dirs = append(dirs, filepath.Join(top, path))
			if path == "/" {
				break
			}
		}
	}
	return dirs
}

// groupAvailable returns how many bytes a group has left. It returns false for a group without a limit.
func groupAvailable(dir string) (int64, bool) {
	for _, names := range [][3]string{
		{"memory.max", "memory.current", "inactive_file"},                         // version 2
		{"memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"}, // version 1
	} {
		limit, err := number(filepath.Join(dir, names[0]))
		if err != nil {
			continue // does not exist, or is "max"
		}
		used, err := number(filepath.Join(dir, names[1]))
		if err != nil {
			continue
		}
		stat, _ := os.ReadFile(filepath.Join(dir, "memory.stat"))
		cached, _ := field(string(stat), names[2]) // the kernel can release it
		return max(0, limit-used+cached), true
	}
	return 0, false
}

func number(file string) (int64, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return 0, err
	}
	return strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
}

package sim

import (
	"math"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	hostmemory "github.com/gopherwarp/gopherwarp/internal/memory"
)

// hostMemory returns the size in bytes of the memory that this process may use.
func hostMemory() uint64 {
	var info unix.Sysinfo_t
	total := uint64(1 << 30)
	if unix.Sysinfo(&info) == nil {
		total = uint64(info.Totalram) * uint64(info.Unit)
	}
	// In a container the limit of the control group applies.
	if text, err := os.ReadFile("/sys/fs/cgroup/memory.max"); err == nil {
		if limit, err := strconv.ParseUint(strings.TrimSpace(string(text)), 10, 64); err == nil {
			total = min(total, limit)
		}
	}
	return total
}

// hostAvailable returns how many bytes of it can be allocated without swapping. If that is unknown, it returns the maximum,
// so that the device's own size is the only limit.
func hostAvailable() uint64 {
	n, err := hostmemory.Available()
	if err != nil {
		return math.MaxUint64
	}
	return uint64(n)
}

// l2CacheSize returns the L2 cache size of the first processor in bytes, or 0.
func l2CacheSize() int {
	text, err := os.ReadFile("/sys/devices/system/cpu/cpu0/cache/index2/size")
	if err != nil {
		return 0
	}
	kib, err := strconv.Atoi(strings.TrimSuffix(strings.TrimSpace(string(text)), "K"))
	if err != nil {
		return 0
	}
	return kib << 10
}

// clockRate returns the clock rate of the first processor in kHz, or 0.
func clockRate() int {
	text, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(text)) {
		if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == "cpu MHz" {
			mhz, _ := strconv.ParseFloat(strings.TrimSpace(value), 64)
			return int(mhz * 1000)
		}
	}
	return 0
}

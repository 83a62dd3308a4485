package gpuload

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"
)

// A Load is what is known of a device.
type Load struct {
	// Percent is how much of the time it was busy, or for a simulated one, how much of the processors it used; -1 if that is unknown.
	Percent int
	// Used and Total are bytes of its memory, that of all processes; 0 if unknown.
	Used, Total uint64
}

// A Meter measures devices. Its methods are safe for concurrent use.
type Meter struct {
	// Query returns what nvidia-smi prints about GPUs; nil runs it.
	Query func(ctx context.Context) (string, error)

	mu   sync.Mutex
	last map[int]sample // by process
}

// A sample is the processor time that a process had used.
type sample struct {
	at   time.Time
	used time.Duration
}

// Processors returns the load of a simulated device whose kernels a process runs, since the last call.
func (m *Meter) Processors(pid int, now time.Time) Load {
	used, ok := cpuTime(pid)
	if !ok {
		return Load{Percent: -1}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	before, known := m.last[pid]
	if m.last == nil || len(m.last) > 100 { // of processes that have exited
		m.last = map[int]sample{}
	}
	m.last[pid] = sample{now, used}
	passed := now.Sub(before.at) * time.Duration(runtime.NumCPU())
	if !known || passed <= 0 {
		return Load{Percent: 0}
	}
	return Load{Percent: min(100, int(100*(used-before.used)/passed))}
}

// ticks is the number of Linux's units of processor time in a second.
const ticks = 100

// cpuTime returns the processor time that a process has used.
func cpuTime(pid int) (time.Duration, bool) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, false
	}
	// The name, in parentheses, may contain spaces. utime and stime are the fields 14 and 15.
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	if len(fields) < 13 {
		return 0, false
	}
	var sum time.Duration
	for _, f := range fields[11:13] {
		n, err := strconv.ParseInt(f, 10, 64)
		if err != nil {
			return 0, false
		}
		sum += time.Duration(n) * time.Second / ticks
	}
	return sum, true
}

// queryTime is how long nvidia-smi may take.
const queryTime = 5 * time.Second

// GPUs returns the loads of the GPUs that nvidia-smi lists, by number. It is empty where that is missing.
func (m *Meter) GPUs(ctx context.Context) map[int]Load {
	query := m.Query
	if query == nil {
		query = nvidiaSMI
	}
	ctx, cancel := context.WithTimeout(ctx, queryTime)
	defer cancel()
	loads := map[int]Load{}
	text, err := query(ctx)
	if err != nil {
		return loads
	}
	for line := range strings.Lines(text) {
		if l, n, ok := parseGPU(line); ok {
			loads[n] = l
		}
	}
	return loads
}

func nvidiaSMI(ctx context.Context) (string, error) {
	out, err := exec.CommandContext(ctx, "nvidia-smi", "--query-gpu=index,utilization.gpu,memory.used,memory.total", "--format=csv,noheader,nounits").Output()
	return string(out), err
}

// parseGPU parses a line such as "0, 87, 1234, 81559", whose sizes are in MiB. What a GPU does not support is "[N/A]".
func parseGPU(line string) (l Load, ordinal int, ok bool) {
	fields := strings.Split(line, ",")
	if len(fields) != 4 {
		return l, 0, false
	}
	var n [4]int
	for i, f := range fields {
		var err error
		if n[i], err = strconv.Atoi(strings.TrimSpace(f)); err != nil || n[i] < 0 {
			n[i] = -1
		}
	}
	mib := func(n int) uint64 { return uint64(max(n, 0)) << 20 }
	return Load{Percent: n[1], Used: mib(n[2]), Total: mib(n[3])}, n[0], n[0] >= 0
}

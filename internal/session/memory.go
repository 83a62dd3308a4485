package session

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gopherwarp/gopherwarp/internal/cellruntime/children"
	"github.com/gopherwarp/gopherwarp/internal/cellruntime/proto"
	"github.com/gopherwarp/gopherwarp/internal/goroot"
	"github.com/gopherwarp/gopherwarp/internal/memory"
)

// MemoryEnv is the environment variable with the maximum memory of the session process and its child processes, as
// memory.ParseLimit reads it. It is read from the kernel process's environment or from Config.Env.
const MemoryEnv = "GOPHERWARP_MEMORY"

const (
	// fillRate is the maximum rate at which a process takes memory, in bytes per second: several threads fill new pages at
	// about 2 GB/s each.
	fillRate = 8e9
	// The process is checked again before it can have filled the memory that is left, but at intervals in these bounds.
	minInterval, maxInterval = 20 * time.Millisecond, 3 * time.Second
	// sizesTime is the maximum time to wait for the sizes of variables.
	sizesTime = time.Second
	// largest is the maximum number of variables in the message, and smallest their minimum share of the memory.
	largest, smallest = 3, 0.05
)

// memoryLimit returns the limit in an environment of the session process.
func memoryLimit(env []string) (memory.Limit, error) {
	limit, err := memory.ParseLimit(goroot.Lookup(env, MemoryEnv))
	if err != nil {
		return limit, fmt.Errorf("%s: %w, and start the kernel again", MemoryEnv, err)
	}
	return limit, nil
}

// heapEnv returns the environment variable for the maximum heap size of the session process.
func heapEnv(limit memory.Limit) []string {
	available, err := memory.Available()
	if err != nil || limit == (memory.Limit{}) {
		return nil
	}
	return []string{proto.MemoryEnv + "=" + strconv.FormatInt(limit.Of(0, available), 10)}
}

// watchMemory kills the process when it exceeds the limit, before Linux kills some process of the machine.
func (p *process) watchMemory(limit memory.Limit) {
	if limit == (memory.Limit{}) {
		return
	}
	look := time.NewTimer(minInterval)
	defer look.Stop()
	for {
		select {
		case <-p.exited:
			return
		case <-look.C:
		}
		available, err := memory.Available()
		if err != nil {
			return // no /proc
		}
		pids := []int{p.cmd.Process.Pid}
		for _, child := range children.Of(p.cmd.Process.Pid) {
			pids = append(pids, child.PID)
		}
		used := memory.Resident(pids...)
		left := limit.Of(used, available) - used
		if left < 0 {
			p.killForMemory(limit, used, available)
			return
		}
		next := time.Duration(float64(left) / fillRate * float64(time.Second))
		look.Reset(max(minInterval, min(next, maxInterval)))
	}
}

// killForMemory kills the process and reports its largest variables.
func (p *process) killForMemory(limit memory.Limit, used, available int64) {
	why := fmt.Sprintf("it took %s of memory, more than the %s of %s", byteText(used), byteText(limit.Bytes), MemoryEnv)
	if limit.Bytes == 0 {
		why = fmt.Sprintf("it took %s of memory, and %s were left for all else (%s sets another limit)", byteText(used), byteText(available), MemoryEnv)
	}
	p.mu.Lock()
	p.killed = why // also if answering the request kills it
	next := p.program
	p.mu.Unlock()
	large := "most of it the programs that it had started"
	if memory.Resident(p.cmd.Process.Pid) > used/2 {
		large = p.largeVariables(next, used)
	}
	if large != "" {
		why += "; " + large
	}
	p.kill(why)
}

// largeVariables returns a description of the largest variables, which it requests from the process.
func (p *process) largeVariables(program *program, used int64) string {
	if program == nil {
		return "" // no cell has run
	}
	names := program.variables()
	_, done, err := p.request(proto.Request{Op: proto.OpSizes, Variables: program.storage()})
	if err != nil {
		return ""
	}
	var sizes proto.Sizes
	select {
	case e := <-done:
		if json.Unmarshal(e.Data, &sizes) != nil || len(sizes) != len(names) {
			return ""
		}
	case <-p.exited:
		return ""
	case <-time.After(sizesTime):
		return ""
	}
	order := make([]int, len(names))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(sizes[b], sizes[a]) })
	var large []string
	for _, i := range order[:min(largest, len(order))] {
		if float64(sizes[i]) > smallest*float64(used) {
			large = append(large, fmt.Sprintf("%s has %s", names[i], byteText(sizes[i])))
		}
	}
	if len(large) == 0 {
		return "no variable of the session is large, so it is what the cell's own calls hold"
	}
	return strings.Join(large, ", ")
}

func byteText(n int64) string {
	if n < 1e9 {
		return fmt.Sprintf("%.0f MB", float64(n)/1e6)
	}
	return fmt.Sprintf("%.1f GB", float64(n)/1e9)
}

// setProgram sets the program for the time after the cell that is to be loaded.
func (p *process) setProgram(next *program) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.program = next
}

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

// MemoryEnv is the environment variable with the most memory that the session process and those that it starts may take, as
// memory.ParseLimit reads it. It is that of the kernel process, or one of Config.Env.
const MemoryEnv = "GOPHERWARP_MEMORY"

const (
	// fillRate is how fast a process can take memory, in bytes a second: several threads fill new pages at some 2 GB/s each.
	fillRate = 8e9
	// The process is looked at again before it can have filled what is left, but neither more nor less often than this.
	shortestLook, longestLook = 20 * time.Millisecond, 3 * time.Second
	// sizesTime is how long it may take to tell what is large.
	sizesTime = time.Second
	// largest is how many variables are named, if they take more than smallest of all bytes.
	largest, smallest = 3, 0.05
)

// memoryLimit reads the limit from the environment of the session process.
func memoryLimit(env []string) (memory.Limit, error) {
	limit, err := memory.ParseLimit(goroot.Lookup(env, MemoryEnv))
	if err != nil {
		return limit, fmt.Errorf("%s: %w, and start the kernel again", MemoryEnv, err)
	}
	return limit, nil
}

// heapEnv tells the session process how far its heap can grow.
func heapEnv(limit memory.Limit) []string {
	available, err := memory.Available()
	if err != nil || limit == (memory.Limit{}) {
		return nil
	}
	return []string{proto.MemoryEnv + "=" + strconv.FormatInt(limit.Of(0, available), 10)}
}

// watchMemory ends the process when it takes more than it may, before Linux ends some process of the machine.
func (p *process) watchMemory(limit memory.Limit) {
	if limit == (memory.Limit{}) {
		return
	}
	look := time.NewTimer(shortestLook)
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
			p.endForMemory(limit, used, available)
			return
		}
		next := time.Duration(float64(left) / fillRate * float64(time.Second))
		look.Reset(max(shortestLook, min(next, longestLook)))
	}
}

// endForMemory ends the process and tells what was large.
func (p *process) endForMemory(limit memory.Limit, used, available int64) {
	why := fmt.Sprintf("it took %s of memory, more than the %s of %s", byteText(used), byteText(limit.Bytes), MemoryEnv)
	if limit.Bytes == 0 {
		why = fmt.Sprintf("it took %s of memory, and %s were left for all else (%s sets another limit)", byteText(used), byteText(available), MemoryEnv)
	}
	p.mu.Lock()
	p.killed = why // also if it dies of being asked
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

// largeVariables asks for the variables that take most.
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

// setProgram says what the program is once the cell that is asked for is loaded.
func (p *process) setProgram(next *program) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.program = next
}

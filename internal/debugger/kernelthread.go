package debugger

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/google/go-dap"

	"github.com/gopherwarp/gopherwarp/internal/gokernel"
	"github.com/gopherwarp/gopherwarp/internal/session"
)

// A thread of a kernel that runs as plain Go is a goroutine whose labels for the profiler are a gothread.Thread. That begins with an address
// which tells whether breakpoints stop in it.
const (
	threadPackage = session.ModulePath + "/gpu/internal/gothread"
	labels        = "runtime.curg.labels"
	kindOfLabels  = "*(*uintptr)(" + labels + ")"
)

// ofThreads returns an expression for delve with two variables of package gothread.
func ofThreads(format string) string {
	variable := func(name string) string { return "`" + threadPackage + "`." + name }
	return fmt.Sprintf(format, variable("debuggerStops"), variable("debuggerPasses"))
}

// notPassing is the condition of a breakpoint that threads of kernels pass in which nothing stops.
var notPassing = ofThreads("(*uintptr)(" + labels + ") == nil || " + kindOfLabels + " != %[2]s")

// hasKernels reports whether a cell so far has a kernel in Go.
func (d *Debugger) hasKernels() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, text := range d.texts {
		if gokernel.Mentioned(text) {
			return true
		}
	}
	return false
}

// conditional returns breakpoints that threads of kernels pass in which nothing stops.
func (d *Debugger) conditional(list []dap.SourceBreakpoint) []dap.SourceBreakpoint {
	if !d.hasKernels() {
		return list
	}
	made := make([]dap.SourceBreakpoint, len(list))
	for i, b := range list {
		made[i] = b
		made[i].Condition = notPassing
		if b.Condition != "" {
			made[i].Condition = "(" + notPassing + ") && (" + b.Condition + ")"
		}
	}
	return made
}

// kernelThread returns the variables of the stopped thread of a kernel, or nil if none is stopped.
func (r *run) kernelThread(frame int) []dap.Variable {
	if !r.debugger.hasKernels() {
		return nil
	}
	is, err := r.value(ofThreads("(*uintptr)("+labels+") != nil && ("+kindOfLabels+" == %s || "+kindOfLabels+" == %s)"), frame)
	if err != nil || is.Value != "true" {
		return nil
	}
	var list []dap.Variable
	for _, v := range []struct{ name, field string }{
		{"gpu.BlockIdx()", "Block"}, {"gpu.ThreadIdx()", "ThreadIdx"}, {"gpu.LaneID()", "Lane"}, {"gpu.GridDim()", "Grid"}, {"gpu.BlockDim()", "BlockDim"},
	} {
		of, err := r.value(fmt.Sprintf("(*%q)(%s).%s", threadPackage+".Thread", labels, v.field), frame)
		if err != nil {
			continue
		}
		of.Name = v.name
		of.Type = strings.Replace(of.Type, threadPackage+".Dim", "gpu.Dim3", 1)
		of.Value = strings.Replace(of.Value, "gothread.Dim", "gpu.Dim3", 1)
		list = append(list, of)
	}
	return list
}

// runsThread reports whether a frame is that of the function which runs a thread of a kernel. Nothing of the user's is below.
func runsThread(f dap.StackFrame) bool { return strings.HasPrefix(f.Name, "gothread.Thread.run") }

// runsKernels reports whether a file has functions that run kernels as plain Go, or that they call.
func (r *run) runsKernels(file string) bool {
	dir, name := filepath.Split(file)
	return dir == filepath.Join(r.cell.Sources, "gpu", "internal", "gothread")+"/" || dir == filepath.Join(r.cell.Sources, "gpu")+"/" && name == "threads.go"
}

var (
	kernelStart = regexp.MustCompile(`(?m)^//gpu:kernel\b.*\n(?://.*\n)*func (\w+)`)
	inClosure   = regexp.MustCompile(`\.func\d+\.1$`)
)

// kernelName returns the kernel that has the line of a cell, if the name of a function is that of its body, and else the name.
func kernelName(name, text string, line int) string {
	if !inClosure.MatchString(name) {
		return name
	}
	lines := strings.SplitAfter(text, "\n")
	above := strings.Join(lines[:min(line, len(lines))], "")
	all := kernelStart.FindAllStringSubmatchIndex(above, -1)
	if len(all) == 0 {
		return name
	}
	last := all[len(all)-1]
	if strings.Contains(above[last[1]:], "\n}\n") {
		return name
	}
	return above[last[2]:last[3]]
}

package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gopherwarp/gopherwarp/kernel"
)

// arrayCells are kinds of cells, with new text for each i. The cells with arrays are compared with the first.
var arrayCells = []struct {
	what string
	code func(i int) string
}{
	{"x := 1", func(i int) string { return fmt.Sprintf("x%d := %[1]d", i) }},
	{"two arrays, sum", func(i int) string {
		return fmt.Sprintf("a%d := nd.Arange[float32](10); b%[1]d := a%[1]d.Add(a%[1]d); fmt.Println(b%[1]d.Sum())", i)
	}},
	{"an array of a slice", func(i int) string { return fmt.Sprintf("c%d := nd.FromSlice([]float32{1, %[1]d})", i) }},
	{"arrays of before", func(i int) string { return fmt.Sprintf("fmt.Println(first.Mul(first).AddScalar(%d).Sum())", i) }},
	{"product of matrices", func(i int) string {
		return fmt.Sprintf("p%d := nd.MatMul(nd.Ones[float32](2, 2), nd.Ones[float32](2, 2))", i)
	}},
	{"float64", func(i int) string { return fmt.Sprintf("d%d := nd.Zeros[float64](%[1]d).AddScalar(1)", i+1) }},
	{"a buffer", func(i int) string { return fmt.Sprintf("u%d := gpu.ToDevice([]float32{%[1]d})", i) }},
}

// measureArrays runs cells with and without arrays with several binaries in alternation. Processor time is that of the compiler and the
// linker: that of all programs which the kernel has started and waited for.
func measureArrays(ctx context.Context, binaries []string, repeats int) error {
	var benches []bench
	var kernels []int
	for _, binary := range binaries {
		process, err := kernel.Launch{Argv: []string{binary, "kernel", "-f", "{connection_file}"}, Log: os.Stderr}.Start(ctx)
		if err != nil {
			return err
		}
		defer process.Stop(context.WithoutCancel(ctx))
		pid, err := childOf(os.Getpid(), kernels)
		if err != nil {
			return err
		}
		b := bench{ctx: ctx, client: process.Client}
		if err := b.measureFirst(binary, pid); err != nil {
			return fmt.Errorf("with %s: %w", binary, err)
		}
		benches, kernels = append(benches, b), append(kernels, pid)
	}
	first := make([]time.Duration, len(benches))
	for k, kind := range arrayCells {
		times, before := make([][]time.Duration, len(benches)), make([]time.Duration, len(benches))
		for j, pid := range kernels {
			before[j] = waitedFor(pid)
		}
		for i := range repeats {
			for j, b := range benches {
				one, err := b.cells(1, "ok", func(int) string { return kind.code(1000*k + i) })
				if err != nil {
					return fmt.Errorf("with %s: %s: %w", binaries[j], kind.what, err)
				}
				times[j] = append(times[j], one...)
			}
		}
		for j, binary := range binaries {
			report(kind.what+", "+binary, times[j])
			each := (waitedFor(kernels[j]) - before[j]) / time.Duration(repeats)
			if k == 0 {
				first[j] = each
			}
			fmt.Printf("%-28s processor %7.1f ms, %7.1f more than the first kind\n", "", each.Seconds()*1e3, (each-first[j]).Seconds()*1e3)
		}
	}
	return nil
}

// measureFirst runs the first cells of a session, which link what it has not loaded, and one of each kind.
func (b bench) measureFirst(binary string, pid int) error {
	cells := []string{"warm := 1", "first := nd.Arange[float32](3)"}
	for i, kind := range arrayCells {
		cells = append(cells, kind.code(1_000_000+i))
	}
	for i, code := range cells {
		before := waitedFor(pid)
		times, err := b.cells(1, "ok", func(int) string { return code })
		if err != nil {
			return err
		}
		if i < 2 {
			report([]string{"first cell, ", "first array, "}[i]+binary, times)
			fmt.Printf("%-28s processor %7.1f ms\n", "", (waitedFor(pid)-before).Seconds()*1e3)
		}
	}
	return nil
}

// childOf returns the process whose parent is that one and that is not in a list.
func childOf(parent int, without []int) (int, error) {
	all, err := os.ReadDir("/proc")
	if err != nil {
		return 0, err
	}
	for _, entry := range all {
		pid, err := strconv.Atoi(entry.Name())
		if err != nil || slices.Contains(without, pid) {
			continue
		}
		if stat := statOf(pid); len(stat) > 1 && stat[1] == strconv.Itoa(parent) {
			return pid, nil
		}
	}
	return 0, fmt.Errorf("process %d has no other child", parent)
}

// waitedFor returns the processor time of the programs that a process has started and waited for.
func waitedFor(pid int) time.Duration {
	stat := statOf(pid)
	if len(stat) < 15 {
		return 0
	}
	user, _ := strconv.Atoi(stat[13])
	system, _ := strconv.Atoi(stat[14])
	const tick = time.Second / 100
	return time.Duration(user+system) * tick
}

// statOf returns the fields of /proc/PID/stat from the third one on, which is the state.
func statOf(pid int) []string {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return nil // it has exited
	}
	_, rest, _ := strings.Cut(string(data), ") ")
	return strings.Fields(rest)
}

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// processInfo is one line of the process table.
type processInfo struct {
	pid, parent int
	command     string
	resident    int // KiB; of these, shared with others:
	shared      int // KiB
}

// reportMemory prints what each descendant of this process holds.
func reportMemory() error {
	files, err := filepath.Glob("/proc/[0-9]*/status")
	if err != nil {
		return err
	}
	var all []processInfo
	for _, file := range files {
		if data, err := os.ReadFile(file); err == nil { // it may have ended meanwhile
			all = append(all, parseStatus(string(data), filepath.Dir(file)))
		}
	}
	family := map[int]bool{os.Getpid(): true}
	for grew := true; grew; {
		grew = false
		for _, p := range all {
			if family[p.parent] && !family[p.pid] {
				family[p.pid], grew = true, true
			}
		}
	}
	total := 0
	for _, p := range all {
		if family[p.pid] && p.pid != os.Getpid() {
			fmt.Printf("%-28s %8.1f MiB resident, %.1f of it file or shared pages\n", p.command, mib(p.resident), mib(p.shared))
			total += p.resident
		}
	}
	fmt.Printf("%-28s %8.1f MiB resident\n", "all idle processes", mib(total))
	return nil
}

func mib(kib int) float64 { return float64(kib) / 1024 }

// parseStatus reads /proc/PID/status; folder is /proc/PID.
func parseStatus(status, folder string) processInfo {
	fields := map[string]string{}
	for line := range strings.Lines(status) {
		name, value, _ := strings.Cut(line, ":")
		fields[name] = strings.TrimSpace(value)
	}
	number := func(name string) int {
		n, _ := strconv.Atoi(strings.TrimSuffix(fields[name], " kB")) // a kernel thread has no memory
		return n
	}
	p := processInfo{
		pid: number("Pid"), parent: number("PPid"), command: fields["Name"],
		resident: number("VmRSS"), shared: number("RssFile") + number("RssShmem"),
	}
	if arguments, err := os.ReadFile(filepath.Join(folder, "cmdline")); err == nil {
		words := strings.Split(string(arguments), "\x00")
		p.command = filepath.Base(words[0])
		if len(words) > 1 && words[1] != "" {
			p.command += " " + words[1]
		}
	}
	return p
}

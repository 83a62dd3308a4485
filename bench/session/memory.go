package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/gopherwarp/gopherwarp/kernel"
)

// processInfo is one line of the process table.
type processInfo struct {
	pid, parent int
	command     string
	resident    int // KiB, including shared
	shared      int // KiB
	share       int // KiB; a page that n processes share counts as 1/n
}

// measureMemory reports the memory of a session's processes after 21 cells, as for the kernels that it is compared with, and
// a first buffer, which starts the device process. No other session may run.
func measureMemory(ctx context.Context, launch kernel.Launch) error {
	process, err := launch.Start(ctx)
	if err != nil {
		return err
	}
	defer process.Stop(context.WithoutCancel(ctx))
	b := bench{ctx: ctx, client: process.Client}
	if _, err := b.cells(21, "ok", func(i int) string { return fmt.Sprintf("m%d := %[1]d\nfmt.Println(m%[1]d)", i) }); err != nil {
		return err
	}
	if _, err := b.cells(1, "ok", func(int) string { return "buffer := gpu.Zeros[float32](1024)" }); err != nil {
		return err
	}
	time.Sleep(5 * time.Second) // until the processes are idle
	return reportMemory()
}

// reportMemory prints the memory of each descendant of this process. The kernel and the device process run the same file, so
// the sum of resident memory counts its pages twice; the sum of the shares (Pss in proc_pid_smaps(5)) is the memory that the
// processes occupy together.
func reportMemory() error {
	files, err := filepath.Glob("/proc/[0-9]*/status")
	if err != nil {
		return err
	}
	var all []processInfo
	for _, file := range files {
		if data, err := os.ReadFile(file); err == nil { // it may have exited
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
	total, share := 0, 0
	for _, p := range all {
		if family[p.pid] && p.pid != os.Getpid() {
			fmt.Printf("%-28s %8.1f MiB resident, %.1f of it file or shared pages\n", p.command, mib(p.resident), mib(p.shared))
			total += p.resident
			share += p.share
		}
	}
	fmt.Printf("%-28s %8.1f MiB = %.1f MB, %.1f MB with shared pages counted once\n", "all idle processes",
		mib(total), megabytes(total), megabytes(share))
	return nil
}

func mib(kib int) float64       { return float64(kib) / 1024 }
func megabytes(kib int) float64 { return float64(kib) * 1024 / 1e6 }

// parseStatus parses /proc/PID/status and smaps_rollup; folder is /proc/PID.
func parseStatus(status, folder string) processInfo {
	rollup, _ := os.ReadFile(filepath.Join(folder, "smaps_rollup"))
	fields := map[string]string{}
	for line := range strings.Lines(status + string(rollup)) {
		name, value, _ := strings.Cut(line, ":")
		fields[name] = strings.TrimSpace(value)
	}
	number := func(name string) int {
		n, _ := strconv.Atoi(strings.TrimSuffix(fields[name], " kB")) // a kernel thread has no memory
		return n
	}
	p := processInfo{
		pid: number("Pid"), parent: number("PPid"), command: fields["Name"],
		resident: number("VmRSS"), shared: number("RssFile") + number("RssShmem"), share: number("Pss"),
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

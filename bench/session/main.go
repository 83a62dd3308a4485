package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/gopherwarp/gopherwarp/kernel"
)

func main() {
	binary := flag.String("kernel", "bin/gopherwarp", "the gopherwarp `binary` to measure")
	repeats := flag.Int("n", 25, "how many cells of each kind to run")
	releases := flag.String("releases", "", "go `commands`, separated by commas, to compare cells with")
	arrays := flag.String("arrays", "", "gopherwarp `binaries`, separated by commas, whose cells with arrays are compared; nothing else is measured")
	starts := flag.Int("starts", 5, "how often to start the kernel")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	run := func() error { return measure(ctx, *binary, *releases, *starts, *repeats) }
	if *arrays != "" {
		run = func() error { return measureArrays(ctx, strings.Split(*arrays, ","), *repeats) }
	}
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func measure(ctx context.Context, binary, releases string, starts, repeats int) error {
	path, err := filepath.Abs(binary)
	if err != nil {
		return err
	}
	if _, err := os.Stat(path); err != nil {
		return fmt.Errorf("no kernel to measure (run make build): %w", err)
	}
	dir, err := os.MkdirTemp("", "gopherwarp-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	launch := kernel.Launch{
		Argv: []string{path, "kernel", "-f", "{connection_file}"}, Log: os.Stderr,
		Env: []string{kernel.HistoryEnv + "=" + filepath.Join(dir, "history.sqlite")}, // as for users
	}
	fmt.Printf("%s, %d processors, %s\n", time.Now().Format(time.DateOnly), runtime.NumCPU(), runtime.Version())

	if err := measurePeer(ctx, starts, repeats); err != nil {
		return fmt.Errorf("ipykernel: %w", err)
	}
	times, err := startTimes(ctx, launch, starts)
	if err != nil {
		return err
	}
	report("start to kernel_info", times)
	if err := measureMemory(ctx, launch); err != nil {
		return fmt.Errorf("memory: %w", err)
	}

	process, err := launch.Start(ctx)
	if err != nil {
		return err
	}
	defer process.Stop(context.WithoutCancel(ctx))
	b := bench{ctx: ctx, client: process.Client}
	if times, err = b.cells(1, "ok", func(int) string { return "warm := 1" }); err != nil {
		return err
	}
	report("first cell after the start", times)
	for _, kind := range []struct {
		what, status string
		code         func(i int) string
	}{
		{"small cell, new text", "ok", func(i int) string { return fmt.Sprintf("x%d := %d\nfmt.Println(x%[1]d)", i, i) }},
		{"same text again", "ok", func(int) string { return "fmt.Println(warm)" }},
		{"compile error", "error", func(i int) string { return fmt.Sprintf("y%d := warm + \"text\"", i) }},
	} {
		if times, err = b.cells(repeats, kind.status, kind.code); err != nil {
			return fmt.Errorf("%s: %w", kind.what, err)
		}
		report(kind.what, times)
	}
	if err := b.measureOutput(5); err != nil {
		return fmt.Errorf("output: %w", err)
	}
	if releases != "" {
		if err := measureReleases(ctx, launch, strings.Split(releases, ","), repeats); err != nil {
			return fmt.Errorf("releases: %w", err)
		}
	}
	if err := measureLong(ctx, launch, 3); err != nil {
		return fmt.Errorf("a long session: %w", err)
	}
	if err := b.measureLoop(dir, 15); err != nil {
		return fmt.Errorf("triple loop: %w", err)
	}
	if err := b.measureEditing(repeats); err != nil {
		return fmt.Errorf("editing: %w", err)
	}
	return nil
}

// startTimes measures the time from the start of the process to its reply to kernel_info.
func startTimes(ctx context.Context, launch kernel.Launch, n int) ([]time.Duration, error) {
	var times []time.Duration
	for range n {
		started := time.Now()
		process, err := launch.Start(ctx)
		if err != nil {
			return nil, err
		}
		_, err = process.KernelInfo(ctx)
		times = append(times, time.Since(started))
		if stopErr := process.Stop(context.WithoutCancel(ctx)); err == nil {
			err = stopErr
		}
		if err != nil {
			return nil, err
		}
	}
	return times, nil
}

// A bench runs cells in one session.
type bench struct {
	ctx    context.Context
	client *kernel.Client
}

// cells runs n cells and returns the time of each. Each must end with the given status.
func (b bench) cells(n int, status string, code func(i int) string) ([]time.Duration, error) {
	var times []time.Duration
	for i := range n {
		var said strings.Builder
		started := time.Now()
		reply, err := b.client.Execute(b.ctx, kernel.ExecuteRequest{
			Code:     code(i),
			OnOutput: func(m *kernel.Message) { said.Write(m.Content) },
		})
		times = append(times, time.Since(started))
		if err != nil {
			return nil, err
		}
		if reply.Status != status {
			return nil, fmt.Errorf("cell %q ended in %q, want %q: %s", code(i), reply.Status, status, said.String())
		}
	}
	return times, nil
}

func report(what string, times []time.Duration) {
	slices.Sort(times)
	ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
	fmt.Printf("%-28s median %8.1f ms   min %8.1f   max %8.1f   (%d)\n",
		what, ms(times[len(times)/2]), ms(times[0]), ms(times[len(times)-1]), len(times))
}

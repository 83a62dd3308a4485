package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/gopherwarp/gopherwarp/kernel"
)

// measurePeer measures ipykernel in the same way, if there is a Python that has it: times
// vary with the machine, so only those of the same run can be compared. Python is not
// compiled; its cells are what users of Python are used to.
func measurePeer(ctx context.Context, starts, repeats int) error {
	python, err := filepath.Abs(".venv/bin/python")
	if err != nil {
		return err
	}
	if _, err := os.Stat(python); err != nil {
		fmt.Println("ipykernel is not measured: make lab installs it")
		return nil
	}
	launch := kernel.Launch{Argv: []string{python, "-m", "ipykernel_launcher", "-f", "{connection_file}"}, Log: os.Stderr}
	times, err := startTimes(ctx, launch, starts)
	if err != nil {
		return err
	}
	report("ipykernel: kernel_info", times)
	process, err := launch.Start(ctx)
	if err != nil {
		return err
	}
	defer process.Stop(context.WithoutCancel(ctx))
	b := bench{ctx: ctx, client: process.Client}
	if _, err := b.cells(1, "ok", func(int) string { return "warm = 1" }); err != nil {
		return err
	}
	if times, err = b.cells(repeats, "ok", func(i int) string { return fmt.Sprintf("x%d = %d\nprint(x%[1]d)", i, i) }); err != nil {
		return err
	}
	report("ipykernel: small cell", times)
	return nil
}

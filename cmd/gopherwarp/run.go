//go:build linux

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/gopherwarp/gopherwarp/install"
	"github.com/gopherwarp/gopherwarp/internal/nbformat"
	"github.com/gopherwarp/gopherwarp/internal/progress"
	"github.com/gopherwarp/gopherwarp/kernel"
	"github.com/gopherwarp/gopherwarp/tutor/store"
)

const (
	startTimeout = 5 * time.Minute // the first start may build caches
	stopTimeout  = 15 * time.Second

	exitInterrupted = 130 // as shells report a program that was ended by Ctrl-C
)

type runOptions struct {
	output      string
	device      string
	timeout     time.Duration
	allowErrors bool
	ranks       rankOptions
}

func (a *app) runCommand() *cobra.Command {
	var o runOptions
	cmd := &cobra.Command{
		Use:   "run NOTEBOOK.ipynb | run --ranks N PROGRAM [ARGUMENTS]",
		Short: "Run a notebook and write it back with its outputs, or a program as several processes",
		Long: `Run a notebook and write it back with its outputs, without Python.

It stops at the first cell that fails and exits with status 1; what came before is written.
Cells tagged raises-exception may fail. Cells tagged skip-execution are left as they are.

With --ranks N, run a program as N processes of this machine, which find each other by package
gpu/rank. PROGRAM is an executable, or a folder with a Go program, such as gopherwarp export writes;
what follows it are its arguments. Each line of output begins with the rank. If one fails, the others
are ended, and the exit status is that of the first that failed.

With --rank I --world N --store HOST:PORT, run a program as one rank, on this machine, of N on several. HOST is
that of rank 0.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.ranks.given(cmd.Flags()) {
				return runRanks(cmd.Context(), args, o, cmd.Flags(), cmd.OutOrStdout(), cmd.ErrOrStderr())
			}
			if len(args) > 1 {
				return fmt.Errorf("run takes one notebook, and %q follows it: programs, which have arguments, are run with --ranks N", args[1])
			}
			return runNotebook(cmd.Context(), args[0], o, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	f := cmd.Flags()
	f.StringVarP(&o.output, "output", "o", "", "write to `FILE` instead of the notebook itself")
	f.StringVar(&o.device, "device", "", "where GPU code runs: auto, sim, sim:MODEL or cuda:N")
	f.DurationVar(&o.timeout, "timeout", 0, "longest time for one cell, such as 90s; 0 means no limit")
	f.BoolVar(&o.allowErrors, "allow-errors", false, "go on after a cell that fails")
	o.ranks.add(f)
	return cmd
}

var deviceName = regexp.MustCompile(`^(auto|sim(:[\w:=]+)?|cuda:\d+)?$`)

func checkDevice(name string) error {
	if deviceName.MatchString(name) {
		return nil
	}
	return fmt.Errorf("--device %s: want auto, sim, sim:MODEL such as sim:t4, or cuda:N with the number of a GPU, such as cuda:0", name)
}

// runNotebook runs a notebook. It prints the error of a failing cell, and returns an
// exitStatus for it.
func runNotebook(ctx context.Context, path string, o runOptions, stdout, stderr io.Writer) error {
	if err := checkDevice(o.device); err != nil {
		return err
	}
	if o.timeout < 0 {
		return fmt.Errorf("--timeout %v: want a time that is not negative", o.timeout)
	}
	nb, err := nbformat.Read(path)
	if err != nil {
		return err
	}
	if language, name := nb.Language(); language != "" && language != "go" {
		return fmt.Errorf("%s is in %s (kernel %q), and this is a kernel for Go: run it with 'jupyter execute', or set its kernel to %s", path, language, name, install.KernelName)
	}
	if o.output == "" {
		o.output = path
	}

	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	k, err := startKernel(ctx, filepath.Dir(path), o.device, stderr)
	if err != nil {
		return err
	}
	runErr := runCells(ctx, k, nb, o, stdout)
	// A second Ctrl-C kills this program at once; the kernel then exits, too.
	stop()
	stopCtx, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTimeout)
	defer cancel()
	if err := k.Stop(stopCtx); err != nil && runErr == nil {
		fmt.Fprintf(stderr, "gopherwarp: %v\n", err)
	}
	if err := nb.Write(o.output); err != nil {
		return errors.Join(runErr, err)
	}

	failure, ok := errors.AsType[*nbformat.Failure](runErr)
	if !ok {
		return runErr
	}
	fmt.Fprintf(stderr, "\n%s: %v\n", path, failure)
	if len(failure.Traceback) > 0 {
		traceback := strings.Join(failure.Traceback, "\n")
		if !showsColour(stderr) {
			traceback = colour.ReplaceAllString(traceback, "")
		}
		fmt.Fprintln(stderr, traceback)
	}
	if errors.Is(failure, nbformat.ErrInterrupted) {
		return exitStatus(exitInterrupted)
	}
	return exitStatus(1)
}

// colour matches the escape sequences for colours.
var colour = regexp.MustCompile("\x1b\\[[0-9;]*m")

// showsColour reports whether w is a terminal and the user has not set NO_COLOR.
func showsColour(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok || os.Getenv("NO_COLOR") != "" {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// startKernel starts this program as a kernel with the notebook's working directory,
// as in Jupyter.
func startKernel(ctx context.Context, dir, device string, log io.Writer, env ...string) (*kernel.Process, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find this program's file: %w", err)
	}
	// What a program runs is no learner's progress.
	l := kernel.Launch{Argv: []string{self, "kernel", "-f", "{connection_file}"}, Dir: dir, Log: log, Env: append(env, progress.EnvVar+"=off", store.PathEnv+"=off")}
	if device != "" {
		l.Env = append(l.Env, "GOPHERWARP_DEVICE="+device)
	}
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	return l.Start(ctx)
}

func runCells(ctx context.Context, k *kernel.Process, nb *nbformat.Notebook, o runOptions, stdout io.Writer) error {
	info, err := k.KernelInfo(ctx)
	if err != nil {
		return err
	}
	language, err := toMap(info.Language)
	if err != nil {
		return err
	}
	nb.SetKernel(language, install.KernelName, install.DisplayName)
	r := nbformat.Runner{Kernel: k, Timeout: o.timeout, AllowErrors: o.allowErrors, Progress: printProgress(stdout)}
	return r.Run(ctx, nb)
}

func toMap(v any) (m map[string]any, err error) {
	data, err := json.Marshal(v)
	if err == nil {
		err = json.Unmarshal(data, &m)
	}
	if err != nil {
		return nil, fmt.Errorf("describe the language: %w", err)
	}
	return m, nil
}

// printProgress returns a function that prints a line for each cell: the first half before it
// runs, the rest after.
func printProgress(w io.Writer) func(nbformat.Event) {
	return func(e nbformat.Event) {
		if !e.Done {
			digits := len(fmt.Sprint(e.Total))
			fmt.Fprintf(w, "[%*d/%d] %s ", digits, e.Number, e.Total, pad(firstLine(e.Cell.Source()), 56))
			return
		}
		state := "ok"
		if e.Failure != nil {
			state = "FAILED"
			if e.Cell.HasTag("raises-exception") && e.Failure.Stopped == nil {
				state = "ok (raised " + e.Failure.Name + ", as its tag says)"
			}
		}
		fmt.Fprintf(w, "%8.2f s  %s\n", e.Elapsed.Seconds(), state)
	}
}

func firstLine(source string) string {
	for line := range strings.Lines(source) {
		if line = strings.TrimSpace(line); line != "" {
			return line
		}
	}
	return ""
}

// pad truncates or pads s to width code points.
func pad(s string, width int) string {
	n := utf8.RuneCountInString(s)
	if n > width {
		return string([]rune(s)[:width-1]) + "…"
	}
	return s + strings.Repeat(" ", width-n)
}

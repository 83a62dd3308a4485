//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strconv"
	"syscall"

	"github.com/spf13/pflag"

	"github.com/gopherwarp/gopherwarp/gpu/rank"
	"github.com/gopherwarp/gopherwarp/internal/launcher"
)

// rankOptions are the flags of programs that run as several processes.
type rankOptions struct {
	ranks, rank, world int
	store, job         string
}

func (r *rankOptions) add(f *pflag.FlagSet) {
	f.Var(programFlag{f, &r.ranks}, "ranks", "run a program as `N` processes of this machine")
	f.Var(programFlag{f, &r.rank}, "rank", "run a program as rank `I` of several machines' processes")
	f.Var(programFlag{f, &r.world}, "world", "the number `N` of all ranks, with --rank")
	f.StringVar(&r.store, "store", "", "the `HOST:PORT` where rank 0 listens")
	f.StringVar(&r.job, "job", "", "a `NAME` that all ranks of the job give, and no others")
}

// given reports whether a program is to be run, and no notebook.
func (r *rankOptions) given(f *pflag.FlagSet) bool {
	for _, name := range []string{"ranks", "rank", "world", "store", "job"} {
		if f.Changed(name) {
			return true
		}
	}
	return false
}

// A programFlag is a number. What follows the program's name are the program's own arguments, even if they look like flags. That is not so for
// notebooks, whose flags may follow the name.
type programFlag struct {
	flags *pflag.FlagSet
	to    *int
}

func (p programFlag) Set(text string) error {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return errors.New("want a number that is not negative")
	}
	p.flags.SetInterspersed(false)
	*p.to = n
	return nil
}

func (p programFlag) String() string {
	if p.to == nil || *p.to == 0 {
		return ""
	}
	return strconv.Itoa(*p.to)
}

func (programFlag) Type() string { return "int" }

// check returns an error for flags that do not go together.
func (o *runOptions) check(f *pflag.FlagSet) error {
	r := &o.ranks
	for _, name := range []string{"output", "timeout", "allow-errors"} {
		if f.Changed(name) {
			return fmt.Errorf("--%s is for notebooks: a program is run without it", name)
		}
	}
	switch {
	case f.Changed("ranks") && (f.Changed("rank") || f.Changed("world")):
		return errors.New("--ranks starts all ranks on this machine, --rank and --world one of several: give either")
	case f.Changed("ranks") && r.ranks < 1:
		return errors.New("--ranks 0: want the number of processes, 1 or more")
	case !f.Changed("ranks") && !(f.Changed("rank") && f.Changed("world") && f.Changed("store")):
		return errors.New("one rank of several machines takes --rank, --world and --store: give all three, or --ranks for processes of this machine")
	case !f.Changed("ranks") && r.rank >= r.world:
		return fmt.Errorf("--rank %d --world %d: ranks are 0 to the number of all less 1", r.rank, r.world)
	}
	if f.Changed("store") {
		if err := rank.CheckStore(r.store); err != nil {
			return fmt.Errorf("--store %s: %w", r.store, err)
		}
	}
	return checkDevice(o.device)
}

// runRanks runs a program as the ranks that the flags say. It returns an exitStatus if one fails.
func runRanks(ctx context.Context, args []string, o runOptions, f *pflag.FlagSet, stdout, stderr io.Writer) error {
	if err := o.check(f); err != nil {
		return err
	}
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGUSR1, syscall.SIGUSR2)
	defer signal.Stop(signals)
	building, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	path, cleanup, err := launcher.Program(building, args[0], stderr)
	interrupted := building.Err() != nil
	stop()
	if err != nil {
		return err
	}
	defer cleanup()
	if interrupted {
		return exitStatus(exitInterrupted)
	}
	j := launcher.Job{
		Argv: append([]string{path}, args[1:]...), Size: o.ranks.world, Store: o.ranks.store, Name: o.ranks.job,
		Stdin: os.Stdin, Stdout: stdout, Stderr: stderr,
	}
	if !f.Changed("ranks") {
		j.Ranks = []int{o.ranks.rank}
	} else {
		for i := range o.ranks.ranks {
			j.Ranks = append(j.Ranks, i)
		}
		j.Size = o.ranks.ranks
	}
	if o.device != "" {
		j.Env = append(j.Env, "GOPHERWARP_DEVICE="+o.device)
	}
	if self, err := os.Executable(); err == nil && os.Getenv("GOPHERWARP_BIN") == "" {
		j.Env = append(j.Env, "GOPHERWARP_BIN="+self) // for programs that do not call device.Serve
	}
	status, err := j.Run(ctx, signals)
	if err != nil {
		return fmt.Errorf("run %s: %w", args[0], err)
	}
	if status != 0 {
		return exitStatus(status)
	}
	return nil
}

package magics

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/gopherwarp/gopherwarp/kernel"
)

const (
	// killAfter is how long an interrupted program may take to exit by itself.
	killAfter = time.Second
	// drainFor is how long the end of a cell waits for output of background programs that keep its pipes open.
	drainFor = 200 * time.Millisecond
)

// A program is an external program that a magic runs.
type program struct {
	name  string // for messages
	argv  []string
	stdin string
	dir   string   // "" is the session's directory
	env   []string // more variables of its environment

	inputs *inputs // lets it read lines from the front end, instead of stdin
}

// runProgram runs p in the directory and environment of the session process. Its output is shown as it is written. An interrupt is sent
// to it as by Ctrl-C.
func (c *Call) runProgram(ctx context.Context, p program) error {
	around := c.surroundings(ctx)
	if around.Dir == "" && p.dir == "" {
		return errNoFolder
	}
	path, err := around.lookPath(p.argv[0])
	if err != nil {
		return fmt.Errorf("run %s: %w", p.name, err)
	}
	cmd := exec.CommandContext(ctx, path, p.argv[1:]...)
	cmd.Dir, cmd.Env = around.Dir, append(slices.Clone(p.env), around.Env...) // of two values of a variable the last one counts
	if p.dir != "" {
		cmd.Dir = p.dir
	}
	if p.stdin != "" {
		cmd.Stdin = strings.NewReader(p.stdin)
	}
	// It may use gonbui, and can't share a stream with the session process.
	pipe, err := ServeGonbui(c.session.ModuleDir())
	if err != nil {
		return err
	}
	defer pipe.close()
	defer c.connectGonb(pipe)()
	out := pipe.begin(c.Out)
	cmd.Env = append(cmd.Env, pipe.pipe.Env()...) // the directories are those of the session
	if p.inputs != nil {
		read, write, err := os.Pipe()
		if err != nil {
			return fmt.Errorf("make a pipe for %s: %w", p.name, err)
		}
		defer read.Close()
		cmd.Stdin = read
		asking, stop := context.WithCancel(ctx)
		defer stop()
		go p.inputs.feed(asking, write, out)
	}
	// A separate process group can be interrupted as a whole.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGINT) }
	cmd.WaitDelay = killAfter
	drained, err := stream(cmd, out)
	if err != nil {
		return fmt.Errorf("run %s: %w", p.name, err)
	}
	err = cmd.Wait()
	if ctx.Err() != nil {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // kill all processes that are left
	}
	runtime.UnlockOSThread()
	select {
	case <-drained:
	case <-time.After(drainFor):
	}
	pipe.drain()
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err == nil, errors.Is(err, exec.ErrWaitDelay):
		return nil
	}
	return &kernel.CellError{Name: "CommandFailed", Value: p.name + ": " + err.Error()}
}

// stream starts a command whose output goes to out as it is written. The channel is closed when all of it was. If there is no error the
// calling goroutine is locked to its thread, because Pdeathsig is about the thread that starts a command.
func stream(cmd *exec.Cmd, out kernel.Output) (<-chan struct{}, error) {
	var readers, writers [2]*os.File
	for i := range readers {
		var err error
		if readers[i], writers[i], err = os.Pipe(); err != nil {
			return nil, err
		}
		defer writers[i].Close()
	}
	cmd.Stdout, cmd.Stderr = writers[0], writers[1]
	runtime.LockOSThread()
	if err := cmd.Start(); err != nil {
		runtime.UnlockOSThread()
		readers[0].Close()
		readers[1].Close()
		return nil, err
	}
	var copies sync.WaitGroup
	for i, name := range []string{"stdout", "stderr"} {
		copies.Go(func() {
			defer readers[i].Close()
			buf := make([]byte, 32<<10)
			for {
				n, err := readers[i].Read(buf)
				if n > 0 {
					out.Stream(name, string(buf[:n]))
				}
				if err != nil {
					return
				}
			}
		})
	}
	ended := make(chan struct{})
	go func() { copies.Wait(); close(ended) }()
	return ended, nil
}

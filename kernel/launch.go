package kernel

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// HistoryEnv is the environment variable with the file that stores cells for later sessions, or "off". Kernels that Launch starts store
// none unless their Env sets it, because their cells come from a program and not from a user who may want them again.
const HistoryEnv = "GOPHERWARP_HISTORY"

// A Launch is the configuration for starting a kernel process.
type Launch struct {
	// Argv is the command; "{connection_file}" in it is replaced by the connection file, as in a kernelspec.
	Argv []string
	Dir  string    // working directory; empty means this process's
	Env  []string  // added to this process's environment, as "NAME=value"
	Log  io.Writer // receives the output of the process itself; nil drops it
}

// A Process is a kernel that this process started, with a client that is connected to it.
type Process struct {
	*Client
	cmd    *exec.Cmd
	dir    string // holds the connection file and the sockets
	exited chan struct{}
}

// Start starts a kernel and connects to it. The kernel runs until Stop; ctx limits only the start.
func (l Launch) Start(ctx context.Context) (*Process, error) {
	if len(l.Argv) == 0 {
		return nil, errors.New("start kernel: no command")
	}
	// Not os.MkdirTemp's default directory: the path of a unix socket may have 107 bytes only.
	dir, err := os.MkdirTemp(shortTempDir(), "gopherwarp-")
	if err != nil {
		return nil, fmt.Errorf("start kernel: %w", err)
	}
	p := &Process{dir: dir, exited: make(chan struct{})}
	if err := p.start(ctx, l); err != nil {
		_ = os.RemoveAll(dir)
		return nil, fmt.Errorf("start kernel: %w", err)
	}
	return p, nil
}

func shortTempDir() string {
	if dir := os.TempDir(); len(dir) < 60 {
		return dir
	}
	return "/tmp"
}

func (p *Process) start(ctx context.Context, l Launch) error {
	conn := NewIPCConnection(p.dir)
	file := filepath.Join(p.dir, "connection.json")
	if err := conn.WriteFile(file); err != nil {
		return err
	}
	argv := make([]string, len(l.Argv))
	for i, a := range l.Argv {
		argv[i] = strings.ReplaceAll(a, "{connection_file}", file)
	}
	p.cmd = exec.Command(argv[0], argv[1:]...)
	p.cmd.Dir = l.Dir
	// The kernel watches this process id and exits when the process has exited.
	p.cmd.Env = slices.Concat(os.Environ(), []string{HistoryEnv + "=off"}, l.Env, []string{"JPY_PARENT_PID=" + strconv.Itoa(os.Getpid())})
	p.cmd.Stdout, p.cmd.Stderr = l.Log, l.Log
	// A separate process group, so that Ctrl-C at the terminal reaches it only through Interrupt.
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	p.cmd.WaitDelay = time.Second // child processes of the kernel may keep its output open
	if err := p.cmd.Start(); err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go func() {
		err := p.cmd.Wait()
		if err == nil {
			err = errors.New("exit status 0")
		}
		close(p.exited)
		cancel(fmt.Errorf("the kernel process ended: %w", err))
	}()
	client, err := Dial(ctx, conn)
	if err != nil {
		p.kill()
		return err
	}
	p.Client = client
	return nil
}

// Stop shuts the kernel down. It kills the kernel if it has not exited when ctx ends.
func (p *Process) Stop(ctx context.Context) error {
	defer os.RemoveAll(p.dir)
	defer p.Close()
	err := p.Shutdown(ctx, false)
	if err == nil {
		select {
		case <-p.exited:
			return nil
		case <-ctx.Done():
			err = errors.New("it did not end in time and was killed")
		}
	}
	p.kill()
	return fmt.Errorf("stop kernel: %w", err)
}

// Exited returns a channel that is closed when the process has exited.
func (p *Process) Exited() <-chan struct{} { return p.exited }

// kill kills the kernel and the other processes in its process group.
func (p *Process) kill() {
	_ = syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL)
	<-p.exited
}

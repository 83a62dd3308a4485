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

// HistoryEnv is the environment variable that says where cells are kept for later sessions: a
// file, or "off". Kernels that Launch starts keep none unless its Env says where, because it is
// a program that runs their cells and not a person who may want them again.
const HistoryEnv = "GOPHERWARP_HISTORY"

// Launch says how to start a kernel process.
type Launch struct {
	// Argv is the command; "{connection_file}" in it stands for the connection file, as in
	// a kernelspec.
	Argv []string
	Dir  string    // working directory; empty means this process's
	Env  []string  // added to this process's environment, as "NAME=value"
	Log  io.Writer // takes what the process itself writes; nil drops it
}

// Process is a kernel that this process started, and a client connected to it.
type Process struct {
	*Client
	cmd    *exec.Cmd
	dir    string // holds the connection file and the sockets
	exited chan struct{}
}

// Start starts a kernel and connects to it. The kernel lives until Stop, whatever becomes of
// ctx, which limits the start alone.
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
	// The kernel watches this process id and ends when it is gone.
	p.cmd.Env = slices.Concat(os.Environ(), []string{HistoryEnv + "=off"}, l.Env, []string{"JPY_PARENT_PID=" + strconv.Itoa(os.Getpid())})
	p.cmd.Stdout, p.cmd.Stderr = l.Log, l.Log
	// A group of its own, so that Ctrl-C at the terminal reaches it only through Interrupt.
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	p.cmd.WaitDelay = time.Second // what the kernel leaves behind may hold its output open
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

// Stop shuts the kernel down. It kills it if it does not end before ctx does.
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

// Exited is closed when the process has ended.
func (p *Process) Exited() <-chan struct{} { return p.exited }

// kill ends the kernel and what it started in its process group.
func (p *Process) kill() {
	_ = syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL)
	<-p.exited
}

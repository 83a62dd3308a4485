package session

import (
	"bufio"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/gopherwarp/gopherwarp/internal/cellruntime/children"
	"github.com/gopherwarp/gopherwarp/internal/cellruntime/proto"
	"github.com/gopherwarp/gopherwarp/internal/goroot"
)

// markerLimit is the maximum time to wait for a marker. It never comes if the program uses the descriptors of its standard
// streams for something else.
const markerLimit = time.Second

// A process is a running session process.
type process struct {
	cmd    *exec.Cmd
	conn   net.Conn
	pumps  [2]*pump
	errors *stderrTail
	exited chan struct{}      // closed when the process has exited and how is set
	how    string             // e.g. "signal: killed"
	mark   string             // the environment entry of all its child processes
	left   []children.Process // child processes that still run after it has exited

	mu      sync.Mutex
	nextID  int
	pending map[int]chan proto.Event    // runs and calls that have not ended
	started int                         // the ID of the run that began last
	events  func(*process, proto.Event) // receives what cells display
	killed  string                      // the reason why it was killed, or ""
	ready   chan struct{}
	held    func(id int) // handles a run that is loaded and waits for OpGo
	holding sync.WaitGroup
	program *program // the program after the cell that was requested last; may be nil
}

// startProcess starts a session process. mark is an environment entry that identifies its child processes. Its output is
// passed to sink, and what cells display to events.
func startProcess(program, dir, mark string, env []string, sink func(stream, text string), events func(*process, proto.Event)) (*process, error) {
	fds, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("make a socket for the session: %w", err)
	}
	ours, theirs := os.NewFile(uintptr(fds[0]), "session"), os.NewFile(uintptr(fds[1]), "kernel")
	defer theirs.Close()
	conn, err := net.FileConn(ours)
	ours.Close()
	if err != nil {
		return nil, fmt.Errorf("make a socket for the session: %w", err)
	}
	nonce := rand.Text()
	p := &process{
		mark: mark,
		conn: conn, pending: map[int]chan proto.Event{}, exited: make(chan struct{}), ready: make(chan struct{}),
		events: events, errors: &stderrTail{sink: func(text string) { sink("stderr", text) }},
	}
	p.cmd = exec.Command(program)
	p.cmd.Dir = dir
	p.cmd.Env = append(append(os.Environ(), env...), mark, proto.NonceEnv+"="+nonce)
	p.cmd.ExtraFiles = []*os.File{theirs}
	// In a group of its own it does not receive a Ctrl-C in the kernel's terminal.
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	var pipes [2]*os.File
	var writers []*os.File
	for i, set := range []*io.Writer{&p.cmd.Stdout, &p.cmd.Stderr} {
		r, w, err := os.Pipe()
		if err != nil {
			return nil, fmt.Errorf("make a pipe for the session: %w", err)
		}
		pipes[i], *set = r, w
		writers = append(writers, w)
	}
	out := newPump(nonce, pipes[0], func(text string) { sink("stdout", demangled(text)) }, func() {})
	errs := newPump(nonce, pipes[1], func(text string) { p.errors.print(demangled(text)) }, p.errors.alive)
	p.pumps = [2]*pump{out, errs.after(out)}
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("start the session process: %w", err)
	}
	for i, w := range writers {
		w.Close()
		go p.pumps[i].run()
	}
	go p.read()
	return p, nil
}

// read passes on events until the process exits.
func (p *process) read() {
	events := bufio.NewReader(p.conn)
	for {
		var e proto.Event
		if err := proto.Read(events, &e); err != nil {
			break
		}
		for _, pump := range p.pumps {
			pump.wait(e.Seq, markerLimit)
		}
		switch e.Kind {
		case proto.EventReady:
			close(p.ready)
		case proto.EventStarted:
			p.mu.Lock()
			p.started = e.ID
			p.mu.Unlock()
		case proto.EventLoaded:
			p.mu.Lock()
			held := p.held
			p.mu.Unlock()
			if held != nil {
				p.holding.Go(func() { held(e.ID) })
			}
		case proto.EventDone:
			p.mu.Lock()
			done := p.pending[e.ID]
			delete(p.pending, e.ID)
			p.mu.Unlock()
			if done != nil {
				done <- e
			}
		default:
			p.events(p, e)
		}
	}
	err := p.cmd.Wait()
	p.killChildren()
	// Its children may keep the pipes open, so the wait is limited.
	for _, pump := range p.pumps {
		pump.wait(^uint64(0), 200*time.Millisecond)
	}
	p.errors.died()
	p.how = "it ended by itself"
	if err != nil {
		p.how = err.Error()
	}
	close(p.exited)
}

// request sends a request and returns its ID and a channel for its end. Nothing is sent if the process exits before.
func (p *process) request(r proto.Request) (int, <-chan proto.Event, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.nextID++
	r.ID = p.nextID
	done := make(chan proto.Event, 1)
	p.pending[r.ID] = done
	return r.ID, done, p.write(r)
}

// setHeld sets the handler of runs that are loaded and wait.
func (p *process) setHeld(held func(id int)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.held = held
}

func (p *process) write(r proto.Request) error { return proto.Write(p.conn, r) }

// await waits for the end of a request, and returns a *DiedError if the process exits before.
func (p *process) await(ctx context.Context, done <-chan proto.Event) (proto.Event, error) {
	select {
	case e := <-done:
		return e, nil
	case <-ctx.Done():
		return proto.Event{}, ctx.Err()
	case <-p.exited:
	}
	select {
	case e := <-done: // both channels were ready
		return e, nil
	default:
		return proto.Event{}, p.death()
	}
}

// alive reports whether the process still runs. It checks the process itself, because exited is closed a moment later.
func (p *process) alive() bool {
	if children.Lives(p.cmd.Process.Pid) {
		return true
	}
	<-p.exited
	return false
}

// ends reports whether a request failed because the process is exiting, and waits until it has exited. Its socket is
// closed before that.
func (p *process) ends(failed error) bool {
	if !errors.Is(failed, syscall.EPIPE) && !errors.Is(failed, syscall.ECONNRESET) {
		return !p.alive()
	}
	select {
	case <-p.exited:
	case <-time.After(exitTimeout):
		p.kill("it closed its socket and did not exit")
		<-p.exited
	}
	return true
}

// death returns a description of the process's exit.
func (p *process) death() *DiedError {
	p.mu.Lock()
	defer p.mu.Unlock()
	dump, words := p.errors.read()
	e := &DiedError{How: p.how, Why: crashReason(dump), Frames: crashFrames(dump), Stderr: words, run: p.started}
	switch {
	case p.killed != "":
		e.Why = p.killed
	case e.Why == "SIGTRAP: trace trap" || strings.Contains(p.how, "breakpoint trap"):
		e.Why = "it reached a breakpoint without a debugger"
	case e.Why == "" && p.how == "signal: killed":
		e.Why = "killed from outside, perhaps by Linux because memory ran out"
	case e.Why == "" && strings.HasPrefix(p.how, "exit status"):
		e.Why = "C code or syscall.Exit ended the process"
	}
	return e
}

// kill kills the process. The reason becomes part of its DiedError.
func (p *process) kill(reason string) {
	p.mu.Lock()
	p.killed = reason
	p.mu.Unlock()
	_ = p.cmd.Process.Kill()
}

// stop ends the process by closing its socket. It kills the process if that has no effect.
func (p *process) stop() {
	p.conn.Close()
	select {
	case <-p.exited:
	case <-time.After(500 * time.Millisecond):
		_ = p.cmd.Process.Kill()
		<-p.exited
	}
}

// exitTimeout is the maximum time between closing the socket and the exit of a session process.
const exitTimeout = 5 * time.Second

// A DiedError is the exit of the session process, by which all variables are lost.
type DiedError struct {
	How    string   // e.g. "signal: killed"
	Why    string   // the cause as one line, e.g. "fatal error: stack overflow", or ""
	Frames []Frame  // calls in cells that led to it, innermost first, if they are known
	Stderr string   // the end of its standard error
	Lost   []string // names of lost variables
	Advice string   // what to do, as a clause

	run int // the ID of the run that had begun last
}

func (e *DiedError) Error() string {
	msg := "the Go session ended (" + e.How + ")"
	if e.Why != "" {
		msg = "the Go session ended: " + e.Why + " (" + e.How + ")"
	}
	msg += " and was started again"
	if len(e.Lost) > 0 {
		msg += "; these variables are gone: " + strings.Join(e.Lost, ", ")
	}
	if e.Advice == "" {
		return msg + "."
	}
	return msg + ". " + strings.ToUpper(e.Advice[:1]) + e.Advice[1:] + "."
}

// A RunError is the failure of a cell while it ran. Its assignments before that are kept.
type RunError struct {
	Kind    string // "error", "panic", "Interrupted", or the name that the error has for itself
	Message string
	Frames  []Frame // innermost first; none for an error
}

// Frame is one call on the stack of a failure.
type Frame = proto.Frame

func (e *RunError) Error() string { return e.Message }

func runError(e *proto.Error) error {
	if e == nil {
		return nil
	}
	return &RunError{Kind: e.Kind, Message: e.Message, Frames: e.Frames}
}

// launchHost starts the toolchain's session program in the session's working directory, or in the next existing one above it.
func (s *Session) launchHost() (*process, error) {
	program := s.tools.HostProgram()
	env := slices.Clone(s.config.Env)
	if _, err := exec.LookPath("go"); err != nil { // for commands that cells and ! run
		env = append(env, "PATH="+goroot.Lookup(append(os.Environ(), env...), "PATH")+string(os.PathListSeparator)+filepath.Dir(s.tools.found.Program()))
	}
	limit, err := memoryLimit(append(os.Environ(), env...))
	if err != nil {
		return nil, err
	}
	env = append(env, heapEnv(limit)...)
	dir := s.config.Dir
	for missing(dir) {
		dir = filepath.Dir(dir)
	}
	if dir != s.config.Dir {
		s.printed("stdout", fmt.Sprintf("The folder %s was removed, so the session goes on in %s.\n", s.config.Dir, dir))
		s.config.Dir = dir
	}
	p, err := startProcess(program, dir, s.Mark(), env, s.printed, s.shown)
	if err == nil {
		s.config.Log.Info("started a session process", "child", p.cmd.Process.Pid, "program", program, "dir", dir)
		s.talk.started(p)
		go s.logEnd(p)
		go p.watchMemory(limit)
	}
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("%w: run 'gopherwarp install' to build %s again", err, filepath.Base(program))
	}
	return p, err
}

// missing reports whether a directory does not exist and is not the root.
func missing(dir string) bool {
	_, err := os.Stat(dir)
	return errors.Is(err, os.ErrNotExist) && filepath.IsAbs(dir) && dir != filepath.Dir(dir)
}

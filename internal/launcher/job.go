package launcher

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// A Job is a program that is started as one or several ranks.
type Job struct {
	Argv  []string // the program's path and its arguments
	Env   []string // variables beside those of this process
	Ranks []int    // those to start here
	Size  int      // the number of all ranks
	Store string   // HOST:PORT for rank 0; "" chooses one of this machine, if all ranks are started here
	Name  string   // of the job; "" chooses one, if all ranks are started here

	Stdin          *os.File // of the only rank, if there is one
	Stdout, Stderr io.Writer
	// Grace is how long processes have to end after SIGTERM, which they get when another one has failed; 0 means 10 seconds.
	Grace time.Duration
}

const (
	defaultGrace = 10 * time.Second
	// pipeDelay is how long output is read after the end of a process whose descendants keep its standard output.
	pipeDelay = time.Second
	// exitDelay is how long after its connections a process that is killed may end. Others that fail as they have lost it may end earlier.
	exitDelay = time.Second
)

// process is a rank that runs.
type process struct {
	rank  int
	cmd   *exec.Cmd
	pipes []*pipe // of its output, if there are several ranks
	job   *ending
	at    time.Time // of its exit
}

// ending is what processes are asked to do before they have ended by themselves.
type ending struct {
	begun atomic.Bool // by any signal, or by the end of another process
	term  atomic.Bool // by SIGTERM
}

// ended is the end of a process.
type ended struct {
	*process
	err error
}

// Run starts the ranks and waits for their end. Signals that come are sent to all; the second SIGINT or SIGTERM kills them. If one fails, the others are
// ended. The status is 0, or that of the first one to fail: its exit status, or 128 and the number of the signal that has killed it.
func (j *Job) Run(ctx context.Context, signals <-chan os.Signal) (status int, err error) {
	if j.Store == "" {
		if j.Store, err = freeAddress(); err != nil {
			return 0, err
		}
	}
	if j.Name == "" && len(j.Ranks) == j.Size {
		j.Name = rand.Text()
	}
	if j.Grace == 0 {
		j.Grace = defaultGrace
	}
	ends := make(chan ended)
	var running []*process
	var output sync.Mutex
	asked := &ending{}
	for local, rank := range j.Ranks {
		p, err := j.prepare(rank, local, &output)
		if err != nil {
			return 0, abandon(running, ends, fmt.Errorf("start rank %d: %w", rank, err))
		}
		p.job = asked
		started := make(chan error)
		go p.run(started, ends)
		if err := <-started; err != nil {
			return 0, abandon(running, ends, fmt.Errorf("start rank %d: %w", rank, err))
		}
		running = append(running, p)
	}
	return j.wait(ctx, running, asked, ends, signals), nil
}

// abandon kills processes, waits for their end, and returns the error.
func abandon(running []*process, ends <-chan ended, err error) error {
	send(running, syscall.SIGKILL)
	for range running {
		<-ends
	}
	return err
}

// A watch is what is known of the processes of a job while it waits for their end.
type watch struct {
	job     *Job
	running []*process
	ending  *ending
	sent    map[syscall.Signal]bool
	asked   bool             // the user has sent SIGINT or SIGTERM
	kill    <-chan time.Time // when all are killed
	first   *process         // to fail
	status  int              // of it
	why     string
}

// wait waits for the end of all processes and returns the status of the first failure.
func (j *Job) wait(ctx context.Context, running []*process, asked *ending, ends <-chan ended, signals <-chan os.Signal) (status int) {
	w := &watch{job: j, running: running, ending: asked, sent: map[syscall.Signal]bool{}}
	stop := ctx.Done()
	for len(w.running) > 0 {
		select {
		case e := <-ends:
			w.ended(e)
		case s := <-signals:
			w.forward(s.(syscall.Signal))
		case <-stop:
			stop = nil
			w.end()
		case <-w.kill:
			w.send(syscall.SIGKILL)
		}
	}
	if w.first != nil && len(j.Ranks) > 1 {
		fmt.Fprintf(j.Stderr, "gopherwarp: rank %d %s\n", w.first.rank, w.why)
	}
	return w.status
}

// ended records the end of a process. If it has failed, the others are ended.
func (w *watch) ended(e ended) {
	w.running = slices.DeleteFunc(w.running, func(p *process) bool { return p == e.process })
	code, what := e.result()
	if code == 0 {
		return
	}
	if e.cmd.SysProcAttr.Setpgid {
		_ = syscall.Kill(-e.cmd.Process.Pid, syscall.SIGKILL) // what it has started and has not ended; a group keeps its number
	}
	if by := e.killed(); by != 0 && !w.sent[by] {
		e.at = e.at.Add(-exitDelay)
	}
	// The output of the first one to exit may have been read last.
	if w.first == nil || e.at.Before(w.first.at) {
		w.status, w.first, w.why = code, e.process, what
	}
	if !w.asked { // otherwise they know, and may have to write what they have
		w.end()
	}
}

// end asks the processes to end, and kills them after a while.
func (w *watch) end() {
	w.send(syscall.SIGTERM)
	if w.kill == nil {
		w.kill = time.After(w.job.Grace)
	}
}

// forward sends the processes a signal that this one has got.
func (w *watch) forward(s syscall.Signal) {
	ends := s == syscall.SIGINT || s == syscall.SIGTERM
	switch {
	case ends && w.asked:
		w.send(syscall.SIGKILL)
		return
	case ends:
		w.asked = true
	}
	if s != syscall.SIGINT || !w.job.atTerminal() {
		w.send(s)
	}
}

func (w *watch) send(s syscall.Signal) {
	w.sent[s] = true
	if s == syscall.SIGINT || s == syscall.SIGTERM || s == syscall.SIGKILL {
		w.ending.term.Store(s != syscall.SIGINT || w.ending.term.Load())
		w.ending.begun.Store(true)
	}
	send(w.running, s)
}

// atTerminal reports whether the only rank has the terminal of this process, which sends it Ctrl-C itself.
func (j *Job) atTerminal() bool {
	if len(j.Ranks) > 1 || j.Stdin == nil {
		return false
	}
	_, err := unix.IoctlGetTermios(int(j.Stdin.Fd()), unix.TCGETS)
	return err == nil
}

// send sends a signal to processes. SIGKILL and, as from a terminal, SIGINT go to those that they have started, too.
func send(list []*process, s syscall.Signal) {
	for _, p := range list {
		pid := p.cmd.Process.Pid
		if (s == syscall.SIGKILL || s == syscall.SIGINT) && p.cmd.SysProcAttr.Setpgid {
			_ = syscall.Kill(-pid, s) // or all of them have ended
			if s == syscall.SIGKILL {
				p.limit() // some may have left the group
			}
			continue
		}
		_ = p.cmd.Process.Signal(s)
	}
}

// prepare returns a rank that has not been started.
func (j *Job) prepare(rank, local int, output *sync.Mutex) (*process, error) {
	cmd := exec.Command(j.Argv[0], j.Argv[1:]...)
	cmd.Env = append(j.environment(rank, local), j.Env...)
	cmd.WaitDelay = pipeDelay
	p := &process{rank: rank, cmd: cmd}
	// A terminal's Ctrl-C would come twice if they were in its process group: it is forwarded. Only one that reads from the terminal must be in it.
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM, Setpgid: !j.atTerminal()}
	if len(j.Ranks) == 1 {
		cmd.Stdout, cmd.Stderr = j.Stdout, j.Stderr
		if j.Stdin != nil {
			cmd.Stdin = j.Stdin
		}
		return p, nil
	}
	prefix := fmt.Sprintf("[%*d] ", len(strconv.Itoa(j.Size-1)), rank)
	for _, to := range []io.Writer{j.Stdout, j.Stderr} {
		pipe, err := newPipe(&lines{mu: output, to: to, prefix: prefix})
		if err != nil {
			p.close()
			return nil, err
		}
		p.pipes = append(p.pipes, pipe)
	}
	cmd.Stdout, cmd.Stderr = p.pipes[0].write, p.pipes[1].write
	return p, nil
}

// foreign are variables that must not be inherited: they are of another job.
var foreign = []string{
	"RANK", "WORLD_SIZE", "LOCAL_RANK", "LOCAL_WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT", "GOPHERWARP_STORE", "TORCHELASTIC_USE_AGENT_STORE", "TORCHELASTIC_RUN_ID",
}

// environment returns the variables of a rank.
func (j *Job) environment(rank, local int) []string {
	env := slices.DeleteFunc(os.Environ(), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return slices.Contains(foreign, name) || name == "GOPHERWARP_JOB" && j.Name != ""
	})
	host, port, err := net.SplitHostPort(j.Store)
	if err != nil {
		host, port = j.Store, ""
	}
	if len(j.Ranks) < j.Size { // others of this machine were started apart
		if n, err := strconv.Atoi(os.Getenv("LOCAL_RANK")); err == nil && local == 0 {
			local = n
		}
	} else {
		env = append(env, "LOCAL_WORLD_SIZE="+strconv.Itoa(j.Size))
	}
	env = append(env, "RANK="+strconv.Itoa(rank), "WORLD_SIZE="+strconv.Itoa(j.Size), "LOCAL_RANK="+strconv.Itoa(local), "MASTER_ADDR="+host, "MASTER_PORT="+port)
	if j.Name != "" {
		env = append(env, "GOPHERWARP_JOB="+j.Name)
	}
	return env
}

// run starts the process and waits for its end. The system sends a process its death signal when the thread that has started it exits, so this
// goroutine keeps its thread.
func (p *process) run(started chan<- error, ends chan<- ended) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	err := p.cmd.Start()
	if err != nil {
		p.close()
		started <- err
		return
	}
	for _, pipe := range p.pipes {
		pipe.start()
	}
	started <- nil
	for {
		if err := unix.Waitid(unix.P_PID, p.cmd.Process.Pid, nil, unix.WEXITED|unix.WNOWAIT, nil); err != unix.EINTR {
			break
		}
	}
	p.at = time.Now()
	err = p.finish()
	ends <- ended{p, errors.Join(err, p.cmd.Wait())}
}

// finish reads the rest of the output of a process that has ended, and has not been waited for, so that no other one has its number. What it has
// started, as a script starts a program, may go on, unless the job is being ended: then it has as long as the process had.
func (p *process) finish() error {
	if len(p.pipes) == 0 {
		return nil
	}
	group := -p.cmd.Process.Pid
	switch {
	case !p.job.begun.Load():
		p.limit()
	case p.job.term.Load():
		_ = syscall.Kill(group, syscall.SIGTERM) // the process itself has got it
	}
	err := p.read()
	if p.job.begun.Load() {
		_ = syscall.Kill(group, syscall.SIGKILL) // or all have ended
	}
	return err
}

// close closes the pipes of a process that has not been started.
func (p *process) close() {
	for _, pipe := range p.pipes {
		pipe.read.Close()
		pipe.write.Close()
	}
}

// limit lets the reading of the output end.
func (p *process) limit() {
	for _, pipe := range p.pipes {
		pipe.limit()
	}
}

// read waits until the output has been read.
func (p *process) read() (err error) {
	for _, pipe := range p.pipes {
		err = errors.Join(err, <-pipe.done)
	}
	return err
}

// killed returns the signal that has killed the process, or 0.
func (e ended) killed() syscall.Signal {
	if ws, ok := e.cmd.ProcessState.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return ws.Signal()
	}
	return 0
}

// result returns the status of a process, and what to say of it.
func (e ended) result() (status int, what string) {
	if by := e.killed(); by != 0 {
		return 128 + int(by), "was killed: " + by.String()
	}
	if code := e.cmd.ProcessState.ExitCode(); code != 0 {
		return code, fmt.Sprintf("has exited with status %d", code)
	}
	// Descendants that keep the output are no failure.
	if e.err != nil && !errors.Is(e.err, exec.ErrWaitDelay) {
		return 1, "has lost its output: " + e.err.Error()
	}
	return 0, ""
}

// freeAddress returns an address of this machine at which nothing listens.
func freeAddress() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("find a free port: %w", err)
	}
	defer l.Close()
	return l.Addr().String(), nil
}

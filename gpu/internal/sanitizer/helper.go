package sanitizer

import (
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/internal/include"
)

const (
	// DefaultTimeout is how long a kernel may take under a tool. One that takes longer waits for
	// something that does not come, or is too large to be checked.
	DefaultTimeout = 20 * time.Second
	// TimeoutEnv is the environment variable by which users change that.
	TimeoutEnv = "GOPHERWARP_CHECK_TIMEOUT"
	// startTimeout is how long a helper may take to begin with a kernel.
	startTimeout = 2 * time.Minute
	// endTimeout is how long a tool may take to write its report.
	endTimeout = 20 * time.Second
	// maxLogged bounds a tool's log; it says the same of all threads of a launch.
	maxLogged = 2000
	// padding is what memcheck leaves free behind each copy, in bytes.
	padding = 4096
	// maxChecked is how many bytes a launch may work on.
	maxChecked = 512 << 20
	// maxCopied and maxLog are how many bytes a helper may hold, and its log, before another
	// takes its place.
	maxCopied = 2 << 30
	maxLog    = 64 << 10
)

// The descriptors by which a helper gets its jobs and gives its answers.
const (
	JobsFD    = 3
	AnswersFD = 4
)

// tools are those of compute-sanitizer.
var tools = []string{memcheck, racecheck, initcheck, synccheck}

const (
	memcheck  = "memcheck"
	racecheck = "racecheck"
	initcheck = "initcheck"
	synccheck = "synccheck"
	checkMode = "check mode" // the simulator's, which is no tool of compute-sanitizer
)

// A helper is a process that carries out jobs under a tool.
type helper struct {
	tool    string
	cmd     *exec.Cmd
	in      io.WriteCloser
	jobs    *gob.Encoder
	answers chan answered
	logFile string
	placed  []placed // all copies of regions there ever were
	bytes   uint64   // of those
	symbols map[string]source
	files   map[string]bool // the names of programs and of the user's files that they include
	stopped sync.Once
	// job is the one under way, or that ended the helper.
	job *job
	// strange says that a kernel has followed a pointer which came from an earlier kernel's malloc.
	strange bool
	// complaint is what it has written to standard error.
	complaint head
}

// head keeps the beginning of what is written to it.
type head struct {
	mu   sync.Mutex
	text []byte
}

const maxKept = 1000

func (h *head) Write(p []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.text = append(h.text, p[:min(len(p), maxKept-len(h.text))]...)
	return len(p), nil
}

func (h *head) String() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return strings.TrimSpace(string(h.text))
}

// source is what a symbol of compiled code is called in the source.
type source struct{ name, program string }

type answered struct {
	answer
	err error
}

// placed is the copy of a region.
type placed struct {
	addr uint64
	region
	views   []backend.View
	kernel  string
	program string
}

// start starts a helper. The command runs the helper's own main work; a tool is put before it.
func start(command []string, sanitizer, tool string) (*helper, error) {
	h := &helper{tool: tool, answers: make(chan answered, 1), symbols: map[string]source{}, files: map[string]bool{}}
	if tool != checkMode {
		f, err := os.CreateTemp("", "gopherwarp-"+tool+"-*.log")
		if err != nil {
			return nil, fmt.Errorf("making a file for the report of %s: %w", tool, err)
		}
		h.logFile = f.Name()
		f.Close()
		options := []string{
			sanitizer, "--tool", tool, "--log-file", h.logFile, "--demangle", "no", "--show-backtrace", "device",
			"--print-limit", strconv.Itoa(maxLogged), "--launch-timeout", "60",
		}
		switch tool {
		case memcheck:
			// The padding keeps an index beyond the end from finding another copy.
			options = append(options, "--report-api-errors", "no", "--leak-check", "full", "--padding", strconv.Itoa(padding))
		case racecheck:
			options = append(options, "--racecheck-report", "hazard") // which names threads
		}
		command = append(options, command...)
	}
	jobs, in, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer jobs.Close()
	out, answers, err := os.Pipe()
	if err != nil {
		in.Close()
		return nil, err
	}
	defer answers.Close()
	h.cmd = exec.Command(command[0], command[1:]...)
	// What kernels print is printed by the launch itself.
	h.cmd.ExtraFiles = []*os.File{jobs, answers} // JobsFD and AnswersFD
	h.cmd.Stderr = &h.complaint
	h.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if err := h.cmd.Start(); err != nil {
		in.Close()
		out.Close()
		os.Remove(h.logFile)
		return nil, fmt.Errorf("starting %s: %w", command[0], err)
	}
	h.in, h.jobs = in, gob.NewEncoder(in)
	go func() {
		defer out.Close()
		defer close(h.answers)
		decoder := gob.NewDecoder(out)
		for {
			var a answered
			a.err = decoder.Decode(&a.answer)
			h.answers <- a
			if a.err != nil {
				return
			}
		}
	}()
	return h, nil
}

// errHangs says that a kernel did not end.
var errHangs = errors.New("the kernel does not end")

// do has the helper carry out a job. A helper that has failed is of no more use.
func (h *helper) do(j *job, patience time.Duration) (*backend.Report, error) {
	for name, symbol := range j.Image.Lowered {
		h.symbols[symbol] = source{name, j.Program.Name}
	}
	h.job = j
	h.files[path.Base(j.Program.Name)] = true
	search, _, _ := include.FromOptions(j.Program.Options)
	for file := range search.Files(j.Program.Source) {
		h.files[path.Base(file)] = true
	}
	sent := make(chan error, 1)
	go func() { sent <- h.jobs.Encode(j) }()
	a, ok := h.answer(startTimeout)
	if !ok {
		return nil, fmt.Errorf("the process that checks kernels under %s was not ready after %v: %s", h.tool, startTimeout, &h.complaint)
	}
	if a.Begun {
		h.place(j, a.Addrs)
		if a, ok = h.answer(patience); !ok {
			return nil, errHangs
		}
	}
	if a.err != nil {
		h.stop() // all that it has to say is there then
		return nil, fmt.Errorf("the process that checks kernels under %s has ended (%w) %s", h.tool, a.err, &h.complaint)
	}
	if err := <-sent; err != nil {
		return nil, fmt.Errorf("sending a launch to the process that checks kernels: %w", err)
	}
	if a.Err != nil {
		return a.Report, a.Err
	}
	h.job = nil
	return a.Report, nil
}

// place notes where the copies of a job's regions are.
func (h *helper) place(j *job, copies []uint64) {
	for i, addr := range copies {
		r := j.Regions[i]
		var views []backend.View
		for _, v := range j.Views {
			if v.Addr >= r.Addr && v.Addr-r.Addr < r.Size {
				v.Addr = addr + v.Addr - r.Addr
				views = append(views, v)
			}
		}
		r.Data = nil
		h.placed = append(h.placed, placed{addr: addr, region: r, views: views, kernel: j.Kernel, program: j.Program.Name})
		h.bytes += r.Size
	}
}

// answer waits for the next answer; ok is false if it takes too long.
func (h *helper) answer(patience time.Duration) (a answered, ok bool) {
	timeout := time.NewTimer(patience)
	defer timeout.Stop()
	select {
	case a, ok := <-h.answers:
		if !ok {
			a.err = io.EOF
		}
		return a, true
	case <-timeout.C:
		return a, false
	}
}

// full reports whether another helper should take the place of this one.
func (h *helper) full() bool {
	st, err := os.Stat(h.logFile)
	return h.bytes > maxCopied || err == nil && st.Size() > maxLog
}

// end ends the helper and gives the log of its tool.
func (h *helper) end() (string, error) {
	defer os.Remove(h.logFile)
	h.stop()
	if h.logFile == "" {
		return "", nil
	}
	log, err := os.ReadFile(h.logFile)
	if err != nil {
		return "", fmt.Errorf("reading the report of %s: %w", h.tool, err)
	}
	return string(log), nil
}

// stop asks the helper to end, and waits until it has, with its tool.
func (h *helper) stop() {
	h.stopped.Do(func() {
		h.in.Close()
		done := make(chan struct{})
		go func() {
			h.drain()
			_ = h.cmd.Wait() // its status says that defects were found, or that a kernel failed
			close(done)
		}()
		select {
		case <-done:
		case <-time.After(endTimeout):
			h.kill()
			<-done
		}
	})
}

// drain waits until the helper has closed its output.
func (h *helper) drain() {
	for range h.answers {
	}
}

// kill ends the helper at once, with the tool that it runs under.
func (h *helper) kill() { _ = syscall.Kill(-h.cmd.Process.Pid, syscall.SIGKILL) }

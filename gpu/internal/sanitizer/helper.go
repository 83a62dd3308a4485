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
	// DefaultTimeout is the maximum time of a kernel under a tool. A kernel that takes longer is deadlocked, or too large to be
	// checked.
	DefaultTimeout = 20 * time.Second
	// TimeoutEnv is the environment variable that sets another timeout.
	TimeoutEnv = "GOPHERWARP_CHECK_TIMEOUT"
	// startTimeout is the maximum time of a helper before it starts a kernel.
	startTimeout = 2 * time.Minute
	// endTimeout is the maximum time of a tool for writing its report.
	endTimeout = 20 * time.Second
	// maxLogged is the maximum number of reports of a tool: it reports the same defect for all threads of a launch.
	maxLogged = 2000
	// padding is the unused memory after each copy under memcheck, in bytes.
	padding = 4096
	// maxChecked is the maximum size of a launch's memory, in bytes.
	maxChecked = 512 << 20
	// maxCopied and maxLog are the maximum sizes in bytes of a helper's copies and its log, after which it is replaced.
	maxCopied = 2 << 30
	maxLog    = 64 << 10
)

// The file descriptors on which a helper receives jobs and sends answers.
const (
	JobsFD    = 3
	AnswersFD = 4
)

// tools are the tools of compute-sanitizer.
var tools = []string{memcheck, racecheck, initcheck, synccheck}

const (
	memcheck  = "memcheck"
	racecheck = "racecheck"
	initcheck = "initcheck"
	synccheck = "synccheck"
	checkMode = "check mode" // of the simulator, not a tool of compute-sanitizer
)

// A helper is a process that executes jobs under a tool.
type helper struct {
	tool    string
	cmd     *exec.Cmd
	in      io.WriteCloser
	jobs    *gob.Encoder
	answers chan answered
	logFile string
	placed  []placed // the copies of all regions so far
	bytes   uint64   // total size of the copies
	symbols map[string]source
	files   map[string]bool // base names of programs and of the user's files that they include
	stopped sync.Once
	// job is the present job, or the one that failed.
	job *job
	// strange is set if a kernel used a pointer that an earlier kernel got from malloc.
	strange bool
	// program is set for the log of a whole program, whose buffers are unknown.
	program bool
	// stderr is the output to standard error.
	stderr head
}

// head keeps the first maxKept bytes written to it.
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

// source is the name of a symbol in the source.
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

// start starts a helper. The command is that of the helper; the command of a tool is put before it.
func start(command []string, sanitizer, tool string) (_ *helper, err error) {
	h := &helper{tool: tool, answers: make(chan answered, 1), symbols: map[string]source{}, files: map[string]bool{}}
	if tool != checkMode {
		f, err := os.CreateTemp("", "gopherwarp-"+tool+"-*.log")
		if err != nil {
			return nil, fmt.Errorf("create a file for the report of %s: %w", tool, err)
		}
		h.logFile = f.Name()
		f.Close()
		defer func() {
			if err != nil {
				os.Remove(h.logFile)
			}
		}()
		options := []string{
			sanitizer, "--tool", tool, "--log-file", h.logFile, "--demangle", "no", "--show-backtrace", "device",
			"--print-limit", strconv.Itoa(maxLogged), "--launch-timeout", "60",
		}
		switch tool {
		case memcheck:
			// The padding keeps an index out of bounds from accessing another copy.
			options = append(options, "--report-api-errors", "no", "--leak-check", "full", "--padding", strconv.Itoa(padding))
		case racecheck:
			options = append(options, "--racecheck-report", "hazard") // which includes the threads
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
	// Helpers have no standard output: the launch on the device prints the output of kernels.
	h.cmd.ExtraFiles = []*os.File{jobs, answers} // JobsFD and AnswersFD
	h.cmd.Stderr = &h.stderr
	h.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if err := h.cmd.Start(); err != nil {
		in.Close()
		out.Close()
		return nil, fmt.Errorf("start %s: %w", command[0], err)
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

// errHangs is the error of a kernel that exceeds the timeout.
var errHangs = errors.New("the kernel does not end")

// do executes a job in the helper. After an error the helper cannot be used again.
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
		return nil, fmt.Errorf("the process that checks kernels under %s was not ready after %v: %s", h.tool, startTimeout, &h.stderr)
	}
	if a.Begun {
		h.place(j, a.Addrs)
		if a, ok = h.answer(patience); !ok {
			return nil, errHangs
		}
	}
	if a.err != nil {
		h.stop() // afterwards its output is complete
		return nil, fmt.Errorf("the process that checks kernels under %s has exited (%w): %s", h.tool, a.err, &h.stderr)
	}
	if err := <-sent; err != nil {
		return nil, fmt.Errorf("send a launch to the process that checks kernels: %w", err)
	}
	if a.Err != nil {
		return a.Report, a.Err
	}
	h.job = nil
	return a.Report, nil
}

// place records the addresses of the copies of a job's regions.
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

// answer waits for the next answer; ok is false after a timeout.
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

// full reports whether the helper must be replaced.
func (h *helper) full() bool {
	st, err := os.Stat(h.logFile)
	return h.bytes > maxCopied || err == nil && st.Size() > maxLog
}

// end stops the helper and returns the log of its tool.
func (h *helper) end() (string, error) {
	defer os.Remove(h.logFile)
	h.stop()
	if h.logFile == "" {
		return "", nil
	}
	log, err := os.ReadFile(h.logFile)
	if err != nil {
		return "", fmt.Errorf("read the report of %s: %w", h.tool, err)
	}
	return string(log), nil
}

// stop closes the helper's input and waits until it and its tool have exited.
func (h *helper) stop() {
	h.stopped.Do(func() {
		h.in.Close()
		done := make(chan struct{})
		go func() {
			h.drain()
			_ = h.cmd.Wait() // its status only means that defects were found, or that a kernel failed
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

// kill kills the helper and its tool.
func (h *helper) kill() { _ = syscall.Kill(-h.cmd.Process.Pid, syscall.SIGKILL) }

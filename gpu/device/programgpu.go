package device

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/driver"
	"github.com/gopherwarp/gopherwarp/gpu/internal/sanitizer"
	"github.com/gopherwarp/gopherwarp/internal/include"
)

// simulatorLimit is the maximum time of a program on the simulator beside its run on a GPU. Check mode takes a hundred times as long
// as a run without it.
const simulatorLimit = 5 * time.Minute

// checkNative runs a compiled program twice: on the GPU under compute-sanitizer's memcheck, which is the run that is seen, and then on
// the simulator in check mode, without output. What both find is one report. It returns an error only if the program does not start,
// and exits otherwise: with status 1 if there are defects, or with the program's.
func (r *programRun) checkNative(path string) error {
	dir, err := os.MkdirTemp("", "gopherwarp-check-")
	if err != nil {
		return fmt.Errorf("make a directory for reports of checks: %w", err)
	}
	status, report, err := r.checkBoth(path, dir)
	os.RemoveAll(dir)
	if err != nil {
		return err
	}
	for _, f := range report.Findings {
		r.showFinding(f)
		if !f.Warning {
			status = exitFault
		}
	}
	if r.printsFindings() {
		fmt.Fprintln(os.Stderr, report.Note)
	}
	r.endChecks(report)
	os.Exit(status)
	return nil
}

// checkBoth returns the exit status of the program's run on the GPU, and what that run and the one on the simulator have shown.
func (r *programRun) checkBoth(path, dir string) (status int, report backend.Report, err error) {
	log := filepath.Join(dir, "memcheck.log")
	status, sanitized, err := driver.RunChecked(path, r.program.Name, r.args, r.ordinal, log)
	if err != nil {
		return 0, report, err
	}
	report, cause := r.simulated(filepath.Join(dir, "simulator.json"))
	text, _ := os.ReadFile(log) // there is none without compute-sanitizer, or if it has not started
	report.Findings = sanitizer.Join(sanitizer.ReadProgram(string(text), r.userFiles()), report.Findings)
	switch {
	case !sanitized:
		report.Note = "compute-sanitizer was not found (it comes with the CUDA toolkit, or `pip install nvidia-cuda-sanitizer-api`), so the GPU has run the program without it"
	case len(text) == 0:
		report.Note = "compute-sanitizer has not checked the program: it wrote no report"
	default:
		report.Note = "checked by compute-sanitizer's memcheck on the GPU"
	}
	if cause == "" {
		report.Note += "; the simulator has checked another run"
	} else {
		report.Note += "; the simulator could not check it: " + cause
	}
	return status, report, nil
}

// userFiles returns the base names of the program's files and of those of the user that they include.
func (r *programRun) userFiles() []string {
	search, _, _ := include.FromOptions(r.program.Options)
	files := []string{filepath.Base(r.program.Name)}
	for _, s := range append([]backend.Source{{Text: r.program.Source}}, r.program.More...) {
		search.Own = r.program.Dir
		if s.Name != "" {
			files = append(files, filepath.Base(s.Name))
			search.Own = filepath.Dir(s.Name)
		}
		for file := range search.Files(s.Text) {
			files = append(files, filepath.Base(file))
		}
	}
	return files
}

// simulated runs the program on the simulator in check mode. The cause says in a line why there is no report, if there is none.
func (r *programRun) simulated(file string) (report backend.Report, cause string) {
	ctx, cancel := context.WithTimeout(context.Background(), simulatorLimit)
	defer cancel()
	args := append(append([]string{}, r.self[1:]...), r.own...)
	args = append(append(args, "--device", "sim", "--check", "--report", file), r.files...)
	cmd := exec.CommandContext(ctx, r.self[0], append(append(args, "--"), r.args...)...)
	cmd.WaitDelay = time.Second
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	var errs bytes.Buffer
	cmd.Stderr = &errs
	if r.files[0] == "-" {
		cmd.Stdin = strings.NewReader(r.program.Source)
	} else if in, err := os.Open("/proc/self/fd/0"); err == nil { // from its beginning, if it is a file
		if info, err := in.Stat(); err == nil && info.Mode().IsRegular() {
			cmd.Stdin = in
		}
		defer in.Close()
	}
	err := cmd.Run()
	if ctx.Err() != nil {
		return report, fmt.Sprintf("it had not ended after %v there; give the program smaller inputs", simulatorLimit)
	}
	text, readErr := os.ReadFile(file)
	if readErr == nil {
		if err := json.Unmarshal(text, &report); err != nil {
			return backend.Report{}, fmt.Sprintf("its report cannot be read: %v", err)
		}
		return report, ""
	}
	if exit := new(exec.ExitError); err != nil && !errors.As(err, &exit) {
		return report, err.Error()
	}
	if errs.Len() == 0 {
		return report, fmt.Sprintf("it has ended there without a report (%s)", cmd.ProcessState)
	}
	return report, sanitizer.FirstError(errs.String())
}

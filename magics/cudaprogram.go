package magics

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/gopherwarp/gopherwarp/gpu/check"
	"github.com/gopherwarp/gopherwarp/internal/cellruntime/gpuhost"
	"github.com/gopherwarp/gopherwarp/kernel"
)

// A cudaProgram is a cell that is a whole program: CUDA C++ with a main function. A separate process compiles it, and another runs it, so
// that it cannot harm the session.
type cudaProgram struct {
	*Call
	name    string // e.g. "cell[3].cu"
	request gpuhost.CompileRequest
	self    string   // path of this program
	options []string // for its command "program"
	dir     string   // for the source and the report
}

// The exit statuses of `gopherwarp program --build`.
const exitSource = 3

func (c *Call) runCUDAProgram(ctx context.Context, request gpuhost.CompileRequest, name string) error {
	if request.Show.Any() {
		return usageError("--info, --ptx and --sass are about kernels: put them into a cell without a main")
	}
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("finding the program that runs CUDA programs: %w", err)
	}
	var status gpuhost.Status
	if err := c.call(ctx, gpuhost.CallStatus, struct{}{}, &status); err != nil {
		return err
	}
	dir, err := os.MkdirTemp(c.session.TempDir(), "gopherwarp-program-")
	if err != nil {
		return fmt.Errorf("making a folder for the program: %w", err)
	}
	defer os.RemoveAll(dir)
	p := &cudaProgram{Call: c, name: name, request: request, self: self, dir: dir}
	p.options = []string{"program", "--device", status.Device, "--name", name}
	if !status.Properties.Simulated && !slices.ContainsFunc(request.Flags, namesArch) {
		request.Flags = append(request.Flags, "-arch="+status.Properties.Arch()) // otherwise two more processes would query the GPU
	}
	for _, f := range request.Flags {
		p.options = append(p.options, "--flag", f)
	}
	if request.Check {
		p.options = append(p.options, "--check", "--report", p.reportFile())
	}
	if err := os.WriteFile(p.sourceFile(), []byte(c.Body), 0o600); err != nil {
		return fmt.Errorf("writing the program: %w", err)
	}
	if err := p.build(ctx); err != nil {
		return err
	}
	run := program{name: name, argv: append(append([]string{self}, p.options...), p.sourceFile()), inputs: c.takeInputs()}
	ended := c.runProgram(ctx, run)
	// Defects of the kernels are more specific than the exit status of the program.
	return cmp.Or(p.showReport(), ended)
}

func namesArch(flag string) bool {
	return strings.HasPrefix(flag, "-arch") || strings.HasPrefix(flag, "--gpu-architecture")
}

func (p *cudaProgram) sourceFile() string { return filepath.Join(p.dir, "program.cu") }
func (p *cudaProgram) reportFile() string { return filepath.Join(p.dir, "report.json") }

// build compiles the program, into the cache of compiled programs, and shows warnings.
func (p *cudaProgram) build(ctx context.Context) error {
	around := p.surroundings(ctx)
	if around.Dir == "" {
		return errNoFolder
	}
	cmd := exec.CommandContext(ctx, p.self, append(append([]string{}, p.options...), "--build", p.sourceFile())...)
	cmd.Dir, cmd.Env = around.Dir, around.Env
	// A compiler's child processes are killed with it.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	log := strings.TrimSpace(out.String())
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &exit) && exit.ExitCode() == exitSource:
		return p.cudaError(&kernel.CellError{Name: cudaErrorName, Value: log})
	case errors.As(err, &exit) && log != "":
		return errors.New(log)
	case err != nil:
		return fmt.Errorf("compiling %s: %w", p.name, err)
	}
	p.showWarnings(log)
	return nil
}

// showReport shows the report of check mode, if it was requested. Defects are an error of the cell.
func (p *cudaProgram) showReport() error {
	if !p.request.Check {
		return nil
	}
	text, err := os.ReadFile(p.reportFile())
	if errors.Is(err, os.ErrNotExist) {
		return nil // the program was killed, or compute-sanitizer has written its own
	}
	var r check.Report
	if err == nil {
		err = json.Unmarshal(text, &r)
	}
	if err != nil {
		return fmt.Errorf("reading the report of check mode: %w", err)
	}
	r.Sources = map[string]string{p.name: p.Body}
	mime, err := gpuhost.Page(&r, p.request.JSON)
	if err != nil {
		return err
	}
	p.Out.Display(mime, nil, "")
	p.markFindings(r.Findings)
	if err := r.Err(); err != nil {
		return &kernel.CellError{Name: "CUDA check", Value: err.Error()}
	}
	return nil
}

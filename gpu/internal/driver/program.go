package driver

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/sanitizer"
	"github.com/gopherwarp/gopherwarp/internal/cudac"
	"github.com/gopherwarp/gopherwarp/internal/diskcache"
	"github.com/gopherwarp/gopherwarp/internal/include"
	"github.com/gopherwarp/gopherwarp/internal/intact"
	"github.com/gopherwarp/gopherwarp/internal/toolkit"
)

// nvccLimit is the maximum time of nvcc. Large programs take a minute.
const nvccLimit = 5 * time.Minute

// BuildProgram compiles a whole program, with a main of its own, for a GPU by nvcc. It returns the path of the executable, which
// is stored, and the compiler's warnings, which are empty if the executable existed.
func BuildProgram(p backend.Program, ordinal int) (path, log string, err error) {
	nvcc := FindTool("nvcc")
	if nvcc == "" {
		return "", "", &backend.Error{
			Code: int(errJITCompilerNotFound),
			Name: "CUDA_ERROR_JIT_COMPILER_NOT_FOUND",
			Message: "programs with a main are compiled by nvcc, which was not found: `pip install nvidia-cuda-nvcc nvidia-cuda-cccl` brings it for drivers of CUDA 13, " +
				"and so does the CUDA toolkit (CUDA_HOME names its directory). Cells without a main work without it, and so does the simulator (%gpu sim)",
		}
	}
	options, err := nvccOptions(p, ordinal)
	if err != nil {
		return "", "", err
	}
	base, err := os.UserCacheDir()
	if err != nil {
		return "", "", fmt.Errorf("find the directory for compiled programs (set HOME or XDG_CACHE_HOME): %w", err)
	}
	p.Options = options
	files, known, err := includedFiles(p)
	if err != nil {
		return "", "", err
	}
	key, err := nvccKey(nvcc, options, p, files)
	if err != nil {
		return "", "", err
	}
	path = filepath.Join(base, "gopherwarp", "nvcc", key)
	if known {
		if intact.Sealed(path, true) == nil {
			diskcache.Touch(path)
			return path, "", nil
		}
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return "", "", fmt.Errorf("store a compiled program: %w", err)
	}
	diskcache.Expire(filepath.Dir(path), diskcache.Keep)
	dir, err := os.MkdirTemp(filepath.Dir(path), "new-")
	if err != nil {
		return "", "", fmt.Errorf("store a compiled program: %w", err)
	}
	defer os.RemoveAll(dir)
	log, err = runNVCC(nvcc, dir, options, p)
	if err == nil {
		err = os.Rename(filepath.Join(dir, "program"), path)
	}
	if err == nil {
		err = intact.Seal(path)
	}
	return path, log, err
}

// includedFiles stand for the files that those of a program include, and for its files but the first.
func includedFiles(p backend.Program) (digest string, known bool, err error) {
	known = true
	for i, s := range append([]backend.Source{{Name: p.Name, Text: p.Source}}, p.More...) {
		part := p
		part.Name, part.Source = s.Name, s.Text
		if i == 0 {
			part.Name = filepath.Join(cmp.Or(p.Dir, "."), p.Name)
		} else {
			digest += fmt.Sprintf("%q %d %s\n", s.Name, len(s.Text), s.Text)
		}
		search, _, _ := include.FromOptions(p.Options)
		search.Own = filepath.Dir(part.Name)
		if err := search.Check(s.Name, s.Text); err != nil {
			return "", false, &backend.CompileError{Program: p.Name, Log: err.Error() + "\n"}
		}
		more, ok := userFiles(part)
		digest, known = digest+more, known && ok
	}
	return digest, known, nil
}

// nvccOptions are the program's, which nvcc shares with NVRTC, and what else is needed.
func nvccOptions(p backend.Program, ordinal int) ([]string, error) {
	options := withLibraries(absoluteDirectories(p.Options), toolkit.Directories())
	if _, ok := optionValue(options, "-arch", "--gpu-architecture"); !ok {
		arch, err := architecture(ordinal)
		if err != nil {
			return nil, err
		}
		options = append(options, "-arch="+arch)
	}
	if _, ok := optionValue(options, "-std", "--std"); !ok {
		options = append(options, "-std=c++17")
	}
	if p.Check {
		options = append(options, "-lineinfo")
	}
	if launchesInKernels(p) {
		// Such kernels are linked to the runtime's part for devices.
		if _, ok := optionValue(options, "-rdc", "--relocatable-device-code"); !ok {
			options = append(options, "-rdc=true")
		}
		options = append(options, "-lcudadevrt")
	}
	if dir, err := filepath.Abs(p.Dir); p.Dir != "" && err == nil {
		options = append(options, "-I", dir)
	}
	if here, err := os.Getwd(); err == nil {
		options = append(options, "-I", here)
	}
	return options, nil
}

// launchesInKernels reports whether a kernel in one of the program's files launches another.
func launchesInKernels(p backend.Program) bool {
	return slices.ContainsFunc(append([]backend.Source{{Text: p.Source}}, p.More...), func(s backend.Source) bool {
		return cudac.LaunchesInKernels(s.Text)
	})
}

// withLibraries returns options in which CUDA's libraries that wheels have installed stand by their paths, with their headers.
func withLibraries(options, places []string) []string {
	var out []string
	for _, o := range options {
		name, isLibrary := strings.CutPrefix(strings.TrimSpace(o), "-lcu")
		path := ""
		if isLibrary {
			path = libraryFile(places, "cu"+name)
		}
		if path == "" {
			out = append(out, o)
			continue
		}
		dir := filepath.Dir(path)
		out = append(out, "-Xlinker", path, "-Xlinker", "-rpath="+dir, "-I", filepath.Join(filepath.Dir(dir), "include"))
	}
	return out
}

// absoluteDirectories returns options with the directories of -I and -L from the root: nvcc works in another one.
func absoluteDirectories(options []string) []string {
	out := slices.Clone(options)
	for i, o := range out {
		o = strings.TrimSpace(o)
		switch {
		case i > 0 && slices.Contains([]string{"-I", "-L", "-isystem", "--include-path", "--library-path"}, strings.TrimSpace(out[i-1])):
			out[i] = include.Absolute(o)
		case len(o) > 2 && (strings.HasPrefix(o, "-I") || strings.HasPrefix(o, "-L")):
			out[i] = o[:2] + include.Absolute(o[2:])
		}
	}
	return out
}

// architecture is that of a GPU, "sm_90".
func architecture(ordinal int) (string, error) {
	a, err := loadAPI()
	if err != nil {
		return "", err
	}
	var device, major, minor int32
	if r := a.DeviceGet(&device, int32(ordinal)); r != success {
		return "", fmt.Errorf("opening cuda:%d: %w", ordinal, a.check(r, "finding the GPU"))
	}
	if err := errors.Join(a.check(a.DeviceGetAttr(&major, attrComputeMajor, device), "reading the compute capability"),
		a.check(a.DeviceGetAttr(&minor, attrComputeMinor, device), "reading the compute capability")); err != nil {
		return "", err
	}
	return fmt.Sprintf("sm_%d%d", major, minor), nil
}

// nvccKey returns a key that is equal for programs from which nvcc makes the same executable.
func nvccKey(nvcc string, options []string, p backend.Program, files string) (string, error) {
	info, err := os.Stat(nvcc)
	if err != nil {
		return "", fmt.Errorf("read nvcc: %w", err)
	}
	h := sha256.New()
	for _, part := range append([]string{nvcc, info.ModTime().String(), p.Name, p.Source, files}, options...) {
		fmt.Fprintf(h, "%d %s\n", len(part), part)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// runNVCC compiles the file "program" in dir. Messages have the program's name.
func runNVCC(nvcc, dir string, options []string, p backend.Program) (log string, err error) {
	text := fmt.Sprintf("#line 1 %s\n%s\n", strconv.Quote(p.Name), p.Source)
	if err := os.WriteFile(filepath.Join(dir, "program.cu"), []byte(text), 0o644); err != nil {
		return "", fmt.Errorf("write the program for nvcc: %w", err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), nvccLimit)
	defer cancel()
	args := append(options, "-o", "program", "program.cu")
	for _, s := range p.More {
		args = append(args, include.Absolute(s.Name))
	}
	cmd := exec.CommandContext(ctx, nvcc, args...)
	cmd.Dir = dir
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	cmd.WaitDelay = time.Second
	err = cmd.Run()
	if exit := new(exec.ExitError); errors.As(err, &exit) && ctx.Err() == nil {
		// The last line of the output has the name of the file.
		return "", &backend.CompileError{Program: p.Name, Log: strings.ReplaceAll(out.String(), `"program.cu"`, strconv.Quote(p.Name))}
	}
	if err != nil {
		return "", fmt.Errorf("run %s: %w", nvcc, err)
	}
	return out.String(), nil
}

// ExecProgram replaces this process by the executable, with the GPU as its first device. It returns only on failure.
func ExecProgram(path, name string, args []string, ordinal int) error {
	argv := buffered(append([]string{path}, args...))
	return fmt.Errorf("start %s: %w", name, syscall.Exec(argv[0], argv, environment(ordinal)))
}

// RunChecked runs the executable, with the GPU as its first device, under compute-sanitizer's memcheck, which writes its report to
// the file log. It returns the exit status of the program. Without compute-sanitizer the program runs alone.
func RunChecked(path, name string, args []string, ordinal int, log string) (status int, sanitized bool, err error) {
	argv := append([]string{path}, args...)
	tool := FindTool("compute-sanitizer")
	if tool != "" {
		argv = append(append([]string{tool}, sanitizer.ProgramOptions(log)...), argv...)
	}
	argv = buffered(argv)
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr = environment(ordinal), os.Stdin, os.Stdout, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		return 0, false, fmt.Errorf("start %s: %w", name, err)
	}
	if signal := cmd.ProcessState.Sys().(syscall.WaitStatus); signal.Signaled() {
		return 128 + int(signal.Signal()), tool != "", nil
	}
	return cmd.ProcessState.ExitCode(), tool != "", nil
}

// buffered returns a command with which lines appear when they are printed, and none is lost in a crash.
func buffered(argv []string) []string {
	if stdbuf, err := exec.LookPath("stdbuf"); err == nil {
		return append([]string{stdbuf, "-oL"}, argv...)
	}
	return argv
}

// environment is this process's, with the GPU as the first device.
func environment(ordinal int) []string {
	env := os.Environ()
	if ordinal > 0 {
		env = append(env, "CUDA_VISIBLE_DEVICES="+visible(os.Getenv("CUDA_VISIBLE_DEVICES"), ordinal))
	}
	return env
}

// visible returns the value of CUDA_VISIBLE_DEVICES that leaves only one of the visible devices.
func visible(now string, ordinal int) string {
	if list := strings.Split(now, ","); now != "" && ordinal < len(list) {
		return list[ordinal]
	}
	return strconv.Itoa(ordinal)
}

package device

import (
	"embed"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

//go:embed testdata/libraries
var libraryPrograms embed.FS

// missingLibrary is what compilers and linkers say of a library that is not installed.
var missingLibrary = regexp.MustCompile(`(cu\w+\.h|thrust/\S+|cub/\S+): No such file|cannot open source file|cannot find -lcu`)

// TestLibraryPrograms runs programs that call CUDA's libraries, in check mode, too, where they are accused of nothing.
func TestLibraryPrograms(t *testing.T) {
	eachFile(t, libraryPrograms, "testdata/libraries", func(t *testing.T, name, text string) {
		flags := libraryFlags(text)
		wantStatus, args, want := expected(t, text)
		status, stdout, stderr := runProgram(t, flags, append([]string{source(t, text)}, args...)...)
		if onGPU := strings.HasPrefix(os.Getenv("GOPHERWARP_DEVICE"), "cuda"); onGPU && status == exitSource && missingLibrary.MatchString(stderr) {
			t.Skip("SKIPPED: the library is not installed beside nvcc: install its wheel (nvidia-curand, nvidia-cublas, nvidia-cufft, nvidia-cusparse, nvidia-cuda-cccl)")
		}
		if status == exitSource && strings.Contains(stderr, "pip install nvidia-cuda-cccl") {
			t.Skip("SKIPPED: Thrust is not installed: pip install nvidia-cuda-cccl, or put .venv/bin of `make deps-test` first in PATH")
		}
		stdout = complaints.ReplaceAllString(stdout, "")
		if status != wantStatus || stdout != want {
			t.Errorf("status %d, want %d; printed\n%s\nwant\n%s\nstandard error:\n%s", status, wantStatus, stdout, want, stderr)
		}
		skipSome(t, name)
		status, stdout, stderr = runProgramOn(t, "sim", append([]string{"--check"}, flags...), append([]string{source(t, text)}, args...)...)
		if status != wantStatus || stdout != want || !strings.Contains(stderr, "no defects") {
			t.Errorf("in check mode: status %d, want %d; printed\n%s\nwant\n%s\nstandard error:\n%s", status, wantStatus, stdout, want, stderr)
		}
	})
}

// complaints matches what cuBLAS and cuSPARSE print about invalid arguments, in addition to their status.
var complaints = regexp.MustCompile(`(?m)^ \*\* On entry to .*\n+`)

// libraryFlags returns the options that link the libraries whose headers a program includes.
func libraryFlags(text string) (flags []string) {
	for header, library := range map[string]string{"curand.h": "-lcurand", "cublas_v2.h": "-lcublas", "cublasLt.h": "-lcublasLt", "cufft.h": "-lcufft", "cusparse.h": "-lcusparse"} {
		if strings.Contains(text, "#include <"+header+">") {
			flags = append(flags, "--flag", library)
		}
	}
	if strings.Contains(text, "__device__(") {
		flags = append(flags, "--flag", "--extended-lambda")
	}
	return flags
}

// Where there is no wheel with Thrust, the message says how to install one.
func TestProgramWithoutThrust(t *testing.T) {
	gxx, err := exec.LookPath("g++")
	if err != nil {
		t.Skip("SKIPPED: g++ is not installed")
	}
	for _, place := range []string{"/usr/local/cuda*/include", "/usr/local/cuda*/targets/*/include", "/opt/cuda/include", "/usr/include"} {
		for _, sub := range []string{"", "cccl"} {
			if found, _ := filepath.Glob(filepath.Join(place, sub, "thrust")); found != nil {
				t.Skipf("SKIPPED: this machine has Thrust in %s", found[0])
			}
		}
	}
	t.Setenv("PATH", filepath.Dir(gxx))
	t.Setenv("HOME", t.TempDir())
	for _, name := range []string{"CUDA_HOME", "CUDA_PATH", "CONDA_PREFIX", "VIRTUAL_ENV", "PYTHONPATH"} {
		t.Setenv(name, "")
	}
	status, _, stderr := runProgramOn(t, "sim", nil, source(t, "#include <thrust/sort.h>\nint main() {}\n"))
	if status != exitSource || !strings.Contains(stderr, "program.cu:1: error: Thrust") || !strings.Contains(stderr, "pip install nvidia-cuda-cccl") {
		t.Errorf("status %d, want %d; standard error:\n%s", status, exitSource, stderr)
	}
}

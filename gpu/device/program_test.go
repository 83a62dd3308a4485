package device

import (
	"bytes"
	"cmp"
	"embed"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

//go:embed testdata/programs
var testPrograms embed.FS

// asProgram is the environment variable with which the test binary runs Program.
const asProgram = "GOPHERWARP_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		os.Exit(Program(os.Args[1:]))
	}
	if path := os.Getenv(asNative); path != "" {
		os.Exit(checkedNative(path))
	}
	if os.Getenv(asServed) != "" {
		served()
		return
	}
	// ExampleServe calls it, too, but there the arguments of the test would be parsed before.
	Serve()
	if os.Getenv("GOPHERWARP_DEVICE") == "" {
		os.Setenv("GOPHERWARP_DEVICE", "sim")
	}
	os.Exit(m.Run())
}

// runProgram runs a program on the device that tests are run on, the simulator if none is named.
func runProgram(t *testing.T, options []string, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	return runProgramOn(t, cmp.Or(os.Getenv("GOPHERWARP_DEVICE"), "sim"), options, args...)
}

func runProgramOn(t *testing.T, device string, options []string, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self, append(append([]string{"--device", device}, options...), args...)...)
	cmd.Env = append(os.Environ(), asProgram+"=1")
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	cmd.WaitDelay = time.Second
	err = cmd.Run()
	if exit := new(exec.ExitError); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if cmd.ProcessState.ExitCode() < 0 {
		return -1, out.String(), errs.String() + cmd.ProcessState.String()
	}
	return cmd.ProcessState.ExitCode(), out.String(), errs.String()
}

// source writes a program to a file.
func source(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "program.cu")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestPrograms runs the programs of testdata, each of which ends with its expected output, also on a GPU.
func TestPrograms(t *testing.T) {
	eachProgram(t, func(t *testing.T, _, text string) {
		wantStatus, args, want := expected(t, text)
		status, stdout, stderr := runProgram(t, compilerFlags(text), append([]string{source(t, text)}, args...)...)
		if status != wantStatus || stdout != want {
			t.Errorf("status %d, want %d; printed\n%s\nwant\n%s\nstandard error:\n%s", status, wantStatus, stdout, want, stderr)
		}
	})
}

// eachProgram runs a subtest with the name and the text of each program of testdata.
func eachProgram(t *testing.T, f func(t *testing.T, name, text string)) {
	eachFile(t, testPrograms, "testdata/programs", f)
}

// eachFile is eachProgram for another directory.
func eachFile(t *testing.T, fsys embed.FS, dir string, f func(t *testing.T, name, text string)) {
	files, err := fsys.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		t.Run(file.Name(), func(t *testing.T) {
			t.Parallel()
			text, err := fsys.ReadFile(dir + "/" + file.Name())
			if err != nil {
				t.Fatal(err)
			}
			f(t, file.Name(), string(text))
		})
	}
}

// expected reads the comments at the end of a program.
func expected(t *testing.T, text string) (status int, args []string, output string) {
	t.Helper()
	inOutput := false
	for line := range strings.Lines(text) {
		comment, ok := strings.CutPrefix(line, "//")
		comment = strings.TrimPrefix(comment, " ")
		key, value, _ := strings.Cut(strings.TrimSpace(comment), ": ")
		switch {
		case inOutput && ok:
			output += comment
		case !ok:
		case key == "Status":
			var err error
			if status, err = strconv.Atoi(value); err != nil {
				t.Fatal(err)
			}
		case key == "Args":
			args = strings.Fields(value)
		case key == "Output:":
			inOutput = true
		}
	}
	return status, args, output
}

// compilerFlags returns the options that a program of testdata is compiled with.
func compilerFlags(text string) []string {
	if _, rest, ok := strings.Cut(text, "\n// Flags: "); ok {
		flags, _, _ := strings.Cut(rest, "\n")
		return strings.Fields(flags)
	}
	return nil
}

// TestProgramInSeveralFiles runs a program whose kernels are in files that it includes.
func TestProgramInSeveralFiles(t *testing.T) {
	write := func(name, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(t.TempDir())
	write("program.cu", `#include <cstdio>
#include "lib/launch.cuh"
#include "lib/kernels.cuh"

int main() {
    int *x;
    cudaMallocManaged(&x, sizeof *x);
    add<<<1, 1>>>(x, 40);
    launchTwice(x);
    cudaDeviceSynchronize();
    printf("%d\n", *x);
}
`)
	write("lib/kernels.cuh", "#pragma once\n#include \"amount.h\"\n__global__ void add(int *x, int n) { *x += n * amount; }\n")
	write("lib/launch.cuh", "#include \"kernels.cuh\"\ninline void launchTwice(int *x) {\n    for (int i = 0; i < 2; i++)\n        add<<<1, 1>>>(x, 1);\n}\n")
	for _, amount := range []string{"1", "2"} { // a changed file must be compiled again
		write("lib/amount.h", "constexpr int amount = "+amount+";\n")
		want := map[string]string{"1": "42\n", "2": "84\n"}[amount]
		if status, stdout, stderr := runProgram(t, nil, "program.cu"); status != 0 || stdout != want {
			t.Errorf("status %d, printed %q, want %q; standard error:\n%s", status, stdout, want, stderr)
		}
	}
	write("lib/kernels.cuh", "\n__global__ void add(int *x, int n) {\n    *x += missing;\n}\n")
	if status, _, stderr := runProgram(t, nil, "program.cu"); status != exitSource || !strings.Contains(stderr, "kernels.cuh") || !strings.Contains(stderr, "missing") {
		t.Errorf("status %d for a mistake in an included file; standard error:\n%s", status, stderr)
	}
}

// TestProgramFailures runs programs that don't compile, crash, or misuse the runtime.
func TestProgramFailures(t *testing.T) {
	tests := []struct {
		name, text string
		options    []string
		status     int    // -1 for a signal
		simulated  bool   // it fails differently on a GPU
		want       string // words of standard error, in this order
	}{
		{"syntax", "int main() {\n    int x = ;\n}", nil, exitSource, false, "cell[1].cu 2 expected"},
		{"in a kernel", "__global__ void k(int *x) {\n    *x = y;\n}\nint main() { k<<<1, 1>>>(nullptr); }", nil, exitSource, false, "cell[1].cu 2 error y"},
		{"wrong arguments", "__global__ void k(int *x) { *x = 1; }\nint main() {\n    k<<<1, 1>>>(1.5);\n}", nil, exitSource, false, "cell[1].cu 3 double"},
		{"no closing", "__global__ void k() {}\nint main() {\n    k<<<1, 1>>();\n}", nil, exitSource, true, "cell[1].cu:3 error no closing >>>"},
		{"one value", "__global__ void k() {}\nint main() {\n    k<<<1>>>();\n}", nil, exitSource, true, "cell[1].cu:3 error 2 to 4 values"},
		{"waiting in a kernel", "__global__ void k() {}\n__global__ void l() {\n    k<<<1, 1>>>();\n    cudaDeviceSynchronize();\n}\nint main() {\n    l<<<1, 1>>>();\n    return cudaDeviceSynchronize() ? 5 : 0;\n}", nil, 5, true, "kernel l cudaDeviceSynchronize in a kernel cudaStreamTailLaunch"},
		{"texture reference", "texture<float, 2> t;\nint main() {}", nil, exitSource, true, "cell[1].cu:1 texture textures and surfaces are objects on the simulator"},
		{"grids of several devices", "#include <cooperative_groups.h>\n__global__ void k() { cooperative_groups::this_multi_grid().sync(); }\nint main() { k<<<1, 1>>>(); }", nil, exitSource, true, "cell[1].cu 2 this_multi_grid this_multi_grid: CUDA 13 no groups of grids on several devices host code"},
		{"compressed array", "#include <sm_20_intrinsics.h>\n#include <sm_61_intrinsics.h>\nint main() {\n    cudaArray_t a;\n    cudaChannelFormatDesc f = cudaCreateChannelDesc<cudaChannelFormatKindUnsignedBlockCompressed6H>();\n    return f.z == 16 && f.w == 0 && cudaMallocArray(&a, &f, 16, 16) == cudaErrorNotSupported ? 6 : 0;\n}", nil, 6, true, "cudaMalloc3DArray compressed blocks BC1 to BC7 not on the simulator host code"},
		{"sparse array", "int main() {\n    cudaArray_t a;\n    cudaChannelFormatDesc f = cudaCreateChannelDesc<float>();\n    return cudaMalloc3DArray(&a, &f, make_cudaExtent(4, 4, 0), cudaArraySparse) == cudaErrorNotSupported ? 6 : 0;\n}", nil, 6, true, "cudaMalloc3DArray sparse arrays not on the simulator"},
		{"product of half a warp", "__global__ void k() {\n    double s[2], x = 1;\n    asm(\"mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%2}, {%2, %2};\" : \"=d\"(s[0]), \"=d\"(s[1]) : \"d\"(x));\n}\nint main() {\n    k<<<1, 48>>>();\n    return cudaDeviceSynchronize() == cudaErrorLaunchFailure ? 4 : 1;\n}", nil, 4, true, "mma.sync on line 3 all 32 lanes of the warp must execute it 48 threads: launch a multiple of 32"},
		{"filter of integers", "int main() {\n    cudaArray_t a;\n    cudaChannelFormatDesc f = cudaCreateChannelDesc<int>();\n    cudaMallocArray(&a, &f, 4, 4);\n    cudaResourceDesc w = {};\n    w.res.array.array = a;\n    cudaTextureDesc h = {};\n    h.filterMode = cudaFilterModeLinear;\n    cudaTextureObject_t t;\n    return cudaCreateTextureObject(&t, &w, &h, nullptr);\n}", nil, 26, true, ""},
		{"unknown option", "int main() {}", []string{"--flag", "--no-such-option"}, exitSource, true, "--no-such-option"},
		{"crash of host code", "#include <cstdio>\nint main() {\n    puts(\"before\");\n    volatile int *p = nullptr;\n    *p = 1;\n}", nil, -1, false, "segmentation fault"},
		{"abort", "#include <cassert>\nint main(int n, char **) { assert(n == 0); }", nil, -1, false, "n == 0 abort"},
		{"assert in a kernel", "#include <cassert>\n__global__ void k(int n) { assert(n == 0); }\nint main() {\n    k<<<1, 1>>>(1);\n    return cudaDeviceSynchronize() == cudaErrorAssert ? 0 : 1;\n}", nil, 0, false, "n == 0 failed"},
		{"wrong direction", "int main() {\n    int *d, h = 0;\n    cudaMalloc(&d, 4);\n    return cudaMemcpy(&h, &h, 4, cudaMemcpyHostToDevice);\n}", nil, 1, true, "cudaMemcpy destination is not device memory"},
		{"too much memory", "int main() {\n    void *p = &p;\n    cudaError_t e = cudaMalloc(&p, 1ull << 50);\n    return e == cudaErrorMemoryAllocation && p == nullptr ? 9 : 1;\n}", nil, 9, true, "MiB of device memory asked for"},
		{"exit in a function", "#include <cstdlib>\nvoid stop() { exit(7); }\nint main() { stop(); }", nil, 7, false, ""},
		{"limits of a model", "int main() {\n    cudaDeviceProp p;\n    cudaGetDeviceProperties(&p, 0);\n    int n;\n    cudaGetDeviceCount(&n);\n    return 10 * p.major + n;\n}", []string{"--device", "sim:t4x2"}, 72, true, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if device := os.Getenv("GOPHERWARP_DEVICE"); test.simulated && strings.HasPrefix(device, "cuda") {
				t.Skip("SKIPPED: this is a test of the simulator")
			}
			status, _, stderr := runProgram(t, append([]string{"--name", "cell[1].cu"}, test.options...), source(t, test.text))
			if status != test.status {
				t.Errorf("status %d, want %d; standard error:\n%s", status, test.status, stderr)
			}
			rest := stderr
			for word := range strings.FieldsSeq(test.want) {
				i := strings.Index(rest, word)
				if i < 0 {
					t.Fatalf("standard error should have %q in the order of %q:\n%s", word, test.want, stderr)
				}
				rest = rest[i:]
			}
		})
	}
}

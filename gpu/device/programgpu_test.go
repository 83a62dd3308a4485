package device

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// asNative is the environment variable with which the test binary checks an executable as that of a program for a GPU.
const asNative = "GOPHERWARP_TEST_AS_NATIVE"

// checkedNative checks the executable that stands for what nvcc makes of the program whose file and arguments the test binary was
// given.
func checkedNative(path string) int {
	os.Unsetenv(asNative)
	os.Setenv(asProgram, "1") // for the simulator
	file, report := os.Args[1], os.Getenv("REPORT")
	r := programRun{args: os.Args[2:], report: report, file: file, self: []string{"/proc/self/exe"}, files: []string{file}}
	r.program.Check = true
	err := r.read(r.files)
	if err == nil {
		err = r.checkNative(path)
	}
	fmt.Fprintln(os.Stderr, err)
	return exitUsage
}

// oobLines are a program with the kernels that the log out_of_bounds is about, on the same lines.
const oobLines = `__global__ void oob(int *x, int n) { x[threadIdx.x + 1] = n; }

__global__ void rd(int *x, int n) { if (x[threadIdx.x + 64] == n) x[threadIdx.x] = n; }

__global__ void add(int *x) { *x += 1; } // a race that no tool sees
int main(int argc, char **argv) {
    int *x;
    cudaMalloc(&x, 256);
    cudaMemset(x, 0, 256);
    oob<<<1, 64>>>(x, 1);
    rd<<<1, 64>>>(x, 1);
    add<<<2, 1>>>(x);
    cudaDeviceSynchronize();
    printf("the simulator's run\n");
    return atoi(argv[1]);
}
`

// TestCheckedOnGPU checks programs by a log that compute-sanitizer has written, and by the simulator.
func TestCheckedOnGPU(t *testing.T) {
	const right = "#include <cstdio>\n__global__ void k() {}\nint main() { k<<<1, 1>>>(); return cudaDeviceSynchronize(); }\n"
	logs, err := filepath.Abs("../internal/sanitizer/testdata")
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		source, log string // log is "" if there is no compute-sanitizer
		report      string
		status      int
		want        []string // lines of standard error, at least their beginnings
	}{
		"joined": {oobLines, "out_of_bounds", "", 1, []string{
			"k.cu:3: out of bounds in rd: thread (0,0,0) of block (0,0,0) reads ",
			"k.cu:1: out of bounds in oob: thread (63,0,0) of block (0,0,0) writes ",
			"k.cu:5: race in add: thread (0,0,0) of block (1,0,0) reads ",
			"checked by compute-sanitizer's memcheck on the GPU; the simulator has checked another run",
			"check mode: 3 defects found in 3 launches",
		}},
		"nothing": {right, "nothing", "", 7, []string{
			"checked by compute-sanitizer's memcheck on the GPU; the simulator has checked another run", "check mode: no defects found in 1 launch",
		}},
		"a file": {oobLines, "out_of_bounds", "report.json", 1, nil},
		"no compute-sanitizer": {right, "", "", 7, []string{
			"compute-sanitizer was not found (it comes with the CUDA toolkit, or `pip install nvidia-cuda-sanitizer-api`), so the GPU has run the program without it; the simulator",
			"check mode: no defects found in 1 launch",
		}},
		"not for the simulator": {"#include <cudnn.h>\n" + right, "out_of_bounds", "", 1, []string{
			"k.cu:3: out of bounds in rd: thread (0,0,0) of block (0,0,0) reads 4 bytes 1 byte behind the end of 256 bytes",
			"k.cu:1: out of bounds in oob: thread (63,0,0) of block (0,0,0) writes 4 bytes 1 byte behind the end of 256 bytes",
			"checked by compute-sanitizer's memcheck on the GPU; the simulator could not check it: k.cu:1",
			"check mode: 2 defects found in 0 launches",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			write := func(name, text string) {
				t.Helper()
				if err := os.WriteFile(name, []byte(text), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			write("k.cu", test.source)
			write("native", "#!/bin/sh\necho on the GPU \"$@\"\nexit 7\n")
			path := os.Getenv("PATH")
			if test.log != "" {
				for file, name := range map[string]string{"compute-sanitizer.sh": "compute-sanitizer", test.log + ".log": "memcheck"} {
					text, err := os.ReadFile(filepath.Join(logs, file))
					if err != nil {
						t.Fatal(err)
					}
					write(name, string(text))
				}
				here, err := os.Getwd()
				if err != nil {
					t.Fatal(err)
				}
				path = here + ":" + path
			}
			self, err := os.Executable()
			if err != nil {
				t.Fatal(err)
			}
			native, err := filepath.Abs("native")
			if err != nil {
				t.Fatal(err)
			}
			cmd := exec.CommandContext(t.Context(), self, "k.cu", "3")
			cmd.Env = append(os.Environ(), asNative+"="+native, "REPORT="+test.report, "PATH="+path)
			var out, errs bytes.Buffer
			cmd.Stdout, cmd.Stderr = &out, &errs
			if err := cmd.Run(); err != nil && !errors.As(err, new(*exec.ExitError)) {
				t.Fatal(err)
			}
			if status := cmd.ProcessState.ExitCode(); status != test.status || out.String() != "on the GPU 3\n" {
				t.Errorf("status %d, want %d; printed %q", status, test.status, &out)
			}
			if test.report != "" {
				text, err := os.ReadFile(test.report)
				var r backend.Report
				if err == nil {
					err = json.Unmarshal(text, &r)
				}
				if err != nil || len(r.Findings) != 3 || r.Findings[0].Tool != "memcheck" || r.Findings[2].Tool != "" || r.Note == "" || len(r.Accesses) == 0 {
					t.Errorf("got %+v, %v", r, err)
				}
			}
			lines := strings.Split(strings.TrimSuffix(errs.String(), "\n"), "\n")
			for i, want := range test.want {
				if i >= len(lines) || !strings.HasPrefix(lines[i], want) {
					t.Fatalf("standard error\n%s\nwant\n%s", &errs, strings.Join(test.want, "\n"))
				}
			}
			if want := max(len(test.want), 1); len(lines) != want {
				t.Errorf("standard error has %d lines, want %d:\n%s", len(lines), want, &errs)
			}
		})
	}
}

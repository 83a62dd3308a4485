package device

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu"
)

// asServed is the environment variable with which the test binary is the program of TestServe.
const asServed = "GOPHERWARP_TEST_SERVED"

// TestServe runs the test binary as a program that serves its devices itself, where there is no gopherwarp and the environment names another
// program. A program may have the argument "device".
func TestServe(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{nil, {"device"}, {"device", "--list"}} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			cmd := exec.CommandContext(t.Context(), self, args...)
			cmd.Dir = t.TempDir()
			cmd.Env = []string{
				asServed + "=1", "PATH=/usr/bin:/bin", "HOME=" + os.Getenv("HOME"), "GOPHERWARP_DEVICE=sim",
				"GOPHERWARP_BIN=" + filepath.Join(cmd.Dir, "missing"),
			}
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			want := fmt.Sprintf("arguments %q\n[6 8]\ndevices [sim]\nthread 0 asserts\nlost: true, then [6 8]\n", args)
			if string(out) != want {
				t.Errorf("printed\n%s\nwant\n%s", out, want)
			}
		})
	}
}

// served is the program of TestServe: it lists devices, launches a kernel, and loses the device process to a fault.
func served() {
	Serve()
	fmt.Printf("arguments %q\n", append([]string(nil), os.Args[1:]...))
	m, err := gpu.Compile(`#include <cassert>
__global__ void twice(int *x) { x[threadIdx.x] *= 2; }
__global__ void fails() { printf("thread %d asserts\n", threadIdx.x); *(volatile int *)8 = 1; }`)
	stop(err)
	twice, err := m.Kernel("twice")
	stop(err)
	fails, err := m.Kernel("fails")
	stop(err)
	x := gpu.ToDevice([]int32{3, 4})
	stop(twice.Launch(gpu.For(2, 2), x))
	fmt.Println(x.ToHost())
	list, err := gpu.Devices()
	stop(err)
	var names []string
	for _, d := range list {
		if d.Name() == "sim" { // there may be GPUs as well
			names = append(names, d.Name())
		}
	}
	fmt.Println("devices", names)
	stop(fails.Launch(gpu.For(1, 1)))
	err = gpu.Sync()
	fmt.Printf("lost: %v, then %v\n", err != nil, x.ToHost())
}

func stop(err error) {
	if err != nil {
		panic(err)
	}
}

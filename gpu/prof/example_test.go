package prof_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/gpu/device"
	"github.com/gopherwarp/gopherwarp/gpu/prof"
)

func ExampleTime() {
	x := gpu.Zeros[float32](1 << 20)
	t, err := prof.Time(func() error { x.Fill(1); return nil }, prof.WithBytes(int64(x.Bytes())))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(t.Median > 0, t.Runs >= 10, t.GBs() > 0)
	// Output: true true true
}

func ExampleRun() {
	x := gpu.Zeros[float32](1 << 10)
	r, err := prof.Run(func() error {
		defer prof.Range("step")()
		x.Fill(1)
		return x.CopyTo(make([]float32, x.Len()))
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range r.Copies {
		fmt.Println(c.Kind, c.Calls, c.Bytes)
	}
	fmt.Println(r.Ranges[0].Name, r.Ranges[0].Times)
	// Output:
	// DtoH 1 4096
	// fill 1 4096
	// step 1
}

// The tests are their own device process: package gpu starts this binary again.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "device" {
		os.Exit(device.Run(os.Args[2:], device.Backends(), os.Stdout, os.Stderr))
	}
	bin, err := os.Executable()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Setenv("GOPHERWARP_BIN", bin)
	os.Setenv("GOPHERWARP_DEVICE", "sim")
	os.Exit(m.Run())
}

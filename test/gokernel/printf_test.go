package gokernel

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/internal/gokernel"
)

// A kernel that prints, run as plain Go and on the device by one thread.
var printing = map[string]string{
	"main.go": `package main

import (
	"fmt"
	"os"

	"github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/gpu/device"
)

//gpu:kernel
func say(a int8, b uint16, c int64, d uint64, x float32, y float64, yes bool) {
	gpu.Printf("%d %d %d %d|%v %v %v %v\n", a, b, c, d, a, b, c, d)
	gpu.Printf("%5d|%-5d|%05d|%+d|% d|%x %X %o %#x|%08x\n", a, a, a, b, b, b, b, b, d, b)
	gpu.Printf("%f %.2f %8.3f|%-9.1f|%e %.3e %E %+.1f %g %G %v\n", x, x, y, y, y, y, x, x, x, y, x)
	gpu.Printf("%t %v %t 100%% \"quoted\" \\ %d\n", yes, yes, !yes, a+int8(b))
	for i := range 2 {
		if i == 1 {
			gpu.Printf("no values\n")
		}
	}
}

func main() {
	device.Serve()
	err := runSay(gpu.For(1, 1), -7, 40000, -1<<62, 1<<63, 1.5, -2.25e-3, true)
	if err == nil {
		fmt.Println("--")
		err = launchSay(gpu.For(1, 1), -7, 40000, -1<<62, 1<<63, 1.5, -2.25e-3, true)
	}
	if err == nil {
		err = gpu.Sync()
	}
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}
`,
}

func TestPrintf(t *testing.T) {
	dir := module(t, printing)
	if _, err := gokernel.Generate(dir, "./..."); err != nil {
		t.Fatal(err)
	}
	run := exec.Command("go", "run", ".")
	run.Dir = dir
	out, err := run.CombinedOutput()
	plain, device, _ := strings.Cut(string(out), "--\n")
	if err != nil || plain != device || strings.Count(plain, "\n") != 5 {
		t.Errorf("error %v, plain Go prints\n%sand the device\n%s", err, plain, device)
	}
}

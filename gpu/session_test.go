package gpu

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// These tests look at a session from outside: the test binary, started as a program that
// uses this package.

// sessions are such programs.
var sessions = map[string]func(){
	"printf": func() {
		m, err := Compile(toySource)
		check(err)
		k, err := m.Kernel("hello")
		check(err)
		fmt.Println("before")
		check(k.Launch(For(1, 1), 42))
		check(Sync())
		fmt.Println("after")
	},
	"wait": func() {
		ToDevice([]int32{1})
		fmt.Println("device", Status()[0].Pid)
		select {}
	},
	"busy": func() {
		m, err := Compile(toySource)
		check(err)
		k, err := m.Kernel("hang")
		check(err)
		check(k.Launch(For(1, 1), Zeros[float32](1)))
		fmt.Println("device", Status()[0].Pid)
		select {}
	},
	"exit": func() {
		warm()
		ToDevice([]int32{1})
		fmt.Println("device", Status()[0].Pid)
	},
	"zombies": func() {
		for range 3 {
			x := ToDevice([]int32{1})
			check(Sync())
			p := x.block.Link.Process()
			p.Kill()
			<-p.Down
			x.ToHost()
		}
		out, err := exec.Command("ps", "--ppid", fmt.Sprint(os.Getpid()), "-o", "stat=,comm=").Output()
		check(err)
		for _, line := range strings.Split(string(out), "\n") {
			if strings.HasPrefix(line, "Z") {
				fmt.Println(line)
			}
		}
	},
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func session(name string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], "session", name)
	cmd.Stderr = os.Stderr
	return cmd
}

func TestPrintfComesInOrder(t *testing.T) {
	out, err := session("printf").Output()
	if want := "before\nhello from the device: 42\nafter\n"; string(out) != want || err != nil {
		t.Errorf("got %q, %v, want %q", out, err, want)
	}
}

func TestNoZombies(t *testing.T) {
	out, err := session("zombies").Output()
	if len(out) != 0 || err != nil {
		t.Errorf("left over: %s, %v", out, err)
	}
}

// However a session ends, its device process ends too.
func TestDeviceEndsWithSession(t *testing.T) {
	for _, name := range []string{"wait", "busy", "exit"} {
		t.Run(name, func(t *testing.T) {
			cmd := session(name)
			out, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			r := bufio.NewReader(out)
			var pid int
			if _, err := fmt.Fscanf(r, "device %d\n", &pid); err != nil || pid == 0 {
				t.Fatalf("no pid from the session: %v", err)
			}
			if name != "exit" {
				if err := cmd.Process.Kill(); err != nil {
					t.Fatal(err)
				}
			}
			// The device process holds the other end of this pipe: its end is the pipe's.
			if _, err := io.Copy(io.Discard, r); err != nil {
				t.Error(err)
			}
			_ = cmd.Wait()
			for deadline := time.Now().Add(10 * time.Second); syscall.Kill(pid, 0) == nil; time.Sleep(time.Millisecond) {
				if stat, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)); strings.Contains(string(stat), ") Z ") {
					break // dead; whoever inherited it has yet to notice
				}
				if time.Now().After(deadline) {
					t.Fatalf("device process %d is still there", pid)
				}
			}
		})
	}
}

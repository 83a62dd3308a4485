package e2e

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gopherwarp/gopherwarp/kernel"
)

// eventually waits until a condition holds.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !holds(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("after a minute still not: %s", what)
		}
	}
}

func (n *notebook) number(code string) int {
	n.t.Helper()
	number, err := strconv.Atoi(n.run(code).result)
	if err != nil {
		n.t.Fatal(err)
	}
	return number
}

func kill(t *testing.T, pids ...int) {
	t.Helper()
	for _, pid := range pids {
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
	}
}

// runs reports whether a process exists and has not exited.
func runs(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && !strings.Contains(string(stat), ") Z ")
}

// processes returns the processes whose command line contains text.
func processes(text string) (pids []int) {
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, file := range files {
		line, err := os.ReadFile(file)
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		if err == nil && strings.Contains(strings.ReplaceAll(string(line), "\x00", " "), text) && pid != os.Getpid() && runs(pid) {
			pids = append(pids, pid)
		}
	}
	return pids
}

// sessionFolders returns the directories of sessions in TMPDIR, and reports all other files there as errors.
func sessionFolders(t *testing.T, temp string) (dirs []string) {
	t.Helper()
	entries, err := os.ReadDir(temp)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			continue // it was removed in the meantime
		}
		if !strings.HasPrefix(e.Name(), "gopherwarp-") || info.Mode().Perm() != 0o700 {
			t.Errorf("in TMPDIR there is %s, %v", e.Name(), info.Mode())
		}
		dirs = append(dirs, filepath.Join(temp, e.Name()))
	}
	return dirs
}

// TestFolders checks that the directories of sessions in TMPDIR are removed, even if their processes are killed.
func TestFolders(t *testing.T) {
	temp := t.TempDir()
	env := "TMPDIR=" + temp
	alive := open(t, env)
	own := sessionFolders(t, temp)
	if len(own) != 1 {
		t.Fatalf("a session has the folders %q", own)
	}
	alive.run("%%cuda\n__global__ void k(float *x) { x[0] = 1; }")
	for round := range 3 {
		n := open(t, env)
		pids := []int{n.number("os.Getppid()"), n.number("os.Getpid()")}
		printing := make(chan struct{})
		go func() {
			said := false
			_, _ = n.Execute(context.Background(), kernel.ExecuteRequest{Code: "for { fmt.Println(strings.Repeat(\"x\", 1000)) }", OnOutput: func(m *kernel.Message) {
				if m.Header.Type == "stream" && !said {
					said = true
					close(printing)
				}
			}})
		}()
		<-printing
		if round < 2 { // the session process must clean up
			kill(t, pids[0])
			eventually(t, "the folder of a killed kernel is removed", func() bool { return slices.Equal(sessionFolders(t, temp), own) })
			continue
		}
		kill(t, pids[1], pids[0]) // only the next kernel can clean up
		<-n.Exited()              // with all its threads, which hold the lock
		eventually(t, "the session process is gone", func() bool { return !runs(pids[1]) })
	}
	if got := sessionFolders(t, temp); len(got) != 2 {
		t.Logf("after both were killed there are the folders %q", got) // the session process may have removed them first
	}
	next := open(t, env)
	eventually(t, "the folder of dead processes is swept", func() bool { return len(sessionFolders(t, temp)) == 2 })
	if _, err := os.Stat(own[0]); err != nil {
		t.Errorf("the folder of a session that lives: %v", err)
	}
	alive.gives("1 + 1", "2")
	for _, n := range []*notebook{next, alive} {
		if err := n.Stop(t.Context()); err != nil {
			t.Error(err)
		}
	}
	eventually(t, "all are removed", func() bool { return len(sessionFolders(t, temp)) == 0 })
}

// TestChildren checks that processes that cells have started are killed with the session, except for those with a session of
// their own, which are reported.
func TestChildren(t *testing.T) {
	n := open(t)
	session := n.number("os.Getpid()")
	unique := 1_000_000 + session%100_000*10 // the sleepers' seconds
	sleeper := func(i int) string { return fmt.Sprintf("sleep %d", unique+i) }
	begin := func() {
		n.run("import \"os/exec\"\nmust0 := exec.Command(\"sleep\", \"" + strconv.Itoa(unique+1) + "\").Start()")
		n.run("!" + sleeper(2) + " &")
		n.run("%%bash\n(nohup " + sleeper(3) + " > /dev/null 2>&1 &)")
		n.run("!setsid " + sleeper(4) + " > /dev/null 2>&1 &")
		eventually(t, "all are started", func() bool {
			for i := 1; i <= 4; i++ {
				if len(processes(sleeper(i))) == 0 {
					return false
				}
			}
			return true
		})
	}
	ended := func(how string) {
		t.Helper()
		for i := 1; i <= 3; i++ {
			eventually(t, sleeper(i)+" ends with the session ("+how+")", func() bool { return len(processes(sleeper(i))) == 0 })
		}
		detached := processes(sleeper(4))
		if len(detached) == 0 {
			t.Errorf("%s: what called setsid is gone", how)
		}
		kill(t, detached...)
	}
	begin()
	detached := processes(sleeper(4))[0]
	if got, want := n.run("%reset").stdout, fmt.Sprintf("go on: sleep (process %d). To end them: kill %[1]d", detached); !strings.Contains(got, want) {
		t.Errorf("%%reset says %q, not %q", got, want)
	}
	ended("%reset")

	begin()
	if got := n.cell("syscall.Kill(os.Getpid(), syscall.SIGKILL)\nselect {}"); !strings.Contains(got.stdout, "go on: sleep (process ") {
		t.Errorf("a death says %q", got.stdout)
	}
	ended("killed")

	begin()
	kernel := n.number("os.Getppid()")
	kill(t, kernel)
	ended("killed kernel")
}

// TestInterruptedCompiler checks that an interrupt of %%cuda kills the compiler, and the next cell does not wait for it.
func TestInterruptedCompiler(t *testing.T) {
	n := open(t)
	n.run("%%cuda\n__global__ void first(float *x) { x[0] = 1; }")
	var slow strings.Builder
	slow.WriteString("%%cuda\ntemplate <int N> constexpr long f() { long s = N; for (long i = 0; i < 3000000; i++) s = s * 3 + i; return s & 1; }\n")
	for i := range 60 {
		fmt.Fprintf(&slow, "constexpr long slow%d = f<%[1]d>();\n", i)
	}
	slow.WriteString("__global__ void second(long *x) { x[0] = slow0 + " + strconv.Itoa(os.Getpid()) + "; }")
	mine := func() (pids []int) {
		for _, pid := range processes("cc1plus") {
			env, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
			if err == nil && strings.Contains(string(env), "JPY_PARENT_PID="+strconv.Itoa(os.Getpid())+"\x00") {
				pids = append(pids, pid)
			}
		}
		return pids
	}
	ended := make(chan *outcome)
	go func() { ended <- n.cell(slow.String()) }()
	eventually(t, "the compiler runs", func() bool { return len(mine()) > 0 })
	start := time.Now()
	if err := n.Interrupt(t.Context()); err != nil {
		t.Fatal(err)
	}
	o := <-ended
	if took := time.Since(start); o.reply.Status != "error" || took > 3*time.Second {
		t.Errorf("it ends after %v with %s: %s", took, o.reply.Name, o.reply.Value)
	}
	if left := mine(); len(left) > 0 {
		t.Errorf("compilers run on: %v", left)
	}
	start = time.Now()
	n.run("%%cuda\n__global__ void first(float *x) { x[0] = 1; }")
	if took := time.Since(start); took > 3*time.Second {
		t.Errorf("the next cell takes %v", took)
	}
}

package launcher

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// TestMain makes the test binary the program that is started.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "rank" {
		behaviours[os.Args[2]](os.Getenv("RANK"))
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// behaviours are what ranks do.
var behaviours = map[string]func(rank string){
	"environment": func(string) {
		for _, name := range []string{"RANK", "WORLD_SIZE", "LOCAL_RANK", "LOCAL_WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT", "GOPHERWARP_STORE", "EXTRA"} {
			fmt.Printf("%s=%s\n", name, os.Getenv(name))
		}
		fmt.Println("job", len(os.Getenv("GOPHERWARP_JOB")))
	},
	"output": func(rank string) {
		for i := range 200 {
			fmt.Printf("out %s ", rank)
			fmt.Printf("line %d\n", i)
			fmt.Fprintf(os.Stderr, "err %s line %d\n", rank, i)
		}
		fmt.Print("no end")
	},
	"fail": func(rank string) {
		if rank == "1" {
			os.Exit(7)
		}
		time.Sleep(time.Minute)
	},
	"fail beside a deaf one": func(rank string) {
		signal.Ignore(syscall.SIGTERM)
		if rank == "1" {
			time.Sleep(200 * time.Millisecond) // the others have begun
			syscall.Kill(os.Getpid(), syscall.SIGKILL)
		}
		time.Sleep(time.Minute)
	},
	"fail as one is killed": func(rank string) {
		sign := os.Getenv("EXTRA")
		if rank == "1" {
			signal.Ignore(syscall.SIGTERM)
			_ = os.WriteFile(sign, nil, 0o644) // its connections have ended, and it exits later than the others
			time.Sleep(100 * time.Millisecond)
			syscall.Kill(os.Getpid(), syscall.SIGKILL)
		}
		for {
			if _, err := os.Stat(sign); err == nil {
				os.Exit(1)
			}
			time.Sleep(time.Millisecond)
		}
	},
	"signal": func(rank string) {
		c := make(chan os.Signal, 1)
		signal.Notify(c, syscall.SIGINT, syscall.SIGUSR1)
		fmt.Println("ready")
		got := <-c
		fmt.Println("got", got)
		if rank == "1" {
			os.Exit(5)
		}
		time.Sleep(300 * time.Millisecond) // what SIGTERM would end
		fmt.Println("cleaned up")
	},
	"wrapper": func(rank string) { // as a script that starts the program
		child := exec.Command(os.Args[0], "rank", "wrapped")
		child.Stdout = os.Stdout
		if err := child.Start(); err != nil {
			panic(err)
		}
		fmt.Println("child", child.Process.Pid)
		if rank == os.Getenv("EXTRA") {
			time.Sleep(200 * time.Millisecond) // the others have begun
			os.Exit(3)
		}
		_ = child.Wait()
	},
	"wrapped": func(string) {
		fmt.Println("ready")
		time.Sleep(time.Minute)
	},
	"much":  func(string) { fmt.Print(strings.Repeat("a line\n", 8000)) },
	"group": func(string) { fmt.Print(syscall.Getpgrp() == os.Getpid()) },
	"deaf": func(string) {
		signal.Ignore(syscall.SIGINT, syscall.SIGTERM)
		fmt.Println("ready")
		time.Sleep(time.Minute)
	},
}

// output is what a job writes.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// job returns a job whose ranks behave like that.
func job(behaviour string, size int) (j *Job, stdout, stderr *output) {
	stdout, stderr = &output{}, &output{}
	j = &Job{Argv: []string{os.Args[0], "rank", behaviour}, Size: size, Stdout: stdout, Stderr: stderr}
	for i := range size {
		j.Ranks = append(j.Ranks, i)
	}
	return j, stdout, stderr
}

func TestEnvironment(t *testing.T) {
	t.Setenv("GOPHERWARP_STORE", "of:1")
	t.Setenv("RANK", "9")
	j, out, _ := job("environment", 2)
	j.Env = []string{"EXTRA=e"}
	if status, err := j.Run(t.Context(), nil); status != 0 || err != nil {
		t.Fatal(status, err)
	}
	for i := range 2 {
		for _, want := range []string{
			fmt.Sprint("RANK=", i), "WORLD_SIZE=2", fmt.Sprint("LOCAL_RANK=", i), "LOCAL_WORLD_SIZE=2", "MASTER_ADDR=127.0.0.1", "GOPHERWARP_STORE=", "EXTRA=e", "job 26",
		} {
			if !strings.Contains(out.String(), fmt.Sprintf("[%d] %s\n", i, want)) {
				t.Errorf("rank %d: no %s in\n%s", i, want, out)
			}
		}
	}
	// One rank of several machines.
	j, out, _ = job("environment", 1)
	j.Size, j.Ranks, j.Store, j.Name = 12, []int{11}, "host:77", "name"
	if status, err := j.Run(t.Context(), nil); status != 0 || err != nil {
		t.Fatal(status, err)
	}
	if want := "RANK=11\nWORLD_SIZE=12\nLOCAL_RANK=0\nLOCAL_WORLD_SIZE=\nMASTER_ADDR=host\nMASTER_PORT=77\nGOPHERWARP_STORE=\nEXTRA=\njob 4\n"; out.String() != want {
		t.Errorf("got %s\nwant %s", out, want)
	}
}

func TestOutput(t *testing.T) {
	j, out, errs := job("output", 11)
	if status, err := j.Run(t.Context(), nil); status != 0 || err != nil {
		t.Fatal(status, err)
	}
	var want, wantErrs []string
	for i := range 11 {
		for k := range 200 {
			want = append(want, fmt.Sprintf("[%2d] out %d line %d", i, i, k))
			wantErrs = append(wantErrs, fmt.Sprintf("[%2d] err %d line %d", i, i, k))
		}
		want = append(want, fmt.Sprintf("[%2d] no end", i))
	}
	for _, c := range []struct {
		got  string
		want []string
	}{{out.String(), want}, {errs.String(), wantErrs}} {
		got := strings.Split(strings.TrimSuffix(c.got, "\n"), "\n")
		slices.Sort(got)
		slices.Sort(c.want)
		if !slices.Equal(got, c.want) {
			t.Errorf("%d lines, want %d; the first is %q", len(got), len(c.want), got[0])
		}
	}
}

func TestLongLine(t *testing.T) {
	var out bytes.Buffer
	l := &lines{mu: new(sync.Mutex), to: &out, prefix: "> "}
	for range 3 {
		if n, err := l.Write(make([]byte, maxLine/2+1)); err != nil || n != maxLine/2+1 {
			t.Fatal(n, err)
		}
	}
	if err := l.flush(); err != nil || bytes.Count(out.Bytes(), []byte("> ")) != 2 || out.Len() != 3*(maxLine/2+1)+2*3 {
		t.Errorf("%d bytes, %v", out.Len(), err)
	}
}

func TestFailure(t *testing.T) {
	begin := time.Now()
	j, _, errs := job("fail", 3)
	if status, err := j.Run(t.Context(), nil); status != 7 || err != nil || !strings.Contains(errs.String(), "rank 1 has exited with status 7") {
		t.Errorf("status %d, %v\n%s", status, err, errs)
	}
	j, _, errs = job("fail beside a deaf one", 3)
	j.Grace = 100 * time.Millisecond
	if status, err := j.Run(t.Context(), nil); status != 128+9 || err != nil || !strings.Contains(errs.String(), "rank 1 was killed: killed") {
		t.Errorf("status %d, %v\n%s", status, err, errs)
	}
	j, _, errs = job("fail as one is killed", 3)
	j.Env = []string{"EXTRA=" + filepath.Join(t.TempDir(), "sign")}
	if status, err := j.Run(t.Context(), nil); status != 128+9 || err != nil || strings.Count(errs.String(), "gopherwarp: rank") != 1 {
		t.Errorf("status %d, %v\n%s", status, err, errs)
	}
	j, _, _ = job("fail", 2)
	j.Argv[0] = "/nowhere"
	if _, err := j.Run(t.Context(), nil); err == nil || !strings.Contains(err.Error(), "start rank 0") {
		t.Errorf("got %v", err)
	}
	j, _, _ = job("deaf", 2)
	j.Grace = 100 * time.Millisecond
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if status, err := j.Run(ctx, nil); status < 128 || err != nil {
		t.Errorf("after the context's end: status %d, %v", status, err)
	}
	if time.Since(begin) > 30*time.Second {
		t.Errorf("that took %v", time.Since(begin))
	}
}

// runSignalled runs a job, and sends signals when its ranks are ready.
func runSignalled(t *testing.T, j *Job, out *output, send ...os.Signal) int {
	t.Helper()
	signals := make(chan os.Signal)
	go func() {
		for strings.Count(out.String(), "ready") < len(j.Ranks) && t.Context().Err() == nil {
			time.Sleep(5 * time.Millisecond)
		}
		for _, s := range send {
			signals <- s
		}
	}()
	status, err := j.Run(t.Context(), signals)
	if err != nil {
		t.Error(err)
	}
	return status
}

func TestSignals(t *testing.T) {
	j, out, _ := job("signal", 3)
	if status := runSignalled(t, j, out, syscall.SIGINT); status != 5 || strings.Count(out.String(), "got interrupt") != 3 || strings.Count(out.String(), "cleaned up") != 2 {
		t.Errorf("status %d\n%s", status, out)
	}
	j, out, _ = job("signal", 1)
	if status := runSignalled(t, j, out, syscall.SIGUSR1); status != 0 || out.String() != "ready\ngot user defined signal 1\ncleaned up\n" {
		t.Errorf("status %d\n%s", status, out)
	}
	j, out, _ = job("deaf", 2)
	if status := runSignalled(t, j, out, syscall.SIGINT, syscall.SIGTERM); status != 128+9 {
		t.Errorf("status %d\n%s", status, out)
	}
}

// wantNoChildren checks that what the ranks have started has ended.
func wantNoChildren(t *testing.T, out *output) {
	t.Helper()
	list := regexp.MustCompile(`child (\d+)`).FindAllStringSubmatch(out.String(), -1)
	for _, m := range list {
		for deadline := time.Now().Add(5 * time.Second); ; time.Sleep(10 * time.Millisecond) {
			stat, err := os.ReadFile("/proc/" + m[1] + "/stat")
			if err != nil || strings.Contains(string(stat), ") Z ") { // or nothing waits for it
				break
			}
			if time.Now().After(deadline) {
				t.Errorf("process %s, which a rank has started, still runs", m[1])
				break
			}
		}
	}
	if len(list) != 2 {
		t.Errorf("%d processes were started\n%s", len(list), out)
	}
}

func TestWrappers(t *testing.T) {
	for _, s := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		j, out, _ := job("wrapper", 2)
		if status := runSignalled(t, j, out, s); status != 128+int(s) {
			t.Errorf("%v: status %d\n%s", s, status, out)
		}
		wantNoChildren(t, out)
	}
	j, out, _ := job("wrapper", 2)
	j.Env = []string{"EXTRA=1"}
	if status, err := j.Run(t.Context(), nil); status != 3 || err != nil {
		t.Errorf("status %d, %v\n%s", status, err, out)
	}
	wantNoChildren(t, out)
}

// TestTerminal has a rank whose input is a file. A terminal's Ctrl-C must not come to it twice, from the terminal and from here.
func TestTerminal(t *testing.T) {
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	j, out, _ := job("group", 1)
	j.Stdin = null
	if status, err := j.Run(t.Context(), nil); status != 0 || err != nil || out.String() != "true" {
		t.Errorf("status %d, %v; it is a process group of its own: %s", status, err, out)
	}
}

// slow is a writer that takes its time at first, as a pager.
type slow struct {
	output
	once sync.Once
}

func (s *slow) Write(p []byte) (int, error) {
	s.once.Do(func() { time.Sleep(pipeDelay * 3 / 2) })
	return s.output.Write(p)
}

func TestSlowReader(t *testing.T) {
	var out slow
	j, _, _ := job("much", 2)
	j.Stdout = &out
	if status, err := j.Run(t.Context(), nil); status != 0 || err != nil {
		t.Fatal(status, err)
	}
	for i := range 2 {
		if n := strings.Count(out.String(), fmt.Sprintf("[%d] a line\n", i)); n != 8000 {
			t.Errorf("of rank %d came %d lines", i, n)
		}
	}
}

func TestProgram(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string, mode os.FileMode) string {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	script := write("script", "#!/bin/sh\n", 0o755)
	file := write("m/main.go", "package main\nfunc main() { println(1) }\n", 0o644)
	write("m/go.mod", "module m\n\ngo 1.26\n", 0o644)
	write("lib/go.mod", "module lib\n\ngo 1.26\n", 0o644)
	write("lib/lib.go", "package lib\n", 0o644)
	write("wrong/go.mod", "module wrong\n\ngo 1.26\n", 0o644)
	write("wrong/main.go", "package main\nfunc main() { x }\n", 0o644)
	for _, name := range []string{script, file, filepath.Join(dir, "m"), "sh"} {
		path, cleanup, err := Program(t.Context(), name, os.Stderr)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if info, err := os.Stat(path); err != nil || !filepath.IsAbs(path) || info.Mode()&0o111 == 0 {
			t.Errorf("%s: got %s, %v", name, path, err)
		}
		cleanup()
	}
	for name, say := range map[string]string{
		write("data", "", 0o644):    "is not executable",
		write("n.ipynb", "", 0o644): "gopherwarp export",
		dir + "/nothing":            "name an executable file, or a folder",
		dir + "/lib":                "its package is not main",
		dir + "/wrong":              "exit status 1",
	} {
		var log bytes.Buffer
		if _, _, err := Program(t.Context(), name, &log); err == nil || !strings.Contains(err.Error(), say) {
			t.Errorf("%s: got %v, want %q", name, err, say)
		}
		if strings.HasSuffix(name, "wrong") && !strings.Contains(log.String(), "undefined: x") {
			t.Errorf("the compiler said %q", log.String())
		}
	}
	t.Chdir(dir)
	if path, _, err := Program(t.Context(), "script", os.Stderr); err != nil || path != script {
		t.Errorf("in the working directory: got %s, %v", path, err)
	}
}

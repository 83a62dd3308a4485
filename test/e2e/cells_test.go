package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gopherwarp/gopherwarp/kernel"
)

func TestUnexportedNames(t *testing.T) {
	t.Parallel()
	n := open(t)
	n.run("type node struct{ val int; next *node }")
	n.run("n := &node{val: 3}")
	n.run("n.next = &node{val: 4}")
	if got := n.run(`fmt.Printf("%+v\n", *n.next)`).stdout; got != "{val:4 next:<nil>}\n" {
		t.Errorf("printed %q", got)
	}
	n.gives("string(must(json.Marshal(*n)))", `"{}"`)

	o := n.fails("n.val = 3\nvar none *node\nnone.val", "nil pointer dereference")
	if !strings.Contains(o.traceback, "none.val") {
		t.Errorf("the traceback does not show the line: %s", o.traceback)
	}
	n.gives("n.val", "3")
}

func TestBadCells(t *testing.T) {
	t.Parallel()
	n := open(t)
	n.run("kept := 7")
	for _, tc := range []struct{ cell, want string }{
		{"x := = 1", "expected operand"},
		{"for {", "this { is never closed"},
		{"y := nowhere", "undefined: nowhere"},
		{"%gpuu", "Did you mean %gpu?"},
		{"%%cudda\n", "Did you mean %%cuda?"},
		{"%cuda", "write %%cuda"},
		{`os.Remove("no such file")`, "no such file or directory"},
		{`log.New(os.Stdout, "", 0).Panic("in a library")`, "in a library"},
	} {
		n.fails(tc.cell, tc.want)
		n.gives("kept", "7")
	}
}

func TestKilledSession(t *testing.T) {
	t.Parallel()
	n := open(t)
	pid, err := strconv.Atoi(n.run("kept := 1\nos.Getpid()").result)
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	o := n.cell("x := 2\nx")
	if o.reply.Status != "ok" || o.result != "2" {
		t.Errorf("the next cell: %s, result %s", o.reply.Status, o.result)
	}
	if !strings.Contains(o.stdout, "signal: killed") || !strings.Contains(o.stdout, "kept") || o.stderr != "" {
		t.Errorf("the kernel says %q, want how the session ended and what is gone; standard error %q", o.stdout, o.stderr)
	}
	if o := n.fails("kept", "undefined: kept (cell[2] declared it, and it was lost when the session ended after cell[2])"); !strings.Contains(o.traceback, "with %restore") {
		t.Errorf("traceback %s\nwant %%restore", o.traceback)
	}
	o = n.fails("syscall.Kill(os.Getpid(), syscall.SIGKILL)\ntime.Sleep(time.Minute)", "signal: killed")
	if !strings.Contains(o.reply.Value, "x") {
		t.Errorf("%q does not name the variable that is gone", o.reply.Value)
	}
	n.gives("1 + 1", "2")
}

// TestRegisterAgain runs two cells again that register flags, one of which was edited.
func TestRegisterAgain(t *testing.T) {
	t.Parallel()
	n := open(t)
	for _, cell := range []string{"a := flag.Int(\"a\", 1, \"\")\n%%\nb := flag.Int(\"b\", 1, \"\")", "a := flag.Int(\"a\", 2, \"\")\n%%\nb := flag.Int(\"b\", 3, \"\")"} {
		cell = strings.Replace(cell, "%%", "!true", 1)
		reply, err := n.Execute(t.Context(), kernel.ExecuteRequest{Code: cell, CellID: "flags"})
		if err != nil || reply.Status != "ok" {
			t.Fatalf("%s\n%s, %v", cell, reply.Value, err)
		}
	}
	n.gives("fmt.Sprint(*a, *b, flag.NFlag())", `"2 3 0"`)
}

func TestAsk(t *testing.T) {
	t.Parallel()
	n := open(t)
	reply, err := n.Execute(t.Context(), kernel.ExecuteRequest{
		Code: `name := must(display.AskPassword("Who? "))`,
		OnInput: func(prompt string, password bool) string {
			if prompt != "Who? " || !password {
				t.Errorf("asked %q, password %v", prompt, password)
			}
			return "gopher"
		},
	})
	if err != nil || reply.Status != "ok" {
		t.Fatalf("%+v, %v", reply, err)
	}
	n.gives("name", `"gopher"`)
	n.fails(`display.Ask("Who? ")`, "input")
}

func TestNoCCompiler(t *testing.T) {
	t.Parallel()
	bin := t.TempDir()
	path, err := exec.LookPath("go")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(path, filepath.Join(bin, "go")); err != nil {
		t.Fatal(err)
	}
	n := start(t, "PATH="+bin, "CC=")
	n.fails("1 + 1", "install gcc")
	n.run("%help")
}

// TestNothingIsLeft kills a kernel, which can't clean up.
func TestNothingIsLeft(t *testing.T) {
	t.Parallel()
	tmp := t.TempDir()
	n := open(t, "TMPDIR="+tmp)
	pids := []string{n.run("os.Getpid()").result, n.run("os.Getppid()").result}
	n.run("b := gpu.Zeros[int32](4)\nb.ToHost()")
	pids = append(pids, children(pids[0])...)
	kernelPid, _ := strconv.Atoi(pids[1])
	if err := syscall.Kill(kernelPid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	deadline := time.Now().Add(20 * time.Second)
	for {
		var left []string
		for _, pid := range pids {
			if stat, err := os.ReadFile("/proc/" + pid + "/stat"); err == nil && !strings.Contains(string(stat), ") Z ") {
				left = append(left, "process "+pid)
			}
		}
		files, _ := filepath.Glob(filepath.Join(tmp, "*"))
		left = append(left, files...)
		if len(left) == 0 {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("left behind: %v", left)
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// children returns the child processes of a process.
func children(pid string) []string {
	out, _ := exec.Command("ps", "-o", "pid=", "--ppid", pid).Output()
	return strings.Fields(string(out))
}

// TestMemoryHog runs a cell that exceeds the session's memory limit, while another notebook runs.
func TestMemoryHog(t *testing.T) {
	t.Parallel()
	neighbour := open(t)
	neighbour.run("kept := 1")
	n := open(t, "GOPHERWARP_MEMORY=400MB")
	n.run("small := make([]byte, 1<<20)\ntype row struct{ values []float64 }")
	for _, tc := range []struct{ name, cell, want string }{
		{"a variable", "var rows []*row\nfor {\n\tr := &row{make([]float64, 1<<20)}\n\tfor i := range r.values { r.values[i] = 1 }\n\trows = append(rows, r)\n}", "more than the 400 MB of GOPHERWARP_MEMORY; rows has "},
		{"what a call holds", "func fill() [][]byte {\n\tvar all [][]byte\n\tfor len(all) < 10_000 {\n\t\tb := make([]byte, 8<<20)\n\t\tfor i := range b { b[i] = 1 }\n\t\tall = append(all, b)\n\t}\n\treturn all\n}\nlen(fill())", "what the cell's own calls hold"},
		{"a program of the cell", `exec.Command("sh", "-c", "head -c 1000000000 /dev/zero | tail -c 1000000000 | cat >/dev/null").Run()`, "most of it the programs that it had started"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			n.t = t
			n.fails(tc.cell, tc.want)
			n.gives("1 + 1", "2")
		})
	}
	n.t = t
	n.run("ballast := make([]byte, 150<<20)\nfor i := range ballast { ballast[i] = 1 }")
	n.run("for range 20 {\n\tgarbage := make([]byte, 100<<20)\n\tfor i := range garbage { garbage[i] = 1 }\n}") // it is collected in time
	n.gives("len(ballast) >> 20", "150")
	neighbour.gives("kept", "1")
}

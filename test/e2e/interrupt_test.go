package e2e

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gopherwarp/gopherwarp/kernel"
)

// interrupted runs a cell and interrupts it after it has printed go.
func (n *notebook) interrupted(code string) *outcome {
	n.t.Helper()
	o := &outcome{}
	going := make(chan struct{})
	go func() {
		<-going
		_ = n.Interrupt(n.t.Context())
	}()
	reply, err := n.Execute(n.t.Context(), kernel.ExecuteRequest{Code: code, OnOutput: func(m *kernel.Message) {
		before := o.stdout
		o.take(m)
		if !strings.Contains(before, "go\n") && strings.Contains(o.stdout, "go\n") {
			close(going)
		}
	}})
	if err != nil {
		n.t.Fatal(err)
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.reply = reply
	return o
}

// interruptWhen interrupts the kernel as soon as a condition holds.
func (n *notebook) interruptWhen(holds func() bool) {
	go func() {
		for !holds() {
			select {
			case <-n.t.Context().Done():
				return
			case <-time.After(5 * time.Millisecond):
			}
		}
		_ = n.Interrupt(n.t.Context())
	}()
}

// interruptedAfter runs a cell that makes a file, and interrupts it then. There is no such file before.
func (n *notebook) interruptedAfter(file, code string) {
	n.t.Helper()
	n.interruptWhen(func() bool { return exists(file) })
	n.fails(code, "nterrupted")
	if err := os.Remove(file); err != nil {
		n.t.Error(err)
	}
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// TestInterruptOfDevice interrupts a cell that waits for a kernel that never ends.
func TestInterruptOfDevice(t *testing.T) {
	t.Parallel()
	n := open(t)
	n.run("%%cuda\n__global__ void spin(volatile int *a) {\n\twhile (a[0] == 0) {}\n}")
	n.run("a := gpu.Zeros[int32](1)")
	o := n.interrupted("spin.Launch(gpu.For(1, 1), a)\nfmt.Println(\"go\")\na.ToHost()")
	for _, want := range []string{"interrupted while a device worked for it", "spin (cell["} {
		if !strings.Contains(o.reply.Value, want) {
			t.Errorf("%s: %s\nwant %q in it", o.reply.Name, o.reply.Value, want)
		}
	}
	n.gives("a.ToHost()[0]", "0")
}

// TestInterruptOfPlainKernel interrupts a kernel in Go that runs as plain Go and never ends. No thread goes on.
func TestInterruptOfPlainKernel(t *testing.T) {
	t.Parallel()
	n := open(t)
	n.run("//gpu:kernel\nfunc endless(x []float32) {\n\tfor {\n\t\tx[gpu.GlobalID()]++\n\t\tgpu.SyncThreads()\n\t}\n}")
	n.run("//gpu:kernel\nfunc alone(x []float32) {\n\tfor {\n\t}\n}")
	for _, kernel := range []string{"endless", "alone"} {
		o := n.interrupted("x := make([]float32, 4)\nfmt.Println(\"go\")\n" + kernel + ".Run(gpu.For(4, 2), x)\nfmt.Println(\"after\")")
		if !strings.Contains(o.reply.Value, "interrupted") || strings.Contains(o.reply.Value, "left behind") || strings.Contains(o.stdout, "after") {
			t.Errorf("%s ends with %s: %s\n%s", kernel, o.reply.Name, o.reply.Value, o.stdout)
		}
	}
	n.gives("1 + 1", "2")
}

func TestInterrupt(t *testing.T) {
	n := open(t)
	n.run("// #include <unistd.h>\nimport \"C\"\nfunc usleep(us int) { C.usleep(C.useconds_t(us)) }")
	n.run("kept, x := 1, 0\nvar mu sync.Mutex")
	for _, cell := range []string{
		"for {\n}",
		"for i := 0; i < 1<<40; i++ { for j := 0; j < 1000; j++ { x ^= j } }",
		"select {}",
		"<-make(chan int)",
		"time.Sleep(time.Hour)",
		"var wg sync.WaitGroup\nwg.Add(1)\nwg.Wait()",
		"mu.Lock()\nmu.Lock()",
		"usleep(60_000_000)", // C
		"func TestLoop(t *testing.T) { t.Run(\"sub\", func(t *testing.T) { for {\n} }) }\n%test",
		"!sleep 1000",
	} {
		o := n.interrupted("fmt.Println(\"go\")\n" + cell)
		if o.reply.Status != "error" || !strings.Contains(o.reply.Value, "interrupted") && o.reply.Name != "Interrupted" || o.errors != 1 {
			t.Errorf("%s\nends with %s: %s, %d messages", cell, o.reply.Name, o.reply.Value, o.errors)
		}
		n.gives("kept", "1")
	}
}

// TestInterruptedBuild interrupts the steps before a cell runs.
func TestInterruptedBuild(t *testing.T) {
	asked := make(chan struct{}, 100)
	silent := make(chan struct{})
	proxy := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		asked <- struct{}{}
		<-silent
	}))
	defer proxy.Close()
	defer close(silent)
	tmp := t.TempDir()
	n := open(t, "GOPROXY="+proxy.URL, "GONOSUMDB=*", "GOFLAGS=-modcacherw", "GOMODCACHE="+t.TempDir(), "TMPDIR="+tmp)
	n.run("kept := 1")

	n.interruptWhen(func() bool { return len(asked) > 0 })
	n.fails("import \"example.org/never/comes\"\nkept = 2", "nterrupted")
	n.gives("kept", "1")

	// The compilation of this cell takes seconds.
	var big strings.Builder
	for i := range 4000 {
		fmt.Fprintf(&big, "func f%d(m map[string][]int) string { m[\"%[1]d\"] = append(m[\"x\"], len(m)); return fmt.Sprint(m, len(m)) }\n", i)
	}
	n.interruptWhen(func() bool {
		return slices.ContainsFunc(processes("/compile "), func(pid int) bool { return slices.Contains(processes(tmp), pid) })
	})
	if o := n.cell(big.String() + "kept = 3"); o.reply.Name != "Interrupted" {
		t.Errorf("compiling ends with %s, %s: %.200s", o.reply.Status, o.reply.Name, o.reply.Value)
	}
	n.gives("kept", "1")
	n.fails("f1(nil)", "undefined: f1")
}

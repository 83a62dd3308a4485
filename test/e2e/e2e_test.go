package e2e

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gopherwarp/gopherwarp/kernel"
)

// program is the binary under test.
var program string

func TestMain(m *testing.M) {
	flag.Parse()
	if testing.Short() {
		fmt.Println("SKIPPED: makes sessions; run the tests without -short")
		os.Exit(0)
	}
	os.Exit(func() int {
		program = os.Getenv("GOPHERWARP_TEST_PROGRAM")
		if program == "" {
			dir, err := os.MkdirTemp("", "gopherwarp-e2e-")
			if err != nil {
				fmt.Fprintln(os.Stderr, err)
				return 1
			}
			defer os.RemoveAll(dir)
			program = filepath.Join(dir, "gopherwarp")
			if out, err := exec.Command("go", "build", "-o", program, "../../cmd/gopherwarp").CombinedOutput(); err != nil {
				fmt.Fprintf(os.Stderr, "%s%v\n", out, err)
				return 1
			}
		}
		if os.Getenv("GOPHERWARP_DEVICE") == "" {
			os.Setenv("GOPHERWARP_DEVICE", "sim")
		}
		return m.Run()
	}())
}

// A notebook is a running kernel.
type notebook struct {
	t *testing.T
	*kernel.Process
}

// open starts a kernel and waits until it can run cells.
func open(t *testing.T, env ...string) *notebook {
	t.Helper()
	n := start(t, env...)
	n.run("0;")
	return n
}

func start(t *testing.T, env ...string) *notebook {
	t.Helper()
	// The first cell may have to wait for the session program to be built.
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	t.Cleanup(cancel)
	p, err := kernel.Launch{Argv: []string{program, "kernel", "-f", "{connection_file}"}, Dir: t.TempDir(), Env: env, Log: testLog{t}}.Start(ctx)
	if err != nil {
		t.Fatal(err)
	}
	n := &notebook{t, p}
	t.Cleanup(func() { _ = p.Stop(context.Background()) })
	return n
}

type testLog struct{ t *testing.T }

func (l testLog) Write(p []byte) (int, error) {
	l.t.Logf("kernel: %s", p)
	return len(p), nil
}

// An outcome is the output of a cell.
type outcome struct {
	mu             sync.Mutex
	stdout, stderr string
	result         string
	shown          string            // text of displays
	errors         int               // error messages
	live           map[string]string // displays that can still be updated, by ID
	reply          kernel.ExecuteReply
	traceback      string
}

// cell runs a cell, which may fail.
func (n *notebook) cell(code string) *outcome {
	n.t.Helper()
	o := &outcome{}
	ctx, cancel := context.WithTimeout(context.Background(), 4*time.Minute)
	defer cancel()
	reply, err := n.Execute(ctx, kernel.ExecuteRequest{Code: code, OnOutput: o.take})
	if err != nil {
		n.t.Fatalf("%s\n%v", code, err)
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.reply = reply
	o.traceback = strings.Join(reply.Traceback, "\n")
	return o
}

func (o *outcome) take(m *kernel.Message) {
	var c struct {
		Name, Text string
		Data       map[string]any
		Transient  struct {
			ID string `json:"display_id"`
		}
	}
	if m.DecodeContent(&c) != nil {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.live == nil {
		o.live = map[string]string{}
	}
	switch m.Header.Type {
	case "stream":
		if c.Name == "stdout" {
			o.stdout += c.Text
		} else {
			o.stderr += c.Text
		}
	case "execute_result":
		o.result = fmt.Sprint(c.Data["text/plain"])
	case "display_data":
		text := fmt.Sprint(cmp.Or(c.Data["text/plain"], c.Data["text/html"], c.Data["text/markdown"]))
		o.shown += text
		o.live[c.Transient.ID] = text
	case "update_display_data":
		text := fmt.Sprint(c.Data["text/plain"])
		o.shown = strings.Replace(o.shown, o.live[c.Transient.ID], text, 1)
		o.live[c.Transient.ID] = text
	case "clear_output":
		o.stdout, o.stderr, o.shown, o.live = "", "", "", nil
	case "error":
		o.errors++
	}
}

// run runs a cell that must succeed without output on standard error.
func (n *notebook) run(code string) *outcome {
	n.t.Helper()
	o := n.cell(code)
	if o.reply.Status != "ok" {
		n.t.Fatalf("%s\nfailed: %s: %s\n%s", code, o.reply.Name, o.reply.Value, o.traceback)
	}
	if o.stderr != "" {
		n.t.Errorf("%s\nstandard error: %s", code, o.stderr)
	}
	return o
}

// fails runs a cell that must fail with an error that contains want.
func (n *notebook) fails(code, want string) *outcome {
	n.t.Helper()
	o := n.cell(code)
	if o.reply.Status != "error" {
		n.t.Fatalf("%s\nstatus %s, want an error with %q", code, o.reply.Status, want)
	}
	if text := o.reply.Name + ": " + o.reply.Value + "\n" + o.traceback; !strings.Contains(text, want) {
		n.t.Errorf("%s\nerror %s\nwant %q in it", code, text, want)
	}
	if o.errors != 1 {
		n.t.Errorf("%s\n%d error messages, want one", code, o.errors)
	}
	return o
}

// gives checks the result of an expression.
func (n *notebook) gives(code, want string) {
	n.t.Helper()
	if got := n.run(code).result; got != want {
		n.t.Errorf("%s gives %s, want %s", code, got, want)
	}
}

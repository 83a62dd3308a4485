package bench

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/gopherwarp/gopherwarp/kernel"
	"github.com/gopherwarp/gopherwarp/tutor"
)

// A fake is a kernel that does as it is told.
type fake struct {
	cells   []string
	running chan bool // is sent to by a cell that does not end; it may be nil
	stopped bool
}

func (f *fake) Execute(ctx context.Context, q kernel.ExecuteRequest) (kernel.ExecuteReply, error) {
	f.cells = append(f.cells, q.Code)
	switch {
	case strings.Contains(q.Code, "endless"):
		if f.running != nil {
			f.running <- true
		}
		<-ctx.Done()
		return kernel.ExecuteReply{}, ctx.Err()
	case strings.Contains(q.Code, "dies"):
		return kernel.ExecuteReply{}, errors.New("the kernel has exited")
	case strings.Contains(q.Code, "slip"):
		return kernel.ExecuteReply{Status: "error", Name: "CompileError", Value: "cell[3].cu:7:1: a slip"}, nil
	case strings.Contains(q.Code, "%gpu none"):
		return kernel.ExecuteReply{Status: "error", Name: "UsageError", Value: "there is no device none"}, nil
	case strings.Contains(q.Code, "timed"):
		q.OnOutput(message("stream", map[string]any{"name": "stdout", "text": "✓ PASS x: all right\n✓ PASS x: 1.5ms, the reference 3ms: 2.00 times as fast\n"}))
	case strings.Contains(q.Code, "pictured"):
		return kernel.ExecuteReply{Status: "error", Name: "CheckFailed", Value: "wrong values\nverify.Lens() shows what the threads do, step by step, for n = 33."}, nil
	case q.Code == "verify.Lens()":
		q.OnOutput(message("execute_result", map[string]any{"data": map[string]any{"text/html": "<svg>"}}))
	case strings.Contains(q.Code, "refuse"):
		return kernel.ExecuteReply{Status: "error", Name: "CheckFailed", Value: "\x1b[31mwrong values\x1b[0m in cell[4]:2"}, nil
	}
	return kernel.ExecuteReply{Status: "ok"}, nil
}

func (f *fake) Stop(context.Context) error {
	f.stopped = true
	return nil
}

// message returns a message of a kernel.
func message(kind string, content map[string]any) *kernel.Message {
	data, err := json.Marshal(content)
	if err != nil {
		panic(err) // of maps and strings
	}
	m := &kernel.Message{Content: data}
	m.Header.Type = kind
	return m
}

// TestVerdicts checks what becomes of answers, and that a kernel whose state is unknown is replaced.
func TestVerdicts(t *testing.T) {
	for name, c := range map[string]struct {
		answer, test string
		want         tutor.Verdict
		replaced     bool
	}{
		"right":                         {"x", "check", tutor.Verdict{Pass: true, Compiles: true}, false},
		"refused":                       {"x", "refuse", tutor.Verdict{Compiles: true, Message: "wrong values in line 2"}, false},
		"not compiling":                 {"slip", "check", tutor.Verdict{Message: "line 7:1: a slip"}, false},
		"of another name":               {"x", "slip", tutor.Verdict{Message: "The test does not fit the answer, whose name and parameters must be as they were given: line 7:1: a slip"}, false},
		"right and timed":               {"x", "timed", tutor.Verdict{Pass: true, Compiles: true, Took: "Measured now on this device: 1.5ms; a reference takes 3ms, so yours is 2.00 times as fast."}, false},
		"refused with a picture":        {"x", "pictured", tutor.Verdict{Compiles: true, Message: "wrong values\nThe picture shows what the threads do, step by step, for n = 33.", Picture: map[string]any{"text/html": "<svg>"}}, false},
		"endless":                       {"endless", "check", tutor.Verdict{Compiles: true, Message: "It did not end within 20ms, and was stopped."}, true},
		"endless in its test":           {"x", "endless", tutor.Verdict{Compiles: true, Message: "It did not end within 20ms, and was stopped."}, true},
		"with the magic in front of it": {"%%cuda\nx", "check", tutor.Verdict{Pass: true, Compiles: true}, false},
	} {
		t.Run(name, func(t *testing.T) {
			var started []*fake
			b := New(func(context.Context) (Kernel, error) {
				started = append(started, &fake{})
				return started[len(started)-1], nil
			})
			b.limit = 20 * time.Millisecond
			code := &tutor.Code{Language: "cuda", Setup: []tutor.Cell{{Language: "go", Text: "setup"}}, Test: c.test}
			got, err := b.Test(t.Context(), "", code, c.answer)
			if err != nil || !reflect.DeepEqual(got, c.want) {
				t.Errorf("%+v, %v, want %+v", got, err, c.want)
			}
			if cells := started[0].cells; cells[0] != "setup" || !strings.HasPrefix(cells[1], "%%cuda\n") || strings.Count(cells[1], "%%cuda") != 1 {
				t.Errorf("the cells are %q", cells)
			}
			if got, err := b.Test(t.Context(), "", &tutor.Code{Language: "go", Test: "check"}, "x"); err != nil || !got.Pass {
				t.Errorf("afterwards %+v, %v", got, err)
			}
			if started[0].stopped != c.replaced || len(started) != map[bool]int{false: 1, true: 2}[c.replaced] {
				t.Errorf("%d kernels were started, the first stopped: %v", len(started), started[0].stopped)
			}
			if err := b.Close(); err != nil || !started[len(started)-1].stopped {
				t.Errorf("after Close the kernel runs, %v", err)
			}
		})
	}
}

// TestDevice checks that kernels run on the device that is asked for, which is chosen only when it changes.
func TestDevice(t *testing.T) {
	f := &fake{}
	b := New(func(context.Context) (Kernel, error) { return f, nil })
	program := []tutor.Cell{{Language: "go", Text: "x"}}
	for _, device := range []string{"", "sim", "sim", "cuda:1", ""} {
		if _, err := b.Output(t.Context(), device, program); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := strings.Join(f.cells, ","), "x,%gpu sim,x,x,%gpu cuda:1,x,%gpu auto,x"; got != want {
		t.Errorf("the cells are %s, want %s", got, want)
	}
	if _, err := b.Output(t.Context(), "none", program); err == nil || !strings.Contains(err.Error(), "run answers on none: there is no device none") {
		t.Errorf("error %v", err)
	}
}

// TestClose closes a bench in which a cell runs.
func TestClose(t *testing.T) {
	running := make(chan bool)
	f := &fake{running: running}
	b := New(func(context.Context) (Kernel, error) { return f, nil })
	ended := make(chan error)
	go func() {
		_, err := b.Output(t.Context(), "", []tutor.Cell{{Language: "go", Text: "endless"}})
		ended <- err
	}()
	<-running
	if err := b.Close(); err != nil {
		t.Error(err)
	}
	if err := <-ended; !errors.Is(err, context.Canceled) || !f.stopped {
		t.Errorf("error %v, stopped %v", err, f.stopped)
	}
	if _, err := b.Output(t.Context(), "", []tutor.Cell{{Language: "go", Text: "x"}}); err == nil || !strings.Contains(err.Error(), "is closed") {
		t.Errorf("after Close: %v", err)
	}
}

// TestDeadKernel checks that a kernel that exits is an error, and that the next one is used.
func TestDeadKernel(t *testing.T) {
	n := 0
	b := New(func(context.Context) (Kernel, error) { n++; return &fake{}, nil })
	if _, err := b.Output(t.Context(), "", []tutor.Cell{{Language: "go", Text: "dies"}}); err == nil || !strings.Contains(err.Error(), "the kernel has exited") {
		t.Errorf("error %v", err)
	}
	if _, err := b.Output(t.Context(), "", []tutor.Cell{{Language: "go", Text: "x"}}); err != nil || n != 2 {
		t.Errorf("error %v, %d kernels", err, n)
	}
	b = New(func(context.Context) (Kernel, error) { return nil, errors.New("no memory") })
	if _, err := b.Output(t.Context(), "", []tutor.Cell{{Language: "go", Text: "x"}}); err == nil || !strings.Contains(err.Error(), "start a session for answers: no memory") {
		t.Errorf("error %v", err)
	}
}

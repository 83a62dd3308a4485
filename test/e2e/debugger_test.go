package e2e

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gopherwarp/gopherwarp/internal/debugger"
	"github.com/gopherwarp/gopherwarp/internal/gotool"
	"github.com/gopherwarp/gopherwarp/kernel"
)

// patience is the maximum time for a cell to stop or to end on a busy machine.
const patience = 3 * time.Minute

// A debugged notebook is one whose debugger was started.
type debugged struct {
	*notebook
	delve string // file with delve's process ID
}

// openDebugged starts a kernel with a delve that writes its process ID to a file, and starts the debugger.
func openDebugged(t *testing.T) debugged {
	t.Helper()
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	delve, err := debugger.InstallDelve(t.Context(), filepath.Join(cache, "gopherwarp"), gotool.Go{}, func(step string) { t.Log(step) })
	if err != nil {
		t.Skipf("NO BREAKPOINTS TESTED: there is no delve: %v", err)
	}
	n := debugged{delve: filepath.Join(t.TempDir(), "pid")}
	script := filepath.Join(t.TempDir(), "dlv")
	text := fmt.Sprintf("#!/bin/sh\necho $$ > %s\nexec %s \"$@\"\n", n.delve, delve)
	if err := os.WriteFile(script, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	n.notebook = open(t, debugger.DelveEnv+"="+script)
	n.attach()
	return n
}

// attach starts the debugger.
func (n debugged) attach() {
	n.t.Helper()
	for _, command := range []string{"initialize", "attach", "configurationDone"} {
		if r := n.debug(command, map[string]any{}); !r.Success {
			n.t.Fatalf("%s: %+v", command, r)
		}
	}
}

// breakAt sets a cell's breakpoints and returns the path of its source.
func (n debugged) breakAt(code string, lines ...int) string {
	n.t.Helper()
	path := n.debug("dumpCell", map[string]any{"code": code}).Body.SourcePath
	list := []any{}
	for _, line := range lines {
		list = append(list, map[string]any{"line": line})
	}
	r := n.debug("setBreakpoints", map[string]any{"source": map[string]any{"path": path}, "breakpoints": list})
	if !r.Success || len(r.Body.Breakpoints) != len(lines) {
		n.t.Fatalf("setBreakpoints: %+v", r)
	}
	return path
}

// begin starts a cell that will stop.
func (n debugged) begin(code string) (*outcome, <-chan error) {
	o, ended := &outcome{}, make(chan error, 1)
	go func() {
		reply, err := n.Execute(n.t.Context(), kernel.ExecuteRequest{Code: code, OnOutput: o.take})
		o.mu.Lock()
		o.reply = reply
		o.mu.Unlock()
		ended <- err
	}()
	return o, ended
}

// stop waits until the cell is stopped and returns the frames, innermost first.
func (n debugged) stop(o *outcome, ended <-chan error) (thread int, frames []string, ids []int) {
	n.t.Helper()
	for deadline := time.Now().Add(patience); ; {
		if threads := n.debug("debugInfo", nil).Body.StoppedThreads; len(threads) == 1 {
			thread = threads[0]
			break
		}
		select {
		case err := <-ended:
			o.mu.Lock()
			defer o.mu.Unlock()
			if strings.Contains(o.stderr, "operation not permitted") {
				n.t.Skip("NO BREAKPOINTS TESTED: this system lets no debugger attach: " + o.stderr)
			}
			n.t.Fatalf("the cell ended without a stop: %v, %+v, %s", err, o.reply, o.stderr)
		default:
		}
		if time.Now().After(deadline) {
			n.t.Fatal("the cell does not stop")
		}
		time.Sleep(20 * time.Millisecond)
	}
	r := n.debug("stackTrace", map[string]any{"threadId": thread})
	if !r.Success {
		n.t.Fatalf("stackTrace: %+v", r)
	}
	for _, f := range r.Body.StackFrames {
		frames = append(frames, fmt.Sprintf("%s %s:%d", f.Name, f.Source.Path, f.Line))
		ids = append(ids, f.ID)
	}
	return thread, frames, ids
}

// holds returns a frame's variables by scope, in the order of the scopes.
func (n debugged) holds(frame int) (scopes, contents []string) {
	for _, s := range n.debug("scopes", map[string]any{"frameId": frame}).Body.Scopes {
		text, _ := n.debug("variables", map[string]any{"variablesReference": s.VariablesReference}).list()
		scopes, contents = append(scopes, s.Name), append(contents, text)
	}
	return scopes, contents
}

func (n debugged) await(ended <-chan error) {
	n.t.Helper()
	select {
	case err := <-ended:
		if err != nil {
			n.t.Fatal(err)
		}
	case <-time.After(patience):
		n.t.Fatal("the cell does not end")
	}
}

func TestBreakpoints(t *testing.T) {
	n := openDebugged(t)
	const declare = "type point struct{ x, Y int }\nx := 3\np := &point{1, 2}\nvar e error = errors.New(\"hm\")\nfunc add(a, b int) int {\n\ts := a + b\n\treturn s * x\n}"
	const loop = "for i := range 3 {\n\ty := add(i, 1)\n\tx += y\n}\nx"
	added := n.breakAt(declare, 7)
	n.run(declare)
	o, ended := n.begin(loop)
	thread, frames, ids := n.stop(o, ended)
	looped := n.debug("dumpCell", map[string]any{"code": loop}).Body.SourcePath
	want := []string{"add " + added + ":7", "cell[3] " + looped + ":2"}
	if !slices.Equal(frames, want) {
		t.Fatalf("stopped at %q, want %q", frames, want)
	}
	scopes, contents := n.holds(ids[0])
	if !slices.Equal(scopes, []string{"Locals", "Session"}) || contents[0] != "a int = 0\nb int = 1\ns int = 1" {
		t.Errorf("%q hold %q", scopes, contents)
	}
	for _, v := range []string{"e error(*errors.errorString) = error(*errors.errorString) *{s: \"hm\"}", "p *main.point = *main.point {x: 1, Y: 2}", "x int = 3"} {
		if !slices.Contains(strings.Split(contents[1], "\n"), v) {
			t.Errorf("the session's variables are %q, without %q", contents[1], v)
		}
	}
	for expression, want := range map[string]string{"s + x*10": "31", "p.x": "1", "a == b": "false", "p.Y": "2"} {
		if r := n.debug("evaluate", map[string]any{"expression": expression, "frameId": ids[0]}); r.Body.Result != want {
			t.Errorf("%s is %+v, want %s", expression, r, want)
		}
	}
	if r := n.debug("evaluate", map[string]any{"expression": "nothing", "frameId": ids[0]}); r.Success || strings.Contains(r.Message, "Ͼ") {
		t.Errorf("an unknown name is %+v", r)
	}
	if r := n.debug("source", map[string]any{"source": map[string]any{"path": added}}); r.Body.Content != declare {
		t.Errorf("the source is %+v", r)
	}
	if r := n.debug("source", map[string]any{"source": map[string]any{"path": "/etc/passwd"}}); r.Success {
		t.Error("any file is given away as a source")
	}

	step := func(command string, want ...string) {
		t.Helper()
		if r := n.debug(command, map[string]any{"threadId": thread}); !r.Success {
			t.Fatalf("%s: %+v", command, r)
		}
		if thread, frames, ids = n.stop(o, ended); !slices.Equal(frames, want) {
			t.Errorf("%s: stopped at %q, want %q", command, frames, want)
		}
	}
	step("stepOut", "cell[3] "+looped+":2")
	step("next", "cell[3] "+looped+":3")
	if scopes, contents = n.holds(ids[0]); scopes[0] != "Locals" || contents[0] != "i int = 0\ny int = 3" {
		t.Errorf("%q hold %q", scopes, contents)
	}
	step("continue", "add "+added+":7", "cell[3] "+looped+":2")
	n.breakAt(declare)
	n.breakAt(loop, 3)
	step("continue", "cell[3] "+looped+":3")
	n.breakAt(loop)
	n.debug("continue", map[string]any{"threadId": thread})
	n.await(ended)
	if o.result != "72" || o.stderr != "" {
		t.Errorf("the cell gave %s, %+v, %s", o.result, o.reply, o.stderr)
	}

	// An interrupt ends the stop and the cell.
	const endless = "x++\nfor {\n\ttime.Sleep(time.Millisecond)\n}"
	n.breakAt(endless, 3)
	o, ended = n.begin(endless)
	n.stop(o, ended)
	if err := n.Interrupt(t.Context()); err != nil {
		t.Fatal(err)
	}
	n.await(ended)
	if o.reply.Name != "Interrupted" {
		t.Errorf("interrupted, the cell gave %+v", o.reply)
	}
	if r := n.debug("next", map[string]any{"threadId": thread}); r.Success {
		t.Error("a step while nothing is stopped")
	}

	// When the debugger is closed, the cell continues. Cells are optimized again, and their state is kept.
	n.breakAt(loop, 2)
	o, ended = n.begin(loop)
	n.stop(o, ended)
	if r := n.debug("disconnect", nil); !r.Success {
		t.Fatalf("disconnect: %+v", r)
	}
	n.await(ended)
	if o.reply.Status != "ok" || o.stderr != "" {
		t.Errorf("after the debugger was closed, the cell gave %+v, %s", o.reply, o.stderr)
	}
	n.gives("fmt.Sprint(p.x, e, add(1, 1) == 2*x)", `"1 hm true"`)
}

// TestStepIntoEarlierCell steps into a function of a cell that ran before the debugger was started.
func TestStepIntoEarlierCell(t *testing.T) {
	n := openDebugged(t)
	if r := n.debug("disconnect", nil); !r.Success {
		t.Fatalf("disconnect: %+v", r)
	}
	const declare = "//go:noinline\nfunc twice(a int) int {\n\tb := 2 * a\n\treturn b\n}\nk := 3"
	n.run(declare)
	const more = "//go:noinline\nfunc thrice(a int) int {\n\treturn twice(a) + a\n}"
	n.run(more)
	n.attach()
	const call = "z := thrice(4)\nz"
	n.breakAt(call, 1)
	o, ended := n.begin(call)
	thread, _, _ := n.stop(o, ended)
	declared := n.debug("dumpCell", map[string]any{"code": declare}).Body.SourcePath
	var frames []string
	var ids []int
	for range 3 { // into thrice, over its entry, into twice
		if r := n.debug("stepIn", map[string]any{"threadId": thread}); !r.Success {
			t.Fatalf("stepIn: %+v", r)
		}
		thread, frames, ids = n.stop(o, ended)
	}
	if want := "twice " + declared + ":3"; len(frames) != 3 || frames[0] != want {
		t.Errorf("stopped at %q, want %q", frames, want)
	}
	if _, contents := n.holds(ids[0]); !strings.Contains(contents[0], "a int = 4") {
		t.Errorf("the function's variables are %q", contents)
	}
	n.debug("continue", map[string]any{"threadId": thread})
	n.await(ended)
	if o.result != "12" {
		t.Errorf("the cell gave %s, %+v, %s", o.result, o.reply, o.stderr)
	}
}

// TestBreakpointsInKernels stops kernels in Go that run as plain Go in a chosen block and thread.
func TestBreakpointsInKernels(t *testing.T) {
	n := openDebugged(t)
	n.run("%gpu sim")
	const declare = `type pair struct{ a, b float32 }
func (p pair) sum() float32 {
	s := p.a + p.b
	return s
}
// alone has no barrier.
//gpu:kernel
func alone(x []float32, by float32) {
	if i := gpu.GlobalID(); i < len(x) {
		v := pair{x[i], by}.sum()
		x[i] = v
	}
}
//gpu:kernel
func together(x []float32) {
	tile := gpu.Shared[[32]float32]()
	t := gpu.ThreadIdx().X
	tile[t] = x[gpu.GlobalID()]
	gpu.SyncThreads()
	x[gpu.GlobalID()] = tile[31-t]
}
x := make([]float32, 128)
for i := range x { x[i] = float32(i) }`
	path := n.breakAt(declare, 4, 11, 20)
	n.run(declare)
	step := func(o *outcome, ended <-chan error, thread int, command, want string) (int, []int) {
		t.Helper()
		if r := n.debug(command, map[string]any{"threadId": thread}); !r.Success {
			t.Fatalf("%s: %+v", command, r)
		}
		thread, frames, ids := n.stop(o, ended)
		if strings.Join(frames, ", ") != want {
			t.Errorf("%s: stopped at %q, want %s", command, frames, want)
		}
		return thread, ids
	}
	is := func(frame int, expression, want string) {
		t.Helper()
		if r := n.debug("evaluate", map[string]any{"expression": expression, "frameId": frame}); r.Body.Result != want {
			t.Errorf("%s is %+v, want %s", expression, r, want)
		}
	}

	o, ended := n.begin("alone.Run(gpu.For(128, 32).StopIn(gpu.Dim3{X: 2}, gpu.Dim3{X: 5}), x, 0.5)")
	thread, frames, ids := n.stop(o, ended)
	want := []string{"pair.sum " + path + ":4", "alone " + path + ":10"}
	if !slices.Equal(frames, want) {
		t.Errorf("stopped at %q, want %q", frames, want)
	}
	is(ids[0], "p.a", "69")
	thread, ids = step(o, ended, thread, "continue", "alone "+path+":11")
	is(ids[0], "i", "69")
	is(ids[0], "v", "69.5")
	is(ids[0], "x[i] + by", "69.5")
	scopes, contents := n.holds(ids[0])
	if !slices.Equal(scopes, []string{"Locals", "Thread", "Session"}) || !strings.Contains(contents[0], "v float32 = 69.5") ||
		!strings.Contains(contents[1], "gpu.BlockIdx() gpu.Dim3 = gpu.Dim3 {X: 2, Y: 0, Z: 0}\ngpu.ThreadIdx() gpu.Dim3 = gpu.Dim3 {X: 5, Y: 0, Z: 0}\ngpu.LaneID() int = 5") {
		t.Errorf("%q hold %q", scopes, contents[:2])
	}
	n.debug("continue", map[string]any{"threadId": thread})
	n.await(ended)

	// A kernel with a barrier, and steps over it.
	o, ended = n.begin("together.Run(gpu.For(128, 32).StopIn(gpu.Dim3{X: 3}, gpu.Dim3{X: 30}), x)")
	thread, frames, ids = n.stop(o, ended)
	if !slices.Equal(frames, []string{"together " + path + ":20"}) {
		t.Errorf("stopped at %q", frames)
	}
	is(ids[0], "t", "30")
	is(ids[0], "tile[1]", "97.5")
	n.breakAt(declare, 18)
	n.debug("continue", map[string]any{"threadId": thread})
	n.await(ended)
	o, ended = n.begin("together.Run(gpu.For(128, 32).StopIn(gpu.Dim3{X: 1}, gpu.Dim3{X: 7}), x)")
	thread, _, ids = n.stop(o, ended)
	is(ids[0], "t", "7")
	for _, line := range []string{"19", "20"} {
		thread, ids = step(o, ended, thread, "next", "together "+path+":"+line)
	}
	is(ids[0], "t", "7")
	n.debug("continue", map[string]any{"threadId": thread})
	n.await(ended)

	// Without a choice each thread stops, and a thread that is not there is an error.
	n.breakAt(declare, 11)
	o, ended = n.begin("alone.Run(gpu.For(2, 2), x, 1)")
	thread, _, ids = n.stop(o, ended)
	is(ids[0], "i", "0")
	thread, ids = step(o, ended, thread, "continue", "alone "+path+":11")
	is(ids[0], "i", "1")
	n.debug("continue", map[string]any{"threadId": thread})
	n.await(ended)
	if o.reply.Status != "ok" || o.stderr != "" {
		t.Errorf("the cell gave %+v, %s", o.reply, o.stderr)
	}
	n.fails("alone.Run(gpu.For(2, 2).StopIn(gpu.Dim3{}, gpu.Dim3{X: 2}), x, 1)", "StopIn: there is no thread (2,0,0) in block (0,0,0)")
}

// TestBreakpointOfManyGoroutines detaches while threads hit breakpoints. These must not kill the process.
func TestBreakpointOfManyGoroutines(t *testing.T) {
	n := openDebugged(t)
	const declare = "var calls atomic.Int64\nkept := 1\nfunc busy(i int) int {\n\ti *= 2\n\tcalls.Add(1)\n\treturn i\n}"
	n.run(declare)
	n.breakAt(declare, 4)
	for round := range 2 {
		o, ended := n.begin("for range 8 {\n\tgo func() {\n\t\tfor {\n\t\t\t_ = make([]byte, 10_000)\n\t\t\tbusy(1)\n\t\t\tif rand.IntN(100) == 0 {\n\t\t\t\ttime.Sleep(time.Microsecond)\n\t\t\t}\n\t\t}\n\t}()\n}\nselect {}")
		for _, command := range []string{"next", "next", "stepOut"} {
			thread, _, _ := n.stop(o, ended)
			n.debug(command, map[string]any{"threadId": thread})
		}
		n.stop(o, ended)
		_ = n.Interrupt(t.Context())
		n.await(ended)
		if o.reply.Name != "Interrupted" || o.stderr != "" {
			t.Fatalf("round %d: %+v, %s", round, o.reply, o.stderr)
		}
	}
	n.gives("kept", "1")
}

// TestDebuggerDies kills delve while a cell is stopped, and then the session.
func TestDebuggerDies(t *testing.T) {
	n := openDebugged(t)
	const code = "kept := 1\nfmt.Println(kept)\ntime.Sleep(time.Millisecond)"
	n.breakAt(code, 2)
	o, ended := n.begin(code)
	n.stop(o, ended)
	data, err := os.ReadFile(n.delve)
	if err != nil {
		t.Fatal(err)
	}
	var pid int
	if _, err := fmt.Sscan(string(data), &pid); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil && !errors.Is(err, syscall.ESRCH) {
		t.Fatal(err)
	}
	n.await(ended)
	if o.reply.Name != "SessionDied" || !strings.Contains(o.reply.Value, "a breakpoint without a debugger") {
		t.Errorf("%+v, %s", o.reply, o.stderr)
	}
	n.breakAt(code)
	n.gives("1 + 1", "2")

	// The kernel exits although its session is stopped.
	n.breakAt(code, 2)
	o, ended = n.begin(code)
	n.stop(o, ended)
	if err := n.Stop(t.Context()); err != nil {
		t.Error(err)
	}
}

package e2e

import (
	"slices"
	"strings"
	"testing"
)

// TestBreakpointsInCUDA stops at breakpoints in the recording of a CUDA kernel on the simulator, and steps forwards and backwards.
func TestBreakpointsInCUDA(t *testing.T) {
	n := openDebugged(t)
	n.run("%gpu sim")
	const declare = `%%cuda
__device__ float twice(float v) {
    return v + v;
}
__global__ void fill(float *x, float by, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float v = twice(x[i]);
        x[i] = v + by;
    }
}`
	n.run(declare)
	path := n.breakAt(declare, 9)
	n.run("x := gpu.ToDevice([]float32{1, 2, 3, 4, 5, 6})")
	const launch = "// launches\nif err := fill.Launch(gpu.For(6, 4).StopIn(gpu.Dim3{X: 1}, gpu.Dim3{X: 1}), x, 0.5, 6); err != nil {\n\tpanic(err)\n}\nx.ToHost()"
	launched := n.debug("dumpCell", map[string]any{"code": launch}).Body.SourcePath
	o, ended := n.begin(launch)
	thread, frames, ids := n.stop(o, ended)
	if want := []string{"fill " + path + ":9", "cell[5] " + launched + ":2"}; !slices.Equal(frames, want) {
		t.Fatalf("stopped at %q, want %q", frames, want)
	}
	scopes, contents := n.holds(ids[0])
	if !slices.Equal(scopes, []string{"Locals", "Memory", "This line", "Launch"}) {
		t.Fatalf("scopes %q", scopes)
	}
	for i, wanted := range [][]string{
		{"threadIdx  = (1, 0, 0)", "blockIdx  = (1, 0, 0)", "by float = 0.5", "n int = 6", "i int = 5", "v float = 12"},
		{"x[5]  = 6"},
		{"writes x[5]  = 12.5"},
		{"gridDim  = (2, 1, 1)", "x  = 0x", "6 × float32"},
	} {
		for _, want := range wanted {
			if !strings.Contains(contents[i], want) {
				t.Errorf("%s holds %q, without %q", scopes[i], contents[i], want)
			}
		}
	}
	for expression, want := range map[string]string{"threadIdx.x": "1", "blockDim.x": "4", "x[5]": "6", "n": "6"} {
		if r := n.debug("evaluate", map[string]any{"expression": expression, "frameId": ids[0]}); r.Body.Result != want {
			t.Errorf("%s is %+v, want %s", expression, r, want)
		}
	}
	step := func(command, want string) {
		t.Helper()
		if r := n.debug(command, map[string]any{"threadId": thread}); !r.Success {
			t.Fatalf("%s: %+v", command, r)
		}
		if _, frames, ids = n.stop(o, ended); strings.Join(frames[:len(frames)-1], " ") != strings.ReplaceAll(want, ":", " "+path+":") {
			t.Errorf("%s: stopped at %q, want %s", command, frames, want)
		}
	}
	holds := func(want string) {
		t.Helper()
		if _, contents := n.holds(ids[0]); !strings.HasSuffix(contents[0], want) {
			t.Errorf("the function holds %q, want %q at the end", contents[0], want)
		}
	}
	step("stepBack", "twice:4 fill:8")
	step("stepBack", "twice:3 fill:8")
	holds("v float = 6")
	step("stepOut", "fill:9")
	step("stepBack", "twice:4 fill:8")
	step("reverseContinue", "fill:6") // no breakpoint is before: the beginning
	step("stepBack", "fill:6")
	holds("n int = 6")
	step("next", "fill:7")
	holds("n int = 6\ni int = 5")
	step("next", "fill:8")
	step("next", "fill:9")
	step("stepBack", "twice:4 fill:8")
	step("stepBack", "twice:3 fill:8")
	step("stepBack", "fill:8")
	step("stepIn", "twice:3 fill:8")
	step("continue", "fill:9")
	if r := n.debug("evaluate", map[string]any{"expression": "reverse-step", "frameId": ids[0]}); !r.Success {
		t.Errorf("reverse-step: %+v", r)
	}
	if _, frames, _ := n.stop(o, ended); frames[0] != "twice "+path+":4" {
		t.Errorf("reverse-step: stopped at %q", frames)
	}
	n.debug("continue", map[string]any{"threadId": thread})
	n.stop(o, ended)
	n.debug("continue", map[string]any{"threadId": thread})
	n.await(ended)
	if !strings.Contains(o.result, "12.5") || o.stderr != "" || o.shown != "" {
		t.Errorf("the cell gave %s, %+v, %s%s", o.result, o.reply, o.stderr, o.shown)
	}

	// Without a choice the first thread stops that comes to the line, in each launch; an interrupt ends the stop.
	o, ended = n.begin("for range 2 {\n\tfill.Launch(gpu.For(6, 4), x, 1, 6)\n}")
	for range 2 {
		_, _, ids = n.stop(o, ended)
		if r := n.debug("evaluate", map[string]any{"expression": "threadIdx.x", "frameId": ids[0]}); r.Body.Result != "0" {
			t.Errorf("stopped in thread %+v", r)
		}
		n.debug("continue", map[string]any{"threadId": thread})
	}
	n.await(ended)
	o, ended = n.begin("fill.Launch(gpu.For(6, 4), x, 1, 6)")
	n.stop(o, ended)
	if err := n.Interrupt(t.Context()); err != nil {
		t.Fatal(err)
	}
	n.await(ended)

	// A thread that does not come to the line is told once; without breakpoints nothing is recorded.
	got := n.cell("fill.Launch(gpu.For(6, 4).StopIn(gpu.Dim3{X: 1}, gpu.Dim3{X: 9}), x, 1, 6)")
	if !strings.Contains(got.stderr, "StopIn chooses another block and thread") {
		t.Errorf("a thread that is not there: %q", got.stderr)
	}
	n.breakAt(declare)
	n.run("fill.Launch(gpu.For(6, 4), x, 1, 6)")
	if r := n.debug("stepBack", map[string]any{"threadId": thread}); r.Success {
		t.Error("a step back while nothing is stopped")
	}
}

// TestBreakpointsInLaunchedGoKernels stops in the recording of a launch of a kernel in Go, and shows the user's names, and functions of earlier cells.
func TestBreakpointsInLaunchedGoKernels(t *testing.T) {
	n := openDebugged(t)
	n.run("%gpu sim")
	const helper = `type pair struct{ a, b float32 }
func (p pair) sum() float32 {
	total := p.a + p.b
	return total
}`
	n.run(helper)
	const declare = `//gpu:kernel
func fill(x []float32, by float32) {
	if double := gpu.GlobalID(); double < len(x) {
		v := pair{x[double], by}.sum()
		x[double] = v
	}
}
x := gpu.ToDevice([]float32{1, 2, 3, 4, 5, 6})
if err := fill.Launch(gpu.For(6, 4).StopIn(gpu.Dim3{X: 1}, gpu.Dim3{X: 1}), x, 0.5); err != nil {
	panic(err)
}
x.ToHost()`
	path := n.breakAt(declare, 5)
	inHelper := n.breakAt(helper, 3)
	o, ended := n.begin(declare)
	thread, frames, _ := n.stop(o, ended)
	if want := []string{"pair.sum " + inHelper + ":3", "fill " + path + ":4", "cell[4] " + path + ":9"}; !slices.Equal(frames, want) {
		t.Errorf("stopped at %q, want %q", frames, want)
	}
	n.debug("continue", map[string]any{"threadId": thread})
	_, frames, ids := n.stop(o, ended)
	if want := []string{"fill " + path + ":5", "cell[4] " + path + ":9"}; !slices.Equal(frames, want) {
		t.Errorf("stopped at %q, want %q", frames, want)
	}
	_, contents := n.holds(ids[0])
	for i, wanted := range [][]string{
		{"gpu.ThreadIdx()  = (1, 0, 0)", "gpu.BlockIdx()  = (1, 0, 0)", "by  = 0.5", "x  = 0x", ", len 6", "double int = 5", "v  = 6.5"},
		{"x[5]  = 6"},
		{"writes x[5]  = 6.5"},
		{"gpu.GridDim()  = (2, 1, 1)", "x  = 0x", ", 6 × float32", "by  = 0.5"},
	} {
		for _, want := range wanted {
			if !strings.Contains(contents[i], want) {
				t.Errorf("scope %d holds %q, without %q", i, contents[i], want)
			}
		}
		if strings.Contains(contents[i], "_len") || strings.Contains(contents[i], "double_") {
			t.Errorf("scope %d holds %q, which has names of the translation", i, contents[i])
		}
	}
	for expression, want := range map[string]string{"gpu.ThreadIdx().X": "1", "x[5]": "6", "double": "5"} {
		if r := n.debug("evaluate", map[string]any{"expression": expression, "frameId": ids[0]}); r.Body.Result != want {
			t.Errorf("%s is %+v, want %s", expression, r, want)
		}
	}
	n.debug("stepBack", map[string]any{"threadId": thread})
	if _, frames, _ = n.stop(o, ended); frames[0] != "pair.sum "+inHelper+":5" {
		t.Errorf("a step back leads to %q", frames)
	}
	n.debug("continue", map[string]any{"threadId": thread})
	n.stop(o, ended)
	n.debug("continue", map[string]any{"threadId": thread})
	n.await(ended)
	if !strings.Contains(o.result, "6.5") || o.stderr != "" {
		t.Errorf("the cell gave %s, %+v, %s", o.result, o.reply, o.stderr)
	}

	// A breakpoint in other code of the cell records no launch.
	n.breakAt(helper)
	n.breakAt(declare, 9)
	o, ended = n.begin(declare)
	thread, frames, _ = n.stop(o, ended)
	if !strings.HasSuffix(frames[0], path+":9") {
		t.Errorf("stopped at %q", frames)
	}
	n.debug("continue", map[string]any{"threadId": thread})
	n.await(ended)
	if o.stderr != "" {
		t.Errorf("the cell says %q", o.stderr)
	}

	// The lens and check mode know the function of the other cell, and the slice by its name.
	n.breakAt(declare)
	o = n.run("%lens fill.Launch(gpu.For(6, 4), x, 0.5)")
	if text := o.shown + o.result; !strings.Contains(text, "total := p.a + p.b") || strings.Contains(text, "x_data") {
		t.Errorf("the lens shows %s", text)
	}
	o = n.run("fmt.Println(check.Run(func() error { return fill.Launch(gpu.For(6, 4), x, 0.5) }))")
	if !strings.Contains(o.stdout, "cell[5]:4") || strings.Contains(o.stdout, "cell[5]:6") {
		t.Errorf("check mode reports %s", o.stdout)
	}
}

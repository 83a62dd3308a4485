package e2e

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/gopherwarp/gopherwarp/internal/completion"
	"github.com/gopherwarp/gopherwarp/internal/gotool"
)

// completeReply is a complete_reply.
type completeReply struct {
	Status     string
	Matches    []string
	Start, End int
	Metadata   struct {
		Types []struct{ Text, Type, Signature string } `json:"_jupyter_types_experimental"`
	}
}

// complete requests completions at the mark in a cell.
func (n *notebook) complete(marked string) completeReply {
	n.t.Helper()
	before, after, ok := strings.Cut(marked, "‸")
	if !ok {
		n.t.Fatalf("no mark in %q", marked)
	}
	var reply struct {
		completeReply
		Start int `json:"cursor_start"`
		End   int `json:"cursor_end"`
	}
	n.query("complete_request", map[string]any{"code": before + after, "cursor_pos": utf8.RuneCountInString(before)}, &reply)
	reply.completeReply.Start, reply.completeReply.End = reply.Start, reply.End
	return reply.completeReply
}

// inspect requests the description of the name at the mark.
func (n *notebook) inspect(marked string, detail int) map[string]string {
	n.t.Helper()
	before, after, _ := strings.Cut(marked, "‸")
	var reply struct{ Data map[string]string }
	n.query("inspect_request", map[string]any{
		"code": before + after, "cursor_pos": utf8.RuneCountInString(before), "detail_level": detail,
	}, &reply)
	return reply.Data
}

func (n *notebook) query(msgType string, content, reply any) {
	n.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := n.Request(ctx, msgType, content, reply); err != nil {
		n.t.Fatal(err)
	}
}

const scaleCell = `%%cuda
// scale multiplies each of n elements.
__global__ void scale(float *x, float by, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) x[i] *= by;
}`

// TestEditing completes and inspects in a notebook of Go, CUDA and magics.
func TestEditing(t *testing.T) {
	n := open(t)
	n.run("// width is how wide it is.\nconst width = 3\ntype größe struct{ höhe int }\ngrößte := größe{5}")
	n.run(scaleCell)
	for _, tc := range []struct {
		cell      string
		want, not string
	}{
		{"wid‸", "width", ""},
		{"s := \"日本\"; größte.‸", "höhe", "width"},
		{"scale.‸", "Launch", "width"},
		{"%ti‸", "%time %timeit %timeit_gpu", "%who"},
		{"%%cu‸", "%%cuda", "%%bash"},
		{"x := 1\n%src wi‸", "width", "scale"},
		{"%timeit_gpu --‸", "--bytes --flops", ""},
		{"%time fmt.Printl‸", "Println", "Printf"},
		{"%timeit_gpu --bytes 4 --runs 3 scale.‸", "Launch", "--bytes"},
		{"%%time\nwid‸", "width", ""},
		{"%%cuda\nint i = thr‸;", "threadIdx", ""},
		{"%%cuda\nint i = threadIdx.‸;", "x y z", "w"},
		{"%%cuda\nsca‸", "scale", "width"},
		{"%%bash\nwid‸", "", "width"},
		{"%gpu sim\nwid‸", "width", ""},
	} {
		got := n.complete(tc.cell)
		for _, want := range strings.Fields(tc.want) {
			if !slices.Contains(got.Matches, want) {
				t.Errorf("%q: no %s in %q", tc.cell, want, got.Matches)
			}
		}
		for _, not := range strings.Fields(tc.not) {
			if slices.Contains(got.Matches, not) {
				t.Errorf("%q: %s in %q", tc.cell, not, got.Matches)
			}
		}
	}
	// Cursors count code points.
	if got := n.complete("s := \"日本\"; größ‸"); got.Start != 11 || got.End != 15 {
		t.Errorf("completion from %d to %d, want 11 to 15", got.Start, got.End)
	}
	if got := n.complete("wid‸"); len(got.Metadata.Types) == 0 || got.Metadata.Types[0].Type != "const" {
		t.Errorf("types %+v, want width to be a const", got.Metadata.Types)
	}

	for _, tc := range []struct {
		cell   string
		detail int
		want   []string
	}{
		{"wid‸th", 0, []string{"width", "width is how wide it is."}},
		{"größte‸", 1, []string{"größe", "größte := größe{5}"}},
		{"scale.Launch(‸", 0, []string{"__global__ void scale(float *x, float by, int n)", "scale multiplies each", "scale.Launch(gpu.For(n, 256), x, by, n)", "scale.Launch(cfg gpu.Launch, x gpu.Ptr[float32], by float32, n int) error"}},
		{"scale‸", 1, []string{"x[i] *= by;"}},
		{"%%cuda\n__syncth‸reads();", 0, []string{"void __syncthreads()", "Synchronization Functions"}},
		{"%time‸it x", 0, []string{"%timeit", "runs"}},
		{"%%cuda‸\n", 0, []string{"%%cuda", "CUDA C++"}},
	} {
		data := n.inspect(tc.cell, tc.detail)
		for _, mime := range []string{"text/plain", "text/markdown", "text/html"} {
			for _, want := range tc.want {
				if !strings.Contains(strings.ReplaceAll(data[mime], "&#34;", `"`), want) {
					t.Errorf("%q: no %q in %s %q", tc.cell, want, mime, data[mime])
				}
			}
		}
	}
	if data := n.inspect("scale‸", 0); strings.Contains(data["text/plain"], "x[i]") {
		t.Errorf("the source was not asked for: %s", data["text/plain"])
	}
	if data := n.inspect("nowhere‸", 0); len(data) > 0 {
		t.Errorf("something is known of nowhere: %v", data)
	}
}

// TestEditingWhileACellRuns runs a cell until all requests are answered.
func TestEditingWhileACellRuns(t *testing.T) {
	n := open(t)
	n.run("double := func(x int) int { return 2 * x }")
	gate := filepath.Join(t.TempDir(), "gate")
	ended := make(chan *outcome, 1)
	go func() {
		ended <- n.cell("for {\n\tif _, err := os.Stat(" + strconv.Quote(gate) + "); err == nil {\n\t\tbreak\n\t}\n\ttime.Sleep(time.Millisecond)\n}")
	}()
	for _, marked := range []string{"dou‸", "double.‸\nx", "%wh‸", "!ls dou‸", "strings.HasPre‸"} {
		n.complete(marked)
	}
	if got := n.complete("dou‸"); !slices.Contains(got.Matches, "double") {
		t.Errorf("completions %q while a cell runs", got.Matches)
	}
	if data := n.inspect("double‸", 0); !strings.Contains(data["text/plain"], "func(x int) int") {
		t.Errorf("inspection while a cell runs: %v", data)
	}
	select {
	case <-ended:
		t.Error("the cell has ended before its gate was open")
	default:
	}
	if err := os.WriteFile(gate, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if o := <-ended; o.reply.Status != "ok" {
		t.Errorf("the cell: %+v", o.reply)
	}
}

// TestNoGoplsIsLeft kills a kernel whose gopls runs.
func TestNoGoplsIsLeft(t *testing.T) {
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	if err := completion.InstallGopls(t.Context(), filepath.Join(cache, "gopherwarp"), gotool.Go{Version: runtime.Version()}, func(step string) { t.Log(step) }); err != nil {
		if os.Getenv("GOPROXY") == "off" {
			t.Skipf("SKIPPED: there is no gopls, and no network to get it from: %v", err)
		}
		t.Fatal(err)
	}
	n := open(t)
	kernelPid, err := strconv.Atoi(n.run("os.Getppid()").result)
	if err != nil {
		t.Fatal(err)
	}
	n.complete("strings.‸")
	var gopls []string
	for _, pid := range children(strconv.Itoa(kernelPid)) {
		if name, _ := exec.Command("ps", "-o", "comm=", "-p", pid).Output(); strings.TrimSpace(string(name)) == "gopls" {
			gopls = append(gopls, pid)
		}
	}
	if len(gopls) != 1 {
		t.Fatalf("gopls processes %q, want one", gopls)
	}
	if err := syscall.Kill(kernelPid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		stat, err := os.ReadFile("/proc/" + gopls[0] + "/stat")
		if err != nil || strings.Contains(string(stat), ") Z ") {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("gopls is left")
		}
	}
}

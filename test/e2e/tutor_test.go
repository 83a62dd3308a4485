package e2e

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/gopherwarp/gopherwarp/internal/nbformat"
	"github.com/gopherwarp/gopherwarp/kernel"
)

// TestTutor asks and answers in a notebook, and in another one of the same learner.
func TestTutor(t *testing.T) {
	t.Parallel()
	state := filepath.Join(t.TempDir(), "learner.json")
	n := start(t, "GOPHERWARP_TUTOR="+state)
	says := func(code, want string) {
		t.Helper()
		o := n.run(code)
		if text := strings.Join(strings.Fields(o.shown), " "); !strings.Contains(text, want) {
			t.Errorf("%.80s\nshows %s\nwant %q", code, o.shown, want)
		}
		if o.result != "" || o.stdout != "" {
			t.Errorf("%.80s\nhas the result %q and the output %q", code, o.result, o.stdout)
		}
	}
	says("%tutor next", "There is no progress yet: %tutor start begins.")
	says("%tutor start --seed 11", "Before we begin: what describes you best?")
	says("%tutor answer first", `"first" is none of the choices A to D`)
	says("%tutor answer D", "Thank you.")
	says("%tutor answer A", "No question is waiting for an answer")
	says("%tutor next", "Question 2:")
	says("%tutor hint", "There are no hints while we look for where to begin")
	says("%tutor answer background A", "The question background is no longer open")
	says("%%tutor answer\n"+strings.Repeat("x", 10<<20), "of which at most 1000 are read")
	says("%tutor define warp", "SIMT")
	says("%tutor nxt", `There is no command "nxt"`)

	other := start(t, "GOPHERWARP_TUTOR="+state)
	first := n
	n = other
	says("%tutor next", "Question 2:")
	n = first
	says("%tutor skip", "Skipped")
	n = other
	says("%tutor next", "Question 3:")

	n.run("%tutor export \"my progress.json\"")
	if got := n.run(`string(must(os.ReadFile("my progress.json")))[:20]`).result; !strings.Contains(got, "version") {
		t.Errorf("the exported file begins with %s", got)
	}
	// A predicted output is compared with what the program prints, in a session of its own.
	putQuestion(t, state, "scan-2-predict")
	n.run("out := 7")
	says("%tutor answer 1 3 3 10 5 12", "The beginning is right: 1 3 3 10 5.")
	says("%tutor answer [1 3 3 10 5 11 7 36]", "Right.")
	n.gives("out", "7")
	if o := n.cell("%%tutor hint\nx"); o.reply.Status != "error" || !strings.Contains(o.reply.Value, "only an answer has a cell") {
		t.Errorf("a cell of another command: %+v", o.reply)
	}

	data, err := os.ReadFile(state)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(state, data[:len(data)/2], 0o600); err != nil {
		t.Fatal(err)
	}
	n.fails("%tutor next", "it is damaged")
	says("%tutor reset", "Your progress was put away; it is in "+state+".old-1.")
	says("%tutor map", "There is no progress yet")
}

// TestReviewOfLesson runs the last cell of a lesson's notebook: it asks about the lesson's concepts. Then it asks about those of an exercise
// that failed.
func TestReviewOfLesson(t *testing.T) {
	t.Parallel()
	notebooks, err := filepath.Glob("../../notebooks/[1-4]-*/*.ipynb")
	if err != nil || len(notebooks) == 0 {
		t.Fatalf("%d notebooks, %v", len(notebooks), err)
	}
	last, check := map[string]string{}, ""
	for _, file := range notebooks {
		nb, err := nbformat.Read(file)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(filepath.Base(file), ".ipynb")
		for _, c := range nb.Cells {
			if name == "first-kernel" && c.ID() == "check-square" {
				check = c.Source()
			}
		}
		last[name] = nb.Cells[len(nb.Cells)-1].Source()
		if want := "%tutor review " + name; last[name] != want {
			t.Errorf("the last cell of %s is %q, want %q", file, last[name], want)
		}
	}
	dir := t.TempDir()
	state, done := filepath.Join(dir, "learner.json"), filepath.Join(dir, "progress.jsonl")
	n := start(t, "GOPHERWARP_TUTOR="+state, "GOPHERWARP_PROGRESS="+done)
	says := func(code, want string) {
		t.Helper()
		if text := strings.Join(strings.Fields(n.run(code).shown), " "); !strings.Contains(text, want) {
			t.Errorf("%s shows %s\nwant %q", code, text, want)
		}
	}
	says(last["stencils"], "There is no progress yet: %tutor start begins.")
	n.run("%tutor start --seed 11")
	says(last["stencils"], "First we look for where to begin; the review comes after it.")
	changeLearner(t, state, func(l map[string]any) {
		delete(l, "placement")
		delete(l, "pending")
		delete(l, "queue")
	})
	says(last["stencils"], "Stencils and convolutions (review)")
	// An exercise of the first lesson, solved without its guard, and its check as the front end runs it.
	n.run("%%cuda\n__global__ void square(const float *x, float *out, int n) {\n    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    out[i] = x[i] * x[i];\n}")
	reply, err := n.Execute(t.Context(), kernel.ExecuteRequest{Code: check, CellID: "check-square"})
	if err != nil || reply.Status != "error" || !strings.Contains(reply.Value, "written past the end") {
		t.Fatalf("the check replies %+v, %v", reply, err)
	}
	n.run("%tutor skip")
	says("%tutor next", "The guard and the number of blocks (review)")
}

// TestTutorSettings asks a question that a directory adds, and explains it by an endpoint on this machine, which is asked by why alone.
func TestTutorSettings(t *testing.T) {
	t.Parallel()
	var asked atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		asked.Add(1)
		if text := string(body); r.URL.Path != "/v1/chat/completions" || !strings.Contains(text, "How many hundreds are 300?") || !strings.Contains(text, "44") || strings.Contains(text, "learner.json") {
			t.Errorf("%s got %s", r.URL.Path, text)
		}
		_, _ = io.WriteString(w, `{"choices": [{"message": {"role": "assistant", "content": "Divide by a hundred. <script>"}}]}`)
	}))
	defer server.Close()
	dir := t.TempDir()
	state, item := filepath.Join(dir, "learner.json"), filepath.Join(dir, "bank", "items", "hundreds")
	if err := os.MkdirAll(item, 0o755); err != nil {
		t.Fatal(err)
	}
	const text = "---\ntype: numeric\nconcepts: guard\nlevel: 0\n---\nHow many hundreds are 300?\n\n## Answers\n\n+ = 300 / 100\n\n## Why\n\nIt is divided.\n\n## Hints\n\n* Divide.\n"
	if err := os.WriteFile(filepath.Join(item, "item.md"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	n := start(t, "GOPHERWARP_TUTOR="+state, "GOPHERWARP_TUTOR_BANK="+filepath.Join(dir, "bank"), "GOPHERWARP_TUTOR_ENDPOINT="+server.URL+"/v1", "GOPHERWARP_TUTOR_MODEL=small")
	n.run("%tutor start --seed 11")
	putQuestion(t, state, "hundreds")
	n.run("%tutor answer 40")
	if got := n.run("%tutor answer 44").shown; !strings.Contains(got, "Not right.") || asked.Load() != 0 {
		t.Errorf("after %d requests the answer shows\n%s", asked.Load(), got)
	}
	if got := n.run("%tutor why").shown; !strings.Contains(got, "by the language model at your endpoint") || !strings.Contains(got, "Divide by a hundred. <script>") || asked.Load() != 1 {
		t.Errorf("after %d requests why shows\n%s", asked.Load(), got)
	}
}

// TestTutorCode answers questions by code: some that is wrong, that does not compile, and that does not end.
func TestTutorCode(t *testing.T) {
	t.Parallel()
	state := filepath.Join(t.TempDir(), "learner.json")
	n := start(t, "GOPHERWARP_TUTOR="+state)
	n.run("%tutor start --seed 11")
	n.run("kept := 7")
	putQuestion(t, state, "guard-6-fix")
	const head = "%%tutor answer\n__global__ void scale(const float *x, float *out, int n) {\n    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    "
	for _, tc := range []struct{ name, code, want string }{
		{"a line in place of code", "%tutor answer 5", "write %%tutor answer in the first line of a cell"},
		{"code as given", head + "out[i] = 2 * x[i];\n}", "that is the code as it was given"},
		{"code that does not compile", head + "if (i < n) out[i] = 2 * x[i]\n}", "does not compile or run, which does not count as an attempt"},
		{"code that does not end", head + "if (i < n) out[i] = 2 * x[i];\n    while (i == 3) out[0] = x[0];\n}", "Not yet."},
		{"code that is right", head + "if (i < n) out[i] = 2 * x[i];\n}", "Right."},
		{"code for an answer of another time", head + "}", "no question is waiting for an answer"},
	} {
		if text := strings.Join(strings.Fields(n.run(tc.code).shown), " "); !strings.Contains(strings.ToLower(text), strings.ToLower(tc.want)) {
			t.Errorf("%s: %s\nwant %q", tc.name, text, tc.want)
		}
	}
	const function = "%%tutor answer\nfunc squares(x []float32) ([]float32, error) {\n\t"
	for _, tc := range []struct{ name, item, code, want string }{
		{"a picture of the failure", "guard-6-fix", head + "if (i <= n) out[i] = 2 * x[i];\n}", "The picture shows what the threads do, step by step"},
		{"code that faults", "guard-6-fix", head + "if (i < n) out[i] = 2 * *(const float *)(size_t)i;\n}", "Not yet."},
		{"code that stops the device", "guard-6-fix", head + "if (i < n) out[i] = 2 * x[i];\n    __trap();\n}", "Not yet."},
		{"code that ends its process", "host-device-5-write", function + "os.Exit(3)\n\treturn nil, nil\n}", "Not yet."},
		{"code that panics", "host-device-5-write", function + "panic(x)\n}", "Not yet."},
		{"10 MB of code", "host-device-5-write", function + strings.Repeat("x", 10<<20) + "}", "of which at most 65536 are read"},
		{"code that is right afterwards", "host-device-5-write", function + "d, out := gpu.ToDevice(x), gpu.Zeros[float32](len(x))\n\terr := square.Launch(gpu.For(len(x), 256), d, out, len(x))\n\treturn out.ToHost(), err\n}", "Right."},
	} {
		putQuestion(t, state, tc.item)
		o := n.run(tc.code)
		if text := strings.Join(strings.Fields(o.shown), " "); !strings.Contains(text, tc.want) || o.stderr != "" {
			t.Errorf("%s: %.2000s\n%s\nwant %q", tc.name, text, o.stderr, tc.want)
		}
	}
	n.gives("kept", "7")
}

// changeLearner changes the state of the tutor in its file.
func changeLearner(t *testing.T, state string, f func(l map[string]any)) {
	t.Helper()
	data, err := os.ReadFile(state)
	if err != nil {
		t.Fatal(err)
	}
	var l map[string]any
	if err := json.Unmarshal(data, &l); err != nil {
		t.Fatal(err)
	}
	f(l)
	if data, err = json.Marshal(l); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(state, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// putQuestion makes a question the pending one, without a placement before.
func putQuestion(t *testing.T, state, item string) {
	t.Helper()
	changeLearner(t, state, func(l map[string]any) {
		delete(l, "placement")
		l["pending"] = map[string]any{"item": item, "purpose": "learning"}
	})
}

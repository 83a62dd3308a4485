package e2e

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/internal/nbformat"
)

// gonbDirectory returns the directory of GoNB's module, in which its example notebooks are.
func gonbDirectory(t *testing.T) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "mod", "download", "-json", gonbModule).Output()
	var m struct{ Dir string }
	if err == nil {
		err = json.Unmarshal(out, &m)
	}
	if err != nil {
		t.Skipf("SKIPPED: GoNB's notebooks can't be fetched: %v", err)
	}
	return m.Dir
}

// A gonbExample is one of GoNB's notebooks. Cells are named by their beginnings; one that ends with two line breaks is a whole cell.
type gonbExample struct {
	notebook string
	fails    map[string]string // messages
	differs  []string          // cells that print something else, of which a part is after " → "
	lacks    []string          // cells that fail where the network does not give their modules, as those do that need them
	waits    []string          // cells that wait for a user, which are left out
}

var gonbExamples = []gonbExample{
	{notebook: "hello"},
	{notebook: "functions"},
	{notebook: "init", differs: []string{"%%\nfmt.Println(\"Done\")"}}, // init functions run once, as their results are kept
	{notebook: "vartuple"},
	{notebook: "script", fails: map[string]string{"X=17\n%%sh": "undefined: X"}},
	{notebook: "writefile"},
	{notebook: "bash_script"},
	{notebook: "capture"},
	{notebook: "goflags", differs: []string{"!go tool covdata"}, fails: map[string]string{
		"!*go build -gcflags=-m": "Cells are compiled one by one and are no files there: %goflags -gcflags=-m shows what is inlined",
	}},
	{notebook: "errors", fails: map[string]string{
		"%%\nfmt.Println(\"Hello World\"\n\n": "this ( is never closed",
		"import \"github.com/pkg/errors\"":    "log.Fatalf ended the cell",
	}},
	{notebook: "gowork", differs: []string{ // the session has other names
		"!*TMP_PKG=$(mktemp → /tmp/gonb_tests_gowork_", "func Assert → Temporary test package: /tmp/gonb_tests_gowork_",
		"!*rm -f go.work", "!*cat go.mod → module gopherwarp/notebook", "%track",
	}},
	{notebook: "gotest", differs: []string{ // GoNB adds how much of the code was covered
		"%test\nimport → --- PASS: TestA ", "%test\n\n → --- PASS: TestA ", "func TestB → --- PASS: TestAB ", "%test \"\" → --- PASS: TestB ",
		"func BenchmarkFibonacciA32 → BenchmarkFibonacciB32", "%test -test.bench=. → BenchmarkFibonacciB32",
	}},
	{notebook: "gonbui", differs: []string{"!*rm -f go.work"}},
	{notebook: "wasm", differs: []string{"!*rm -f go.work"}, fails: map[string]string{"%wasm": "%wasm is not there"}},
	{
		notebook: "tutorial",
		differs: []string{
			"%%\nfmt.Printf(\"current startValue → =2.0", // variables are kept
			"// Temporary fix → NonCachedValue=", "import progressbar → Done", "func init_b → main", "!go version", "!*pwd", "!*go mod edit → module gopherwarp/notebook",
			"import \"github.com/stretchr/testify/require\" → --- PASS: TestIncr",
		},
		fails: map[string]string{"!*rm -f go.work && go work init": "CommandFailed"}, // it is about a directory of GoNB's author
		lacks: []string{
			"import \"github.com/benc-uk/gofract", "!*go get -u github.com/erkkah/margaid", "import \"bytes\"\nimport \"github.com/janpfeifer/gonb/gonbui\"\nimport mg",
			"import (\n    \"bytes\"\n    \"math\"\n    \"time\"", "import (\n    \"github.com/janpfeifer/gonb/gonbui/plotly\"",
		},
		waits: []string{"import (\n    \"github.com/janpfeifer/gonb/gonbui\"\n    \"github.com/janpfeifer/gonb/gonbui/dom\""},
	},
}

// ours are cells that print something else, by their beginnings: the words of magics are the kernels' own.
var ours = regexp.MustCompile(`^(?:%goflags|// Clear %goflags|%ls|%rm|%env|%reset|%%writefile|%track|%untrack|%help|!echo \$GONB|!\*pwd|func init)`)

// TestGoNBExamples runs GoNB's own notebooks as they are, and compares what their cells print with what GoNB has printed.
func TestGoNBExamples(t *testing.T) {
	t.Parallel()
	dir := gonbDirectory(t)
	for _, c := range gonbExamples {
		t.Run(c.notebook, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(dir, "examples", "tests", c.notebook+".ipynb")
			if c.notebook == "tutorial" {
				file = filepath.Join(dir, "examples", "tutorial.ipynb")
			}
			nb, err := nbformat.Read(file)
			if err != nil {
				t.Fatal(err)
			}
			n := open(t, "TEST_DIR="+t.TempDir()+"/", "GONB_GIT_ROOT="+dir)
			if c.notebook == "capture" || c.notebook == "tutorial" { // they import gonbui, of which there may be another version
				n.run("%get " + gonbModule)
			}
			for _, cell := range nb.Cells {
				if cell.IsCode() {
					c.run(t, n, cell)
				}
			}
		})
	}
}

// run runs a cell and compares what it gives.
func (c *gonbExample) run(t *testing.T, n *notebook, cell *nbformat.Cell) {
	source := cell.Source()
	is := func(begin string) bool { return strings.HasPrefix(source+"\n\n", begin) }
	if slices.ContainsFunc(c.waits, is) {
		return
	}
	o := n.cell(source)
	wants := ""
	for begin, message := range c.fails {
		if is(begin) {
			wants = message
		}
	}
	failed := o.reply.Status != "ok"
	if failed && slices.ContainsFunc(c.lacks, is) {
		t.Logf("NOT TESTED, as its module can't be fetched: %s\n%s", source, o.reply.Value)
		return
	}
	if failed != (wants != "") || failed && !strings.Contains(o.reply.Name+": "+o.reply.Value, wants) {
		t.Errorf("%s\nends with %s: %s", source, o.reply.Status, o.reply.Value)
	}
	want, own := printed(cell), ours.MatchString(source) || wants != ""
	for _, d := range c.differs {
		if begin, part, _ := strings.Cut(d, " → "); is(begin) {
			own = true
			if !strings.Contains(o.stdout, part) {
				t.Errorf("%s\nprints %q, want %q in it", source, o.stdout, part)
			}
		}
	}
	if !own && !strings.HasSuffix(o.stdout, want) {
		t.Errorf("%s\nprints %q, with GoNB %q", source, o.stdout, want)
	}
	for _, kind := range []string{"text/html", "text/markdown"} {
		for _, want := range shownAs(cell, kind) {
			if strings.HasSuffix(want, " displayed") && !strings.Contains(o.shown, want) {
				t.Errorf("%s\nshows %q, with GoNB %q", source, o.shown, want)
			}
		}
	}
}

// shownAs returns the data of a MIME type that the outputs of a cell have in a notebook.
func shownAs(cell *nbformat.Cell, kind string) []string {
	var list []string
	for _, o := range cell.Outputs() {
		output, _ := o.(map[string]any)
		data, _ := output["data"].(map[string]any)
		if text := wholeText(data[kind]); text != "" {
			list = append(list, text)
		}
	}
	return list
}

// printed returns the standard output of a cell that a notebook has.
func printed(cell *nbformat.Cell) string {
	var b strings.Builder
	for _, o := range cell.Outputs() {
		if output, _ := o.(map[string]any); output["name"] == "stdout" {
			b.WriteString(wholeText(output["text"]))
		}
	}
	return b.String()
}

// wholeText returns a text that a notebook has as one or as a list of lines.
func wholeText(text any) string {
	if list, ok := text.([]any); ok {
		var b strings.Builder
		for _, line := range list {
			part, _ := line.(string)
			b.WriteString(part)
		}
		return b.String()
	}
	whole, _ := text.(string)
	return whole
}

package completion_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gopherwarp/gopherwarp"
	"github.com/gopherwarp/gopherwarp/internal/completion"
	"github.com/gopherwarp/gopherwarp/internal/gotool"
	"github.com/gopherwarp/gopherwarp/internal/session"
)

// cells are run before the requests.
var cells = []string{
	"type node struct {\n\tval  int // what it holds\n\tnext *node\n}\n\n// grow adds to what n holds.\nfunc (n *node) grow(by int) { n.val += by }",
	"root := &node{val: 3}\ncount, name := 1, \"gopher\"\nconst limit = 4",
	"// double is twice x.\nfunc double(x int) int { return 2 * x }",
	"import m \"math\"\nfunc half(x float64) float64 { return m.Floor(x / 2) }",
	"/*\nstatic int triple(int x) { return 3 * x; }\n*/\nimport \"C\"\nvar fromC C.int = 3\nfunc triple(x int) int { return int(C.triple(C.int(x))) }",
	"var buf bytes.Buffer\nfunc count2() int { return count }",
}

type discard struct{ session.Output }

func (discard) Stream(string, string)                       {}
func (discard) Result(map[string]any, map[string]any)       {}
func (discard) Display(_, _ map[string]any, _ string)       {}
func (discard) UpdateDisplay(_, _ map[string]any, _ string) {}

func cacheDir(t *testing.T) string {
	t.Helper()
	dir, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, "gopherwarp")
}

// newSession runs cells in a session.
func newSession(t *testing.T, cells ...string) *session.Session {
	t.Helper()
	return newSessionIn(t, t.TempDir(), cells...)
}

// newSessionIn runs cells in a session whose notebook is in dir.
func newSessionIn(t *testing.T, dir string, cells ...string) *session.Session {
	t.Helper()
	if testing.Short() {
		t.Skip("SKIPPED: makes a session; run the tests without -short")
	}
	s, err := session.New(session.Config{Cache: cacheDir(t), Sources: gopherwarp.Sources, Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	for i, text := range cells {
		if err := s.Run(t.Context(), session.Source{Name: fmt.Sprintf("cell[%d]", i+1), Text: text}, discard{}); err != nil {
			t.Fatalf("%s\n%v", text, err)
		}
	}
	return s
}

// newEditor returns an editor for a session, with gopls or without.
func newEditor(t *testing.T, s *session.Session, gopls bool) *completion.Editor {
	t.Helper()
	config := completion.Config{Session: s.Knowledge}
	if gopls {
		config = goplsConfig(t, s)
	}
	e := completion.New(config)
	t.Cleanup(e.Close)
	return e
}

// goplsConfig returns a configuration in which requests wait for gopls.
func goplsConfig(t *testing.T, s *session.Session) completion.Config {
	t.Helper()
	cache := cacheDir(t)
	if err := completion.InstallGopls(t.Context(), cache, gotool.Go{}, func(step string) { t.Log(step) }); err != nil {
		t.Fatal(err)
	}
	return completion.Config{Session: s.Knowledge, Gopls: completion.FindGopls(cache, ""), Cache: filepath.Join(cache, "gopls"), Patience: time.Minute}
}

// at returns the text without the mark of the cursor, and the cursor's offset.
func at(t *testing.T, marked string) (text string, offset int) {
	t.Helper()
	before, after, ok := strings.Cut(marked, "‸")
	if !ok {
		t.Fatalf("no place in %q", marked)
	}
	return before + after, len(before)
}

var completions = []struct {
	cell      string
	want, not string // names, separated by spaces
}{
	{"dou‸", "double", "half"},
	{"root.‸", "val next grow", "double"},
	{"root.next.gr‸", "grow", "val"},
	{"x := double(cou‸)", "count count2", "root"},
	{"strings.HasP‸", "HasPrefix", "HasSuffix"},
	{"strings.hasp‸", "HasPrefix", ""},
	{"buf.Writ‸", "WriteString WriteByte", "ReadByte"},
	{"p := strings.NewReplacer()\np.‸\nq := 3", "Replace WriteString", "q"},
	{"for i := 0; i < 3; i++ {\n\troot.‸\n}", "val", ""},
	{"func f(first int) {\n\tsecond := first\n\tprintln(fi‸", "first", ""},
	{"ф := \"日本\"; ф2 := root\nф2.‸", "val grow", ""},
	{"node{v‸}", "val", ""},
	{"node{next: ‸, val: 1}", "root", "val"},
	{"[]*node{{val: 1}, {ne‸}}", "next", ""},
	{"tri‸", "triple", ""},
	{"/*\nint f(void);\n*/\nimport \"C\"\nroot.‸", "val", ""},
	{"s := \"😀\"; root.‸", "val", ""},
	{"type pair struct{ left, right int }\npair{}.‸", "left right", "val"},
	{"func (n *node) shrink() {\n\tn.‸\n}", "val grow", ""},
	{"z, err := os.Open(name)\nw, err := os.Create(name)\nw.Na‸", "Name", ""},
	{"fmt.Println(root.‸", "val", ""},
	{"// root.‸", "", "val"},
	{"\"root.‸\"", "", "val"},
	{"import \"encoding/js‸\"", "encoding/json", "encoding/gob"},
	{"ht‸", "http html", ""},
	{"fun‸", "func", ""},
	{"m.Flo‸", "Floor", ""},
	{"m := root\nm.‸", "val", "Floor"},
	{"root := 1.5\nmath.Sqrt(ro‸)", "root", ""},
	{"http.StatusT‸", "StatusTeapot", "StatusOK"},
	{"data := must(os.ReadFile(name))\nbytes.Trim(da‸", "data", ""},
	{"func broken( {\n}\nroot.‸", "", ""},
}

func TestComplete(t *testing.T) {
	s := newSession(t, cells...)
	for name, gopls := range map[string]bool{"go/types": false, "gopls": true} {
		t.Run(name, func(t *testing.T) {
			e := newEditor(t, s, gopls)
			for _, tc := range completions {
				text, offset := at(t, tc.cell)
				items, start := e.Complete(t.Context(), text, offset)
				var names []string
				for _, i := range items {
					names = append(names, i.Text)
				}
				for _, want := range strings.Fields(tc.want) {
					if !slices.Contains(names, want) {
						t.Errorf("%q: no %s in %q", tc.cell, want, names)
					}
				}
				for _, not := range strings.Fields(tc.not) {
					if slices.Contains(names, not) {
						t.Errorf("%q: %s in %q", tc.cell, not, names)
					}
				}
				if start > offset {
					t.Errorf("%q: begins at %d", tc.cell, start)
				}
			}
		})
	}
}

// TestGoplsAnswers requests information that go/types alone does not have.
func TestGoplsAnswers(t *testing.T) {
	checkGoplsAnswers(t, newEditor(t, newSession(t, cells...), true))
}

func checkGoplsAnswers(t *testing.T, e *completion.Editor) {
	t.Helper()
	text, offset := at(t, "double(‸)")
	items, _ := e.Complete(t.Context(), text, offset)
	if len(items) == 0 || items[0].Detail != "int" {
		t.Errorf("%+v, want an int first", items)
	}
}

var descriptions = []struct {
	cell      string
	signature string // part of it; no description is expected if empty
	doc       string
	source    string
}{
	{"dou‸ble(1)", "func double(x int) int", "double is twice x.", "return 2 * x"},
	{"double(‸1)", "func double(x int) int", "double is", "func double"},
	{"double(1, ‸)", "func double(x int) int", "double is twice x.", "return 2 * x"},
	{"root‸", "root *node", "", ""},
	{"root.gr‸ow(1)", "grow(by int)", "grow adds to what n holds.", "n.val += by"},
	{"root.va‸l", "val int", "what it holds", "val"},
	{"limi‸t", "const limit untyped int = 4", "", "limit = 4"},
	{"http.Statu‸sTeapot", "const StatusTeapot = 418", "RFC 9110", "= 418"},
	{"http.Ge‸t(name)", "func Get(url string) (resp *Response, err error)", "Get issues a GET", "DefaultClient.Get"},
	{"strings.HasPrefi‸x", "func strings.HasPrefix(s string, prefix string) bool", "reports whether the string s begins with", "stringslite.HasPrefix"},
	{"strings.‸", "package strings", "Package strings implements", ""},
	{"var b bytes.Buff‸er", "func (*bytes.Buffer).WriteString(s string) (n int, err error)", "A Buffer is a variable-sized buffer", "lastRead"},
	{"le‸n(name)", "func len(v", "length of v", "func len(v Type) int"},
	{"mus‸t(os.Open(name))", "func must", "must returns v, or fails the cell with err.", "panic(err)"},
	{"// what half‸ does\nhalf(‸", "", "", ""},
	{"fromC‸", "var fromC int32", "", ""},
	{"tripl‸e(1)", "func triple(x int) int", "", "C.triple"},
	{"nowhere‸", "", "", ""},
	{"  ‸", "", "", ""},
	{"", "", "", ""},
}

func TestDescribe(t *testing.T) {
	s := newSession(t, cells...)
	for name, gopls := range map[string]bool{"go/types": false, "gopls": true} {
		t.Run(name, func(t *testing.T) {
			e := newEditor(t, s, gopls)
			for _, tc := range descriptions {
				before, after, _ := strings.Cut(tc.cell, "‸")
				d, ok := e.Describe(t.Context(), before+after, len(before), true)
				if ok != (tc.signature != "") || !strings.Contains(d.Signature, tc.signature) || !strings.Contains(d.Doc, tc.doc) || !strings.Contains(d.Source, tc.source) {
					t.Errorf("%q: %+v, want %+v", tc.cell, d, tc)
				}
				if d, _ = e.Describe(t.Context(), before+after, len(before), false); d.Source != "" {
					t.Errorf("%q: the source %q was not asked for", tc.cell, d.Source)
				}
			}
		})
	}
}

// TestPackageOfTheNotebooksModule completes names of a package that no cell has used.
func TestPackageOfTheNotebooksModule(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":         "module example.com/course\n\ngo 1.26\n",
		"week/week.go":   "package week\n\nconst First = 1\n",
		"grade/grade.go": "package grade\n\n// Best is the best grade.\nfunc Best(of ...int) int { return of[0] }\n",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	e := newEditor(t, newSessionIn(t, dir, "import \"example.com/course/week\"\nweek.First"), true)
	const imports = "import \"example.com/course/grade\"\n"
	text, offset := at(t, imports+"grade.‸")
	if items, _ := e.Complete(t.Context(), text, offset); len(items) != 1 || items[0].Text != "Best" {
		t.Errorf("%+v, want Best", items)
	}
	text, offset = at(t, imports+"grade.Be‸st")
	d, _ := e.Describe(t.Context(), text, offset, true)
	if !strings.Contains(d.Signature, "Best(of ...int) int") || !strings.Contains(d.Doc, "Best is the best grade.") || !strings.Contains(d.Source, "return of[0]") {
		t.Errorf("%+v", d)
	}
}

func TestBrokenGopls(t *testing.T) {
	s := newSession(t, cells...)
	for name, script := range map[string]string{
		"is not there":  "",
		"ends at once":  "#!/bin/sh\nexit 1\n",
		"says nothing":  "#!/bin/sh\nexec sleep 1000\n",
		"says nonsense": "#!/bin/sh\necho nonsense\nexec sleep 1000\n",
		"claims a lot":  "#!/bin/sh\nprintf 'Content-Length: 99999999999\\r\\n\\r\\n{}'\nexec sleep 1000\n",
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "gopls")
			if script != "" {
				if err := os.WriteFile(path, []byte(script), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			e := completion.New(completion.Config{Session: s.Knowledge, Gopls: path, Cache: t.TempDir(), Patience: 100 * time.Millisecond})
			t.Cleanup(e.Close)
			for range 2 {
				text, offset := at(t, "dou‸")
				if items, _ := e.Complete(t.Context(), text, offset); len(items) == 0 || items[0].Text != "double" {
					t.Errorf("%+v, want double", items)
				}
			}
		})
	}
}

// TestIdleGopls waits until an idle gopls was stopped, and uses it again.
func TestIdleGopls(t *testing.T) {
	s := newSession(t, cells...)
	config := goplsConfig(t, s)
	config.Idle = 100 * time.Millisecond
	e := completion.New(config)
	t.Cleanup(e.Close)
	for range 2 {
		checkGoplsAnswers(t, e)
		for deadline := time.Now().Add(20 * time.Second); len(goplsProcesses(t)) > 0; time.Sleep(10 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatal("gopls does not rest")
			}
		}
	}
}

// goplsProcesses returns the processes that this test has started.
func goplsProcesses(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, file := range files {
		stat, err := os.ReadFile(file)
		if err != nil {
			continue // it has exited
		}
		if fields := strings.Fields(string(stat)); len(fields) > 3 && fields[1] == "(gopls)" && fields[3] == strconv.Itoa(os.Getpid()) {
			found = append(found, fields[0])
		}
	}
	return found
}

package magics

import (
	"slices"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/internal/cudac"
)

func TestSplit(t *testing.T) {
	for name, tc := range map[string]struct {
		code string
		want []part
	}{
		"only Go": {
			"x := 1\nx",
			[]part{{text: "x := 1\nx"}},
		},
		"a line between": {
			"x := 1\n%gpu sim\nx",
			[]part{{text: "x := 1\n"}, {magic: "gpu", args: "sim", line: 2, col: 6}, {text: "\n\nx"}},
		},
		"a cell magic": {
			"\n%%cuda -DN=3\n__global__ void k() {}\n",
			[]part{{magic: "cuda", cell: true, args: "-DN=3", line: 2, col: 8, text: "\n\n__global__ void k() {}\n"}},
		},
		"a remainder at the end of a line is not a magic": {
			"x := 7 %\n\t3",
			[]part{{text: "x := 7 %\n\t3"}},
		},
		"nor is one that begins a line of an expression": {
			"f(7,\n% 3)",
			[]part{{text: "f(7,\n% 3)"}},
		},
		"nor text in a raw string": {
			"s := `\n%gpu\n`",
			[]part{{text: "s := `\n%gpu\n`"}},
		},
		"two in a row": {
			"%gpu\n%help",
			[]part{{magic: "gpu", line: 1, col: 1}, {magic: "help", line: 2, col: 1}},
		},
		"a bare double percent is GoNB's main": {
			"%%\nfmt.Println(1)",
			[]part{{magic: "main", line: 1}, {text: "\nfmt.Println(1)"}},
		},
		"a shell line": {
			"x := 1\n!ls -l | head\nx",
			[]part{{text: "x := 1\n"}, {magic: "!", args: "ls -l | head", line: 2}, {text: "\n\nx"}},
		},
		"a shell line that goes on": {
			"!echo a \\\n  b\nx",
			[]part{{magic: "!", args: "echo a \\\n  b", line: 1}, {text: "\n\nx"}},
		},
		"a comment that GoNB reads": {
			"//gonb:%gpu sim\n//gonb: x",
			[]part{{magic: "gpu", args: "sim", line: 1}, {text: "\n//gonb: x"}},
		},
		"a negation of a variable of the cell": {
			"ok := true\n!ok",
			[]part{{text: "ok := true\n!ok"}},
		},
		"nothing": {"", []part{{}}},
	} {
		t.Run(name, func(t *testing.T) {
			got := split(tc.code, (&Engine{}).isGo)
			if len(got) != len(tc.want) {
				t.Fatalf("%d parts %+v, want %+v", len(got), got, tc.want)
			}
			for i, p := range got {
				if w := tc.want[i]; p.magic != w.magic || p.cell != w.cell || p.args != w.args || p.text != w.text || p.line != w.line {
					t.Errorf("part %d is %+v, want %+v", i, p, w)
				}
			}
		})
	}
}

func TestUnknownMagic(t *testing.T) {
	e := &Engine{magics: all()}
	for _, tc := range []struct {
		name string
		cell bool
		want string
	}{
		{"timit_gpu", false, "Did you mean %timeit_gpu?"},
		{"cudda", true, "Did you mean %%cuda?"},
		{"cuda", false, "write %%cuda"},
		{"gpu", true, "write %gpu"},
		{"nothinglikeit", false, "%help lists them all"},
	} {
		_, err := e.find(tc.name, tc.cell)
		if err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %v, want %q", tc.name, err, tc.want)
		}
	}
}

func TestTimeitGPUArgs(t *testing.T) {
	parse := timeitGPU(&Call{Magic: timeitGPUMagic()}).parse
	options, stmt, err := parse("--bytes 12*n --runs=7 f(x, 1)")
	if want := []string{", prof.WithBytes(int64(12*n))", ", prof.WithMaxRuns(int(7))"}; err != nil || !slices.Equal(options, want) || stmt != "f(x, 1)" {
		t.Errorf("options %q, statement %q, error %v", options, stmt, err)
	}
	for _, bad := range []string{"--byte 3 f()", "--bytes", "--runs= f()"} {
		if _, _, err := parse(bad); err == nil {
			t.Errorf("%q was taken", bad)
		}
	}
}

func TestParameters(t *testing.T) {
	file, err := cudac.Parse("__global__ void k(const float *type, int n, double, unsigned char *cfg, size_t call, bool string) {}")
	if err != nil {
		t.Fatal(err)
	}
	params, _, err := parameters(file.Kernels[0])
	want := ", type_0 gpu.Ptr[float32], n int, arg_2 float64, cfg_3 gpu.Ptr[uint8], call_4 int, string_5 bool"
	if err != nil || params != want {
		t.Errorf("%q, want %q (%v)", params, want, err)
	}
}

func TestTimeitOptions(t *testing.T) {
	for _, tc := range []struct {
		args          string
		runs, repeats int
		stmt          string
		err           string
	}{
		{args: "f(x)", stmt: "f(x)"},
		{args: "-n 10 -r3 f(-n)", runs: 10, repeats: 3, stmt: "f(-n)"},
		{args: "-r 2", repeats: 2},
		{args: "-q f()", err: "no option -q"},
		{args: "-number f()", err: "no option -number"},
		{args: "-n 0 f()", err: "from 1 on"},
		{args: "-n f()", err: "from 1 on"},
	} {
		c := &Call{Magic: timeitMagic(), Args: tc.args}
		runs, repeats, stmt, err := c.timeitOptions()
		if runs != tc.runs || repeats != tc.repeats || stmt != tc.stmt || (err == nil) != (tc.err == "") {
			t.Errorf("%s: %d, %d, %q, %v", tc.args, runs, repeats, stmt, err)
		}
		if err != nil && (!strings.Contains(err.Error(), tc.err) || !strings.Contains(err.Error(), "Usage: %timeit [-n RUNS]")) {
			t.Errorf("%s: %v, want %q and the usage", tc.args, err, tc.err)
		}
	}
}

func TestWords(t *testing.T) {
	for _, tc := range []struct {
		text string
		want []string
	}{
		{"", nil},
		{" a  b ", []string{"a", "b"}},
		{`'a b' "c 'd'" e\ f`, []string{"a b", "c 'd'", "e f"}},
		{`x'y'"" ''`, []string{"xy", ""}},
		{`'\n'`, []string{`\n`}},
	} {
		if got, err := words(tc.text); err != nil || !slices.Equal(got, tc.want) {
			t.Errorf("%q: %q, %v, want %q", tc.text, got, err, tc.want)
		}
	}
	for _, bad := range []string{`'a`, `"a`, `a\`} {
		if _, err := words(bad); err == nil {
			t.Errorf("%q was taken", bad)
		}
	}
}

// TestHelp checks that the list is that of the registry, with all names different.
func TestHelp(t *testing.T) {
	plain, markdown := helpText(all())
	seen := map[string]bool{}
	for _, m := range all() {
		if !strings.Contains(plain, m.usage()+"\n") || !strings.Contains(markdown, inMarkdown(m.Summary)) {
			t.Errorf("%s is not in the help", m.Name)
		}
		if m.Summary == "" || m.Run == nil || !m.Line && !m.Cell && !m.Bare {
			t.Errorf("%s is not complete: %+v", m.Name, m)
		}
		for _, name := range append([]string{m.Name}, m.Aliases...) {
			if seen[name] {
				t.Errorf("two magics are called %s", name)
			}
			seen[name] = true
		}
	}
	for _, name := range []string{"list", "remove", "lsmagic", "file", "whos"} {
		if !strings.Contains(plain, name) {
			t.Errorf("the other name %s is not in the help", name)
		}
	}
}

func TestIsComplete(t *testing.T) {
	e := &Engine{magics: all()}
	for code, want := range map[string]string{
		"x := 1":          "complete",
		"!ls":             "complete",
		"!ls \\":          "incomplete",
		"!ls \\\n -l":     "complete",
		"x := 1\n!ls\nif": "incomplete",
		"%%bash\nls":      "incomplete",
		"%%bash\nls\n":    "complete",
		"%who":            "complete",
	} {
		if got, _ := e.IsComplete(code); got != want {
			t.Errorf("%q is %s, want %s", code, got, want)
		}
	}
	if _, indent := e.IsComplete("for {\nif true {"); indent != strings.Repeat(" ", 8) {
		t.Errorf("the next line is indented by %q, want 8 spaces", indent)
	}
}

package e2e

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"regexp"
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

// TestGoNBExamples runs GoNB's own notebooks as they are, and compares what their cells print with what GoNB has printed. What depends on the
// machine, and the words of magics, are the kernels' own.
func TestGoNBExamples(t *testing.T) {
	t.Parallel()
	dir := gonbDirectory(t)
	// ours are cells that print something else, by their beginnings.
	ours := regexp.MustCompile(`^(?:%goflags|%ls|%rm|%env|%reset|%%writefile|%track|%untrack|!echo \$GONB|!\*pwd|func init)`)
	for _, c := range []struct {
		notebook string
		fails    map[string]string // messages by the beginnings of cells
		differs  []string          // beginnings of other cells that print something else
	}{
		{"hello", nil, nil},
		// GoNB finds package constraints among the modules of the machine.
		{"functions", map[string]string{"func incr": "undefined: constraints", "%%\nx := incr": "undefined: incr"}, nil},
		{"init", nil, []string{"%%\nfmt.Println(\"Done\")"}}, // init functions run once, as their results are kept
		{"vartuple", nil, nil},
		{"script", map[string]string{"X=17\n%%sh": "undefined: X"}, nil},
		{"writefile", nil, nil},
		{"bash_script", nil, nil},
		{"capture", nil, nil},
	} {
		t.Run(c.notebook, func(t *testing.T) {
			t.Parallel()
			nb, err := nbformat.Read(filepath.Join(dir, "examples", "tests", c.notebook+".ipynb"))
			if err != nil {
				t.Fatal(err)
			}
			n := open(t, "TEST_DIR="+t.TempDir()+"/")
			if c.notebook == "capture" { // it imports gonbui, of which there may be another version
				n.run("%get " + gonbModule)
			}
			for _, cell := range nb.Cells {
				if !cell.IsCode() {
					continue
				}
				source, o := cell.Source(), n.cell(cell.Source())
				wants := ""
				for begin, message := range c.fails {
					if strings.HasPrefix(source, begin) {
						wants = message
					}
				}
				if failed := o.reply.Status != "ok"; failed != (wants != "") || failed && !strings.Contains(o.reply.Value, wants) {
					t.Errorf("%s\nends with %s: %s", source, o.reply.Status, o.reply.Value)
				}
				own := ours.MatchString(source) || wants != ""
				for _, begin := range c.differs {
					own = own || strings.HasPrefix(source, begin)
				}
				if want := printed(cell); !own && !strings.HasSuffix(o.stdout, want) {
					t.Errorf("%s\nprints %q, with GoNB %q", source, o.stdout, want)
				}
			}
		})
	}
}

// printed returns the standard output of a cell that a notebook has.
func printed(cell *nbformat.Cell) string {
	var b strings.Builder
	for _, o := range cell.Outputs() {
		output, _ := o.(map[string]any)
		if output["name"] != "stdout" {
			continue
		}
		switch text := output["text"].(type) {
		case string:
			b.WriteString(text)
		case []any:
			for _, line := range text {
				part, _ := line.(string)
				b.WriteString(part)
			}
		}
	}
	return b.String()
}

package e2e

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A block is code in a page of docs/.
type block struct {
	line     int // of its first line
	language string
	// how is the word behind the language: "" for a cell, "fails" for a cell whose error is in the next block, "program"
	// for a whole program, "norun" for what is not run.
	how  string
	text string
}

var fence = regexp.MustCompile("(?ms)^```(\\w+)(?: (\\w+))?\n(.*?)^```$")

// pages returns the blocks of each page of docs/.
func pages(t *testing.T) map[string][]block {
	t.Helper()
	all := map[string][]block{}
	const root = "../../docs"
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".md" {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		text := string(data)
		for _, m := range fence.FindAllStringSubmatchIndex(text, -1) {
			b := block{line: strings.Count(text[:m[6]], "\n") + 1, language: text[m[2]:m[3]], text: text[m[6]:m[7]]}
			if m[4] >= 0 {
				b.how = text[m[4]:m[5]]
			}
			all[name] = append(all[name], b)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// isCell reports whether the block is run as a cell.
func (b block) isCell() bool {
	return (b.language == "go" || b.language == "cuda") && (b.how == "" || b.how == "fails")
}

// prints returns what the block says in // comments that its lines with fmt.Println print.
func (b block) prints() string {
	var want strings.Builder
	for line := range strings.Lines(b.text) {
		if _, comment, ok := strings.Cut(line, "// "); ok && strings.HasPrefix(strings.TrimSpace(line), "fmt.Println(") {
			want.WriteString(comment)
		}
	}
	return want.String()
}

// TestDocs runs the Go and CUDA blocks of each page of docs/ as the cells of one notebook, in order. A block prints what the
// comments behind its calls of fmt.Println say. The error of a block marked "fails" has all lines of the block after it.
func TestDocs(t *testing.T) {
	cells := 0
	for name, blocks := range pages(t) {
		if !slices.ContainsFunc(blocks, block.isCell) {
			continue
		}
		for _, b := range blocks {
			if b.isCell() {
				cells++
			}
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := open(t, "GOPHERWARP_DEVICE=sim")
			for i, b := range blocks {
				if b.isCell() {
					b.run(n, fmt.Sprintf("docs/%s:%d", name, b.line), blocks[i+1:])
				} else if (b.language == "go" || b.language == "cuda") && b.how != "program" && b.how != "norun" {
					t.Errorf("docs/%s:%d: %q is not a way to run a block: it is fails, program or norun", name, b.line, b.how)
				}
			}
		})
	}
	if cells < 60 {
		t.Errorf("%d blocks are cells: the pages have more", cells)
	}
}

// run runs the block, which is at the place, as a cell. The blocks after it may have its error.
func (b block) run(n *notebook, place string, after []block) {
	n.t.Helper()
	o := n.cell(b.text)
	if b.how != "fails" {
		if o.reply.Status != "ok" {
			n.t.Fatalf("%s: %s\nfailed: %s: %s\n%s", place, b.text, o.reply.Name, o.reply.Value, o.traceback)
		}
		if want := b.prints(); want != "" && o.stdout != want {
			n.t.Errorf("%s: %s\nprints %q, want %q", place, b.text, o.stdout, want)
		}
		return
	}
	if len(after) == 0 || after[0].language != "text" {
		n.t.Fatalf("%s: no block of text with the error follows", place)
	}
	got := o.stderr + o.reply.Name + ": " + o.reply.Value + "\n" + o.traceback
	for want := range strings.Lines(after[0].text) {
		if want = strings.TrimSpace(want); o.reply.Status != "error" || !strings.Contains(got, want) {
			n.t.Errorf("%s: %s\nstatus %s\n%s\nwant an error with %q", place, b.text, o.reply.Status, got, want)
		}
	}
}

// TestWritingLessons builds the lesson that the page on writing lessons shows.
func TestWritingLessons(t *testing.T) {
	page, err := os.ReadFile("../../docs/writing-lessons.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(page), "````md\n")
	lesson, _, found := strings.Cut(rest, "````\n")
	if !found {
		t.Fatal("the page has no lesson between lines of four backquotes")
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "mine", "lessons", "1-mine", "square")
	if err := os.MkdirAll(path, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(path, "lesson.md"), []byte(lesson), 0o644); err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), program, "course", "build", "--source", filepath.Join(dir, "mine"), filepath.Join(dir, "built")).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	solution := filepath.Join(dir, "built", "solutions", "1-mine", "square.ipynb")
	if out, err := exec.CommandContext(t.Context(), program, "run", "--device", "sim", solution).CombinedOutput(); err != nil {
		t.Errorf("the solution: %v\n%s", err, out)
	}
}

package session_test

import (
	"errors"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/internal/session"
)

const (
	slipsFile = "testdata/slips.txt"
	// updateEnv writes the file again. Read the changes.
	updateEnv = "GOPHERWARP_UPDATE"
	// said is the prefix of the lines with the expected output of a slip.
	said = "!! "
)

// TestSlips runs common mistakes of people who are new to Go, and compares the messages and hints.
func TestSlips(t *testing.T) {
	data, err := os.ReadFile(slipsFile)
	if err != nil {
		t.Fatal(err)
	}
	n := newNotebook(t)
	n.mustRun("n, text, half, nums, ages := 1, \"text\", 0.5, []int{1, 2, 3}, map[string]int{\"a\": 1}\nconst pi = 3\ntype point struct{ x, y int }\npt, points := point{1, 2}, map[string]point{}\ntype shape interface{ area() float64 }\ntype square struct{ side float64 }\nfunc (s *square) area() float64 { return s.side * s.side }")
	var updated []string
	slips := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n----\n")
	if len(slips) < 200 {
		t.Errorf("there are %d slips", len(slips))
	}
	for _, slip := range slips {
		cell, want, _ := strings.Cut(slip, "\n"+said)
		got := n.told(cell)
		if want = said + want; got != want && os.Getenv(updateEnv) == "" {
			t.Errorf("%s\n%s\nwant\n%s", cell, got, want)
		}
		updated = append(updated, cell+"\n"+got)
	}
	if os.Getenv(updateEnv) != "" {
		if err := os.WriteFile(slipsFile, []byte(strings.Join(updated, "\n----\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

var goVersion = regexp.MustCompile(`\bgo1[.\w]+`)

// told returns the error of a cell that does not compile.
func (n *notebook) told(cell string) string {
	_, err := n.cell(cell)
	var list *session.CompileError
	if !errors.As(err, &list) {
		return said + "compiles"
	}
	var lines []string
	for _, p := range list.Problems {
		text := strings.TrimPrefix(p.String(), p.Pos.Filename+":")
		if p.Hint != "" {
			text += " → " + p.Hint
		}
		text = goVersion.ReplaceAllString(text, "go1.N")
		lines = append(lines, said+strings.ReplaceAll(text, "\n", "\n"+said))
	}
	return strings.Join(lines, "\n")
}

package magics

import (
	flags "flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

//go:generate go test -run TestReference -update .

var update = flags.Bool("update", false, "write docs/magics.md anew")

const referenceDoc = "../docs/magics.md"

// TestReference compares docs/magics.md with the registry.
func TestReference(t *testing.T) {
	want := reference(all())
	if *update {
		if err := os.WriteFile(referenceDoc, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(referenceDoc); err != nil || string(got) != want {
		t.Errorf("docs/magics.md is not what the registry has (%v): run go generate ./magics", err)
	}
}

// reference returns the text of docs/magics.md.
func reference(magics []*Magic) string {
	var b strings.Builder
	b.WriteString("# Magics: reference\n\nAll magics, made from the program's own registry by `go generate ./magics`. [The guide](guide/magics.md) explains those that are used most.\n\n" +
		"A magic with one `%` stands on a line between lines of Go, one with two in the first line of its cell. `%help` shows this list in a notebook.\n")
	for _, m := range magics {
		var forms, names []string
		for form := range strings.SplitSeq(m.usage(), "  or  ") {
			forms = append(forms, "`"+form+"`")
		}
		mark := "%"
		if !m.Line && m.Cell {
			mark = "%%"
		}
		if m.Bare {
			mark = ""
		}
		for _, alias := range m.Aliases {
			names = append(names, "`"+mark+alias+"`")
		}
		fmt.Fprintf(&b, "\n## `%s%s`\n\n%s\n\n%s%s.\n", mark, m.Name, strings.Join(forms, " or "), strings.ToUpper(m.Summary[:1]), inMarkdown(m.Summary[1:]))
		var more []string
		if len(names) > 0 {
			more = append(more, "Also called "+strings.Join(names, ", ")+".")
		}
		if m.Late {
			more = append(more, "Runs after the rest of its cell.")
		}
		if m.Again {
			more = append(more, "`%restore` runs it again.")
		}
		if len(more) > 0 {
			fmt.Fprintf(&b, "\n%s\n", strings.Join(more, " "))
		}
	}
	return b.String()
}

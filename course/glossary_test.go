package course

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// terms returns the headings of the glossary.
func terms(t *testing.T) []string {
	t.Helper()
	var list []string
	for _, m := range regexp.MustCompile(`(?m)^### (.+)$`).FindAllStringSubmatch(string(References()["glossary.md"]), -1) {
		list = append(list, m[1])
	}
	return list
}

func anchorOf(term string) string { return "#" + strings.ReplaceAll(strings.ToLower(term), " ", "-") }

// TestGlossary checks that each linked term of the lessons is in the glossary, that a lesson links it once, and that the terms that
// readers need for other texts are introduced.
func TestGlossary(t *testing.T) {
	list := terms(t)
	if !slices.IsSortedFunc(list, func(a, b string) int { return cmp.Compare(strings.ToLower(a), strings.ToLower(b)) }) {
		t.Error("the glossary is not in alphabetical order")
	}
	anchors := map[string]bool{}
	for _, term := range list {
		anchors[anchorOf(term)] = true
	}
	for _, m := range regexp.MustCompile(`\]\((#[^)]+)\)`).FindAllStringSubmatch(string(References()["glossary.md"]), -1) {
		if !anchors[m[1]] {
			t.Errorf("the glossary links %s, which it does not have", m[1])
		}
	}
	lessons, err := Load(Source())
	if err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{}
	for _, l := range lessons {
		inLesson := map[string]bool{}
		for _, c := range l.Cells {
			if c.IsCode() {
				continue
			}
			for _, m := range glossaryLink.FindAllStringSubmatch(c.Source, -1) {
				a := anchor(m)
				switch {
				case m[2] == "glossary":
				case m[1] == "":
					t.Errorf("%s/lesson.md:%d: the term %q is linked and not bold", l.Path, c.Line, m[2])
				case !anchors[a]:
					t.Errorf("%s/lesson.md:%d: %q is not in the glossary", l.Path, c.Line, m[2])
				case inLesson[a]:
					t.Errorf("%s/lesson.md:%d: %q is linked again", l.Path, c.Line, m[2])
				}
				inLesson[a], used[a] = true, true
			}
		}
	}
	for _, term := range []string{"coalesced", "divergence", "occupancy", "grid-stride loop", "page-locked", "warp", "bank conflict", "race", "barrier", "stream compaction", "latency hiding", "privatisation", "stencil", "halo"} {
		if !used[anchorOf(term)] {
			t.Errorf("no lesson introduces %q", term)
		}
	}
}

func TestLinksOfKinds(t *testing.T) {
	const text = "[**warps**](glossary#warp) and [**bank conflict**](glossary), [first](../1-basics/first-kernel.ipynb), [a page](https://go.dev)"
	for k, want := range map[kind]string{
		learner:  "[**warps**](../reference/glossary.md#warp) and [**bank conflict**](../reference/glossary.md#bank-conflict), [first](../1-basics/first-kernel.ipynb), [a page](https://go.dev)",
		solution: "[**warps**](../../reference/glossary.md#warp) and [**bank conflict**](../../reference/glossary.md#bank-conflict), [first](../1-basics/first-kernel.ipynb), [a page](https://go.dev)",
		grader:   "**warps** and **bank conflict**, first, [a page](https://go.dev)",
	} {
		if got := k.links(text, "3-kernels/x"); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

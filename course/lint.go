package course

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// leastWrong and leastRight are how many wrong answers and how many right ones beside the solution an exercise needs at
// least, to show what its checks are good for.
const leastWrong, leastRight = 12, 3

// widest is how many characters of a line of code fit beside JupyterLab's panel on a screen of usual size.
const widest = 108

// sections are headings, or bold words, that each lesson has, so that it can be found where one is.
var sections = []string{"**Aim.**", "**You need**", "**Time.**", "Predict", "## Remember"}

// Lint looks for what is missing in a lesson or does not fit together, and returns a line for each.
func (l *Lesson) Lint(items []Item) []string {
	var found []string
	report := func(line int, format string, args ...any) {
		found = append(found, fmt.Sprintf("%s/lesson.md:%d: %s", l.Path, line, fmt.Sprintf(format, args...)))
	}
	for name, value := range map[string]string{"title": l.Title, "module": l.Module, "time": l.Time, "needs": l.Needs} {
		if value == "" {
			report(1, "the field %s is missing", name)
		}
	}
	for _, id := range l.Covers {
		if !slices.ContainsFunc(items, func(i Item) bool { return i.ID == id }) {
			report(1, "covers %s, which is not in the inventory", id)
		}
	}
	all := ""
	for _, c := range l.Cells {
		if !c.IsCode() {
			all += c.Source + "\n"
		}
	}
	for _, s := range sections {
		if !strings.Contains(all, s) {
			report(1, "there is no %s", s)
		}
	}
	if len(l.pictures) == 0 {
		report(1, "there is no picture")
	}
	for name, p := range l.pictures {
		if sum := sha256.Sum256(p.svg); hex.EncodeToString(sum[:]) != p.drawn {
			report(1, "%s was not made of this %s: make drawings", pngName(name), name)
		}
	}
	for _, c := range l.Cells {
		for _, problem := range l.lintCell(c) {
			report(c.Line, "cell #%s: %s", c.ID, problem)
		}
	}
	for _, w := range slices.Concat(l.Wrong, l.Right) {
		c := l.cell(w.Exercise)
		if c == nil || !c.Exercise {
			report(w.Line, "an answer to #%s, which is no exercise", w.Exercise)
			continue
		}
		if _, err := w.apply(c.Source); err != nil {
			report(w.Line, "answer %q: %v", w.Name, err)
		}
	}
	slices.Sort(found)
	return found
}

// lintCell looks at one cell.
func (l *Lesson) lintCell(c *Cell) []string {
	var found []string
	report := func(format string, args ...any) { found = append(found, fmt.Sprintf(format, args...)) }
	if !c.IsCode() {
		if n := tableWidth(c.Source); n > widest {
			report("a table that needs %d characters, of which JupyterLab shows %d: make two of it", n, widest)
		}
		return found
	}
	for line := range strings.SplitSeq(c.Source, "\n") {
		if n := utf8.RuneCountInString(strings.ReplaceAll(line, "\t", "    ")); n > widest {
			report("a line of %d characters, of which JupyterLab shows %d: %s", n, widest, strings.TrimSpace(line))
		}
	}
	released, err := c.Released()
	if err != nil {
		report("%v", err)
	}
	if magic := strings.HasPrefix(c.Source, "%%cuda"); magic != (c.Language == "cuda") {
		report("a cell in cuda begins with %%%%cuda, and one in go does not")
	}
	hidden := strings.Contains(c.Source, beginHidden)
	if solved := strings.Contains(c.Source, beginSolution); solved != c.Exercise {
		report("an exercise has a region from %q to %q, and other cells have none", beginSolution, endSolution)
	}
	switch {
	case c.Exercise && c.Check:
		report("a cell is an exercise or a check")
	case c.Exercise:
		if len(l.checks(c.ID)) == 0 {
			report("no check is for this exercise")
		}
		if n := len(answersTo(l.Wrong, c.ID)); n < leastWrong {
			report("%d wrong answers, want at least %d", n, leastWrong)
		}
		if n := len(answersTo(l.Right, c.ID)); n < leastRight {
			report("%d right answers beside the solution, want at least %d", n, leastRight)
		}
	case c.Check:
		timed := strings.Contains(c.Source, "verify.Speed(")
		if (c.Points == 0) != timed || len(c.For) == 0 {
			report("a check needs for= and points=, but for one of speed: the clock gives no points")
		}
		if strings.TrimSpace(released) == "" {
			report("all tests are hidden: a learner sees an empty cell")
		}
		for _, id := range c.For {
			if e := l.cell(id); e == nil || !e.Exercise {
				report("it is for #%s, which is no exercise", id)
			}
		}
	case hidden, c.Points > 0, len(c.For) > 0:
		report("hidden tests, points= and for= belong to checks")
	}
	return found
}

// tableWidth is how many characters the widest table in a text needs at least: a column is as wide as its
// longest word, and has room of three characters at its sides.
func tableWidth(text string) int {
	most := 0
	var columns []int
	for line := range strings.SplitSeq(text+"\n", "\n") {
		if !strings.HasPrefix(line, "|") {
			columns = nil
			continue
		}
		width := 0
		for i, cell := range strings.Split(strings.Trim(line, "|"), "|") {
			if i == len(columns) {
				columns = append(columns, 0)
			}
			for word := range strings.FieldsSeq(cell) {
				columns[i] = max(columns[i], utf8.RuneCountInString(strings.Trim(word, "`*")))
			}
		}
		for _, n := range columns {
			width += n + 3
		}
		most = max(most, width)
	}
	return most
}

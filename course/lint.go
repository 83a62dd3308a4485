package course

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// An exercise needs at least minWrong wrong answers, and minRight right ones besides the solution, to test its checks.
const minWrong, minRight = 12, 3

// maxWidth is the number of characters in a line of code that fit beside JupyterLab's panel on a screen of usual size.
const maxWidth = 107

// sections are headings, or bold words, that each lesson must have, so that readers find the parts of all lessons
// in the same way.
var sections = []string{"**Aim.**", "**You need**", "**Time.**", "Predict", "## Remember"}

// Lint returns a line for each error of a lesson, and for each departure from the house style of this course. Without items the field
// covers is not looked at.
func (l *Lesson) Lint(items []Item) (problems, style []string) {
	reporter := func(list *[]string) func(line int, format string, args ...any) {
		return func(line int, format string, args ...any) {
			*list = append(*list, fmt.Sprintf("%s/lesson.md:%d: %s", l.Path, line, fmt.Sprintf(format, args...)))
		}
	}
	l.lintErrors(items, reporter(&problems))
	l.lintStyle(reporter(&style))
	slices.Sort(problems)
	slices.Sort(style)
	return problems, style
}

// lintErrors reports what is wrong in any course.
func (l *Lesson) lintErrors(items []Item, report func(line int, format string, args ...any)) {
	for name, value := range map[string]string{"title": l.Title, "module": l.Module, "time": l.Time, "needs": l.Needs} {
		if value == "" {
			report(1, "the field %s is missing", name)
		}
	}
	for _, id := range l.Covers {
		if items != nil && !slices.ContainsFunc(items, func(i Item) bool { return i.ID == id }) {
			report(1, "covers %s, which is not in the inventory", id)
		}
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
	for _, h := range l.Hints {
		if c := l.cell(h.Exercise); c == nil || !c.Exercise {
			report(h.Line, "a hint for #%s, which is no exercise", h.Exercise)
		}
		if h.Text == "" {
			report(h.Line, "the hint for #%s is empty", h.Exercise)
		}
	}
}

// lintStyle reports departures from the rules that make the lessons of this course alike.
func (l *Lesson) lintStyle(report func(line int, format string, args ...any)) {
	for _, s := range l.missingSections() {
		report(1, "there is no %s", s)
	}
	if len(l.pictures) == 0 {
		report(1, "there is no picture")
	}
	for _, c := range l.Exercises() {
		if n := len(answersTo(l.Wrong, c.ID)); n < minWrong {
			report(c.Line, "cell #%s: %d wrong answers, want at least %d", c.ID, n, minWrong)
		}
		if n := len(answersTo(l.Right, c.ID)); n < minRight {
			report(c.Line, "cell #%s: %d right answers beside the solution, want at least %d", c.ID, n, minRight)
		}
	}
	for _, c := range l.Cells {
		if n := tableWidth(c.Source); n > maxWidth && !c.IsCode() {
			report(c.Line, "cell #%s: a table that needs %d characters, of which JupyterLab shows %d: make two of it", c.ID, n, maxWidth)
		}
		if line, n := longestLine(c.Source); n > maxWidth && c.IsCode() {
			report(c.Line, "cell #%s: a line of %d characters, of which JupyterLab shows %d: %s", c.ID, n, maxWidth, line)
		}
	}
	l.lintTime(report)
}

// lintTime compares the field time with an estimate. A lesson that is too long for one sitting needs a place to stop, and the times before
// and after it.
func (l *Lesson) lintTime(report func(line int, format string, args ...any)) {
	stop := slices.IndexFunc(l.Cells, func(c *Cell) bool { return c.Stop })
	claimed, sittings := claimedSittings(l.Time), [][]*Cell{l.Cells}
	if stop >= 0 {
		sittings = [][]*Cell{l.Cells[:stop], l.Cells[stop:]}
	}
	if claimed == nil {
		report(1, "the field time is %q: write 75 min, or 40 + 60 min for a lesson with a place to stop", l.Time)
		return
	}
	if len(claimed) != len(sittings) {
		report(1, "the field time says %q, and the lesson has %d places to stop: write 40 + 60 min for a lesson with one", l.Time, len(sittings)-1)
		return
	}
	for i, cells := range sittings {
		if claimed[i] > maxSitting {
			report(1, "the field time says %q, and nobody should sit longer than %d min: add a fence stop, and write the time as 40 + 60 min", l.Time, maxSitting)
		}
		if minutes := minutesOf(cells); 4*claimed[i] < 3*minutes || 3*claimed[i] > 4*minutes+30 {
			report(1, "the field time says %d min of %q; words, lines to write and lines to read make about %d min", claimed[i], l.Time, minutes)
		}
	}
}

// maxSitting is the maximum number of minutes of a lesson without a place to stop.
const maxSitting = 105

// Minutes returns an estimate of the lesson's time in minutes, rounded to 5.
func (l *Lesson) Minutes() int { return minutesOf(l.Cells) }

// minutesOf returns an estimate of the time for some cells in minutes, rounded to 5: a minute for 100 words, one and a half for each line
// that a learner writes, and one for four lines of code that are read.
func minutesOf(cells []*Cell) int {
	words, written, read := 0, 0, 0
	for _, c := range cells {
		if !c.IsCode() {
			words += len(strings.Fields(c.Source))
			continue
		}
		n := solutionLines(c.Source)
		written += n
		read += len(nonEmptyLines(c.Source)) - n
	}
	return 5 * int(math.Round((float64(words)/100+1.5*float64(written)+float64(read)/4)/5))
}

// nonEmptyLines returns the lines that are not blank.
func nonEmptyLines(source string) []string {
	return slices.DeleteFunc(strings.Split(source, "\n"), func(line string) bool { return strings.TrimSpace(line) == "" })
}

// solutionLines returns the number of lines that a learner writes in a cell.
func solutionLines(source string) int {
	n, inside := 0, false
	for _, line := range nonEmptyLines(source) {
		switch {
		case strings.Contains(line, beginSolution):
			inside = true
		case strings.Contains(line, endSolution):
			inside = false
		case inside:
			n++
		}
	}
	return n
}

// claimedMinutes returns the minutes of a time such as "75 min", "40 + 60 min" or "8 h", or 0.
func claimedMinutes(text string) (minutes int) {
	for _, n := range claimedSittings(text) {
		minutes += n
	}
	return minutes
}

// claimedSittings returns the minutes of a time before and after each place to stop, or nothing.
func claimedSittings(text string) (sittings []int) {
	numbers, hours := strings.CutSuffix(text, " h")
	for number := range strings.SplitSeq(strings.TrimSuffix(numbers, " min"), " + ") {
		n, err := strconv.Atoi(number)
		if err != nil {
			return nil
		}
		if hours {
			n *= 60
		}
		sittings = append(sittings, n)
	}
	return sittings
}

// longestLine returns the longest line and its width.
func longestLine(source string) (longest string, width int) {
	for line := range strings.SplitSeq(source, "\n") {
		if n := utf8.RuneCountInString(strings.ReplaceAll(line, "\t", "    ")); n > width {
			longest, width = strings.TrimSpace(line), n
		}
	}
	return longest, width
}

// missingSections returns the sections that no text of the lesson has.
func (l *Lesson) missingSections() []string {
	var texts strings.Builder
	for _, c := range l.Cells {
		if !c.IsCode() {
			texts.WriteString(c.Source + "\n")
		}
	}
	return slices.DeleteFunc(slices.Clone(sections), func(s string) bool { return strings.Contains(texts.String(), s) })
}

// lintCell returns a line for each problem of a cell.
func (l *Lesson) lintCell(c *Cell) []string {
	if !c.IsCode() {
		return nil
	}
	found := lintCode(c)
	switch {
	case c.Exercise && c.Check:
		return append(found, "a cell is an exercise or a check")
	case c.Exercise:
		return append(found, l.lintExercise(c)...)
	case c.Check:
		return append(found, l.lintCheck(c)...)
	case strings.Contains(c.Source, beginHidden), c.Points > 0, len(c.For) > 0:
		return append(found, "hidden tests, points= and for= belong to checks")
	}
	return found
}

// lintCode returns problems that any cell of code can have.
func lintCode(c *Cell) []string {
	var found []string
	if _, err := c.Released(); err != nil {
		found = append(found, err.Error())
	}
	if magic := strings.HasPrefix(c.Source, "%%cuda"); magic != (c.Language == "cuda") {
		found = append(found, "a cell in cuda begins with %%cuda, and one in go does not")
	}
	if solved := strings.Contains(c.Source, beginSolution); solved != c.Exercise {
		found = append(found, fmt.Sprintf("an exercise has a region from %q to %q, and other cells have none", beginSolution, endSolution))
	}
	return found
}

func (l *Lesson) lintExercise(c *Cell) []string {
	var found []string
	if len(l.checks(c.ID)) == 0 {
		found = append(found, "no check is for this exercise")
	}
	return found
}

func (l *Lesson) lintCheck(c *Cell) []string {
	var found []string
	timed := strings.Contains(c.Source, "verify.Speed(")
	if (c.Points == 0) != timed || len(c.For) == 0 {
		found = append(found, "a check needs for= and points=, but for one of speed: the clock gives no points")
	}
	if released, err := c.Released(); err == nil && strings.TrimSpace(released) == "" {
		found = append(found, "all tests are hidden: a learner sees an empty cell")
	}
	if !strings.Contains(c.Source, "verify.") {
		found = append(found, "a check must name package verify: other cells run even if the exercise did not compile")
	}
	for _, id := range c.For {
		if e := l.cell(id); e == nil || !e.Exercise {
			found = append(found, fmt.Sprintf("it is for #%s, which is no exercise", id))
		}
	}
	return found
}

// tableWidth returns the minimum number of characters that the widest table in a text needs: a column is as wide as its
// longest word, and has three characters of padding.
func tableWidth(text string) int {
	widest := 0
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
		widest = max(widest, width)
	}
	return widest
}

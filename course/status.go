package course

import (
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gopherwarp/gopherwarp/internal/progress"
)

// A State is a learner's state in all lessons.
type State struct {
	Lessons []LessonState `json:"lessons"`
	Points  int           `json:"points"`
	Of      int           `json:"of"`
	// Next is what to do next, and NextLesson the path of its lesson; both are "" if all is done.
	Next       string `json:"next,omitempty"`
	NextLesson string `json:"next_lesson,omitempty"`
}

// LessonState is a learner's state in a lesson.
type LessonState struct {
	Path   string       `json:"lesson"`
	Title  string       `json:"title"`
	Time   string       `json:"time"`
	Points int          `json:"points"`
	Of     int          `json:"of"`
	Last   *time.Time   `json:"last,omitempty"` // of the last event
	Checks []CheckState `json:"checks"`
	// Answered is the number of questions that were answered, of which Right rightly.
	Answered  int `json:"answered"`
	Right     int `json:"right"`
	Questions int `json:"questions"`
	Hints     int `json:"hints"` // that were shown
}

// CheckState is a learner's state in a check that gives points.
type CheckState struct {
	Name   string `json:"check"`
	Points int    `json:"points"`
	Of     int    `json:"of"`
	Tries  int    `json:"tries"`
	Passed bool   `json:"passed"`
	Reason string `json:"reason,omitempty"` // of the last failure, if it has not passed
}

// Done reports whether all checks have passed, and all questions of a lesson without checks are answered.
func (l LessonState) Done() bool {
	return l.Points == l.Of && (l.Of > 0 || l.Last != nil && l.Answered == l.Questions)
}

// Status returns the state of the lessons in a store.
func Status(lessons []*Lesson, store *progress.Store) (State, error) {
	events, err := store.Events()
	if err != nil {
		return State{}, err
	}
	states := progress.Summarize(events)
	s := State{Lessons: []LessonState{}}
	for _, l := range lessons {
		ls := lessonState(l, states[l.Path])
		s.Lessons = append(s.Lessons, ls)
		s.Points, s.Of = s.Points+ls.Points, s.Of+ls.Of
		if s.Next == "" && !ls.Done() {
			s.Next, s.NextLesson = next(ls), ls.Path
		}
	}
	return s, nil
}

// lessonState returns the state of a lesson; got is nil if it was not begun.
func lessonState(l *Lesson, got *progress.Lesson) LessonState {
	s := LessonState{Path: l.Path, Title: l.Title, Time: l.Time, Of: l.Points(), Questions: len(l.Questions()), Checks: []CheckState{}}
	if got == nil {
		got = &progress.Lesson{}
	} else {
		s.Last = &got.Last
	}
	for _, c := range l.Cells {
		if !c.Check || c.Points == 0 {
			continue
		}
		state := got.Checks[c.ID]
		check := CheckState{Name: c.ID, Of: c.Points, Tries: state.Tries, Passed: !state.Passed.IsZero()}
		if check.Passed {
			check.Points = c.Points
		} else {
			check.Reason = state.Reason
		}
		s.Points += check.Points
		s.Checks = append(s.Checks, check)
	}
	for _, q := range l.Questions() {
		if e, ok := got.Answers[q.ID]; ok {
			s.Answered++
			if e.Right {
				s.Right++
			}
		}
	}
	for _, n := range got.Hints {
		s.Hints += n
	}
	return s
}

// next says what to do in a lesson that is not done.
func next(l LessonState) string {
	if l.Last == nil {
		return fmt.Sprintf("begin “%s” (%s)", l.Title, l.Time)
	}
	i := slices.IndexFunc(l.Checks, func(c CheckState) bool { return !c.Passed })
	if i < 0 {
		return fmt.Sprintf("answer the questions of “%s”", l.Title)
	}
	c := l.Checks[i]
	switch {
	case c.Tries == 0:
		return fmt.Sprintf("go on with “%s”: the exercise before the check %s", l.Title, c.Name)
	case c.Reason != "":
		return fmt.Sprintf("go on with “%s”: %s failed last with “%s”", l.Title, c.Name, c.Reason)
	}
	return fmt.Sprintf("go on with “%s”: %s", l.Title, c.Name)
}

// row returns the cells of a lesson's row in a table.
func (l LessonState) row() []string {
	state, last := "", ""
	switch {
	case l.Done():
		state = "done"
	case l.Last != nil:
		state = "begun"
	}
	if l.Last != nil {
		last = l.Last.Local().Format("2006-01-02 15:04")
	}
	questions := ""
	if l.Questions > 0 {
		questions = fmt.Sprintf("%d of %d, %d right", l.Answered, l.Questions, l.Right)
	}
	return []string{state, l.Title, fmt.Sprintf("%d of %d", l.Points, l.Of), questions, strconv.Itoa(l.Hints), last}
}

var statusHead = []string{"", "lesson", "points", "questions", "hints", "last"}

// Markdown returns the page that %progress displays.
func (s State) Markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "**%d of %d points.** %s\n\n", s.Points, s.Of, s.sentence())
	fmt.Fprintf(&b, "| %s |\n|%s\n", strings.Join(statusHead, " | "), strings.Repeat("---|", len(statusHead)))
	for _, l := range s.Lessons {
		row := l.row()
		for i := range row {
			row[i] = inTable(row[i])
		}
		fmt.Fprintf(&b, "| %s |\n", strings.Join(row, " | "))
	}
	return b.String()
}

// Markdown returns the page that %progress displays for a lesson.
func (l LessonState) Markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "**%s: %d of %d points.**\n\n| | check | points | tries | |\n|---|---|---|---|---|\n", l.Title, l.Points, l.Of)
	for _, c := range l.Checks {
		mark := ""
		if c.Passed {
			mark = "✓"
		}
		fmt.Fprintf(&b, "| %s | %s | %d of %d | %d | %s |\n", mark, c.Name, c.Points, c.Of, c.Tries, inTable(c.Reason))
	}
	if l.Questions > 0 {
		fmt.Fprintf(&b, "\n%d of %d questions answered, %d right.\n", l.Answered, l.Questions, l.Right)
	}
	return b.String()
}

func (s State) sentence() string {
	if s.Next == "" {
		return "All lessons are done."
	}
	return "Next: " + s.Next + "."
}

// Write writes the state as text in columns.
func (s State) Write(w io.Writer) {
	rows := [][]string{statusHead}
	for _, l := range s.Lessons {
		rows = append(rows, l.row())
	}
	for _, row := range rows {
		fmt.Fprintf(w, "%-5s %-44s %-9s %-16s %5s  %s\n", row[0], row[1], row[2], row[3], row[4], row[5])
	}
	fmt.Fprintf(w, "\n%d of %d points. %s\n", s.Points, s.Of, s.sentence())
}

// CSV writes a line for each check.
func (s State) CSV(w io.Writer) error {
	out := csv.NewWriter(w)
	rows := [][]string{{"lesson", "check", "points", "of", "tries", "passed", "reason"}}
	for _, l := range s.Lessons {
		for _, c := range l.Checks {
			rows = append(rows, []string{l.Path, c.Name, strconv.Itoa(c.Points), strconv.Itoa(c.Of), strconv.Itoa(c.Tries), strconv.FormatBool(c.Passed), c.Reason})
		}
	}
	if err := out.WriteAll(rows); err != nil {
		return fmt.Errorf("write the state as CSV: %w", err)
	}
	return nil
}

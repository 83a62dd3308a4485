package course

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/gopherwarp/gopherwarp/internal/progress"
)

// A Guide answers what a learner asks in a notebook: hints, questions, and the state of the lessons. It recognises the lesson by the
// text of the cells that run. Its methods are safe for concurrent use.
type Guide struct {
	load  func(seed string) ([]*Lesson, error)
	store *progress.Store

	mu      sync.Mutex
	lessons []*Lesson          // nil until they are needed
	byText  map[string][]place // the cells of code by their text
	current *Lesson            // the one whose cell ran last, or nil
	begun   map[string]bool    // lessons whose beginning has been recorded
}

// A place is a cell of a lesson.
type place struct {
	lesson *Lesson
	cell   *Cell
}

// NewGuide returns a guide to the lessons that load returns, which is called when they are first needed.
func NewGuide(load func(seed string) ([]*Lesson, error), store *progress.Store) *Guide {
	return &Guide{load: load, store: store, begun: map[string]bool{}}
}

// use loads the variant of the lessons of a seed. The caller holds mu.
func (g *Guide) use(seed string) error {
	lessons, err := g.load(seed)
	if err != nil {
		return fmt.Errorf("load the lessons: %w", err)
	}
	g.lessons, g.current, g.byText = lessons, nil, map[string][]place{}
	for _, l := range lessons {
		for _, c := range l.Cells {
			if !c.IsCode() {
				continue
			}
			released, err := c.Released()
			if err != nil {
				return fmt.Errorf("%s: cell #%s: %w", l.Path, c.ID, err)
			}
			for _, text := range slices.Compact([]string{strings.TrimSpace(c.Source), strings.TrimSpace(released)}) {
				g.byText[text] = append(g.byText[text], place{l, c})
			}
		}
	}
	return nil
}

// ready loads the lessons if that has not been done. The caller holds mu.
func (g *Guide) ready() error {
	if g.lessons != nil {
		return nil
	}
	return g.use("")
}

// Ran records that a cell has run. failure is the first line of its error, or "".
func (g *Guide) Ran(code, failure string) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if err := g.ready(); err != nil {
		return err
	}
	at, ok := g.find(code)
	if !ok {
		return nil
	}
	g.current = at.lesson
	var events []progress.Event
	if path := at.lesson.Path; !g.begun[path] {
		g.begun[path] = true
		events = append(events, progress.Event{Lesson: path, Kind: progress.Begin})
	}
	if at.cell.Check && at.cell.Points > 0 {
		e := progress.Event{Lesson: at.lesson.Path, Kind: progress.Check, Name: at.cell.ID, Of: at.cell.Points, Text: failure}
		if failure == "" {
			e.Right, e.Points = true, at.cell.Points
		}
		events = append(events, e)
	}
	return g.store.Add(events...)
}

// find returns the cell with that text. A text that several lessons have is that of the current one. The caller holds mu.
func (g *Guide) find(code string) (place, bool) {
	places := g.byText[strings.TrimSpace(code)]
	if len(places) == 1 {
		return places[0], true
	}
	for _, p := range places {
		if p.lesson == g.current {
			return p, true
		}
	}
	return place{}, false
}

// Hint returns the next hint for an exercise, which is named by NAME or LESSON/NAME. Without a name it returns the exercises of the
// current lesson that have hints.
func (g *Guide) Hint(name string) (markdown string, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if err := g.ready(); err != nil {
		return "", err
	}
	if name == "" {
		return g.hintList(), nil
	}
	l, name, err := g.resolve(name, "exercise", func(l *Lesson, id string) bool {
		c := l.cell(id)
		return c != nil && c.Exercise
	})
	if err != nil {
		return "", err
	}
	hints := l.hintsFor(name)
	if len(hints) == 0 {
		return fmt.Sprintf("There are no hints for %s. Run its check: it says what looks wrong.", name), nil
	}
	events, err := g.store.Events()
	if err != nil {
		return "", err
	}
	shown := 0
	if state := progress.Summarize(events)[l.Path]; state != nil {
		shown = state.Hints[name]
	}
	var b strings.Builder
	last := min(shown, len(hints)-1)
	for i := range last + 1 {
		fmt.Fprintf(&b, "**Hint %d of %d.** %s\n\n", i+1, len(hints), hints[i].Text)
	}
	if shown >= len(hints) {
		b.WriteString("These are all. Run the check: its message says where the first wrong element is.\n")
		return b.String(), nil
	}
	return b.String(), g.store.Add(progress.Event{Lesson: l.Path, Kind: progress.Hint, Name: name, Step: last + 1})
}

// hintList returns the exercises of the current lesson that have hints. The caller holds mu.
func (g *Guide) hintList() string {
	if g.current == nil {
		return "Run a cell of a lesson first, or name the exercise: `%hint first-kernel/square`."
	}
	var b strings.Builder
	for _, c := range g.current.Exercises() {
		if n := len(g.current.hintsFor(c.ID)); n > 0 {
			fmt.Fprintf(&b, "* `%%hint %s`: %d\n", c.ID, n)
		}
	}
	if b.Len() == 0 {
		return fmt.Sprintf("%q has no hints.", g.current.Title)
	}
	return "Hints of “" + g.current.Title + "”:\n\n" + b.String()
}

// resolve returns the lesson in which a name is one of that kind, and the name without the lesson's. The caller holds mu.
func (g *Guide) resolve(name, kind string, has func(*Lesson, string) bool) (*Lesson, string, error) {
	if at := strings.LastIndex(name, "/"); at >= 0 {
		for _, l := range g.lessons {
			if (l.Path == name[:at] || l.Name() == name[:at]) && has(l, name[at+1:]) {
				return l, name[at+1:], nil
			}
		}
		return nil, "", fmt.Errorf("there is no %s %s in a lesson %s", kind, name[at+1:], name[:at])
	}
	if g.current != nil && has(g.current, name) {
		return g.current, name, nil
	}
	var found []*Lesson
	for _, l := range g.lessons {
		if has(l, name) {
			found = append(found, l)
		}
	}
	switch len(found) {
	case 0:
		return nil, "", fmt.Errorf("no lesson has the %s %q: gopherwarp course list shows the lessons", kind, name)
	case 1:
		return found[0], name, nil
	}
	names := make([]string, len(found))
	for i, l := range found {
		names[i] = l.Name() + "/" + name
	}
	return nil, "", fmt.Errorf("several lessons have the %s %q: write %s", kind, name, strings.Join(names, " or "))
}

// Answer judges and records the answer to a question: "NAME ANSWER". Without arguments it returns all answers of the current lesson.
func (g *Guide) Answer(args string) (markdown string, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if err := g.ready(); err != nil {
		return "", err
	}
	name, answer, _ := strings.Cut(strings.TrimSpace(args), " ")
	answer = strings.TrimSpace(answer)
	if name == "" {
		return g.answers()
	}
	l, name, err := g.resolve(name, "question", func(l *Lesson, id string) bool { return l.cell(id) != nil && l.cell(id).Question != nil })
	if err != nil {
		return "", err
	}
	g.current = l
	q := l.cell(name).Question
	if answer == "" || answer == "?" {
		return "Not answered yet: write your answer in place of the question mark, and run the cell again.", nil
	}
	right, why, err := q.judge(answer)
	if err != nil {
		return "", fmt.Errorf("answer the question %s: %w", name, err)
	}
	if err := g.store.Add(progress.Event{Lesson: l.Path, Kind: progress.Answer, Name: name, Right: right, Text: answer}); err != nil {
		return "", err
	}
	switch {
	case q.Predict:
		return fmt.Sprintf("Recorded: %s. Now see for yourself; the end of the lesson compares.", q.text(answer)), nil
	case right:
		return strings.TrimSpace("✓ Right: " + q.text(answer) + ". " + why), nil
	}
	return strings.TrimSpace("✗ Not "+q.text(answer)+". "+why) + "\n\nChange your answer and run the cell again.", nil
}

// answers returns a table of the questions of the current lesson with the learner's answers. The caller holds mu.
func (g *Guide) answers() (string, error) {
	if g.current == nil {
		return "", errors.New("run a cell of a lesson first: this shows the answers of the lesson whose cell ran last")
	}
	events, err := g.store.Events()
	if err != nil {
		return "", err
	}
	state := progress.Summarize(events)[g.current.Path]
	var b strings.Builder
	b.WriteString("| | question | your answer | right | |\n|---|---|---|---|---|\n")
	given, right := 0, 0
	for _, q := range g.current.Questions() {
		mark, answer, correct, why := "", "not answered", "", ""
		if state != nil && state.Answers[q.ID].Text != "" {
			given++
			e := state.Answers[q.ID]
			mark, answer, correct = "✗", q.text(e.Text), q.text(q.answer())
			if _, why, _ = q.judge(e.Text); e.Right {
				mark = "✓"
				right++
			}
		}
		first, _, _ := strings.Cut(q.Text, "\n")
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", mark, inTable(first), inTable(answer), inTable(correct), inTable(why))
	}
	fmt.Fprintf(&b, "\n%d of %d answered, %d right.\n", given, len(g.current.Questions()), right)
	return b.String(), nil
}

// inTable returns text for a cell of a table in Markdown.
func inTable(text string) string { return strings.ReplaceAll(text, "|", `\|`) }

// Progress returns the state of all lessons, or of one whose name is the argument. The argument "--seed=NAME" first chooses the variant of
// the lessons of that seed.
func (g *Guide) Progress(args string) (markdown string, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if seed, ok := strings.CutPrefix(strings.TrimSpace(args), "--seed="); ok {
		if err := g.use(seed); err != nil {
			return "", err
		}
		return "These are the lessons of " + seed + ".", nil
	}
	if err := g.ready(); err != nil {
		return "", err
	}
	s, err := Status(g.lessons, g.store)
	if err != nil {
		return "", err
	}
	if args == "" {
		return s.Markdown(), nil
	}
	i := slices.IndexFunc(s.Lessons, func(l LessonState) bool { return args == path.Base(l.Path) || args == l.Path })
	if i < 0 {
		return "", fmt.Errorf("%q is no lesson: write its name, such as first-kernel, or --seed=NAME", args)
	}
	return s.Lessons[i].Markdown(), nil
}

package tutor

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// A Page is what a command shows.
type Page struct {
	Parts []Part
	// Item is the question that the page asks or is about, if it is pending.
	Item    string
	Choices []Option // of a question that is answered by choosing
	// Hint reports whether there is a hint to ask for.
	Hint bool
	// Typed reports whether the question is answered by a line of text.
	Typed bool
	// Many reports whether several choices may be right.
	Many bool
	// Next reports whether another question can be asked now.
	Next bool
	// Picture is to be shown below the page: a MIME bundle, or nil.
	Picture map[string]any
	// Map has rows for a picture of the progress.
	Map []MapRow
	// Data is the exported state, for the file of that name, if there is one.
	Data []byte
	File string
}

// A Part is a text under a title, which may be empty. The text is Markdown of paragraphs, code and bold words.
type Part struct{ Title, Text string }

// An Option is a choice with its letter.
type Option struct{ Letter, Text string }

// A MapRow is a concept in the picture of the progress.
type MapRow struct {
	Module   int
	Concept  string
	Title    string
	Standing Standing
	Mastery  float64
	Asked    int // number of items graded
}

func (p *Page) add(parts ...Part) { p.Parts = append(p.Parts, parts...) }

// front adds a part before the others.
func (p *Page) front(part Part) { p.Parts = slices.Insert(p.Parts, 0, part) }

// name returns the title of an item's concept.
func (t *Tutor) name(item *Item) string {
	if item == background {
		return "You"
	}
	return t.bank.concepts[item.Concepts[0]].Title
}

// question returns the page of the pending item.
func (t *Tutor) question(l *Learner) *Page {
	asked, item := l.Pending, t.item(l.Pending.Item)
	page := &Page{Item: item.ID, Many: item.Type == Multiple, Typed: item.typed(), Hint: asked.Hints < len(item.Hints) && (asked.Purpose == Learning || asked.Purpose == Reviewing)}
	title := fmt.Sprintf("Question %d: %s", l.Step, t.name(item))
	switch asked.Purpose {
	case Reviewing:
		title += " (review)"
	case Checking:
		title += fmt.Sprintf(" (assessment of module %d)", t.bank.Module(item))
	}
	page.add(Part{title, asked.fill(item.Prompt)})
	switch item.Type {
	case Choice, Multiple:
		for n, at := range asked.Order {
			page.Choices = append(page.Choices, Option{string(rune('A' + n)), asked.fill(item.Answers[at].Text)})
		}
	case Order:
		var b strings.Builder
		for n, at := range asked.Order {
			fmt.Fprintf(&b, "%d  %s\n", n+1, item.Lines[at].Text)
		}
		page.add(Part{"", "```\n" + strings.TrimRight(b.String(), "\n") + "\n```"})
	case Predict:
		for _, c := range item.Program {
			page.add(Part{"", fence(c)})
		}
	case Fix, Write, Optimise:
		page.add(Part{"", fence(Cell{item.Code.Language, item.Code.Given})})
	}
	page.add(Part{"", capital(item.how()) + "."})
	return page
}

// typed reports whether an item is answered by a line of text.
func (i *Item) typed() bool {
	return !i.Type.IsCode() && i.Type != Choice && i.Type != Multiple
}

func fence(c Cell) string { return "```" + c.Language + "\n" + c.Text + "\n```" }

func capital(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// The titles of the eight steps of feedback.
const (
	stepCredit = "What is right"
	stepGap    = "The gap"
	stepAnswer = "The answer"
)

var laterSteps = []struct {
	title string
	of    func(*Steps) *string
}{
	{"Performance", func(s *Steps) *string { return &s.Performance }},
	{"CPU and GPU", func(s *Steps) *string { return &s.Compare }},
	{"Look it up", func(s *Steps) *string { return &s.See }},
	{"Alternatives", func(s *Steps) *string { return &s.Instead }},
	{"Where it is used", func(s *Steps) *string { return &s.Use }},
}

// first returns the first two steps.
func first(g grade) (parts []Part) {
	if g.credit != "" {
		parts = append(parts, Part{stepCredit, g.credit})
	}
	if g.gap != "" {
		parts = append(parts, Part{stepGap, g.gap})
	}
	return parts
}

// missed returns the page of a first miss: two steps and a hint.
func (t *Tutor) missed(l *Learner, item *Item, asked *Pending, g grade) *Page {
	page := &Page{Item: item.ID, Typed: item.typed(), Hint: asked.Hints < len(item.Hints), Parts: []Part{{Text: "Not yet."}}}
	page.add(first(g)...)
	if asked.Hints < len(item.Hints) {
		page.add(Part{"Hint", asked.fill(item.Hints[asked.Hints])})
	}
	page.add(Part{"", "Answer once more, or say `%tutor hint`, `%tutor reveal` or `%tutor skip`."})
	if item.Type == Choice || item.Type == Multiple {
		page.Choices, page.Many = t.question(l).Choices, item.Type == Multiple
	}
	return page
}

// failed returns the page of the last miss: three steps.
func (t *Tutor) failed(l *Learner, item *Item, asked *Pending, g grade) *Page {
	page := &Page{Next: true, Parts: []Part{{Text: "Not right."}}}
	page.add(first(g)...)
	page.add(t.solution(item, asked, true)...)
	page.add(t.news(l, item)...)
	page.add(Part{"", "`%tutor why` tells more."})
	return page
}

// passed returns the page of a right answer: the explanation and the remaining steps. Code is shown beside an answer that is other code.
func (t *Tutor) passed(l *Learner, item *Item, asked *Pending, text string, g grade) *Page {
	page := &Page{Next: true, Parts: []Part{{Text: "Right."}}}
	if g.credit != "" {
		page.add(Part{stepCredit, g.credit})
	}
	page.add(t.solution(item, asked, item.Code != nil && squeezed(item.Code.Solution) != squeezed(text))...)
	if asked.Purpose == Placing || asked.Purpose == Checking {
		page.add(t.news(l, item)...)
		return page
	}
	page.add(t.told(l, item, asked, g.took)...)
	page.add(t.news(l, item)...)
	return page
}

// solution returns the third step: the right answer, if it is to be shown, and why.
func (t *Tutor) solution(item *Item, asked *Pending, show bool) []Part {
	var texts []string
	if show {
		texts = append(texts, item.solution(asked))
	}
	if item.Steps.Why != "" {
		texts = append(texts, asked.fill(item.Steps.Why))
	}
	if text := strings.Join(slices.DeleteFunc(texts, func(s string) bool { return s == "" }), "\n\n"); text != "" {
		return []Part{{stepAnswer, text}}
	}
	return nil
}

// solution returns the right answer as text.
func (i *Item) solution(asked *Pending) string {
	switch i.Type {
	case Choice, Multiple:
		var all []string
		for n, at := range asked.Order {
			if a := i.Answers[at]; a.Right {
				all = append(all, fmt.Sprintf("%c: %s", 'A'+n, asked.fill(a.Text)))
			}
		}
		return strings.Join(all, "\n\n")
	case Numeric:
		a := i.Answers[0]
		v, err := asked.value(a)
		if err != nil {
			return a.Text
		}
		text := number(v)
		if i.Unit != "" && i.Unit != "x" {
			text += " " + i.Unit
		}
		if a.Value != "" {
			text += " = `" + asked.fill(a.Value) + "`"
		}
		return text
	case Order:
		var lines []Line
		for _, l := range i.Lines {
			if l.Rank > 0 {
				lines = append(lines, l)
			}
		}
		slices.SortStableFunc(lines, func(a, b Line) int { return a.Rank - b.Rank })
		var b strings.Builder
		for _, l := range lines {
			b.WriteString(l.Text + "\n")
		}
		return "```\n" + strings.TrimRight(b.String(), "\n") + "\n```"
	case Fix, Write, Optimise:
		return fence(Cell{i.Code.Language, i.Code.Solution})
	}
	for _, a := range i.Answers {
		if a.Right {
			return "`" + a.Text + "`"
		}
	}
	return ""
}

// number formats a number with at most four digits, or as an integer.
func number(v float64) string {
	if v == math.Trunc(v) && math.Abs(v) < 1e15 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'g', 4, 64)
}

// steps returns the steps after the third. An item that has none of its own has those of its concept.
func (t *Tutor) steps(item *Item, asked *Pending, took string) (parts []Part) {
	of := t.bank.concepts[item.Concepts[0]]
	for n, step := range laterSteps {
		text := *step.of(&item.Steps)
		if text == "" {
			text = *step.of(&of.Steps)
		}
		if n == 0 && took != "" {
			text = strings.TrimSpace(took + " " + text)
		}
		if text != "" {
			parts = append(parts, Part{step.title, asked.fill(text)})
		}
	}
	return parts
}

// told returns the steps after the third. Those of the concept are shown once, and later only by why.
func (t *Tutor) told(l *Learner, item *Item, asked *Pending, took string) []Part {
	p := l.progress(item.Concepts[0])
	if p.Told && item.Steps.later() == "" {
		parts := []Part{{"", "`%tutor why` tells more."}}
		if took != "" {
			parts = append([]Part{{laterSteps[0].title, took}}, parts...)
		}
		return parts
	}
	p.Told = true
	return t.steps(item, asked, took)
}

// later returns the steps after the third, all together.
func (s *Steps) later() string {
	text := ""
	for _, step := range laterSteps {
		text += *step.of(s)
	}
	return text
}

// Text returns all steps, one a line.
func (s *Steps) Text() string {
	lines := []string{s.Why}
	for _, step := range laterSteps {
		lines = append(lines, *step.of(s))
	}
	return strings.Join(lines, "\n")
}

// why says more about the last question.
func (t *Tutor) why(ctx context.Context, r Request) (*Page, error) {
	if r.Args != "" {
		return nil, inputError("%q is not expected here: write %%tutor why alone; it is about the last question", short(r.Args))
	}
	page := &Page{}
	var question, answer string
	err := t.look(ctx, func(l *Learner) error {
		if l.Last == nil || !l.Last.fits(t.item(l.Last.Item)) || l.Last.Item == background.ID {
			return inputError("there is nothing to explain yet: answer a question first")
		}
		item := t.item(l.Last.Item)
		c := t.bank.concepts[item.Concepts[0]]
		page.add(Part{c.Title, c.Definition})
		if m := t.bank.Misconceptions[l.Last.Misconception]; m != "" {
			page.add(Part{stepGap, "Your answer is what follows from this: " + m})
		}
		page.add(t.solution(item, &l.Last.Pending, true)...)
		page.add(t.steps(item, &l.Last.Pending, "")...)
		if len(item.Covers) > 0 {
			page.add(Part{"", "This question is about " + strings.Join(item.Covers, ", ") + " of the course's list of topics and errors."})
		}
		page.Next = l.Pending == nil
		asked := l.Last.Pending
		question, answer = item.text(&asked), l.Last.Answer
		return nil
	})
	if err == nil && t.Phraser != nil && answer != "" {
		text, err := t.Phraser.Phrase(ctx, question, answer)
		if err != nil {
			text = fmt.Sprintf("Your endpoint gave no explanation: %v.", err)
		}
		page.add(Part{phrased, text})
	}
	return page, err
}

// phrased is the title of what a Phraser says.
const phrased = "In other words, by the language model at your endpoint"

// text returns a question with its right answer and the explanation, as Markdown.
func (i *Item) text(asked *Pending) string {
	parts := []string{asked.fill(i.Prompt)}
	for n, at := range asked.Order {
		if i.Type == Order {
			parts = append(parts, fmt.Sprintf("%d: %s", n+1, i.Lines[at].Text))
		} else {
			parts = append(parts, fmt.Sprintf("%c: %s", 'A'+n, asked.fill(i.Answers[at].Text)))
		}
	}
	for _, c := range i.Program {
		parts = append(parts, fence(c))
	}
	if i.Code != nil {
		parts = append(parts, fence(Cell{i.Code.Language, i.Code.Given}))
	}
	return strings.Join(append(parts, "The right answer:", i.solution(asked), asked.fill(i.Steps.Why)), "\n\n")
}

// news says what an answer has changed: the end of the placement, a concept that is mastered or given up, the end of an assessment.
func (t *Tutor) news(l *Learner, item *Item) []Part {
	last := l.Events[len(l.Events)-1]
	concept := t.bank.concepts[item.Concepts[0]]
	p := l.Concepts[concept.ID]
	switch {
	case last.Purpose == Checking:
		state := l.Checkpoints[concept.Module]
		switch {
		case state.Asked > 0 && state.Asked < checkItems:
			return []Part{{"", fmt.Sprintf("Assessment of module %d: %d of %d questions, %d right.", concept.Module, state.Asked, checkItems, state.Right)}}
		case state.Done && state.Pass:
			return []Part{{"Assessment", fmt.Sprintf("Module %d is passed: %d of %d right.", concept.Module, state.Right, checkItems)}}
		case state.Done:
			return []Part{{"Assessment", fmt.Sprintf("%d of %d right, and %d are needed. Show this to your instructor; we go on all the same.", state.Right, checkItems, checkPass)}}
		}
		return []Part{{"Assessment", fmt.Sprintf("Less than %d of %d were right. What was missed comes back first, and then five other questions.", checkPass, checkItems)}}
	case last.Purpose == Placing:
		return nil
	case p.Standing == Mastered && p.Attempts > 0 && p.Step == l.Step && last.Purpose == Learning:
		return []Part{{"Mastered", concept.Title + ". It comes back from time to time."}}
	case p.Standing == Helped && p.Attempts == maxAttempts:
		return []Part{{"Let us go on", fmt.Sprintf("%q has taken %d questions now. It is marked for your instructor, and the lesson about it is worth another look; we go on with what follows.", concept.Title, maxAttempts)}}
	case l.Back != nil && l.Back.Left == backFor && last.Score < passing && last.Purpose == Learning && l.Back.Concept != concept.ID:
		return []Part{{"A step back", "Next comes " + t.bank.concepts[l.Back.Concept].Title + ", which this rests on."}}
	}
	return nil
}

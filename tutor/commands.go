package tutor

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

func (t *Tutor) review(ctx context.Context, r Request) (*Page, error) {
	var queue []string
	for _, name := range strings.FieldsFunc(r.Args, func(r rune) bool { return r == ' ' || r == ',' }) {
		found := false
		for _, c := range t.bank.Concepts {
			if c.ID == name || slices.Contains(c.Lessons, name) {
				queue, found = append(queue, c.ID), true
			}
		}
		if !found {
			return nil, inputError("%q is no concept and no lesson: %%tutor map lists the concepts", short(name))
		}
	}
	var page *Page
	err := t.update(ctx, func(l *Learner) error {
		if l.Placement != nil || l.Pending != nil {
			page = t.ask(l)
			note := "This question is still open; the review follows it."
			if l.Placement != nil {
				note = "First we look for where to begin; the review comes after it."
			}
			page.front(Part{Text: note})
			l.enqueue(queue)
			return nil
		}
		if len(queue) == 0 {
			queue = t.oldest(l)
		}
		if len(queue) == 0 {
			return inputError("there is nothing to review yet: %%tutor next asks the next question")
		}
		l.enqueue(queue)
		page = t.ask(l)
		return nil
	})
	return page, err
}

// enqueue adds concepts to those of the next questions, each once.
func (l *Learner) enqueue(concepts []string) {
	for _, id := range concepts {
		if !slices.Contains(l.Queue, id) {
			l.Queue = append(l.Queue, id)
		}
	}
}

// oldest returns the three mastered or known concepts that were asked longest ago.
func (t *Tutor) oldest(l *Learner) []string {
	var list []*Concept
	for _, c := range t.bank.Concepts {
		if s := l.standing(c.ID); (s == Mastered || s == Known) && len(t.bank.about[c.ID]) > 0 {
			list = append(list, c)
		}
	}
	slices.SortStableFunc(list, func(a, b *Concept) int { return l.Concepts[a.ID].Step - l.Concepts[b.ID].Step })
	var queue []string
	for _, c := range list[:min(3, len(list))] {
		queue = append(queue, c.ID)
	}
	return queue
}

func (t *Tutor) path(ctx context.Context, r Request) (*Page, error) {
	words := strings.Fields(r.Args)
	p, taken, err := parsePath(words)
	if err == nil && taken < len(words) {
		err = inputError("%q is not expected after the path", short(words[taken]))
	}
	if err != nil {
		return nil, err
	}
	page := &Page{Next: true}
	err = t.update(ctx, func(l *Learner) error {
		l.Path = p
		text := t.summary(l)
		if l.Placement != nil {
			text = fmt.Sprintf("The path is now %s. %s", p, text)
		}
		page.add(Part{Text: text})
		return nil
	})
	return page, err
}

// parsePath parses a path at the beginning of words, and returns how many it has.
func parsePath(words []string) (p Path, taken int, err error) {
	const usage = "write %%tutor path standard, %%tutor path quick or %%tutor path module N, with N from 1 to %d"
	switch {
	case len(words) == 0:
		return p, 0, inputError("which path? "+usage, Modules)
	case words[0] == "standard":
		return p, 1, nil
	case words[0] == "quick":
		return Path{Quick: true}, 1, nil
	case words[0] == "module" && len(words) > 1:
		n, err := strconv.Atoi(words[1])
		if err == nil && n >= 1 && n <= Modules {
			return Path{Module: n}, 2, nil
		}
	}
	return p, 0, inputError("%q is no path: "+usage, short(strings.Join(words, " ")), Modules)
}

func (t *Tutor) define(_ context.Context, r Request) (*Page, error) {
	if r.Args == "" {
		return nil, inputError("which term? Write %%tutor define warp, for example")
	}
	if len(r.Args) > maxText {
		return nil, inputError("a term of %d bytes is longer than any that is defined here", len(r.Args))
	}
	c, exact := t.bank.find(r.Args)
	if !exact && t.Define != nil {
		if name, text, ok := t.Define(r.Args); ok {
			return &Page{Parts: []Part{{Title: name, Text: text}}}, nil
		}
	}
	if c == nil {
		return nil, inputError("%q is not defined here: %%tutor map lists the concepts", short(r.Args))
	}
	page := &Page{Parts: []Part{{Title: c.Title, Text: c.Definition}}}
	if len(c.Lessons) > 0 {
		page.add(Part{Text: "Lessons about it: " + strings.Join(c.Lessons, ", ") + "."})
	}
	return page, nil
}

func (t *Tutor) export(ctx context.Context, r Request) (*Page, error) {
	page := &Page{File: r.Args}
	var course any
	if t.Exercises != nil {
		var err error
		if course, err = t.Exercises.State(); err != nil {
			return nil, fmt.Errorf("read the progress in the course: %w", err)
		}
	}
	err := t.look(ctx, func(l *Learner) (err error) {
		page.Data, err = encode(struct {
			*Learner
			Course any `json:"course,omitempty"`
		}{l, course})
		return err
	})
	if err == nil && r.Args == "" {
		page.add(Part{Title: "Your progress", Text: "```json\n" + strings.TrimSpace(string(page.Data)) + "\n```"})
	}
	return page, err
}

func (t *Tutor) reset(ctx context.Context, r Request) (*Page, error) {
	if r.Args != "" {
		return nil, inputError("%q is not expected here: write %%tutor reset alone; it puts all progress away", short(r.Args))
	}
	kept, err := t.store.Reset(ctx)
	if err != nil {
		return nil, err
	}
	text := "There was no progress."
	if kept != "" {
		text = "Your progress was put away; it is in `" + kept + "`."
	}
	return &Page{Parts: []Part{{Text: text + " `%tutor start` begins anew."}}}, nil
}

package tutor

import (
	"context"
	"fmt"
	"strings"
)

// modules are the names of the modules, which are also the stages of assessment.
var modules = [Modules + 1]string{"", "GPU acceleration basics", "Array programming", "Kernels", "Applications"}

// summary returns how far a learner is, in a sentence or two.
func (t *Tutor) summary(l *Learner) string {
	if l.Placement != nil {
		return fmt.Sprintf("We are finding where to begin; questions answered so far: %d.", l.Placement.Answered)
	}
	done, helped := map[Standing]int{}, ""
	c := t.chooser(l)
	total := 0
	for _, concept := range t.bank.Concepts {
		if c.onPath(concept) {
			total++
			done[l.standing(concept.ID)]++
		}
	}
	if n := done[Helped]; n > 0 {
		helped = fmt.Sprintf(", %d for your instructor", n)
	}
	return fmt.Sprintf("Path %s: of %d concepts %d are mastered, %d known from the placement, %d open%s.", l.Path, total, done[Mastered], done[Known], done[Open], helped)
}

// done says why nothing is asked.
func (t *Tutor) done(l *Learner) string {
	soonest := -1
	for _, p := range l.Concepts {
		if days := p.Day + max(firstReview, p.Interval) - l.Day; p.Standing == Mastered && (soonest < 0 || days < soonest) {
			soonest = days
		}
	}
	text := t.summary(l)
	if soonest > 0 {
		text += fmt.Sprintf(" The next review is due in %d %s; `%%tutor review` asks something now.", soonest, map[bool]string{true: "day", false: "days"}[soonest == 1])
	}
	return text
}

func (t *Tutor) progressMap(ctx context.Context, r Request) (*Page, error) {
	if r.Args != "" {
		return nil, inputError("%q is not expected here: write %%tutor map alone", short(r.Args))
	}
	page := &Page{}
	err := t.look(ctx, func(l *Learner) error {
		c := t.chooser(l)
		page.add(Part{"Your progress", t.summary(l)})
		for _, concept := range t.bank.Concepts {
			if !c.onPath(concept) {
				continue
			}
			row := MapRow{Module: concept.Module, Concept: concept.ID, Title: concept.Title, Mastery: unknown}
			if p := l.Concepts[concept.ID]; p != nil {
				row.Standing, row.Mastery, row.Asked = p.Standing, p.Mastery, p.Count
			}
			page.Map = append(page.Map, row)
		}
		if now := c.current(); now != nil && l.Placement == nil {
			page.add(Part{"", "Next: " + now.Title + "."})
		}
		return nil
	})
	return page, err
}

// mark returns a character for a standing.
func (s Standing) mark() string {
	switch s {
	case Known:
		return "+"
	case Mastered:
		return "*"
	case Helped:
		return "!"
	}
	return "."
}

// bar returns a probability as a bar of ten characters.
func bar(v float64) string {
	n := min(10, max(0, int(v*10+0.5)))
	return strings.Repeat("█", n) + strings.Repeat("░", 10-n)
}

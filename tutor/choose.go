package tutor

import (
	"math"
	"math/rand/v2"
	"slices"
)

const (
	minPlacing, maxPlacing = 6, 8

	reviewEvery  = 5  // each fifth question is a review
	unseenFor    = 10 // questions before an item is asked again, if there is another
	maxAttempts  = 10 // at a concept, before it is given up
	maxReturns   = 3  // of a concept that reviews have opened again
	backFor      = 2  // questions of a step back
	checkItems   = 5
	checkPass    = 4 // of checkItems: 80 %
	checkTries   = 2
	firstReview  = 1 // days after which a mastered concept is due
	longestBreak = 60
)

// progress returns the state of a concept, and makes it if it is new.
func (l *Learner) progress(concept string) *Progress {
	p := l.Concepts[concept]
	if p == nil {
		p = &Progress{Mastery: unknown}
		l.Concepts[concept] = p
	}
	return p
}

func (l *Learner) standing(concept string) Standing {
	if p := l.Concepts[concept]; p != nil {
		return p.Standing
	}
	return Open
}

// random returns the source of chance for the next question.
func (l *Learner) random() *rand.Rand { return rand.New(rand.NewPCG(l.Seed, uint64(l.Step))) }

// A chooser chooses the next item for a learner.
type chooser struct {
	bank *Bank
	*Learner
	code bool // whether there is a Runner
}

// next returns the next item, or nil if there is nothing to ask today.
func (c chooser) next() (*Item, Purpose) {
	if c.Placement != nil {
		if item := c.placing(); item != nil {
			return item, Placing
		}
		c.endPlacement()
	}
	for len(c.Queue) > 0 {
		concept := c.Queue[0]
		c.Queue = c.Queue[1:]
		if item := c.about(concept, false); item != nil {
			return item, Reviewing
		}
	}
	if item := c.checkpoint(); item != nil {
		return item, Checking
	}
	learning := c.learning()
	if learning == nil && !c.Path.Quick {
		if item := c.probe(); item != nil {
			return item, Reviewing
		}
	}
	if learning == nil || c.Step%reviewEvery == reviewEvery-1 {
		if item := c.review(learning == nil); item != nil {
			return item, Reviewing
		}
	}
	if learning == nil {
		return nil, ""
	}
	return learning, Learning
}

// placing returns the next item of the placement, or nil at its end: one of the module next to that of the last item, harder after a right
// answer and easier after a wrong one, that tells best who knows the module from who does not: of a middle level, not to be guessed, about a concept that was not asked.
func (c chooser) placing() *Item {
	p := c.Placement
	if _, clear := p.entry(); p.Answered >= maxPlacing || p.Answered >= minPlacing && clear {
		return nil
	}
	r := c.random()
	var best *Item
	least := math.Inf(1)
	for _, item := range c.bank.Items {
		if _, asked := p.Passed[item.Concepts[0]]; asked || item.Type.IsCode() || item.Type == Predict && !c.code {
			continue
		}
		cost := math.Abs(float64(item.Level)) + 0.3*r.Float64() + 4*math.Abs(float64(c.bank.Module(item)-p.Module))
		if !item.Type.produced() {
			cost += 1.2 // it can be guessed
		}
		if cost < least {
			best, least = item, cost
		}
	}
	return best
}

// endPlacement presumes what the learner knows.
func (c chooser) endPlacement() {
	passed := c.Placement.Passed
	c.Entry, _ = c.Placement.entry()
	c.Placement = nil
	for _, concept := range c.bank.Concepts {
		right, asked := passed[concept.ID]
		if asked && !right {
			continue
		}
		p := c.progress(concept.ID)
		if concept.Module < c.Entry && (!asked || right) {
			p.Standing, p.Mastery = Known, max(p.Mastery, presumed)
		}
	}
	for id, right := range passed {
		if !right {
			continue
		}
		for need := range c.bank.needs[id] {
			if r, asked := passed[need]; asked && !r {
				continue
			}
			p := c.progress(need)
			p.Standing, p.Mastery = Known, max(p.Mastery, inferred)
		}
	}
}

// onPath reports whether the learner's path has a concept: for a module also what its concepts need.
func (c chooser) onPath(concept *Concept) bool {
	m := c.Path.Module
	if m == 0 || concept.Module == m {
		return true
	}
	return slices.ContainsFunc(c.bank.Concepts, func(other *Concept) bool { return other.Module == m && c.bank.needs[other.ID][concept.ID] })
}

// current returns the concept to learn now, or nil: the first open one of the path, whose needs are met since concepts come after them.
func (c chooser) current() *Concept {
	if b := c.Back; b != nil && b.Left > 0 {
		if concept := c.bank.Concept(b.Concept); concept != nil {
			return concept
		}
	}
	for _, concept := range c.bank.Concepts {
		if c.standing(concept.ID) == Open && c.onPath(concept) && len(c.bank.about[concept.ID]) > 0 {
			return concept
		}
	}
	return nil
}

func (c chooser) learning() *Item {
	if concept := c.current(); concept != nil {
		return c.about(concept.ID, true)
	}
	return nil
}

// probe returns an item about a presumed concept that was never asked, or nil: at the end of the path each has been asked once.
func (c chooser) probe() *Item {
	for _, concept := range c.bank.Concepts {
		if p := c.Concepts[concept.ID]; p != nil && p.Standing == Known && p.Step == 0 && c.onPath(concept) {
			if item := c.about(concept.ID, false); item != nil {
				return item
			}
		}
	}
	return nil
}

// review returns an item about the mastered or presumed concept that was asked longest ago, or nil. At the end of the path it must be due.
func (c chooser) review(onlyDue bool) *Item {
	var oldest *Concept
	due := false
	for _, concept := range c.bank.Concepts {
		p := c.Concepts[concept.ID]
		if p == nil || p.Standing != Mastered && p.Standing != Known || !c.onPath(concept) || p.Step > 0 && c.Step-p.Step < unseenFor && !c.due(p) {
			continue
		}
		d := c.due(p)
		if onlyDue && !d || due && !d {
			continue
		}
		if oldest == nil || d && !due || p.Step < c.Concepts[oldest.ID].Step {
			oldest, due = concept, d
		}
	}
	if oldest == nil {
		return nil
	}
	return c.about(oldest.ID, false)
}

// due reports whether days have passed since a mastered concept was asked.
func (l *Learner) due(p *Progress) bool {
	return p.Standing == Mastered && l.Day-p.Day >= max(firstReview, p.Interval)
}

// checkpoint returns the next item of the assessment of a module whose concepts are done, or nil.
func (c chooser) checkpoint() *Item {
	if c.Path.Quick {
		return nil
	}
	for module := max(1, c.Entry); module <= Modules; module++ { // the placement has assessed those before
		if c.Path.Module > 0 && c.Path.Module != module {
			continue
		}
		state := c.Checkpoints[module]
		if state != nil && state.Done {
			continue
		}
		concepts, done := c.ofModule(module)
		if !done || len(concepts) == 0 {
			continue
		}
		if state == nil {
			state = &Checkpoint{}
			c.Checkpoints[module] = state
		}
		// Five different concepts, the ones asked longest ago first.
		slices.SortStableFunc(concepts, func(a, b *Concept) int { return c.progress(a.ID).Step - c.progress(b.ID).Step })
		for _, concept := range concepts {
			if item := c.about(concept.ID, false); item != nil {
				return item
			}
		}
	}
	return nil
}

// ofModule returns the mastered and presumed concepts of a module, and whether none is open.
func (c chooser) ofModule(module int) (list []*Concept, done bool) {
	for _, concept := range c.bank.Concepts {
		if concept.Module != module || len(c.bank.about[concept.ID]) == 0 {
			continue
		}
		switch c.standing(concept.ID) {
		case Open:
			return nil, false
		case Mastered, Known:
			list = append(list, concept)
		}
	}
	return list, true
}

// about returns the best item about a concept, or nil if there is none. For a concept that is being learned it prefers what is still
// required for mastery.
func (c chooser) about(concept string, learning bool) *Item {
	p := c.progress(concept)
	all := c.bank.about[concept]
	only := func(ok func(*Item) bool) {
		if some := slices.DeleteFunc(slices.Clone(all), func(i *Item) bool { return !ok(i) }); len(some) > 0 {
			all = some
		}
	}
	if !c.code {
		if all = slices.DeleteFunc(slices.Clone(all), func(i *Item) bool { return i.Type.IsCode() || i.Type == Predict }); len(all) == 0 {
			return nil
		}
	}
	if learning && p.Mastery >= 0.8 && !p.Coded {
		only(func(i *Item) bool { return i.Type.IsCode() })
	}
	if learning && p.Mastery >= 0.8 && !p.Produced {
		only(func(i *Item) bool { return i.Type.produced() })
	}
	only(func(i *Item) bool { at := c.Asked[i.ID]; return at == 0 || c.Step-at >= unseenFor })
	if learning && p.Mastery < 0.5 {
		// Code rather than a question whose answer was just shown.
		only(func(i *Item) bool { return !i.Type.IsCode() })
	}
	only(func(i *Item) bool { return len(c.Types) < 2 || c.Types[0] != i.Type || c.Types[1] != i.Type })
	if p.Misses >= 2 && len(c.Types) > 0 {
		last := c.Types[len(c.Types)-1]
		only(func(i *Item) bool { return i.Type != last })
	}
	// Two clean answers allow a harder item, two misses an easier one.
	shift := 0.0
	switch {
	case p.Clean >= 2:
		shift = -0.5
	case p.Misses >= 2:
		shift = 0.5
	}
	var best *Item
	least := math.Inf(1)
	r := c.random()
	for _, item := range all {
		g := item.guess()
		expected := g + (1-g)*logistic(c.Ability+p.Offset-float64(item.Level)-shift)
		cost := math.Abs(expected-aim) + 0.05*r.Float64()
		if at := c.Asked[item.ID]; at > 0 {
			cost += 0.5 - min(0.2, 0.002*float64(c.Step-at)) // a new one, else the one asked longest ago
		}
		if cost < least {
			best, least = item, cost
		}
	}
	return best
}

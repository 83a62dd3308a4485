package tutor

import "slices"

// close records the result of the pending item: its score, the misconception of the last wrong answer, and whether it was right in the end.
func (c chooser) close(item *Item, score float64, right bool, misconception string) {
	pending := c.Pending
	c.Pending = nil
	c.Last = &Closed{Pending: *pending, Right: right, Misconception: misconception}
	c.Events = append(c.Events, Event{c.Step, c.Day, item.ID, pending.Purpose, score, misconception})
	c.Types = append(c.Types, item.Type)
	c.Types = c.Types[max(0, len(c.Types)-2):]
	if pending.Purpose == Placing {
		c.placed(item, right && pending.Attempts == 1)
		return
	}
	concept := item.Concepts[0]
	p := c.progress(concept)
	success := score >= passing
	c.rate(item, p, score)
	p.Step, p.Day = c.Step, c.Day
	c.count(p, success)
	if c.Back != nil && c.Back.Concept == concept {
		if c.Back.Left--; c.Back.Left <= 0 || success {
			c.Back = nil
		}
	}
	p.Produced = p.Produced || success && item.Type.produced()
	p.Coded = p.Coded || right && item.Type.IsCode()
	if p.Standing == Mastered || p.Standing == Known {
		c.reviewed(p, item, success)
	} else {
		c.learned(concept, p, item, success)
	}
	if pending.Purpose == Checking {
		c.checked(c.bank.Module(item), success)
	}
}

// count counts successes and misses in a row.
func (c chooser) count(p *Progress, success bool) {
	if success {
		p.Clean, p.Misses = p.Clean+1, 0
	} else {
		p.Clean, p.Misses = 0, p.Misses+1
	}
}

// placed records the result of an item of the placement.
func (c chooser) placed(item *Item, right bool) {
	if item == background {
		return // its answer has set the ability
	}
	concept := item.Concepts[0]
	c.place(item, c.bank.Module(item), right, c.Placement.Answered)
	c.Placement.Answered++
	c.Placement.Passed[concept] = right
	p := c.progress(concept)
	p.Mastery = trace(p.Mastery, item.guess(), right)
	p.Step, p.Day = c.Step, c.Day
}

// reviewed records the review of a concept. A miss opens it again, unless that has happened often.
func (c chooser) reviewed(p *Progress, item *Item, success bool) {
	if success {
		p.Mastery = trace(p.Mastery, item.guess(), true)
		p.Interval = min(longestBreak, max(firstReview, 2*p.Interval))
		return
	}
	p.Interval = 0
	if p.Returns >= maxReturns {
		return
	}
	p.Returns++
	p.Attempts = maxAttempts / 2
	p.Standing, p.Mastery = Open, min(p.Mastery, returned)
}

// learned records an answer about an open concept, or one that was given up.
func (c chooser) learned(concept string, p *Progress, item *Item, success bool) {
	p.Attempts++
	p.Mastery = trace(p.Mastery, item.guess(), success)
	switch {
	case c.isMastered(concept, p):
		p.Standing, p.Interval = Mastered, firstReview
	case p.Standing == Helped:
	case p.Attempts >= maxAttempts:
		p.Standing = Helped
	case p.Misses >= 2 && c.Back == nil:
		c.stepBack(concept, p)
	}
}

// isMastered reports whether answers have shown that a concept is known. One of them could not be guessed, and where there is an item of code
// about the concept one was passed.
func (c chooser) isMastered(concept string, p *Progress) bool {
	enough := mastered
	if c.Path.Quick {
		enough = quickly
	}
	if p.Mastery < enough {
		return false
	}
	hasCode := c.code && slices.ContainsFunc(c.bank.about[concept], func(i *Item) bool { return i.Type.IsCode() })
	return p.Produced && (p.Coded || c.Path.Quick || !hasCode)
}

// stepBack makes a concept that this one needs the next, if it is not known well.
func (c chooser) stepBack(concept string, p *Progress) {
	for _, need := range c.bank.Concept(concept).Needs {
		q := c.progress(need)
		if q.Mastery < 0.8 && q.Standing != Helped && len(c.bank.about[need]) > 0 {
			c.Back = &Back{need, backFor}
			p.Misses = 0
			return
		}
	}
}

// checked records an answer in the assessment of a module.
func (c chooser) checked(module int, success bool) {
	state := c.Checkpoints[module]
	if state == nil {
		return
	}
	state.Asked++
	if success {
		state.Right++
	}
	if state.Asked < checkItems {
		return
	}
	state.Tries++
	state.Pass = state.Right >= checkPass
	state.Done = state.Pass || state.Tries >= checkTries
	if !state.Done {
		state.Asked, state.Right = 0, 0
	}
}

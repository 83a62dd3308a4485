package tutor

import "math"

// The formulas and constants are those of Pelánek, Applications of the Elo rating system in adaptive educational systems (2016), and of
// Corbett and Anderson, Knowledge tracing (1995); docs/RATIONALE.md says what was simulated.
const (
	aim = 0.75 // the probability of success that items are chosen for

	learn    = 0.15 // P(T): that an unknown concept is learned by an item
	slip     = 0.1  // P(S): that a known one is missed
	maxGuess = 0.3  // of P(G); larger ones degenerate
	minGuess = 0.02

	unknown  = 0.2  // P(L) of a concept in the beginning
	presumed = 0.75 // of one below the module of entry
	inferred = 0.9  // of one that a passed one needs
	returned = 0.85 // of a mastered one that was missed in a review
	mastered = 0.95
	// quickly is the mastery of the quick path.
	quickly = 0.85

	passing = 0.75 // the score that counts as success
)

func logistic(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// guess returns the probability that an item is answered right without knowledge.
func (i *Item) guess() float64 {
	switch i.Type {
	case Choice:
		return 1 / float64(max(2, len(i.Answers)))
	case Numeric, Short, Multiple:
		return 0.05
	case Fix, Write, Optimise:
		return 0
	}
	return minGuess
}

// success returns the probability that an item is answered right.
func (l *Learner) success(i *Item) float64 {
	offset := 0.0
	if p := l.Concepts[i.Concepts[0]]; p != nil {
		offset = p.Offset
	}
	g := i.guess()
	return g + (1-g)*logistic(l.Ability+offset-float64(i.Level))
}

// score returns the score of an item that was answered right at that attempt, from 1, with hints.
func score(attempt, hints int) float64 {
	s := 1.0
	if attempt > 1 {
		s = 0.5
	}
	return max(0.25, s-0.25*float64(hints))
}

// rate updates the abilities by Elo's rule.
func (l *Learner) rate(i *Item, p *Progress, s float64) {
	expected := l.success(i)
	p.Offset += elo(p.Count) * (s - expected)
	l.Ability += 0.3 * elo(l.Graded) * (s - expected)
	p.Count++
	l.Graded++
}

func elo(n int) float64 { return 1 / (1 + 0.05*float64(n)) }

// trace returns the probability that a concept is known after an answer.
func trace(known, guess float64, right bool) float64 {
	g := min(maxGuess, max(minGuess, guess))
	hit, miss := 1-slip, g
	if !right {
		hit, miss = slip, 1-g
	}
	after := known * hit / (known*hit + (1-known)*miss)
	return after + (1-after)*learn
}

// place updates the ability by an answer in the placement, the n-th from 0.
func (l *Learner) place(i *Item, right bool, n int) {
	s := 0.0
	if right {
		s = 1
	}
	before := l.Ability
	l.Ability += 1.8 / (1 + 0.3*float64(n)) * (s - l.success(i))
	l.Placement.Moved = math.Abs(l.Ability - before)
}

// entry returns the module in which a learner of that ability begins.
func entry(ability float64) int {
	switch {
	case ability < -0.5:
		return 1
	case ability < 0.5:
		return 2
	case ability < 1.5:
		return 3
	}
	return 4
}

package tutor

import "math"

// The formulas and constants are those of Pelánek, Applications of the Elo rating system in adaptive educational systems (2016), and of
// Corbett and Anderson, Knowledge tracing (1995); bench/results has what was simulated.
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

// place updates the ability by an answer in the placement, the n-th from 0, and the evidence about its module: the logarithm of how much more
// likely the answer is from a learner who knows the module than from one who does not.
func (l *Learner) place(i *Item, module int, right bool, n int) {
	s, p := 0.0, l.Placement
	if right {
		s = 1
	}
	g := i.guess()
	knows, not := g+(1-g)*logistic(competent-float64(i.Level)), g+(1-g)*logistic(-competent-float64(i.Level))
	if right {
		p.Evidence[module] += math.Log(knows / not)
		p.Module = min(Modules, module+1)
	} else {
		p.Evidence[module] += math.Log((1 - knows) / (1 - not))
		p.Module = max(1, module-1)
	}
	l.Ability += 1.8 / (1 + 0.3*float64(n)) * (s - l.success(i))
}

// competent is the ability of a learner who knows a module, on the scale of levels. One who does not has its negative.
const competent = 1.5

// likely is the evidence for which a module counts as known.
const likely = 1.5

// decided is the evidence that ends the placement early: the answers are then e^decided times as likely in one way as in the other.
const decided = 2.5

// entry returns the module in which a learner begins: the first one that is not known by the evidence, nor by that about a later one. It
// also reports whether the evidence about it and about the one before is clear.
func (p *Placement) entry() (module int, clear bool) {
	module = 1
	for m := 1; m <= Modules; m++ {
		if p.Evidence[m] > likely {
			module = min(Modules, m+1)
		}
		if p.Evidence[m] < 0 {
			break // what is right in later modules is luck
		}
	}
	last := module == Modules && p.Evidence[Modules] > decided
	clear = (last || p.Evidence[module] < -decided) && (module == 1 || p.Evidence[module-1] > decided || last)
	return module, clear
}

package tutor

import (
	"math"
	"testing"
)

// TestTrace compares the probability of mastery with that of pyBKT 1.4.3, for P(L0) 0.2, P(T) 0.15, P(G) 0.2, P(S) 0.1.
func TestTrace(t *testing.T) {
	for answers, want := range map[string][]float64{
		"RRRRR":  {0.6, 0.8903, 0.9774, 0.9956, 0.9992},
		"WRRRRR": {0.1758, 0.5662, 0.8763, 0.9742, 0.995, 0.9991},
		"RWRWR":  {0.6, 0.2842, 0.695, 0.3384, 0.7426},
		"WWWWW":  {0.1758, 0.1721, 0.1715, 0.1714, 0.1714},
	} {
		known := unknown
		for n, a := range answers {
			known = trace(known, 0.2, a == 'R')
			if math.Abs(known-want[n]) > 0.00005 {
				t.Errorf("%s: after %d answers %.5f, want %.4f", answers, n+1, known, want[n])
			}
		}
	}
	// A guess is never taken as more likely than maxGuess, nor as impossible.
	if got, want := trace(0.5, 0.9, true), trace(0.5, maxGuess, true); got != want {
		t.Errorf("with a guess of 0.9 %v, want %v", got, want)
	}
	if got := trace(0.5, 0, true); got >= 1 {
		t.Errorf("an answer that can't be guessed makes it certain: %v", got)
	}
}

// TestElo follows an estimate over 25 items of a learner of constant ability: it has to come within 0.3 of the ability, on average over
// all outcomes in their expected proportion.
func TestElo(t *testing.T) {
	for _, ability := range []float64{-2, -1, 0, 1, 2} {
		l := NewLearner(1)
		p := &Progress{}
		l.Concepts["c"] = p
		for n := range 25 {
			item := &Item{Type: Fix, Concepts: []string{"c"}, Level: n%5 - 2}
			l.rate(item, p, logistic(ability-float64(item.Level)))
		}
		if got := l.Ability + p.Offset; math.Abs(got-ability) > 0.35 {
			t.Errorf("a learner of ability %v is estimated at %.2f", ability, got)
		}
	}
}

// TestEloStep computes two updates by hand: K is 1 and then 1/1.05, and the general ability changes by 0.3 of it.
func TestEloStep(t *testing.T) {
	l, p := NewLearner(1), &Progress{}
	l.Concepts["c"] = p
	item := &Item{Type: Write, Concepts: []string{"c"}}
	l.rate(item, p, 1)
	if math.Abs(p.Offset-0.5) > 1e-12 || math.Abs(l.Ability-0.15) > 1e-12 {
		t.Errorf("after a success at 50 %%: offset %v, ability %v, want 0.5 and 0.15", p.Offset, l.Ability)
	}
	expected := 1 / (1 + math.Exp(-0.65))
	l.rate(item, p, 0)
	if offset, ability := 0.5-expected/1.05, 0.15-0.3*expected/1.05; math.Abs(p.Offset-offset) > 1e-12 || math.Abs(l.Ability-ability) > 1e-12 {
		t.Errorf("after a miss then: offset %v, ability %v, want %v and %v", p.Offset, l.Ability, offset, ability)
	}
}

// TestSuccess compares with the logistic function that is shifted by the probability of a guess.
func TestSuccess(t *testing.T) {
	choice := &Item{Type: Choice, Concepts: []string{"c"}, Answers: make([]Answer, 4)}
	for _, c := range []struct {
		item            *Item
		ability, offset float64
		want            float64
	}{
		{choice, 0, 0, 0.25 + 0.75*0.5},
		{choice, 1, 0.5, 0.25 + 0.75/(1+math.Exp(-1.5))},
		{&Item{Type: Numeric, Concepts: []string{"c"}, Level: 1}, 1, 0, 0.05 + 0.95*0.5},
		{&Item{Type: Write, Concepts: []string{"c"}, Level: -1}, 0, 0, 1 / (1 + math.Exp(-1))},
	} {
		l := NewLearner(1)
		l.Ability = c.ability
		l.Concepts["c"] = &Progress{Offset: c.offset}
		if got := l.success(c.item); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s at %v + %v: %v, want %v", c.item.Type, c.ability, c.offset, got, c.want)
		}
	}
	for _, c := range []struct {
		attempt, hints int
		want           float64
	}{{1, 0, 1}, {1, 1, 0.75}, {1, 2, 0.5}, {2, 0, 0.5}, {2, 1, 0.25}, {2, 3, 0.25}} {
		if got := score(c.attempt, c.hints); got != c.want {
			t.Errorf("attempt %d with %d hints scores %v, want %v", c.attempt, c.hints, got, c.want)
		}
	}
}

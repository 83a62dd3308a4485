package verify

import (
	"fmt"
	"math"
)

// Near checks that a number is within a tolerance of another, for results that are not exact in any order of the threads, such as
// estimates, whose tolerance is a few standard errors. The error is a *Failure. NaN is never within the tolerance. If got is within the
// tolerance of a mistake's first value, the failure has its cause.
func Near(name string, got, want, tolerance float64, mistakes ...Mistake[float64]) error {
	if d := math.Abs(got - want); d <= tolerance {
		passed(name, "%.6g, want %.6g ± %.2g", got, want, tolerance)
		return nil
	}
	f := &Failure{Check: name, Reason: WrongValues, Hint: guess(got, want, tolerance)}
	for _, m := range mistakes {
		if len(m.Values) > 0 && math.Abs(got-m.Values[0]) <= tolerance {
			f.Reason, f.Hint = Reason(m.Cause), ""
			break
		}
	}
	f.message = fmt.Sprintf("%s: %s", name, f.Reason)
	if f.Hint != "" {
		f.message += "\n" + wrap(f.Hint)
	}
	f.message += fmt.Sprintf("\n\n%s: got %.6g, want %.6g ± %.2g", name, got, want, tolerance)
	return f
}

// guess returns the likely cause of a wrong number.
func guess(got, want, tolerance float64) string {
	is := func(v float64) bool { return math.Abs(got-v) <= max(tolerance, 1e-6*math.Abs(v)) }
	switch {
	case math.IsNaN(got):
		return "It is not a number: that comes of 0/0, of the root of a negative number, or of memory that nobody has written."
	case math.IsInf(got, 0):
		return "It is infinite: that comes of a division by 0."
	case got == 0:
		return "It is 0: was something computed, and assigned to the result?"
	case is(-want):
		return "The sign is wrong."
	case is(want * want):
		return "It is the square of what it should be: a root is missing."
	case is(math.Sqrt(math.Abs(want))):
		return "It is the root of what it should be."
	case is(2 * want):
		return "It is twice what it should be."
	case is(want / 2):
		return "It is half of what it should be."
	case want != 0 && is(1/want):
		return "It is 1 divided by what it should be."
	case got > want:
		return "It is too large. Work a small case out by hand, step by step."
	}
	return "It is too small. Work a small case out by hand, step by step."
}

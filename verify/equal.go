package verify

import "fmt"

// Equal checks that two slices are equal, element by element; the error is a *Failure. It is for results that are on the host already;
// Run and Function find more mistakes. If got equals the values of a mistake, the failure has its cause.
func Equal[T Number](name string, got, want []T, mistakes ...Mistake[T]) error {
	o := compareHost(got, want, 0, nil)
	if o == nil && !same(got, want) {
		o = differing(got, want)
	}
	if o == nil {
		passed(name, "%s", allEqual(len(want)))
		return nil
	}
	f := hostFailure(name, len(want), o)
	for _, m := range mistakes {
		if same(got, m.Values) {
			f.Reason = Reason(m.Cause)
			f.message = fmt.Sprintf("%s: %s\n\n%s of %s elements wrong", name, m.Cause, spaced(o.count), spaced(o.n))
			for _, x := range f.Mismatches {
				f.message += fmt.Sprintf("\n  element %d: got %s, want %s", x.Index, x.Got, x.Want)
			}
			break
		}
	}
	return f
}

// A Mistake is a known mistake with the result that it leads to.
type Mistake[T Number] struct {
	Cause  string // cause and remedy
	Values []T
}

// same reports whether the slices have the same length and equal elements, by ==.
func same[T Number](a, b []T) bool {
	if len(a) != len(b) {
		return false
	}
	for i, v := range a {
		if v != b[i] {
			return false
		}
	}
	return true
}

// differing returns the observation of elements whose difference is within rounding errors.
func differing[T Number](got, want []T) *observation {
	o := &observation{n: len(want), length: len(got), float: true, wrong: make([]bool, len(want)), poison: make([]bool, len(want))}
	for i, v := range got {
		o.got, o.want = append(o.got, float64(v)), append(o.want, float64(want[i]))
		if v == want[i] {
			continue
		}
		o.wrong[i] = true
		if o.count++; len(o.examples) < maxExamples {
			o.examples = append(o.examples, Mismatch{Index: i, Got: text(v), Want: text(want[i])})
		}
	}
	return o
}

func allEqual(n int) string {
	switch n {
	case 0:
		return "empty, as it should be"
	case 1:
		return "its element is equal"
	}
	return "all " + spaced(n) + " elements are equal"
}

// If returns the mistake with that cause and result.
func If[T Number](cause string, values ...T) Mistake[T] { return Mistake[T]{cause, values} }

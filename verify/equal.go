package verify

import "fmt"

// Equal checks that two slices hold the same, element by element. It is for results that
// are on the host already; Run finds more.
func Equal[T Number](name string, got, want []T) error {
	if len(got) != len(want) {
		elements := "elements"
		if len(got) == 1 {
			elements = "element"
		}
		return &Failure{
			Check: name, Reason: WrongValues,
			message: fmt.Sprintf("%s: %s %s, want %s", name, spaced(len(got)), elements, spaced(len(want))),
		}
	}
	f := &Failure{Check: name, Reason: WrongValues, N: len(want), Sizes: []int{len(want)}}
	wrong := 0
	for i, v := range got {
		if v == want[i] {
			continue
		}
		if wrong++; wrong <= maxExamples {
			f.Mismatches = append(f.Mismatches, Mismatch{Index: i, Got: text(v), Want: text(want[i])})
		}
	}
	if wrong == 0 {
		fmt.Printf("✓ PASS %s: %s\n", name, allEqual(len(want)))
		return nil
	}
	f.message = fmt.Sprintf("%s: %s of %s elements wrong", name, spaced(wrong), spaced(len(want)))
	for _, m := range f.Mismatches {
		f.message += fmt.Sprintf("\n  element %d: got %s, want %s", m.Index, m.Got, m.Want)
	}
	return f
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

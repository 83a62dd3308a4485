package verify

import (
	"fmt"
	"math"
)

// Near checks that a number is within a tolerance of another, for results that are exact in no order
// of the threads: estimates, say, whose tolerance is a few standard errors. Not a number is
// near nothing.
func Near(name string, got, want, tolerance float64) error {
	if d := math.Abs(got - want); d <= tolerance {
		fmt.Printf("✓ PASS %s: %.6g, want %.6g ± %.2g\n", name, got, want, tolerance)
		return nil
	}
	return &Failure{
		Check: name, Reason: WrongValues,
		message: fmt.Sprintf("%s: got %.6g, want %.6g ± %.2g", name, got, want, tolerance),
	}
}

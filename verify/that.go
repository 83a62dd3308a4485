package verify

import "fmt"

// That checks a condition whose violation has a known cause. It returns a *Failure with the cause if ok is false, and prints nothing if
// it is true.
func That(name string, ok bool, cause string) error {
	if ok {
		return nil
	}
	f := &Failure{Check: name, Reason: Reason(cause)}
	f.message = fmt.Sprintf("%s: %s", name, wrap(cause))
	return f
}

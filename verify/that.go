package verify

import "fmt"

// That checks a condition that a lesson knows the cause of, and says nothing if it holds.
func That(name string, ok bool, cause string) error {
	if ok {
		return nil
	}
	f := &Failure{Check: name, Reason: Reason(cause)}
	f.message = fmt.Sprintf("%s: %s", name, wrap(cause))
	return f
}

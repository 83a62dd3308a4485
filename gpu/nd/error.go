package nd

import "fmt"

// Error reports a request that cannot be carried out: shapes that do not match, an axis out of range, an array that was freed. Functions
// that return no error panic with it, as Go does for an index out of range, so that expressions stay readable; Try turns that panic into
// an error.
type Error struct {
	Op  string // what was being done, e.g. "nd.Add"
	Msg string // what is wrong and what to do
}

func (e *Error) Error() string { return "nd." + e.Op + ": " + e.Msg }

// fail panics with an *Error.
func fail(op, format string, args ...any) {
	panic(&Error{Op: op, Msg: fmt.Sprintf(format, args...)})
}

// Try runs f and returns the value that it panics with if that is an error of arrays or of the device.
func Try(f func()) (err error) {
	defer func() {
		switch v := recover().(type) {
		case nil:
		case error:
			if _, runtime := v.(interface{ RuntimeError() }); runtime {
				panic(v)
			}
			err = v
		default:
			panic(v)
		}
	}()
	f()
	return nil
}

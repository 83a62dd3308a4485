package cell

import (
	"fmt"
	"sync"
)

// registry holds the entry points of the loaded cells by number. It is process-wide because a
// plugin's init function can only reach its host through global variables.
var registry struct {
	sync.Mutex
	run map[int]func()
}

// Register registers run as the entry point of the cell. Each cell's package calls it from init.
func Register(number int, run func()) {
	registry.Lock()
	defer registry.Unlock()
	if registry.run == nil {
		registry.run = map[int]func(){}
	}
	registry.run[number] = run
}

// Entry returns the entry point of a loaded cell, or nil.
func Entry(number int) func() {
	registry.Lock()
	defer registry.Unlock()
	return registry.run[number]
}

// Failure is the panic value that fails a cell with an error instead of a panic.
type Failure struct{ Err error }

func (f Failure) Error() string { return f.Err.Error() }

// Check fails the cell if the last value is a non-nil error. Package session inserts it around
// calls at the top level of a cell that return an error.
func Check(values ...any) {
	if err := LastError(values...); err != nil {
		panic(Failure{err})
	}
}

// LastError returns the last value if it is a non-nil error, else nil.
func LastError(values ...any) error {
	if len(values) == 0 {
		return nil
	}
	err, _ := values[len(values)-1].(error)
	return err
}

// Show makes the values the cell's result.
func Show(values ...any) {
	if host != nil {
		host.Result(values)
	}
}

// ShowChecked calls Check, then Show with the values before the error.
func ShowChecked(values ...any) {
	Check(values...)
	if values = values[:len(values)-1]; len(values) > 0 {
		Show(values...)
	}
}

// Display shows a value at once, as if it were the last in a cell. Cells call it by its bare name, as in gophernotes.
func Display(v any) error {
	if host == nil {
		_, err := fmt.Println(v)
		return err
	}
	return host.Show(v)
}

// Must returns v, or fails the cell with err. Cells call it as must.
func Must[T any](v T, err error) T {
	if err != nil {
		panic(Failure{err})
	}
	return v
}

// Host is the interface of the session process for cells.
type Host interface {
	// Result shows the value of the cell's last expression.
	Result(values []any)
	// Show shows a value before the end of the cell, as Result shows the last one. It fails if the value is too
	// large, or has a representation that is not JSON.
	Show(v any) error
	// Display shows a MIME bundle. With an id, a later call with update replaces the bundle
	// of that id. It panics with a Failure where Show fails.
	Display(mime, metadata map[string]any, id string, update bool)
	// Clear clears the output of the cell, at once or, with wait, before its next output.
	Clear(wait bool)
	// Input asks the user of the front end for a line.
	Input(prompt string, password bool) (string, error)
	// Comm sends a message to the front end. It fails if the message is too large or not JSON.
	Comm(m CommMessage) error
	// Report prints the panic of a function that a cell had registered, on standard error. what is the function, such as "OnChange".
	Report(what string, v any, stack []uintptr)
}

var host Host

// SetHost sets the host. It is called once, when the session process starts.
func SetHost(h Host) { host = h }

// CurrentHost returns the session process, or nil in a plain Go program.
func CurrentHost() Host { return host }

package cell

import (
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
)

// A stack overflow ends the process, and it cannot be caught. The most common cause is a method String that formats its own
// value, or that follows a cyclic list. So the nesting of those methods is limited: cells' own methods call Nested, and
// so does package fmt when it allocates memory for a text inside another one.

const (
	// maxNested is the maximum depth of nested calls of these methods. Each takes about 1 KiB of stack, including fmt's frames
	// between them.
	maxNested = 10_000
	// checkEvery is the number of calls after which the stack is examined. That takes a microsecond if the stack is not deep.
	checkEvery = 2500
)

// A Recursion is a method that calls itself without end.
type Recursion struct {
	Method string // such as main.node.String
}

func (r *Recursion) Error() string {
	return fmt.Sprintf("%s calls itself without end: %d calls inside each other", strings.TrimPrefix(r.Method, "main."), maxNested)
}

// ErrorKind returns the name of the error for front ends.
func (*Recursion) ErrorKind() string { return "RecursionError" }

var (
	nestings   atomic.Uint32
	formatting atomic.Int32
	recursion  atomic.Pointer[Recursion] // the last recursion found in Formatting
)

// Nested ends a recursion of methods that format values, if it seems to be infinite.
func Nested() {
	if nestings.Add(1)%checkEvery == 0 {
		if r := recursing(); r != nil {
			r.end()
		}
	}
}

// recursing returns the recursion of the calling goroutine, or nil.
func recursing() *Recursion {
	if runtime.Callers(maxNested, make([]uintptr, 1)) == 0 {
		return nil
	}
	stack := make([]uintptr, maxCallers)
	stack = stack[:runtime.Callers(2, stack)]
	watched := map[uintptr]bool{}
	method, n := "", 0
	for _, pc := range stack {
		f := runtime.FuncForPC(pc - 1)
		if f == nil {
			continue
		}
		is, known := watched[f.Entry()]
		if !known {
			is = isText(f.Name())
			watched[f.Entry()] = is
		}
		if is {
			if n++; method == "" {
				method = f.Name()
			}
		}
	}
	if n < maxNested {
		return nil
	}
	return &Recursion{method}
}

// isText reports whether a function is a method that package fmt calls to format a value.
func isText(name string) bool {
	for _, method := range []string{".String", ".Error", ".GoString", ".Format"} {
		if strings.HasSuffix(name, method) {
			return true
		}
	}
	return false
}

// end makes the cell, or Formatting, fail.
func (r *Recursion) end() {
	if formatting.Load() > 0 {
		recursion.Store(r)
		panic(r)
	}
	m := Current()
	if m == nil || m.OnPanic == nil {
		panic(r)
	}
	// Package fmt would recover a panic and continue with the text of thousands of calls.
	m.OnPanic(r, Callers(2))
	runtime.Goexit()
}

// Formatting calls f, which formats a value. If it finds a recursion it returns that, and the text is invalid. The result may
// also be a recursion of another goroutine at the same time.
func Formatting(f func()) (found *Recursion) {
	before := recursion.Load()
	formatting.Add(1)
	defer func() {
		formatting.Add(-1)
		if now := recursion.Load(); now != before {
			found = now
			switch v := recover().(type) {
			case nil, *Recursion:
			default:
				panic(v)
			}
		}
	}()
	f()
	return nil
}

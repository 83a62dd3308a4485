package cell

import (
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
)

// A stack that overflows ends the process, and nothing can prevent that when it happens. The easiest way to get there is a
// method String that formats its own value, or that follows a list which ends in itself. So those methods are watched:
// cells' own call Nested, and package fmt does when it needs memory for one more text inside another one.

const (
	// maxNested is how many of the watched methods may be at work inside each other. They take some 1 KiB of stack each
	// with what fmt needs to call them.
	maxNested = 10_000
	// lookEvery is how often the stack is looked at, in calls. It takes a microsecond where it is not deep.
	lookEvery = 2500
)

// A Recursion is a method that calls itself without end.
type Recursion struct {
	Method string // such as main.node.String
}

func (r *Recursion) Error() string {
	return fmt.Sprintf("%s calls itself without end: %d calls inside each other", strings.TrimPrefix(r.Method, "main."), maxNested)
}

// ErrorKind is the name under which front ends show it.
func (*Recursion) ErrorKind() string { return "RecursionError" }

var (
	nestings   atomic.Uint32
	formatting atomic.Int32
	recursion  atomic.Pointer[Recursion] // the last that was found in Formatting
)

// Nested ends a recursion of methods that turn values into text, if it seems to be one without end.
func Nested() {
	if nestings.Add(1)%lookEvery == 0 {
		if r := recursing(); r != nil {
			r.end()
		}
	}
}

// recursing returns the recursion that the calling goroutine is in, or nil.
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

// isText reports whether a function is a method that package fmt calls.
func isText(name string) bool {
	for _, method := range []string{".String", ".Error", ".GoString", ".Format"} {
		if strings.HasSuffix(name, method) {
			return true
		}
	}
	return false
}

// end fails the cell, or Formatting.
func (r *Recursion) end() {
	if formatting.Load() > 0 {
		recursion.Store(r)
		panic(r)
	}
	m := Current()
	if m == nil || m.OnPanic == nil {
		panic(r)
	}
	// Package fmt would survive a panic and go on with the text of thousands of calls.
	m.OnPanic(r, Callers(2))
	runtime.Goexit()
}

// Formatting calls f, which turns a value into text. If it meets a recursion it returns that, and the text is none. It may
// also return one that another goroutine has met at the same time.
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

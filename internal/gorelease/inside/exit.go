package inside

import _ "unsafe" // for go:linkname

// An ExitHook is internal/runtime/exithook.Hook: a function that os.Exit calls before the process exits; with a status other
// than 0 only if RunOnFailure is set.
type ExitHook struct {
	F            func()
	RunOnFailure bool
}

// exitHooks are called on the goroutine that calls os.Exit, the last one first, each after it is removed from the list.
//
//go:linkname exitHooks internal/runtime/exithook.hooks
var exitHooks []ExitHook

// SetExitHooks replaces the hooks. A hook may call it: os.Exit then holds the lock of the list.
func SetExitHooks(hooks ...ExitHook) { exitHooks = hooks }

package inside

import _ "unsafe" // for go:linkname

// An ExitHook is internal/runtime/exithook.Hook: what os.Exit runs before the process ends, if RunOnFailure is set
// also with a status other than 0.
type ExitHook struct {
	F            func()
	RunOnFailure bool
}

// exitHooks is run on the goroutine that calls os.Exit, the last one first, each taken off the list before.
//
//go:linkname exitHooks internal/runtime/exithook.hooks
var exitHooks []ExitHook

// SetExitHooks replaces what os.Exit runs. It may be called by a hook: os.Exit holds the lock of the list then.
func SetExitHooks(hooks ...ExitHook) { exitHooks = hooks }

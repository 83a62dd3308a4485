package exithost

import (
	"runtime"
	_ "unsafe" // for go:linkname

	"github.com/gopherwarp/gopherwarp/session/cell"
	"github.com/gopherwarp/gopherwarp/session/exit"
	"github.com/gopherwarp/gopherwarp/session/host"
)

// Extension is what the session program adds. Cell code itself calls package exit, which
// knows the status.
func Extension() host.Extension { return host.Extension{Start: func() { hooks = ours() }} }

// hook is internal/runtime/exithook.Hook.
type hook struct {
	F            func()
	RunOnFailure bool
}

// hooks is what os.Exit runs before the process ends: on the calling goroutine, the last
// one first, each taken off the list before.
//
//go:linkname hooks internal/runtime/exithook.hooks
var hooks []hook

func ours() []hook {
	return []hook{
		{func() { endCell("os.Exit with a status other than 0", 1) }, true},
		{func() { endCell("os.Exit(0)", 0) }, false}, // taken off without a call on a failure
	}
}

// endCell ends the goroutine, which keeps os.Exit from going on, if it is one of a cell.
func endCell(call string, code int) {
	m := cell.Current()
	if m == nil || m.OnPanic == nil {
		return
	}
	hooks = ours() // os.Exit still holds the lock of the list
	m.OnPanic(exit.Exited{Call: call, Code: code}, cell.Callers(1))
	runtime.Goexit()
}

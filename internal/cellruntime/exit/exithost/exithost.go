package exithost

import (
	"runtime"

	"github.com/gopherwarp/gopherwarp/internal/cellruntime/cell"
	"github.com/gopherwarp/gopherwarp/internal/cellruntime/exit"
	"github.com/gopherwarp/gopherwarp/internal/cellruntime/extension"
	"github.com/gopherwarp/gopherwarp/internal/gorelease/inside"
)

// Extension is what the session program adds. Cell code itself calls package exit, which
// knows the status.
func Extension() extension.Extension {
	return extension.Extension{Start: func() { inside.SetExitHooks(ours()...) }}
}

func ours() []inside.ExitHook {
	return []inside.ExitHook{
		{F: func() { endCell("os.Exit with a status other than 0", 1) }, RunOnFailure: true},
		{F: func() { endCell("os.Exit(0)", 0) }}, // taken off without a call on a failure
	}
}

// endCell ends the goroutine, which keeps os.Exit from going on, if it is one of a cell.
func endCell(call string, code int) {
	m := cell.Current()
	if m == nil || m.OnPanic == nil {
		return
	}
	inside.SetExitHooks(ours()...)
	m.OnPanic(exit.Exited{Call: call, Code: code}, cell.Callers(1))
	runtime.Goexit()
}

package exithost

import (
	"runtime"

	"github.com/gopherwarp/gopherwarp/internal/cellruntime/cell"
	"github.com/gopherwarp/gopherwarp/internal/cellruntime/exit"
	"github.com/gopherwarp/gopherwarp/internal/cellruntime/extension"
	"github.com/gopherwarp/gopherwarp/internal/gorelease/inside"
)

// Extension returns the extension of the session program. Cell code itself calls package exit, which
// has the status.
func Extension() extension.Extension {
	return extension.Extension{Start: func() { inside.SetExitHooks(ours()...) }}
}

func ours() []inside.ExitHook {
	return []inside.ExitHook{
		{F: func() { endCell("os.Exit with a status other than 0", 1) }, RunOnFailure: true},
		{F: func() { endCell("os.Exit(0)", 0) }}, // skipped if the status is not 0
	}
}

// endCell ends the goroutine if it belongs to a cell, so that os.Exit does not continue.
func endCell(call string, code int) {
	m := cell.Current()
	if m == nil || m.OnPanic == nil {
		return
	}
	inside.SetExitHooks(ours()...)
	m.OnPanic(exit.Exited{Call: call, Code: code}, cell.Callers(1))
	runtime.Goexit()
}

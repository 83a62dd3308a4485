package exit

import (
	"fmt"
	"log"
	"os"
	"runtime"

	"github.com/gopherwarp/gopherwarp/internal/cellruntime/cell"
)

// Exited is how a cell ends that would have ended a program.
type Exited struct {
	Call string // as the cell wrote it, e.g. "os.Exit(1)"
	Code int
}

func (e Exited) Error() string {
	return e.Call + " ended the cell. Its deferred calls have run, unlike in a program, since the session goes on"
}

// ErrorKind is the name under which front ends show it.
func (Exited) ErrorKind() string { return "Exit" }

// Exit is what os.Exit becomes in a cell: it ends the goroutines of the cell's run. Deferred
// calls run, but recover does not see it.
func Exit(code int) { exit(Exited{fmt.Sprintf("os.Exit(%d)", code), code}) }

func exit(e Exited) {
	m := cell.Current()
	if m == nil || m.OnPanic == nil {
		os.Exit(e.Code)
	}
	m.OnPanic(e, cell.Callers(2))
	runtime.Goexit()
}

// Fatal, Fatalf and Fatalln are what those of package log become.
func Fatal(v ...any) { ExitLogger(log.Default()).fatal("log.Fatal", fmt.Sprint(v...)) }

// Fatalf is described at Fatal.
func Fatalf(format string, v ...any) {
	ExitLogger(log.Default()).fatal("log.Fatalf", fmt.Sprintf(format, v...))
}

// Fatalln is described at Fatal.
func Fatalln(v ...any) { ExitLogger(log.Default()).fatal("log.Fatalln", fmt.Sprintln(v...)) }

// A Logger stands in for a log.Logger where a cell calls one of its methods that exit.
type Logger struct{ l *log.Logger }

// ExitLogger is put around the log.Logger in such a call.
func ExitLogger(l *log.Logger) Logger { return Logger{l} }

// Fatal, Fatalf and Fatalln are those of log.Logger.
func (l Logger) Fatal(v ...any) { l.fatal("Logger.Fatal", fmt.Sprint(v...)) }

// Fatalf is described at Fatal.
func (l Logger) Fatalf(format string, v ...any) {
	l.fatal("Logger.Fatalf", fmt.Sprintf(format, v...))
}

// Fatalln is described at Fatal.
func (l Logger) Fatalln(v ...any) { l.fatal("Logger.Fatalln", fmt.Sprintln(v...)) }

func (l Logger) fatal(call, text string) {
	_ = l.l.Output(3, text) // the log package ignores it too
	exit(Exited{call, 1})
}

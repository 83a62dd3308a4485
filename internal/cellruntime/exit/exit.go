package exit

import (
	"fmt"
	"log"
	"os"
	"runtime"

	"github.com/gopherwarp/gopherwarp/internal/cellruntime/cell"
)

// Exited is the outcome of a cell that called a function that would have ended a program.
type Exited struct {
	Call string // as in the cell's source, e.g. "os.Exit(1)"
	Code int
}

func (e Exited) Error() string {
	return e.Call + " ended the cell. Its deferred calls have run, unlike in a program, since the session continues"
}

// ErrorKind returns the name of the error for front ends.
func (Exited) ErrorKind() string { return "Exit" }

// Exit replaces os.Exit in a cell: it ends the goroutines of the cell's run. Deferred calls run, but
// recover returns nil in them.
func Exit(code int) { exit(Exited{fmt.Sprintf("os.Exit(%d)", code), code}) }

func exit(e Exited) {
	m := cell.Current()
	if m == nil || m.OnPanic == nil {
		os.Exit(e.Code)
	}
	m.OnPanic(e, cell.Callers(2))
	runtime.Goexit()
}

// Fatal, Fatalf and Fatalln replace those of package log.
func Fatal(v ...any) { ExitLogger(log.Default()).fatal("log.Fatal", fmt.Sprint(v...)) }

// Fatalf is like Fatal, with a format.
func Fatalf(format string, v ...any) {
	ExitLogger(log.Default()).fatal("log.Fatalf", fmt.Sprintf(format, v...))
}

// Fatalln is like Fatal, with spaces between the operands.
func Fatalln(v ...any) { ExitLogger(log.Default()).fatal("log.Fatalln", fmt.Sprintln(v...)) }

// A Logger replaces a log.Logger where a cell calls one of its methods that exit.
type Logger struct{ l *log.Logger }

// ExitLogger returns the replacement of a log.Logger in such a call.
func ExitLogger(l *log.Logger) Logger { return Logger{l} }

// Fatal, Fatalf and Fatalln replace those of log.Logger.
func (l Logger) Fatal(v ...any) { l.fatal("Logger.Fatal", fmt.Sprint(v...)) }

// Fatalf is like Fatal, with a format.
func (l Logger) Fatalf(format string, v ...any) {
	l.fatal("Logger.Fatalf", fmt.Sprintf(format, v...))
}

// Fatalln is like Fatal, with spaces between the operands.
func (l Logger) Fatalln(v ...any) { l.fatal("Logger.Fatalln", fmt.Sprintln(v...)) }

func (l Logger) fatal(call, text string) {
	_ = l.l.Output(3, text) // package log ignores the error, too
	exit(Exited{call, 1})
}

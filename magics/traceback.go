package magics

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gopherwarp/gopherwarp/internal/render"
	"github.com/gopherwarp/gopherwarp/internal/session"
	"github.com/gopherwarp/gopherwarp/kernel"
)

// ANSI colours of tracebacks.
// None of the 16 colours that front ends define has a contrast of 4.5:1 on the backgrounds of errors of both JupyterLab's themes, so names
// and carets have a background of their own, and line numbers the text's colour.
const (
	red   = "\x1b[38;2;255;255;255;48;2;176;0;32m"
	bold  = "\x1b[1m"
	reset = "\x1b[0m"
)

func headline(name, value string) string { return red + name + reset + ": " + value }

// compileError formats each error with its line.
func (e *Engine) compileError(err *session.CompileError) *kernel.CellError {
	c := &kernel.CellError{Name: "CompileError", Value: err.Problems[0].String()}
	if more := len(err.Problems) - 1; more > 0 {
		c.Value += fmt.Sprintf(" (and %d more)", more)
	}
	for _, p := range err.Problems {
		c.Traceback = append(c.Traceback, headline(c.Name, p.String()))
		line, ok := e.line(p.Pos.Filename, p.Pos.Line)
		if ok {
			c.Traceback = append(c.Traceback, fmt.Sprintf("%s%4d%s %s", bold, p.Pos.Line, reset, line), "     "+caret(line, p.Pos.Column))
		}
		hint := deviceHint(p.Message, line)
		if hint == "" {
			hint = p.Hint
		}
		if hint != "" {
			c.Traceback = append(c.Traceback, "     "+hint)
		}
		e.mark(p.Pos.Filename, p.Pos.Line, severityError, joinLines(p.Message, hint))
	}
	return c
}

// joinLines joins the texts that are not empty.
func joinLines(texts ...string) string {
	return strings.Join(slices.DeleteFunc(texts, func(s string) bool { return s == "" }), "\n")
}

// runError formats the calls in cells that led to the failure with their lines, outermost first as in Python.
func (e *Engine) runError(err *session.RunError) *kernel.CellError {
	c := &kernel.CellError{Name: err.Kind, Value: err.Message, Traceback: e.frames(err.Frames)}
	c.Traceback = append(c.Traceback, headline(c.Name, c.Value))
	return c
}

// frames formats calls, the innermost last.
func (e *Engine) frames(frames []session.Frame) (lines []string) {
	for i := len(frames) - 1; i >= 0; i-- {
		f := frames[i]
		if f.More > 0 {
			lines = append(lines, fmt.Sprintf("… %s of %s", render.Count(f.More, "more call like this", "more calls like these"), f.Func))
		}
		line, inCell := e.line(f.File, f.Line)
		where := fmt.Sprintf("%s:%d", f.File, f.Line)
		if f.Func != "main.cell" {
			where += " in " + f.Func
		}
		if !inCell {
			// What happens inside packages matters only where it happened last, and not in those of this module, whose messages name the
			// call of the cell.
			if i == 0 && (len(lines) == 0 || !strings.HasPrefix(f.Func, session.ModulePath+"/")) {
				lines = append(lines, where)
			}
			continue
		}
		lines = append(lines, where, fmt.Sprintf("%s%4d%s %s", bold, f.Line, reset, line))
	}
	return lines
}

// line returns a line of a cell that was run.
func (e *Engine) line(cell string, n int) (string, bool) {
	e.mu.Lock()
	text, ok := e.sources[cell]
	e.mu.Unlock()
	lines := strings.Split(text, "\n")
	if !ok || n < 1 || n > len(lines) {
		return "", false
	}
	return lines[n-1], true
}

// caret returns a line with a caret below a column, counted in bytes. Tabs are kept, so that it is aligned.
func caret(line string, col int) string {
	var b strings.Builder
	for i, c := range line {
		if i >= col-1 {
			break
		}
		if c == '\t' {
			b.WriteRune('\t')
		} else {
			b.WriteByte(' ')
		}
	}
	return b.String() + red + "^" + reset
}

// lastLines returns the last n lines of text.
func lastLines(text string, n int) string {
	lines := strings.Split(text, "\n")
	if more := len(lines) - n; more > 0 {
		lines = append([]string{"…"}, lines[more:]...)
	}
	return strings.Join(lines, "\n")
}

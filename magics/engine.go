package magics

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/gopherwarp/gopherwarp/internal/debugger"
	"github.com/gopherwarp/gopherwarp/internal/session"
	"github.com/gopherwarp/gopherwarp/kernel"
)

// Engine runs the kernel's cells.
type Engine struct {
	session *session.Session
	editor  Editor  // may be nil
	gonbui  *Gonbui // may be nil
	// debugger stops cells at breakpoints; nil if the engine can't.
	debugger *debugger.Debugger
	version  string
	magics   []*Magic

	mu      sync.Mutex
	sources map[string]string // texts of the cells by name
	ids     map[string]string // the front end's ids of the cells by name, where it has any
	latest  map[string]string // the name under which a cell ran last, by that id
	// outdated has, by name, the cell that was to declare it anew and did not compile.
	outdated map[string]string
	stop     context.CancelFunc // ends the context of the cell that runs
	inputs   *inputs            // what the next command may read
	ran      []record           // the cells that succeeded, for %restore
	goParts  int                // how many parts of the cell that runs were Go so far

	variables []kernel.Variable // as they were when they were last looked at
}

var _ kernel.Engine = (*Engine)(nil)

// Config says what an engine works with beside its session.
type Config struct {
	Version string  // of the kernel, for %version
	Editor  Editor  // completes and describes Go; it is closed with the engine. It may be nil
	Gonbui  *Gonbui // what cells show through package gonbui; it is closed with the engine. It may be nil
	// Debugger stops cells at breakpoints. It may be nil.
	Debugger *debugger.Debugger
}

// New makes an engine over a session.
func New(s *session.Session, config Config) *Engine {
	return &Engine{
		session: s, editor: config.Editor, gonbui: config.Gonbui, version: config.Version, magics: all(), debugger: config.Debugger,
		sources: map[string]string{}, ids: map[string]string{}, latest: map[string]string{}, outdated: map[string]string{},
	}
}

// Execute runs one cell: its Go and its magics in the order in which they stand.
func (e *Engine) Execute(ctx context.Context, cell kernel.Cell, out kernel.Output) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	e.mu.Lock()
	name := cellName(cell)
	e.sources[name] = cell.Code
	if cell.ID != "" {
		e.ids[name], e.latest[cell.ID] = cell.ID, name
	}
	e.stop, e.inputs = stop, nil
	e.mu.Unlock()
	if e.debugger != nil {
		e.debugger.Cell(name, cell.Code)
	}
	err := e.runParts(ctx, cell, e.parts(cell.Code), out)
	if err != nil {
		err = e.cellError(err)
	}
	e.note(cell, err)
	if err != nil {
		return err
	}
	if !cell.Silent {
		e.keep(cell)
	}
	return nil
}

// parts takes a cell's text, or what a cell magic leaves of it, apart, in the order in
// which the parts run.
func (e *Engine) parts(text string) []part {
	parts := split(text, e.isGo)
	slices.SortStableFunc(parts, func(a, b part) int { return cmp.Compare(e.late(a), e.late(b)) })
	return parts
}

func (e *Engine) runParts(ctx context.Context, cell kernel.Cell, parts []part, out kernel.Output) error {
	e.mu.Lock()
	e.goParts = 0
	e.mu.Unlock()
	for i, p := range parts {
		last := i == len(parts)-1
		var err error
		if p.magic == "" {
			// Only the cell's last expression is shown.
			text := p.text
			if !last {
				text = strings.TrimRight(text, " \t\n") + ";"
			}
			err = e.runGo(ctx, cell, text, false, out)
		} else {
			c := &Call{Engine: e, Cell: cell, Out: out, Args: p.args, Line: p.line, Col: p.col, Body: p.text, Last: last}
			err = e.runMagic(ctx, p, c)
			out = c.Out
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// late is 1 for what runs after the rest of the cell, wherever it stands.
func (e *Engine) late(p part) int {
	if m, err := e.find(p.magic, p.cell); err == nil && m.Late {
		return 1
	}
	return 0
}

func cellName(cell kernel.Cell) string { return fmt.Sprintf("cell[%d]", cell.Count) }

// runGo runs a part of a cell. made reports whether the text is that of a magic, around what the user wrote.
func (e *Engine) runGo(ctx context.Context, cell kernel.Cell, text string, made bool, out kernel.Output) error {
	if err := cmp.Or(e.refuseStrangers(text), e.refuseOutdated(text)); err != nil {
		return err
	}
	src := session.Source{Name: cellName(cell), Text: text, Whole: checks.MatchString(text), Made: made}
	e.mu.Lock()
	e.goParts++
	if cell.ID != "" {
		src.ID = fmt.Sprintf("%s/%d", cell.ID, e.goParts)
	}
	e.mu.Unlock()
	err := e.session.Run(ctx, src, e.gonbui.begin(out))
	e.gonbui.drain()
	return err
}

func (e *Engine) runMagic(ctx context.Context, p part, c *Call) (err error) {
	if c.Magic, err = e.find(p.magic, p.cell); err != nil {
		return err
	}
	return c.Magic.Run(ctx, c)
}

// Interrupt stops the running cell: what it does in the session, and what a magic does here.
func (e *Engine) Interrupt() {
	e.session.Interrupt()
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.stop != nil {
		e.stop()
	}
}

// Close ends the session. A restart gets a new engine in a new process.
func (e *Engine) Close(bool) error {
	if e.editor != nil {
		e.editor.Close()
	}
	return errors.Join(e.gonbui.close(), e.session.Close())
}

// IsComplete reports whether a console should run code on Enter.
func (e *Engine) IsComplete(code string) (status, indent string) {
	// A line with ! is complete either way, and asking the session what it is would wait
	// for the cell that runs.
	shell := func(string, string) bool { return false }
	for _, p := range split(code, shell) {
		if p.cell {
			// The body is not Go: an empty line ends it.
			if strings.HasSuffix(code, "\n") {
				return "complete", ""
			}
			return "incomplete", ""
		}
		if p.magic == "!" && strings.HasSuffix(p.args, `\`) {
			return "incomplete", ""
		}
		if p.magic == "" {
			status, indent = session.Completeness(p.text)
			if status != "complete" {
				return status, indent
			}
		}
	}
	return "complete", ""
}

// byteOffset turns a cursor in code points into an offset in bytes.
func byteOffset(code string, cursor int) int {
	for i := range code {
		if cursor == 0 {
			return i
		}
		cursor--
	}
	return len(code)
}

// cellError words an error for the front end.
func (e *Engine) cellError(err error) error {
	var (
		cell    *kernel.CellError
		compile *session.CompileError
		run     *session.RunError
		died    *session.DiedError
	)
	switch {
	case errors.As(err, &cell):
		if cell.Traceback == nil {
			cell.Traceback = []string{headline(cell.Name, cell.Value)}
		}
		return cell
	case errors.As(err, &compile):
		return e.compileError(compile)
	case errors.As(err, &run):
		return e.runError(run)
	case errors.As(err, &died):
		c := &kernel.CellError{Name: "SessionDied", Value: died.Error(), Traceback: e.frames(died.Frames)}
		c.Traceback = append(c.Traceback, headline(c.Name, c.Value))
		if died.Stderr != "" {
			c.Traceback = append(c.Traceback, "It said last:\n"+lastLines(died.Stderr, 10))
		}
		return c
	case errors.Is(err, context.Canceled):
		const stopped = "the cell was interrupted"
		return &kernel.CellError{Name: "Interrupted", Value: stopped, Traceback: []string{headline("Interrupted", stopped)}}
	}
	return &kernel.CellError{Name: "Error", Value: err.Error(), Traceback: []string{headline("Error", err.Error())}}
}

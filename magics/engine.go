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
	"github.com/gopherwarp/gopherwarp/internal/gokernel"
	"github.com/gopherwarp/gopherwarp/internal/gpuload"
	"github.com/gopherwarp/gopherwarp/internal/session"
	"github.com/gopherwarp/gopherwarp/kernel"
)

// An Engine runs the kernel's cells.
type Engine struct {
	session *session.Session
	editor  Editor  // may be nil
	gonbui  *Gonbui // may be nil
	// debugger stops cells at breakpoints; nil if the engine cannot.
	debugger *debugger.Debugger
	tutor    Tutor   // may be nil
	lessons  Lessons // may be nil
	version  string
	magics   []*Magic
	comms    *comms
	load     gpuload.Meter

	mu      sync.Mutex
	sources map[string]string // texts of the cells by name
	ids     map[string]string // the front end's cell ids by name, if it has any
	latest  map[string]string // the name of each cell's last run, by that id
	// outdated has, by name, the cell that was to declare the name again and did not compile.
	outdated map[string]string
	stop     context.CancelFunc // cancels the context of the running cell
	inputs   *inputs            // the input of the next command
	ran      []record           // the cells that succeeded, for %restore
	// kernels has the declarations of kernels in Go, for which the session has variables, by cell and name.
	kernels map[[2]string]session.Declaration
	goParts int // number of Go parts of the running cell so far
	labs    []*lab
	gonbuis []*Gonbui            // that of the session, and of the command that runs
	device  string               // that %gpu has chosen last; "" before
	began   int                  // cells that have begun
	ended   int                  // cells that have ended
	marks   marks                // of the running cell
	marked  map[string]execution // the last executions that have made marks, by the front end's id of the cell that ran

	variables []kernel.Variable // as of the last request
	around    surroundings      // as of the last completion of a path
}

var _ kernel.Engine = (*Engine)(nil)

// A Config has the dependencies of an engine other than its session.
type Config struct {
	Version string  // of the kernel, for %version
	Editor  Editor  // completes and describes Go; closed with the engine. It may be nil
	Gonbui  *Gonbui // output of cells through package gonbui; closed with the engine. It may be nil
	Tutor   Tutor   // answers %tutor; closed with the engine. It may be nil
	// Debugger stops cells at breakpoints. It may be nil.
	Debugger *debugger.Debugger
	// Lessons has hints, questions and the learner's progress. It may be nil.
	Lessons Lessons
}

// New returns an engine for a session.
func New(s *session.Session, config Config) *Engine {
	e := &Engine{
		session: s, editor: config.Editor, gonbui: config.Gonbui, tutor: config.Tutor, version: config.Version, magics: all(), debugger: config.Debugger, lessons: config.Lessons,
		sources: map[string]string{}, ids: map[string]string{}, latest: map[string]string{}, outdated: map[string]string{},
		kernels: map[[2]string]session.Declaration{}, comms: newComms(s), marked: map[string]execution{},
	}
	e.connectGonb(e.gonbui)
	return e
}

// Execute runs one cell, its Go and its magics in order, and returns the first error.
func (e *Engine) Execute(ctx context.Context, cell kernel.Cell, out kernel.Output) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	e.mu.Lock()
	name := cellName(cell)
	e.sources[name] = cell.Code
	if cell.ID != "" {
		e.ids[name], e.latest[cell.ID] = cell.ID, name
	}
	e.stop, e.inputs, e.marks = stop, nil, marks{}
	e.began++
	e.mu.Unlock()
	defer func() {
		e.mu.Lock()
		defer e.mu.Unlock()
		e.ended++
	}()
	e.comms.cell(out)
	if e.debugger != nil {
		e.debugger.Cell(name, cell.Code)
	}
	err := e.runParts(ctx, cell, e.parts(cell.Code), out)
	if errors.Is(err, errFormatted) {
		return nil
	}
	if err != nil {
		err = e.cellError(err)
	}
	e.note(cell, err)
	e.annotate(cell, out)
	e.ranInLesson(cell, err, out)
	if err != nil {
		return err
	}
	if !cell.Silent {
		e.keep(cell)
	}
	return nil
}

// parts splits a cell's text, or the body of a cell magic that runs parts itself, into parts in the order in which they run.
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
			// Only the last expression of the cell is shown.
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

// late returns 1 for a part that runs after the rest of the cell, otherwise 0.
func (e *Engine) late(p part) int {
	if m, err := e.find(p.magic, p.cell); err == nil && m.Late {
		return 1
	}
	return 0
}

func cellName(cell kernel.Cell) string { return fmt.Sprintf("cell[%d]", cell.Count) }

// runGo runs a part of a cell. made reports whether the text was generated by a magic, around the user's code.
func (e *Engine) runGo(ctx context.Context, cell kernel.Cell, text string, made bool, out kernel.Output) error {
	if err := cmp.Or(e.refuseStrangers(text), e.refuseOutdated(text)); err != nil {
		return err
	}
	if gokernel.Mentioned(text) {
		edited, err := e.goKernels(ctx, cell, text, out)
		if err != nil {
			return err
		}
		made, text = made || edited != text, edited
	}
	plain := text
	if gokernel.ArraysMentioned(text) {
		edited, err := e.arrayFunctions(ctx, cell, text, out)
		if err != nil {
			return err
		}
		made, text = made || edited != text, edited
	}
	src := session.Source{Name: cellName(cell), Text: text, Whole: checks.MatchString(text), Made: made}
	e.mu.Lock()
	e.goParts++
	if cell.ID != "" {
		src.ID = fmt.Sprintf("%s/%d", cell.ID, e.goParts)
	}
	e.mu.Unlock()
	out = marking{e.gonbui.begin(out), e}
	replay := e.recordLaunches(ctx, out)
	err := e.session.Run(ctx, src, out)
	if wrong := new(session.CompileError); text != plain && errors.As(err, &wrong) {
		// The messages are about the text as the user wrote it.
		src.Text = plain
		err = e.session.Run(ctx, src, out)
	}
	e.gonbui.drain()
	replay()
	return err
}

func (e *Engine) runMagic(ctx context.Context, p part, c *Call) (err error) {
	if c.Magic, err = e.find(p.magic, p.cell); err != nil {
		return err
	}
	return c.Magic.Run(ctx, c)
}

// Interrupt stops the running cell: its work in the session process, and that of its magics in this one.
func (e *Engine) Interrupt() {
	e.session.Interrupt()
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.stop != nil {
		e.stop()
	}
}

// Close ends the session. After a restart there is a new engine in a new process.
func (e *Engine) Close(bool) error {
	if e.editor != nil {
		e.editor.Close()
	}
	e.mu.Lock()
	for _, l := range e.labs {
		l.end()
	}
	e.mu.Unlock()
	var tutorErr error
	if e.tutor != nil {
		tutorErr = e.tutor.Close()
	}
	return errors.Join(tutorErr, e.gonbui.close(), e.session.Close())
}

// IsComplete reports whether a console should run code on Enter.
func (e *Engine) IsComplete(code string) (status, indent string) {
	// A line with ! is complete in any case, and asking the session what it is would wait
	// for the running cell.
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
				// Terminals show a tab in their input as ^I.
				return status, strings.ReplaceAll(indent, "\t", "    ")
			}
		}
	}
	return "complete", ""
}

// byteOffset converts a cursor in code points to an offset in bytes.
func byteOffset(code string, cursor int) int {
	for i := range code {
		if cursor == 0 {
			return i
		}
		cursor--
	}
	return len(code)
}

// cellError formats an error for the front end.
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

package kerneltest

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/gopherwarp/gopherwarp/kernel"
)

// Engine is a kernel.Engine whose cells hold one command a line:
//
//	out TEXT            print to standard output; TEXT may be a quoted Go string
//	err TEXT            print to standard error
//	result TEXT         the cell's result
//	display ID TEXT     show text under a display id ("-" for none)
//	update ID TEXT      replace what is shown under it
//	clear | clear-wait  clear the output
//	page TEXT           show text in the pager
//	comm TARGET         open a comm, which echoes
//	fail NAME VALUE     fail with a CellError
//	error TEXT          fail with a plain error
//	panic TEXT          panic inside the engine
//	unshowable          show a value that JSON can't hold
//	ask PROMPT          ask for a line and print it
//	gate                wait until Open is called
//	later TEXT          print once Open is called, from a goroutine that outlives the cell
//	sleep               wait until interrupted, then fail with Interrupted
//	# TEXT              nothing
//
// An unknown command fails the cell. The value of an expression is its text, unless it begins
// with "fail". Front ends can open comms to the target "echo", which sends back what it gets
// and closes itself when it gets null.
type Engine struct {
	gate chan struct{}

	mu          sync.Mutex
	interrupted chan struct{}
	closed      bool
	restart     bool
}

// New returns an engine whose gate is shut.
func New() *Engine {
	return &Engine{gate: make(chan struct{}), interrupted: make(chan struct{}, 1)}
}

// Open lets everything that waits at the gate pass, now and later.
func (e *Engine) Open() { close(e.gate) }

// Closed reports whether Close was called, and with which argument.
func (e *Engine) Closed() (closed, restart bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.closed, e.restart
}

// Execute implements kernel.Engine.
func (e *Engine) Execute(ctx context.Context, cell kernel.Cell, out kernel.Output) error {
	for line := range strings.Lines(cell.Code) {
		command, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		if err := e.run(ctx, command, rest, out); err != nil {
			return err
		}
	}
	return nil
}

func (e *Engine) run(ctx context.Context, command, rest string, out kernel.Output) error {
	id, text, _ := strings.Cut(rest, " ")
	switch command {
	case "", "#":
	case "out":
		out.Stream("stdout", unquote(rest))
	case "err":
		out.Stream("stderr", unquote(rest))
	case "result":
		out.Result(kernel.MIMEBundle{"text/plain": unquote(rest)}, nil)
	case "display":
		out.Display(kernel.MIMEBundle{"text/plain": unquote(text)}, nil, strings.TrimPrefix(id, "-"))
	case "update":
		out.UpdateDisplay(kernel.MIMEBundle{"text/plain": unquote(text)}, nil, id)
	case "update-html":
		out.UpdateDisplay(kernel.MIMEBundle{"text/html": unquote(text)}, nil, id)
	case "clear", "clear-wait":
		out.ClearOutput(command == "clear-wait")
	case "page":
		out.(kernel.Pager).Page(kernel.MIMEBundle{"text/plain": unquote(rest)})
	case "comm":
		_, err := out.(kernel.CommHost).OpenComm("", rest, kernel.CommMessage{Data: []byte(`{"hello":1}`)}, &echo{})
		return err
	case "fail":
		return fmt.Errorf("cell: %w", &kernel.CellError{Name: id, Value: text, Traceback: []string{id + ": " + text, "at line 1"}})
	case "error":
		return errors.New(rest)
	case "panic":
		panic(rest)
	case "unshowable":
		out.Display(kernel.MIMEBundle{"text/plain": "shown", "application/json": make(chan int)}, nil, "")
	case "ask":
		line, err := out.Input(ctx, rest, false)
		if err != nil {
			return err
		}
		out.Stream("stdout", line)
	case "gate":
		return e.wait(ctx, e.gate)
	case "later":
		go func() {
			<-e.gate
			out.Stream("stdout", unquote(rest))
		}()
	case "sleep":
		return e.wait(ctx, nil)
	default:
		return &kernel.CellError{Name: "UnknownCommand", Value: command}
	}
	return nil
}

func (e *Engine) wait(ctx context.Context, on <-chan struct{}) error {
	select {
	case <-on:
		return nil
	case <-e.interrupted:
		return &kernel.CellError{Name: "Interrupted", Value: "the cell was interrupted"}
	case <-ctx.Done():
		return ctx.Err()
	}
}

func unquote(s string) string {
	if u, err := strconv.Unquote(s); err == nil {
		return u
	}
	return s
}

// Interrupt implements kernel.Engine.
func (e *Engine) Interrupt() {
	select {
	case e.interrupted <- struct{}{}:
	default:
	}
}

// IsComplete implements kernel.Engine: a line that ends in \ is incomplete, one that holds
// )( invalid.
func (e *Engine) IsComplete(code string) (status, indent string) {
	switch {
	case strings.HasSuffix(code, `\`):
		return "incomplete", "\t"
	case strings.Contains(code, ")("):
		return "invalid", ""
	}
	return "complete", ""
}

var commands = []string{"out", "err", "error", "result"}

// Complete implements kernel.Engine for the first word of a cell.
func (e *Engine) Complete(_ context.Context, code string, cursor int) (kernel.Completion, error) {
	if cursor < 0 || cursor > len([]rune(code)) {
		return kernel.Completion{}, fmt.Errorf("cursor %d outside of the code", cursor)
	}
	c := kernel.Completion{End: cursor}
	for _, name := range commands {
		if strings.HasPrefix(name, string([]rune(code)[:cursor])) {
			c.Matches = append(c.Matches, name)
		}
	}
	return c, nil
}

// Inspect implements kernel.Engine: it knows "out".
func (e *Engine) Inspect(_ context.Context, code string, _, _ int) (kernel.MIMEBundle, error) {
	if code != "out" {
		return nil, nil
	}
	return kernel.MIMEBundle{"text/plain": "out TEXT prints"}, nil
}

// Close implements kernel.Engine.
func (e *Engine) Close(restart bool) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.closed, e.restart = true, restart
	return nil
}

package nbformat

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/gopherwarp/gopherwarp/kernel"
)

// stopGrace is the maximum time for a cell to end after an interrupt.
const stopGrace = 10 * time.Second

// Kernel runs cells; *kernel.Client implements it.
type Kernel interface {
	Execute(ctx context.Context, q kernel.ExecuteRequest) (kernel.ExecuteReply, error)
	Interrupt(ctx context.Context) error
}

// Runner runs the code cells of a notebook in order.
type Runner struct {
	Kernel      Kernel
	Timeout     time.Duration // for one cell; 0 means none
	AllowErrors bool          // continue after a cell that fails
	Progress    func(Event)   // called before and after each cell; may be nil
}

// Event is the beginning or end of a cell.
type Event struct {
	Number, Total int // of the cells that run, from 1
	Cell          *Cell
	Done          bool
	Elapsed       time.Duration // once done
	Failure       *Failure      // once done, if it failed
}

// Failure is the error of a cell that failed.
type Failure struct {
	Number, Total int
	Name, Value   string
	Traceback     []string
	Stopped       error // why the runner interrupted it: ErrTimeout, ErrInterrupted or nil
}

func (f *Failure) Error() string {
	return fmt.Sprintf("cell %d of %d failed: %s: %s", f.Number, f.Total, f.Name, f.Value)
}

func (f *Failure) Unwrap() error { return f.Stopped }

// These are the reasons for interrupting a cell.
var (
	ErrTimeout     = errors.New("cell took longer than the timeout")
	ErrInterrupted = errors.New("interrupted")
)

// Run runs the notebook and stores the outputs in its cells, also when it fails; those of
// cells that did not run are empty. It stops at a cell that fails and returns a *Failure,
// unless errors are allowed or the cell is tagged raises-exception. When ctx is done, the
// running cell is interrupted.
//
// Cells tagged skip-execution and empty ones are not run.
func (r *Runner) Run(ctx context.Context, nb *Notebook) error {
	var todo []*Cell
	for _, c := range nb.Cells {
		if c.IsCode() && !c.HasTag("skip-execution") {
			c.setResult([]any{}, 0)
			if strings.TrimSpace(c.Source()) != "" {
				todo = append(todo, c)
			}
		}
	}
	rec := newRecorder()
	counts := make(map[*Cell]int)
	defer func() {
		rec.widgets.store(nb)
		// They are stored at the end, since a cell may change the output of an earlier one.
		for _, c := range todo {
			c.setResult(rec.stored(c), counts[c])
		}
	}()
	for i, c := range todo {
		e := Event{Number: i + 1, Total: len(todo), Cell: c}
		r.progress(e)
		begin := time.Now()
		reply, stopped, err := r.runCell(ctx, c, rec)
		if err != nil {
			return fmt.Errorf("cell %d of %d: %w", e.Number, e.Total, err)
		}
		counts[c] = reply.Count
		e.Done, e.Elapsed = true, time.Since(begin)
		e.Failure = failure(e, reply, stopped)
		r.progress(e)
		// A cell that exceeded the timeout has failed like others if the
		// interrupt has ended it.
		ended := stopped == nil || errors.Is(stopped, ErrTimeout) && reply.Status != ""
		if e.Failure != nil && (!ended || !r.AllowErrors && (stopped != nil || !c.HasTag("raises-exception"))) {
			return e.Failure
		}
	}
	return nil
}

func (r *Runner) progress(e Event) {
	if r.Progress != nil {
		r.Progress(e)
	}
}

func failure(e Event, reply kernel.ExecuteReply, stopped error) *Failure {
	if reply.Status == "ok" && stopped == nil {
		return nil
	}
	f := &Failure{
		Number: e.Number, Total: e.Total, Stopped: stopped,
		Name: reply.Name, Value: reply.Value, Traceback: reply.Traceback,
	}
	switch {
	case stopped != nil:
		f.Name, f.Value = "Stopped", stopped.Error()
	case f.Name == "":
		f.Name, f.Value = "Error", "the kernel answered with status "+reply.Status
	}
	return f
}

// runCell runs one cell, and interrupts it after the timeout or when ctx is done.
func (r *Runner) runCell(ctx context.Context, c *Cell, rec *recorder) (reply kernel.ExecuteReply, stopped, err error) {
	if ctx.Err() != nil {
		return reply, ErrInterrupted, nil
	}
	running, giveUp := context.WithCancel(context.WithoutCancel(ctx))
	defer giveUp()
	done, began := make(chan struct{}), make(chan struct{})
	begin := sync.OnceFunc(func() { close(began) })
	go func() {
		defer close(done)
		reply, err = r.Kernel.Execute(running, kernel.ExecuteRequest{
			Code: c.Source(), CellID: c.ID(), KeepGoing: true,
			OnOutput: func(m *kernel.Message) {
				if m.Header.Type == "execute_input" {
					begin()
				}
				rec.add(c, m)
			},
		})
	}()
	var timeout <-chan time.Time
	if r.Timeout > 0 {
		timeout = time.After(r.Timeout)
	}
	select {
	case <-done:
		return reply, nil, err
	case <-timeout:
		stopped = fmt.Errorf("%w of %v", ErrTimeout, r.Timeout)
	case <-ctx.Done():
		stopped = ErrInterrupted
	}
	grace, cancel := context.WithTimeout(running, stopGrace)
	defer cancel()
	select {
	case <-began: // an interrupt before the cell begins would be lost
	case <-done:
	case <-grace.Done():
	}
	interruptErr := r.Kernel.Interrupt(grace)
	select {
	case <-done:
		return reply, stopped, err
	case <-grace.Done():
	}
	giveUp()
	<-done
	if interruptErr != nil {
		stopped = fmt.Errorf("%w; interrupting it failed: %w", stopped, interruptErr)
	} else {
		stopped = fmt.Errorf("%w; it did not stop when interrupted", stopped)
	}
	return reply, stopped, nil
}

package session

import (
	"context"
	"fmt"
	"runtime/debug"
	"time"
)

// A turn is a lock with a wait that can be cancelled. Another goroutine than the one that locked it may unlock it.
type turn chan struct{}

func newTurn() turn { return make(turn, 1) }

func (t turn) Lock() { t <- struct{}{} }

func (t turn) Unlock() { <-t }

// TryLock locks the turn if it is free, and reports whether it was.
func (t turn) TryLock() bool {
	select {
	case t <- struct{}{}:
		return true
	default:
		return false
	}
}

// LockContext locks the turn, or returns the error of ctx if that is done first.
func (t turn) LockContext(ctx context.Context) error {
	select {
	case t <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Run runs a cell. Its error is a *CompileError if the cell did not start, a *RunError if it failed, and a *DiedError if the
// session process exited.
func (s *Session) Run(ctx context.Context, src Source, out Output) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s.mu.Lock()
	s.out, s.cancel = out, cancel
	status, left := s.status, s.left
	s.mu.Unlock()
	if !s.running.TryLock() {
		if left {
			out.Stream("stdout", "Go is still checking the cell that was interrupted, which can't be stopped …\n")
		}
		if err := s.running.LockContext(ctx); err != nil {
			return s.interrupted(ctx, err)
		}
	}
	s.mu.Lock()
	s.sent, s.left = false, false
	s.mu.Unlock()
	ended := make(chan result, 1)
	go func() {
		r := s.runInTurn(ctx, src, out, status)
		s.rest.later()
		s.publish()
		s.running.Unlock()
		ended <- r
	}()
	return s.result(ctx, ended)
}

// leaveAfter is how long after an interrupt Run waits for a cell that is still being compiled. Commands are killed by the
// interrupt, but Go's type checker can't be stopped.
const leaveAfter = 500 * time.Millisecond

// A result is the result of a cell's run.
type result struct {
	err      error
	panicked any
}

// runInTurn runs a cell, and recovers a panic of this package.
func (s *Session) runInTurn(ctx context.Context, src Source, out Output, status string) (r result) {
	defer func() {
		if v := recover(); v != nil {
			r.panicked = fmt.Sprintf("%v\n%s", v, debug.Stack())
		}
	}()
	began := time.Now()
	log := s.config.CellLog.With("cell", src.Name)
	log.Info("run", "bytes", len(src.Text))
	err := s.run(ctx, src, out, status)
	log.Info("ended", "took", time.Since(began), "err", err)
	return result{err: err}
}

// result waits for the end of a cell's run. If the cell was interrupted and has not been sent to the session process, it
// returns early: the cell ends later without a change to the program, and keeps the turn until then.
func (s *Session) result(ctx context.Context, ended <-chan result) error {
	wait := ctx.Done()
	var late <-chan time.Time
	for {
		select {
		case r := <-ended:
			if r.panicked != nil {
				panic(r.panicked)
			}
			return r.err
		case <-wait:
			wait, late = nil, time.After(leaveAfter)
		case <-late:
			s.mu.Lock()
			left := !s.sent
			s.left = left
			s.mu.Unlock()
			if left {
				return s.interrupted(ctx, nil)
			}
		}
	}
}

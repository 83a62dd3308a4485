package session

import "context"

// A turn is a lock that one can give up waiting for, and that another goroutine may return than the one that took it.
type turn chan struct{}

func newTurn() turn { return make(turn, 1) }

func (t turn) Lock() { t <- struct{}{} }

func (t turn) Unlock() { <-t }

// TryLock takes the turn if that is free, and reports whether it was.
func (t turn) TryLock() bool {
	select {
	case t <- struct{}{}:
		return true
	default:
		return false
	}
}

// LockContext takes the turn, unless ctx ends first.
func (t turn) LockContext(ctx context.Context) error {
	select {
	case t <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

package kernel

import (
	"context"
	"encoding/json"
	"sync"
)

// request is a message that needs an answer, with the connection for the answer.
type request struct {
	msg  *Message
	from *peer
	line *queue          // the queue that it was in
	then func()          // runs after the answer and its idle status; may be nil
	meta json.RawMessage // the metadata of the answer; may be nil
	// after, if it is set, is closed when the requests that this one waits for were answered.
	after    <-chan struct{}
	finished chan struct{} // closed when it was answered
}

// queue has the requests of the control socket, of the main shell or of a subshell until its worker handles them. Its length is not
// limited, so that reading never waits for the worker and a failing cell can find the requests that are queued after it.
type queue struct {
	handlers map[string]handler
	ready    chan struct{} // holds a token when there may be items

	mu    sync.Mutex
	items []*request
	cells int // requests to run a cell that are queued or being answered
	last  *request
	ended bool
}

func newQueue(handlers map[string]handler) *queue {
	return &queue{handlers: handlers, ready: make(chan struct{}, 1)}
}

// push adds a request. It returns false after close.
func (q *queue) push(r *request) bool {
	q.mu.Lock()
	if q.ended {
		q.mu.Unlock()
		return false
	}
	r.line, r.finished = q, make(chan struct{})
	q.last = r
	q.items = append(q.items, r)
	q.cells += cells(r)
	q.mu.Unlock()
	q.wake()
	return true
}

func (q *queue) wake() {
	select {
	case q.ready <- struct{}{}:
	default:
	}
}

// close ends the queue's worker once it has answered the queued requests.
func (q *queue) close() {
	q.mu.Lock()
	q.ended = true
	q.mu.Unlock()
	q.wake()
}

// pop waits for the oldest request and returns it. It returns nil when ctx ends, or after close.
func (q *queue) pop(ctx context.Context) *request {
	for {
		if ctx.Err() != nil {
			return nil
		}
		q.mu.Lock()
		if len(q.items) > 0 {
			r := q.items[0]
			q.items = q.items[1:]
			q.mu.Unlock()
			return r
		}
		ended := q.ended
		q.mu.Unlock()
		if ended {
			return nil
		}
		select {
		case <-q.ready:
		case <-ctx.Done():
		}
	}
}

// drain removes and returns all queued requests.
func (q *queue) drain() []*request {
	q.mu.Lock()
	defer q.mu.Unlock()
	all := q.items
	q.items = nil
	q.cells -= cells(all...)
	return all
}

// emptied returns a channel that is closed when all requests that were pushed so far were answered, or nil if there were none.
func (q *queue) emptied() <-chan struct{} {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.last == nil {
		return nil
	}
	return q.last.finished
}

// answered is called when the worker has answered a request that it popped.
func (q *queue) answered(r *request) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.cells -= cells(r)
	close(r.finished)
}

// hasCells reports whether a cell is queued or running.
func (q *queue) hasCells() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.cells > 0
}

// cells returns the number of requests to run a cell.
func cells(requests ...*request) int {
	n := 0
	for _, r := range requests {
		if r.msg.Header.Type == "execute_request" {
			n++
		}
	}
	return n
}

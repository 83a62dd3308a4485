package kernel

import (
	"context"
	"encoding/json"
	"sync"
	"time"
)

// abortGrace is how long a failed cell waits, before its reply, for requests that were sent together with it. A front end that runs all
// cells sends them at once and relies on the others being aborted.
const abortGrace = 10 * time.Millisecond

type executeRequest struct {
	Code         string `json:"code"`
	Silent       bool   `json:"silent"`
	StoreHistory *bool  `json:"store_history"`
	AllowStdin   *bool  `json:"allow_stdin"`
	StopOnError  *bool  `json:"stop_on_error"`
	// Expressions are evaluated if the cell has succeeded, by a name that the reply repeats.
	Expressions map[string]string `json:"user_expressions"`
}

// execute runs a cell.
func (s *server) execute(ctx context.Context, r *request) (any, error) {
	select {
	case s.executing <- struct{}{}:
		defer func() { <-s.executing }()
	case <-ctx.Done():
		return map[string]any{"status": "aborted"}, nil
	}
	var q executeRequest
	if err := r.msg.DecodeContent(&q); err != nil {
		answer := errorReply(err)
		answer["execution_count"] = s.count
		return answer, nil
	}
	store := isTrue(q.StoreHistory) && !q.Silent
	cell := Cell{
		Code: q.Code, Count: s.count + 1, ID: cellID(r.msg),
		Silent: q.Silent, StoreHistory: store, AllowStdin: isTrue(q.AllowStdin),
	}
	out := newOutput(ctx, s, r, cell.Count, q.Silent, cell.AllowStdin)
	out.publish("execute_input", map[string]any{"code": q.Code, "execution_count": cell.Count})

	s.running.set(out)
	s.onState(true)
	defer s.onState(false)
	err := s.run(ctx, cell, out)
	var expressions map[string]any
	if err == nil {
		expressions = s.evaluate(ctx, cell, out, q.Expressions)
	}
	s.running.set(nil)
	out.finish()
	r.meta = out.annotations()

	if store {
		s.count = cell.Count
		s.history.add(historyCell{line: cell.Count, input: q.Code, output: out.lastResult()})
	}
	if err == nil {
		return map[string]any{
			"status": "ok", "execution_count": cell.Count,
			"user_expressions": expressions, "payload": out.payload(),
		}, nil
	}
	e := cellError(err)
	out.publish("error", map[string]any{"ename": e.Name, "evalue": e.Value, "traceback": e.Traceback})
	if isTrue(q.StopOnError) {
		s.abortQueued(ctx, r)
	}
	answer := errorReply(err)
	answer["execution_count"] = cell.Count
	return answer, nil
}

// run calls the engine. A panic in the engine fails the cell.
func (s *server) run(ctx context.Context, cell Cell, out *output) error {
	_, err := s.call(ctx, func(*server, context.Context, *request) (any, error) {
		if name, detail, ok := helpSubject(cell.Code); ok {
			return nil, s.help(ctx, name, detail, out)
		}
		return nil, s.eng.Execute(ctx, cell, out)
	}, out.req)
	return err
}

// abortQueued takes the requests that are queued after the failed cell of r. When that cell has its reply, the cells among them are
// aborted and the others are answered.
func (s *server) abortQueued(ctx context.Context, r *request) {
	select {
	case <-time.After(abortGrace):
	case <-ctx.Done():
	}
	queued := r.line.drain()
	r.then = func() {
		for _, next := range queued {
			if next.msg.Header.Type != "execute_request" {
				s.dispatch(ctx, next, r.line.handlers)
				continue
			}
			s.begin(next)
			// No execution_count: a front end would show the failed cell's for this one.
			s.reply(next, map[string]any{"status": "aborted"})
			s.end(next)
		}
	}
}

// interrupt stops the running cell and its request for input.
func (s *server) interrupt() {
	if out := s.running.get(); out != nil {
		out.hush(errInterrupted)
	}
	s.eng.Interrupt()
}

// running is the cell that is running, if any.
type running struct {
	mu  sync.Mutex
	out *output
}

func (r *running) set(out *output) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.out = out
}

func (r *running) get() *output {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.out
}

// isTrue returns the value of a flag whose default is true.
func isTrue(b *bool) bool { return b == nil || *b }

// cellID returns the front end's id of the cell, which the metadata of a request may contain.
func cellID(m *Message) string {
	var meta struct {
		CellID string `json:"cellId"`
	}
	if err := json.Unmarshal(m.Metadata, &meta); err != nil {
		return "" // another shape means another front end's metadata
	}
	return meta.CellID
}

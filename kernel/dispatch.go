package kernel

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
)

// A handler answers one type of request. Its content is sent as the reply; if it is nil the type has no reply. An error is sent as a
// reply with the status "error".
type handler func(s *server, ctx context.Context, r *request) (content any, err error)

// shellHandlers and controlHandlers are constant.
var (
	shellHandlers = map[string]handler{
		"execute_request":     (*server).execute,
		"kernel_info_request": (*server).kernelInfo,
		"is_complete_request": (*server).isComplete,
		"complete_request":    (*server).complete,
		"inspect_request":     (*server).inspect,
		"history_request":     (*server).findHistory,
		"comm_info_request":   (*server).commInfo,
		"comm_open":           comm((*server).commOpen),
		"comm_msg":            comm((*server).commMessage),
		"comm_close":          comm((*server).commClose),
		"shutdown_request":    (*server).shutdown, // deprecated here since 5.4, still used
	}
	controlHandlers = map[string]handler{
		"kernel_info_request":     (*server).kernelInfo,
		"interrupt_request":       (*server).interrupted,
		"shutdown_request":        (*server).shutdown,
		"comm_info_request":       (*server).commInfo,
		"debug_request":           (*server).debug,
		"create_subshell_request": (*server).createSubshell,
		"delete_subshell_request": (*server).deleteSubshell,
		"list_subshell_request":   (*server).listSubshells,
	}
)

func (s *server) handleShell(from *peer, frames [][]byte) {
	r := s.decode("shell", from, frames)
	if r == nil {
		return
	}
	if cells(r) > 0 || r.msg.Header.Type == "comm_info_request" {
		r.after = s.talk.emptied()
	}
	if line := s.shellOf(r); line == nil || !line.push(r) {
		s.begin(r)
		s.reply(r, errorReply(unknownSubshell(r.msg.Header.Subshell)))
		s.end(r)
	}
}

func (s *server) handleControl(from *peer, frames [][]byte) {
	r := s.decode("control", from, frames)
	if r == nil {
		return
	}
	if r.msg.Header.Type == "interrupt_request" {
		s.interrupt() // before anything else: a reply may have to wait for a slow reader
	}
	s.control.push(r)
}

// decode returns the request in a message. It logs and drops messages that are invalid, have a bad signature or were received before.
func (s *server) decode(channel string, from *peer, frames [][]byte) *request {
	m, err := decodeMessage(frames, s.key)
	if err == nil && len(s.key) > 0 && !s.replays.add(m.signature) {
		err = errReplayed
	}
	if err != nil {
		s.log.Warn("dropped a message", "channel", channel, "err", err)
		return nil
	}
	from.trust()
	s.wire.Info("in", "channel", channel, "type", m.Header.Type, "id", m.Header.ID, "content", len(m.Content))
	return &request{msg: m, from: from}
}

// work answers the requests of one queue in order until ctx ends or the queue is closed.
func (s *server) work(ctx context.Context, q *queue) {
	for {
		r := q.pop(ctx)
		if r == nil {
			return
		}
		if r.after != nil {
			select {
			case <-r.after:
			case <-ctx.Done():
			}
		}
		s.dispatch(ctx, r, q.handlers)
		q.answered(r)
	}
}

func (s *server) dispatch(ctx context.Context, r *request, handlers map[string]handler) {
	s.begin(r)
	if h := handlers[r.msg.Header.Type]; h == nil {
		s.log.Warn("unknown message type", "type", r.msg.Header.Type)
	} else {
		content, err := s.call(ctx, h, r)
		if err != nil {
			content = errorReply(err)
		}
		if content != nil {
			s.reply(r, content)
		}
	}
	s.end(r)
	if r.then != nil {
		r.then()
	}
}

// call calls a handler and turns a panic into an error: one bad request must not end the kernel.
func (s *server) call(ctx context.Context, h handler, r *request) (content any, err error) {
	defer func() {
		if p := recover(); p != nil {
			s.log.Error("panic", "type", r.msg.Header.Type, "panic", p, "stack", string(debug.Stack()))
			err = fmt.Errorf("internal error in the kernel: %v (the kernel's log has the details)", p)
		}
	}()
	return h(s, ctx, r)
}

// reply sends a reply on the connection of the request.
func (s *server) reply(r *request, content any) {
	msgType := strings.TrimSuffix(r.msg.Header.Type, "_request") + "_reply"
	m, err := newMessage(s.session, msgType, r.msg.RawHeader, content)
	if err != nil {
		s.log.Error("reply", "type", msgType, "err", err)
		return
	}
	m.Route, m.Metadata = r.msg.Route, r.meta
	s.wire.Info("out", "channel", "reply", "type", msgType, "to", r.msg.Header.ID, "content", len(m.Content))
	if err := r.from.send(encodeMessage(m, s.key)); err != nil {
		s.log.Warn("reply", "type", msgType, "err", err)
	}
}

func errorReply(err error) map[string]any {
	e := cellError(err)
	return map[string]any{"status": "error", "ename": e.Name, "evalue": e.Value, "traceback": e.Traceback}
}

// cellError returns the parts of an error that front ends show.
func cellError(err error) CellError {
	e := CellError{Name: "Error", Value: err.Error()}
	if ce, ok := errors.AsType[*CellError](err); ok {
		e = *ce
	}
	if len(e.Traceback) == 0 {
		e.Traceback = []string{e.Error()} // most front ends show nothing else
	}
	return e
}

func (s *server) kernelInfo(context.Context, *request) (any, error) {
	features := []string{"kernel subshells"}
	_, debugger := s.eng.(Debugger)
	if debugger {
		features = append(features, "debugger")
	}
	return struct {
		Status            string   `json:"status"`
		ProtocolVersion   string   `json:"protocol_version"`
		Debugger          bool     `json:"debugger"`
		SupportedFeatures []string `json:"supported_features"`
		Info
	}{"ok", protocolVersion, debugger, features, s.info}, nil
}

func (s *server) isComplete(_ context.Context, r *request) (any, error) {
	var q struct{ Code string }
	if err := r.msg.DecodeContent(&q); err != nil {
		return nil, err
	}
	if _, _, ok := helpSubject(q.Code); ok {
		return map[string]any{"status": "complete"}, nil
	}
	status, indent := s.eng.IsComplete(q.Code)
	answer := map[string]any{"status": status}
	if status == "incomplete" {
		answer["indent"] = indent
	}
	return answer, nil
}

func (s *server) complete(ctx context.Context, r *request) (any, error) {
	var q struct {
		Code   string `json:"code"`
		Cursor int    `json:"cursor_pos"`
	}
	if err := r.msg.DecodeContent(&q); err != nil {
		return nil, err
	}
	c, err := s.eng.Complete(ctx, q.Code, clampCursor(q.Cursor, q.Code))
	if err != nil {
		return nil, err
	}
	return map[string]any{
		"status": "ok", "matches": emptyNotNull(c.Matches),
		"cursor_start": c.Start, "cursor_end": c.End, "metadata": orEmptyMap(c.Metadata),
	}, nil
}

func (s *server) inspect(ctx context.Context, r *request) (any, error) {
	var q struct {
		Code   string `json:"code"`
		Cursor int    `json:"cursor_pos"`
		Detail int    `json:"detail_level"`
	}
	if err := r.msg.DecodeContent(&q); err != nil {
		return nil, err
	}
	data, err := s.eng.Inspect(ctx, q.Code, clampCursor(q.Cursor, q.Code), q.Detail)
	if err != nil {
		return nil, err
	}
	return map[string]any{
		"status": "ok", "found": data != nil, "data": orEmptyMap(data), "metadata": map[string]any{},
	}, nil
}

func (s *server) findHistory(_ context.Context, r *request) (any, error) {
	var q historyRequest
	if err := r.msg.DecodeContent(&q); err != nil {
		return nil, err
	}
	found, err := s.history.find(q)
	if err != nil {
		s.log.Warn("cells of other sessions are left out", "err", err)
	}
	return map[string]any{"status": "ok", "history": found}, nil
}

// interrupted replies to an interrupt_request; the interrupt itself was done when it arrived.
func (s *server) interrupted(context.Context, *request) (any, error) {
	return map[string]any{"status": "ok"}, nil
}

func (s *server) shutdown(_ context.Context, r *request) (any, error) {
	var q struct {
		Restart bool `json:"restart"`
	}
	if err := r.msg.DecodeContent(&q); err != nil {
		return nil, err
	}
	content := map[string]any{"status": "ok", "restart": q.Restart}
	s.iopub.send("shutdown_reply", r.msg.RawHeader, content) // informs the other clients
	r.then = func() { s.stop(shutdown{q.Restart}) }
	return content, nil
}

// clampCursor keeps a cursor within the code, in code points; a negative one means the end.
func clampCursor(cursor int, code string) int {
	n := len([]rune(code))
	if cursor < 0 || cursor > n {
		return n
	}
	return cursor
}

func emptyNotNull(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

func orEmptyMap[M ~map[string]any](m M) M {
	if m == nil {
		return M{}
	}
	return m
}

package kernel

import (
	"context"
	"fmt"
	"sync"
)

// questions matches an input_request with the input_reply that answers it.
type questions struct {
	asking sync.Mutex // held by the only open question

	mu     sync.Mutex
	id     string // msg_id of the open question; empty for none
	answer chan string
}

// ask asks the user for input and waits for the answer.
func (s *server) ask(ctx context.Context, to *peer, req *request, prompt string, password bool) (string, error) {
	s.questions.asking.Lock()
	defer s.questions.asking.Unlock()
	if err := ctx.Err(); err != nil {
		return "", err
	}
	m, err := newMessage(s.session, "input_request", req.msg.RawHeader, map[string]any{
		"prompt": prompt, "password": password,
	})
	if err != nil {
		return "", err
	}
	m.Route = req.msg.Route
	answer := s.questions.open(m.Header.ID)
	defer s.questions.open("")
	if err := to.send(encodeMessage(m, s.key)); err != nil {
		return "", fmt.Errorf("input: %w", err)
	}
	select {
	case text := <-answer:
		return text, nil
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

// open replaces the open question. An answer to the old one is dropped.
func (q *questions) open(id string) <-chan string {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.id, q.answer = id, make(chan string, 1)
	return q.answer
}

// handleStdin handles an input_reply. Some clients leave its parent empty: then it answers the open question; one for another question is
// too late.
func (s *server) handleStdin(from *peer, frames [][]byte) {
	r := s.decode("stdin", from, frames)
	if r == nil {
		return
	}
	m := r.msg
	var content struct{ Value string }
	if err := m.DecodeContent(&content); err != nil || m.Header.Type != "input_reply" {
		s.log.Warn("dropped a message", "channel", "stdin", "type", m.Header.Type, "err", err)
		return
	}
	q := &s.questions
	q.mu.Lock()
	defer q.mu.Unlock()
	if parent := m.ParentHeader().ID; q.id == "" || parent != "" && parent != q.id {
		s.log.Warn("dropped an input_reply that no cell waits for")
		return
	}
	q.id = ""
	q.answer <- content.Value
}

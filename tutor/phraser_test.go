package tutor

import (
	"context"
	"errors"
	"strings"
	"testing"
)

// A parrot is a Phraser that says what it was asked, or fails.
type parrot struct {
	question, answer string
	err              error
}

func (p *parrot) Phrase(_ context.Context, question, answer string) (string, error) {
	p.question, p.answer = question, answer
	return "<b>Well</b>, think of `ceil`.", p.err
}

// TestPhraser checks that an endpoint is asked by why alone, sees the question and the answer, and changes nothing.
func TestPhraser(t *testing.T) {
	p := &parrot{}
	s := begin(t, "--seed 3")
	s.Phraser = p
	_, asked := s.put(t, "guard-1-numeric")
	asked.Values = map[string]string{"n": "1000", "b": "256"}
	s.do(t, "answer", "3")
	s.do(t, "answer", "3 blocks")
	if p.question != "" {
		t.Errorf("an answer has asked %q", p.question)
	}
	before, err := s.store.l.Encode()
	if err != nil {
		t.Fatal(err)
	}
	page := s.do(t, "why", "")
	if text := page.Text(); !strings.Contains(text, phrased) || !strings.Contains(text, "Well, think of ceil.") && !strings.Contains(text, "<b>Well</b>, think of ceil.") {
		t.Errorf("why says\n%s", text)
	}
	if html := page.HTML(); strings.Contains(html, "<b>") {
		t.Errorf("what the endpoint says is not escaped: %s", html)
	}
	if !strings.Contains(p.question, "1000") || !strings.Contains(p.question, "rounded up") || p.answer != "3 blocks" {
		t.Errorf("the endpoint is asked %q about %q", p.question, p.answer)
	}
	p.err = errors.New("no route to host")
	if text := s.do(t, "why", "").Text(); !strings.Contains(text, "Your endpoint gave no explanation: no route to host.") || !strings.Contains(text, "Where it is used") {
		t.Errorf("without the endpoint why says\n%s", text)
	}
	if after, err := s.store.l.Encode(); err != nil || string(after) != string(before) {
		t.Errorf("the state has changed to %s, %v", after, err)
	}
}

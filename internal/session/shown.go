package session

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/gopherwarp/gopherwarp/internal/cellruntime/proto"
)

// printed passes output of the session process to the cell that ran last.
func (s *Session) printed(stream, text string) {
	if out := s.output(); out != nil {
		out.Stream(stream, text)
	}
}

func (s *Session) output() Output {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.out
}

// shown passes what a cell displays to its Output.
func (s *Session) shown(p *process, e proto.Event) {
	out := s.output()
	if out == nil {
		return
	}
	switch e.Kind {
	case proto.EventResult:
		out.Result(shownValues(e.MIME), shownValues(e.Metadata))
	case proto.EventDisplay:
		if e.Update {
			out.UpdateDisplay(shownValues(e.MIME), shownValues(e.Metadata), e.Display)
		} else {
			out.Display(shownValues(e.MIME), shownValues(e.Metadata), e.Display)
		}
	case proto.EventClear:
		out.ClearOutput(e.Wait)
	case proto.EventInput:
		go input(out, p, e)
	}
}

// decodeBelow is the size in bytes from which on values are not decoded, except text/plain.
const decodeBelow = 64 << 10

// shownValues returns a bundle for an Output.
func shownValues(b proto.Bundle) map[string]any {
	values := make(map[string]any, len(b))
	for name, raw := range b {
		values[name] = raw
		if len(raw) < decodeBelow || name == "text/plain" {
			var v any
			if json.Unmarshal(raw, &v) == nil {
				values[name] = v
			}
		}
	}
	return values
}

// input requests a line from the front end for the session process.
func input(out Output, p *process, e proto.Event) {
	r := proto.Request{Op: proto.OpInputReply}
	line, err := out.Input(context.Background(), e.Prompt, e.Password)
	switch {
	case errors.Is(err, context.Canceled):
		r.Err = proto.InputStopped
	case err != nil:
		r.Err = err.Error()
	default:
		r.Data = []byte(line)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	_ = p.write(r)
}

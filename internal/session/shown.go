package session

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/gopherwarp/gopherwarp/internal/cellruntime/proto"
	"github.com/gopherwarp/gopherwarp/internal/chartpng"
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
	if e.Kind == proto.EventComm {
		s.talk.receive(p, e.Comm)
		return
	}
	out := s.output()
	if out == nil {
		return
	}
	s.asPicture(&e)
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

// The MIME types of charts.
const htmlType, svgType, pngType = "text/html", "image/svg+xml", "image/png"

// pictureEvery is the minimum time between pictures of charts that replace others. Drawing one takes a twentieth of a second.
const pictureEvery = time.Second

// asPicture replaces the drawing of a chart by a PNG. Pages have the drawing in their HTML, and nbconvert makes no PDF of a notebook with SVG
// unless Inkscape is there. Other drawings stay.
func (s *Session) asPicture(e *proto.Event) {
	if e.MIME[svgType] == nil || e.MIME[htmlType] == nil || e.MIME[pngType] != nil {
		return
	}
	var svg string
	if json.Unmarshal(e.MIME[svgType], &svg) != nil {
		return
	}
	s.mu.Lock()
	skip := e.Update && time.Since(s.pictured) < pictureEvery
	s.mu.Unlock()
	if !skip {
		picture, err := chartpng.PNG(svg)
		if err != nil {
			return // another drawing
		}
		s.mu.Lock()
		s.pictured = time.Now()
		s.mu.Unlock()
		e.MIME[pngType], _ = json.Marshal(picture) // in base64
		if about := e.Metadata[svgType]; about != nil {
			e.Metadata[pngType] = about
		}
	}
	delete(e.MIME, svgType)
	delete(e.Metadata, svgType)
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

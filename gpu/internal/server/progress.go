package server

import (
	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/ring"
	"github.com/gopherwarp/gopherwarp/gpu/internal/wire"
)

// progress has the device note which launches it is done with, so that after a fault it is known
// whose fault it was. A mark costs about half of what a launch does. So a launch is marked
// only when another one follows on its stream before anybody waits: a lone launch needs no mark.
// In a long row of launches only every so many are.
type progress struct {
	marker backend.Marker // nil: the device notices faults at once, or cannot note anything
	seg    *ring.Segment
	lines  map[uint32]*line // by stream
	line   *line            // the one used last
}

// line is the launches of a stream since the last wait.
type line struct {
	stream uint32
	trail  *ring.Trail
	last   uint64 // launch that has no mark yet, or 0
	count  int
}

const (
	markedFirst = 8  // launches of which each is marked
	markedEvery = 64 // after those
)

func (p *progress) init(s *server) {
	p.marker, _ = s.dev.(backend.Marker)
	p.seg, p.lines = s.seg, map[uint32]*line{}
}

// of is the line of a stream, or nil if it cannot have one.
func (p *progress) of(stream uint32) *line {
	if p.line != nil && p.line.stream == stream {
		return p.line
	}
	l := p.lines[stream]
	if l == nil {
		t := p.seg.Trail(stream)
		if t == nil {
			return nil
		}
		l = &line{stream: stream, trail: t}
		p.lines[stream] = l
	}
	p.line = l
	return l
}

// launched reports whether a stream has been given a launch since the last wait for it.
func (p *progress) launched(stream uint32) bool {
	if p.marker == nil {
		return false
	}
	l := p.of(stream)
	return l != nil && l.last != 0
}

// before marks the launch before this one.
func (p *progress) before(cmd *wire.Command) {
	if p.marker == nil {
		return
	}
	l := p.of(cmd.Stream)
	if l == nil || l.last == 0 || l.count > markedFirst && l.count%markedEvery != 0 {
		return
	}
	err := p.marker.Mark(cmd.Stream, l.trail.Word(), uint32(l.last))
	if err == nil || wire.AsError(err).Fatal { // after a fault the mark is one that was not reached
		l.trail.Sent(l.last)
	}
	if err != nil {
		p.marker = nil // a fault shows at the next command too
	}
}

// after notes a launch.
func (p *progress) after(cmd *wire.Command) {
	if p.marker == nil {
		return
	}
	if l := p.of(cmd.Stream); l != nil {
		l.last = cmd.Seq
		l.count++
	}
}

// waited begins a stream's row of launches anew, or those of all.
func (p *progress) waited(cmd *wire.Command) {
	if p.marker == nil {
		return
	}
	for stream, l := range p.lines {
		if cmd.Op == wire.OpSync || stream == cmd.Stream {
			l.last, l.count = 0, 0
		}
	}
}

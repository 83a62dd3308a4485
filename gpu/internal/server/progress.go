package server

import (
	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/ring"
	"github.com/gopherwarp/gopherwarp/gpu/internal/wire"
)

// progress makes the device mark which launches have completed, so that the launch that caused a fault can be found afterwards. A
// mark costs about half as much as a launch. So a launch is marked only when another one follows on its stream without a wait
// between them: a single launch needs no mark. In a long sequence of launches not all of them are marked.
type progress struct {
	marker backend.Marker // nil if the device reports faults immediately, or cannot write marks
	seg    *ring.Segment
	lines  map[uint32]*line // by stream
	line   *line            // the last one used
}

// line describes the launches of a stream since the last wait.
type line struct {
	stream uint32
	trail  *ring.Trail
	last   uint64 // the last launch, if it has no mark yet, or 0
	count  int
}

const (
	markedFirst = 8  // number of launches of which each is marked
	markedEvery = 64 // interval of the marks after those
)

func (p *progress) init(s *server) {
	p.marker, _ = s.dev.(backend.Marker)
	p.seg, p.lines = s.seg, map[uint32]*line{}
}

// of returns the line of a stream, or nil if there are too many streams.
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

// launched reports whether a stream has a launch since the last wait for it.
func (p *progress) launched(stream uint32) bool {
	if p.marker == nil {
		return false
	}
	l := p.of(stream)
	return l != nil && l.last != 0
}

// before marks the previous launch.
func (p *progress) before(cmd *wire.Command) {
	if p.marker == nil {
		return
	}
	l := p.of(cmd.Stream)
	if l == nil || l.last == 0 || l.count > markedFirst && l.count%markedEvery != 0 {
		return
	}
	err := p.marker.Mark(cmd.Stream, l.trail.Word(), uint32(l.last))
	if err == nil || wire.AsError(err).Fatal { // after a fault, this is the first mark that is not reached
		l.trail.Sent(l.last)
	}
	if err != nil {
		p.marker = nil // the next command returns the fault, too
	}
}

// after records a launch.
func (p *progress) after(cmd *wire.Command) {
	if p.marker == nil {
		return
	}
	if l := p.of(cmd.Stream); l != nil {
		l.last = cmd.Seq
		l.count++
	}
}

// waited resets the line of a stream, or all lines.
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

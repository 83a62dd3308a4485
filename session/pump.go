package session

import (
	"bytes"
	"io"
	"strconv"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/gopherwarp/gopherwarp/session/internal/proto"
)

// A pump carries what the session process prints on one descriptor to whoever wants it,
// and takes out the markers that order it against events.
type pump struct {
	prefix []byte
	sink   func(text string)
	marked func() // called at each marker

	mu     sync.Mutex
	seen   uint64
	closed bool
	change chan struct{} // closed and replaced at each marker
}

func newPump(nonce string, sink func(string), marked func()) *pump {
	return &pump{prefix: []byte(proto.MarkerPrefix(nonce)), sink: sink, marked: marked, change: make(chan struct{})}
}

// run reads until r ends.
func (p *pump) run(r io.Reader) {
	var held []byte
	buf := make([]byte, 32<<10)
	for {
		n, err := r.Read(buf)
		held = p.take(append(held, buf[:n]...))
		if err != nil {
			p.emit(held)
			p.advance(0, true)
			return
		}
	}
}

// take passes on what is complete and returns the rest: the beginning of a marker, or of
// a character.
func (p *pump) take(data []byte) []byte {
	for {
		at := bytes.IndexByte(data, 0)
		if at < 0 {
			whole := completeRunes(data)
			p.emit(data[:whole])
			return data[whole:]
		}
		rest := data[at:]
		if !bytes.HasPrefix(rest, p.prefix) {
			if bytes.HasPrefix(p.prefix, rest) {
				p.emit(data[:at])
				return rest
			}
			p.emit(data[:at+1])
			data = data[at+1:]
			continue
		}
		end := bytes.IndexByte(rest, '\n')
		p.emit(data[:at])
		if end < 0 {
			return rest
		}
		if seq, err := strconv.ParseUint(string(rest[len(p.prefix):end]), 10, 64); err == nil {
			p.marked()
			p.advance(seq, false)
		}
		data = rest[end+1:]
	}
}

func (p *pump) emit(data []byte) {
	if len(data) > 0 {
		p.sink(string(data))
	}
}

func (p *pump) advance(seq uint64, closed bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.seen, p.closed = max(p.seen, seq), closed
	close(p.change)
	p.change = make(chan struct{})
}

// wait returns once all that was printed before marker seq has been passed on. A program
// can close its own standard output; then there is nothing to wait for.
func (p *pump) wait(seq uint64, limit time.Duration) {
	timeout := time.After(limit)
	for {
		p.mu.Lock()
		reached, change := p.seen >= seq || p.closed, p.change
		p.mu.Unlock()
		if reached {
			return
		}
		select {
		case <-change:
		case <-timeout:
			return
		}
	}
}

// completeRunes is the length of data without a character cut off at its end.
func completeRunes(data []byte) int {
	for back := 1; back <= min(utf8.UTFMax-1, len(data)); back++ {
		if c := data[len(data)-back]; utf8.RuneStart(c) {
			if !utf8.FullRune(data[len(data)-back:]) {
				return len(data) - back
			}
			break
		}
	}
	return len(data)
}

package session

import (
	"bytes"
	"os"
	"strconv"
	"sync"
	"syscall"
	"time"
	"unicode/utf8"

	"github.com/gopherwarp/gopherwarp/internal/cellruntime/proto"
)

// pipeSize is the capacity of a pipe in bytes.
const pipeSize = 64 << 10

// A pump passes on what the session process prints on one descriptor, and removes the
// markers that order it relative to events.
type pump struct {
	prefix []byte
	sink   func(text string)
	marked func() // called at each marker

	file  *os.File
	turn  *sync.Mutex // held by the pump that reads; both pumps of a process have the same
	first *pump       // its output is passed on before that of this pump; may be nil
	buf   []byte      // buffer of reads
	held  []byte      // the beginning of a marker or of a character
	ended bool        // whether the end of the file was reached

	mu     sync.Mutex
	seen   uint64
	closed bool
	change chan struct{} // closed and replaced at each marker
}

func newPump(nonce string, file *os.File, sink func(string), marked func()) *pump {
	return &pump{
		prefix: []byte(proto.MarkerPrefix(nonce)), sink: sink, marked: marked,
		file: file, turn: new(sync.Mutex), buf: make([]byte, pipeSize), change: make(chan struct{}),
	}
}

// after makes p pass on text after text on first that was printed before. The order of
// text that is in both pipes at the same time is unknown, so text on first may also
// overtake text on p that was printed shortly before.
func (p *pump) after(first *pump) *pump {
	p.first, p.turn = first, first.turn
	return p
}

// run reads until the end of the file and closes it.
func (p *pump) run() {
	defer p.file.Close()
	conn, err := p.file.SyscallConn()
	for ended := false; err == nil && !ended; {
		err = conn.Read(func(fd uintptr) (done bool) {
			p.turn.Lock()
			defer p.turn.Unlock()
			n, err := syscall.Read(int(fd), p.buf)
			if err == syscall.EAGAIN {
				return false
			}
			if p.first != nil {
				p.first.catchUp()
			}
			p.read(n, err)
			ended = p.ended
			return true
		})
	}
	p.turn.Lock()
	defer p.turn.Unlock()
	p.ended = true
	p.emit(p.held)
	p.advance(0, true)
}

// catchUp passes on the contents of the pipe.
func (p *pump) catchUp() {
	conn, err := p.file.SyscallConn()
	if err != nil || p.ended {
		return
	}
	_ = conn.Control(func(fd uintptr) {
		if n, err := syscall.Read(int(fd), p.buf); err != syscall.EAGAIN {
			p.read(n, err)
		}
	})
}

// read handles the result of a read.
func (p *pump) read(n int, err error) {
	switch {
	case err == syscall.EINTR:
	case err != nil || n == 0:
		p.ended = true
	default:
		p.held = p.take(append(p.held, p.buf[:n]...))
	}
}

// take passes on complete text and returns the rest: the beginning of a marker or
// of a character.
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

// wait returns after everything before marker seq has been passed on, or after limit. If
// a program has closed its own standard output, it returns at once.
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

// completeRunes returns the length of data without an incomplete character at its end.
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

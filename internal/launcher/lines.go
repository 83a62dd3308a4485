package launcher

import (
	"bytes"
	"io"
	"sync"
)

// lines writes whole lines with a prefix. Several may write to one writer, whose lock they share.
type lines struct {
	mu     *sync.Mutex // of to
	to     io.Writer
	prefix string
	rest   []byte // of a line that has not ended
}

// maxLine is the length after which what a process prints without an end of line is written as a line of its own.
const maxLine = 64 << 10

func (l *lines) Write(data []byte) (int, error) {
	n := len(data)
	var out []byte
	for {
		line, after, ended := bytes.Cut(data, []byte("\n"))
		if !ended {
			break
		}
		out = l.line(out, line)
		data = after
	}
	if l.rest = append(l.rest, data...); len(l.rest) > maxLine {
		out = l.line(out, nil)
	}
	if len(out) == 0 {
		return n, nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, err := l.to.Write(out); err != nil {
		return 0, err
	}
	return n, nil
}

// line appends what is left of a line before, and its end, to out.
func (l *lines) line(out, end []byte) []byte {
	out = append(append(append(out, l.prefix...), l.rest...), end...)
	l.rest = l.rest[:0]
	return append(out, '\n')
}

// flush writes what is left. The process has ended.
func (l *lines) flush() error {
	if len(l.rest) == 0 {
		return nil
	}
	_, err := l.Write([]byte("\n"))
	return err
}

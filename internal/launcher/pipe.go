package launcher

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"time"
)

// A pipe has the output of a process, and writes it to lines.
type pipe struct {
	read, write *os.File
	to          *lines
	limited     atomic.Bool
	done        chan error
}

// afterExit is the most that is read after the end of a process. What it has left in the pipe is less.
const afterExit = 1 << 20

func newPipe(to *lines) (*pipe, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("make a pipe for its output: %w", err)
	}
	return &pipe{read: r, write: w, to: to, done: make(chan error, 1)}, nil
}

// start begins to read. The process has the other end.
func (p *pipe) start() {
	p.write.Close()
	go func() {
		err := p.copy()
		p.read.Close() // a process that writes more gets an error
		p.done <- errors.Join(err, p.to.flush())
	}()
}

// limit makes the reading end when nothing has come for a while: the process has ended, and others may keep the pipe open.
func (p *pipe) limit() {
	p.limited.Store(true)
	_ = p.read.SetReadDeadline(time.Now()) // for a read that waits; or all was read
}

// copy reads until the last process has closed the pipe, or the limit. The time of writing does not count: who reads slowly gets all.
func (p *pipe) copy() error {
	wait, most := pipeDelay, afterExit
	buf := make([]byte, 32<<10)
	for wait > 0 && most > 0 {
		limited, begin := p.limited.Load(), time.Now()
		if limited {
			_ = p.read.SetReadDeadline(begin.Add(wait)) // pipes have deadlines
		}
		n, err := p.read.Read(buf)
		if limited {
			wait -= time.Since(begin)
			most -= n
		}
		if n > 0 {
			if _, err := p.to.Write(buf[:n]); err != nil {
				return err
			}
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil && !errors.Is(err, os.ErrDeadlineExceeded):
			return err
		}
	}
	return nil
}

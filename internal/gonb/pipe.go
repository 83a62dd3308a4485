package gonb

import (
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// An Output receives what a program displays. Bundles are by MIME type.
type Output interface {
	Stream(name, text string) // "stdout" or "stderr"
	Display(data, metadata map[string]any, id string)
	UpdateDisplay(data, metadata map[string]any, id string)
}

// Handler has the functions that a Pipe calls.
type Handler struct {
	// Output returns the current destination of programs' output. It may return nil.
	Output func() Output
	// Input is called when a program is about to read a line from its standard input.
	Input func(prompt string, password bool)
	// Post passes a value for an address, or a request for one, to front ends. It reports whether there is one. It may be nil.
	Post func(address string, value any, request bool) bool
}

// A Pipe is a pair of named pipes, which programs use one after the other.
type Pipe struct {
	handler     Handler
	there, back string // paths: from the program, and to it
	watch       int    // a descriptor of there for the number of unread bytes; it is never read

	mu      sync.Mutex
	busy    bool // whether data that was read has not been handled
	closed  bool
	current *os.File
	reader  *receiver // of the program that is served; nil if there is none
	done    chan struct{}
}

// Open creates the named pipes in a new directory in parent and starts to serve programs.
func Open(parent string, h Handler) (*Pipe, error) {
	dir, err := os.MkdirTemp(parent, "gonb-")
	if err != nil {
		return nil, fmt.Errorf("make a directory for gonbui's pipes: %w", err)
	}
	p := &Pipe{handler: h, there: filepath.Join(dir, "there"), back: filepath.Join(dir, "back"), done: make(chan struct{})}
	for _, path := range []string{p.there, p.back} {
		if err == nil {
			err = syscall.Mkfifo(path, 0o600)
		}
	}
	if err == nil {
		p.watch, err = syscall.Open(p.there, syscall.O_RDONLY|syscall.O_NONBLOCK|syscall.O_CLOEXEC, 0)
	}
	if err != nil {
		os.RemoveAll(dir)
		return nil, fmt.Errorf("make gonbui's pipes: %w", err)
	}
	go p.serve()
	return p, nil
}

// Env returns the variables by which programs find the pipes.
func (p *Pipe) Env() []string {
	return []string{"GONB_PIPE=" + p.there, "GONB_PIPE_BACK=" + p.back}
}

// serve reads from one program after the other.
func (p *Pipe) serve() {
	defer close(p.done)
	for {
		// It returns when a program opens the other end.
		f, err := os.OpenFile(p.there, os.O_RDONLY, 0)
		p.mu.Lock()
		closed := p.closed
		p.current = f
		p.mu.Unlock()
		if err != nil || closed {
			if f != nil {
				f.Close()
			}
			return
		}
		if err := p.read(f); err != nil {
			p.report(err)
			// The program must not block because nothing reads the pipe.
			_, _ = io.Copy(io.Discard, noting{p, f})
		}
		p.note(false)
		f.Close()
	}
}

// read handles the messages of one program until it closes the pipe.
func (p *Pipe) read(f *os.File) error {
	// Opened for reading and writing, since opening for writing would wait for the program.
	back, err := os.OpenFile(p.back, os.O_RDWR, 0)
	if err != nil {
		return fmt.Errorf("answer a gonbui program: %w", err)
	}
	r := newReceiver(p.handler, back)
	p.mu.Lock()
	p.reader = r
	p.mu.Unlock()
	defer func() {
		p.mu.Lock()
		p.reader = nil
		p.mu.Unlock()
		r.close()
	}()
	messages := gob.NewDecoder(noting{p, f})
	for {
		var m displayData
		err := messages.Decode(&m)
		switch {
		case errors.Is(err, io.EOF), errors.Is(err, os.ErrClosed):
			return nil
		case err != nil:
			return fmt.Errorf("read the output of a gonbui program: %w (later output is not displayed)", err)
		}
		r.take(m)
	}
}

// Deliver passes a front end's value for an address to the program that is served, if it has subscribed to the address. A value of JSON
// null says that the front end has none: the program's own is the answer.
func (p *Pipe) Deliver(address string, value any) {
	p.mu.Lock()
	r := p.reader
	p.mu.Unlock()
	if r != nil {
		r.deliver(address, plain(value))
	}
}

// plain returns a value of JSON in the types that programs of gonbui take: lists and objects of one kind of elements.
func plain(value any) any {
	switch value := value.(type) {
	case []any:
		if texts, ok := all[string](value); ok {
			return texts
		}
		if numbers, ok := all[float64](value); ok {
			return numbers
		}
	case map[string]any:
		if texts, ok := allValues[string](value); ok {
			return texts
		}
		if numbers, ok := allValues[float64](value); ok {
			return numbers
		}
	}
	return value
}

func all[T any](values []any) (list []T, ok bool) {
	for _, v := range values {
		one, ok := v.(T)
		if !ok {
			return nil, false
		}
		list = append(list, one)
	}
	return list, true
}

func allValues[T any](values map[string]any) (m map[string]T, ok bool) {
	m = map[string]T{}
	for key, v := range values {
		if m[key], ok = v.(T); !ok {
			return nil, false
		}
	}
	return m, true
}

func (p *Pipe) report(err error) {
	if out := p.handler.Output(); out != nil {
		out.Stream("stderr", err.Error()+"\n")
	}
}

// noting is a reader that records in Pipe.busy that the result of a read is being handled, until the next read.
type noting struct {
	p *Pipe
	f *os.File
}

func (n noting) Read(data []byte) (count int, err error) {
	n.p.note(false)
	conn, err := n.f.SyscallConn()
	if err != nil {
		return 0, err
	}
	waited := conn.Read(func(fd uintptr) (done bool) {
		// The lock is held, so that drained does not see the pipe empty and the reader idle in between.
		n.p.mu.Lock()
		defer n.p.mu.Unlock()
		for {
			count, err = unix.Read(int(fd), data)
			if !errors.Is(err, unix.EINTR) {
				break
			}
		}
		n.p.busy = !errors.Is(err, unix.EAGAIN)
		return n.p.busy
	})
	switch {
	case waited != nil:
		// The file was closed, for which a raw connection has another error.
		return 0, os.ErrClosed
	case err != nil:
		return 0, err
	case count == 0:
		return 0, io.EOF
	}
	return count, nil
}

func (p *Pipe) note(busy bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.busy = busy
}

// Drain waits until everything that programs have sent so far is displayed.
func (p *Pipe) Drain(ctx context.Context) {
	for !p.drained() {
		select {
		case <-ctx.Done():
			return
		case <-time.After(time.Millisecond):
		}
	}
}

func (p *Pipe) drained() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return true
	}
	n, err := unix.IoctlGetInt(p.watch, unix.TIOCINQ)
	return err != nil || n == 0 && !p.busy
}

// Close closes the pipes and removes them.
func (p *Pipe) Close() error {
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return nil
	}
	p.closed = true
	// serve may be waiting for the other end to be opened, also of a pipe whose directory was removed.
	end, err := os.OpenFile(fmt.Sprintf("/proc/self/fd/%d", p.watch), os.O_RDWR, 0)
	syscall.Close(p.watch)
	current := p.current
	p.mu.Unlock()
	if current != nil {
		current.Close() // waits for a read, which may need the lock
	}
	if err == nil {
		<-p.done
		end.Close()
	}
	return os.RemoveAll(filepath.Dir(p.there))
}

package display

import (
	"io"
	"iter"
	"strings"
	"sync/atomic"

	"github.com/gopherwarp/gopherwarp/internal/render"
)

// Progress returns the integers from 0 to n-1, for a loop whose progress is shown while it runs: a bar, the rate and the time that is
// left, as text in terminals. Words of a label are shown in front of it. A loop within the loop has a bar below the outer one, which
// disappears at its end.
//
//	for i := range display.Progress(epochs, "training") { … }
func Progress(n int, label ...string) iter.Seq[int] {
	return func(yield func(int) bool) {
		m := NewMeter(int64(max(n, 0)), label...)
		defer m.Stop()
		for i := range n {
			if !yield(i) {
				return
			}
			m.Add(1)
		}
		m.Close()
	}
}

// ProgressOf is like Progress for the elements of a list, with their indices.
func ProgressOf[T any](list []T, label ...string) iter.Seq2[int, T] {
	return func(yield func(int, T) bool) {
		for i := range Progress(len(list), label...) {
			if !yield(i, list[i]) {
				return
			}
		}
	}
}

// ProgressReader returns a reader of r that shows how much of size bytes was read, or of an unknown number if size is 0. Close closes r, too,
// if it is an io.Closer.
func ProgressReader(r io.Reader, size int64, label ...string) io.ReadCloser {
	return &meteredReader{r, newBytes(size, label)}
}

// ProgressWriter is like ProgressReader for writing to w. The progress ends with Close.
func ProgressWriter(w io.Writer, size int64, label ...string) io.WriteCloser {
	return &meteredWriter{w, newBytes(size, label)}
}

// A Meter shows the progress of work that is not a loop. Its methods are safe for concurrent use.
type Meter struct {
	label string
	total int64
	bytes bool
	done  atomic.Int64
	state atomic.Pointer[render.State]
	speed speed // guarded by the board's mutex
	board *board
}

// NewMeter shows a bar for work of total steps, 0 if their number is unknown.
//
//	m := display.NewMeter(int64(len(files)), "files")
//	defer m.Close()
func NewMeter(total int64, label ...string) *Meter {
	m := &Meter{label: strings.Join(label, " "), total: max(total, 0)}
	m.join()
	return m
}

func newBytes(size int64, label []string) *Meter {
	m := &Meter{label: strings.Join(label, " "), total: max(size, 0), bytes: true}
	m.join()
	return m
}

// Add adds n steps that are done.
func (m *Meter) Add(n int64) { m.done.Add(n) }

// Set sets the number of steps that are done.
func (m *Meter) Set(n int64) { m.done.Store(n) }

// Close ends the progress, as finished. Later calls of Close and Stop do nothing.
func (m *Meter) Close() { m.end(render.Finished) }

// Stop ends the progress, as stopped before its end. Later calls of Close and Stop do nothing.
func (m *Meter) Stop() { m.end(render.Stopped) }

func (m *Meter) end(s render.State) {
	if m.state.CompareAndSwap(nil, &s) {
		m.board.left(m)
	}
}

type meteredReader struct {
	io.Reader
	meter *Meter
}

func (r *meteredReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	r.meter.Add(int64(n))
	switch {
	case err == io.EOF:
		r.meter.Close()
	case err != nil:
		r.meter.Stop()
	}
	return n, err
}

func (r *meteredReader) Close() error {
	r.meter.Stop()
	if c, ok := r.Reader.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

type meteredWriter struct {
	io.Writer
	meter *Meter
}

func (w *meteredWriter) Write(p []byte) (int, error) {
	n, err := w.Writer.Write(p)
	w.meter.Add(int64(n))
	if err != nil {
		w.meter.Stop()
	}
	return n, err
}

func (w *meteredWriter) Close() error {
	w.meter.Close()
	if c, ok := w.Writer.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

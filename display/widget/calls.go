package widget

import (
	"context"
	"fmt"
	"os"
	"runtime/pprof"
	"sync"

	"github.com/gopherwarp/gopherwarp/internal/cellruntime/cell"
)

// calls runs the functions that observe a widget, one after the other, on one goroutine. While one runs only the newest of the later ones
// waits.
type calls struct {
	report func(what string, v any, stack []uintptr)

	mu   sync.Mutex
	next func()
	what string     // the name of next
	wake chan bool  // nil while there is no goroutine
	mark *cell.Mark // of the goroutine
}

// call has f run, instead of one that waits. what is its name for messages.
func (c *calls) call(what string, f func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.next, c.what = f, what
	if c.wake == nil {
		c.wake, c.mark = make(chan bool, 1), new(cell.Mark)
		go c.work(c.wake, c.mark)
	}
	select {
	case c.wake <- true:
	default: // it is awake
	}
}

// interrupt ends the goroutine at its next poll, and drops what waits. A later call has a new one.
func (c *calls) interrupt() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.next = nil
	if c.wake == nil {
		return
	}
	c.mark.Stop()
	close(c.wake)
	c.wake, c.mark = nil, nil
}

// work runs functions until wake is closed.
func (c *calls) work(wake <-chan bool, mark *cell.Mark) {
	what := ""
	mark.OnPanic = func(v any, stack []uintptr) { c.report("a goroutine", v, stack) }
	pprof.SetGoroutineLabels(pprof.WithLabels(context.Background(), pprof.Labels("widget", "")))
	cell.Enter(mark)
	running := false
	defer func() {
		mark.Settle()
		if running && mark.Stopped() {
			fmt.Fprintf(os.Stderr, "widget: %s was interrupted\n", what)
		}
	}()
	for range wake {
		c.mu.Lock()
		f := c.next
		c.next, what = nil, c.what
		c.mu.Unlock()
		if f == nil {
			continue
		}
		running = true
		c.run(what, mark, f)
		running = false
	}
}

func (c *calls) run(what string, mark *cell.Mark, f func()) {
	defer func() {
		if v := recover(); v != nil && !mark.Stopped() {
			c.report(what, v, cell.Callers(1))
		}
	}()
	f()
}

// report prints a panic. The widget goes on.
func report(what string, v any, stack []uintptr) {
	if host := cell.CurrentHost(); host != nil {
		host.Report(what, v, stack)
		return
	}
	fmt.Fprintf(os.Stderr, "%s: panic: %v\n", what, v)
}

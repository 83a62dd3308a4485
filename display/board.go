package display

import (
	"crypto/rand"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gopherwarp/gopherwarp/internal/cellruntime/cell"
	"github.com/gopherwarp/gopherwarp/internal/render"
)

// redraw is the time between two pictures of the progress.
const redraw = 100 * time.Millisecond

// A board shows the meters of one cell that run at the same time, the outermost first.
type board struct {
	mu     sync.Mutex
	meters []*Meter
	mark   *cell.Mark // of the cell; nil outside of cells
	id     string     // of the display
	shown  string     // the last text
	lines  int        // of it in a terminal
	stop   chan struct{}
}

// boards has the board of each cell in which meters run. It is of the process, as is the output.
var boards struct {
	sync.Mutex
	of map[*cell.Mark]*board
}

// join adds a meter to the board of its cell.
func (m *Meter) join() {
	m.speed.begin(time.Now())
	boards.Lock()
	defer boards.Unlock()
	mark := cell.Current()
	b := boards.of[mark]
	if b == nil {
		b = &board{mark: mark, id: rand.Text(), stop: make(chan struct{})}
		if boards.of == nil {
			boards.of = map[*cell.Mark]*board{}
		}
		boards.of[mark] = b
		go b.run()
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	m.board = b
	b.meters = append(b.meters, m)
	b.draw(true)
}

// left shows that a meter has ended. It is removed if the first goes on, in whose loop it probably was.
func (b *board) left(m *Meter) {
	boards.Lock()
	defer boards.Unlock()
	b.mu.Lock()
	defer b.mu.Unlock()
	running := false
	for _, other := range b.meters {
		running = running || other.state.Load() == nil
	}
	if !running {
		close(b.stop)
		delete(boards.of, b.mark)
	} else if b.meters[0].state.Load() == nil {
		b.meters = slices.DeleteFunc(b.meters, func(other *Meter) bool { return other == m })
		return // it is drawn soon, with the next one perhaps
	}
	b.draw(!running)
	if !running && b.lines > 0 {
		fmt.Fprintln(os.Stderr)
	}
}

// run draws the board until all its meters have ended.
func (b *board) run() {
	tick := time.NewTicker(redraw)
	defer tick.Stop()
	for {
		select {
		case <-b.stop:
			return
		case <-tick.C:
			b.mu.Lock()
			b.draw(false)
			b.mu.Unlock()
		}
	}
}

// draw shows the board if it has changed. Of a cell that has ended it is drawn only if a number has changed.
func (b *board) draw(first bool) {
	now := time.Now()
	moved := first
	bars := make([]*render.Bar, len(b.meters))
	for i, m := range b.meters {
		bar := &render.Bar{Label: m.label, Done: m.done.Load(), Total: m.total, Bytes: m.bytes}
		if s := m.state.Load(); s != nil {
			bar.State = *s
		}
		moved = m.speed.take(now, bar) || moved || bar.State != render.Running
		bars[i] = bar
	}
	if b.mark != nil && b.mark.Settled() && !moved {
		return
	}
	mime := render.Bars(bars...)
	text := mime["text/plain"].(string)
	if text == b.shown {
		return
	}
	host := cell.CurrentHost()
	if host != nil {
		host.Display(mime, nil, b.id, b.shown != "")
	} else {
		b.print(text, bars[0].State != render.Running)
	}
	b.shown = text
}

// print shows the text in the terminal, in place of the last one. Where standard error is not a terminal, only the last text is printed.
func (b *board) print(text string, last bool) {
	info, err := os.Stderr.Stat()
	if terminal := err == nil && info.Mode()&os.ModeCharDevice != 0; !terminal {
		if last {
			fmt.Fprintln(os.Stderr, text)
		}
		return
	}
	up := ""
	if b.lines > 1 {
		up = fmt.Sprintf("\x1b[%dA", b.lines-1)
	}
	b.lines = strings.Count(text, "\n") + 1
	fmt.Fprint(os.Stderr, "\r"+up+"\x1b[J"+text)
}

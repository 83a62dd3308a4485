// Package waiting shows for how long something has been running that takes long, such as a compiler. It is linked into session processes,
// too, so it imports only the standard library and package render.
package waiting

import (
	"crypto/rand"
	"sync"
	"time"

	"github.com/gopherwarp/gopherwarp/internal/render"
)

// after is the time after which work is shown, and every the time between two updates.
const (
	after = time.Second
	every = 500 * time.Millisecond
)

// A Show shows a bundle, or replaces the one that was shown under id.
type Show func(data map[string]any, id string, update bool)

// Begin shows that work goes on, from a second after its beginning. The caller must call end when the work has ended; it waits until nothing
// more is shown, and reports whether anything was.
func Begin(label string, show Show) (end func() bool) {
	began, id := time.Now(), rand.Text()
	shown := false
	draw := func(state render.State) {
		bar := &render.Bar{Label: label, Plain: true, Elapsed: time.Since(began), State: state}
		show(render.Bars(bar), id, shown)
		shown = true
	}
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for wait := after; ; wait = every {
			select {
			case <-stop:
				if shown {
					draw(render.Finished)
				}
				return
			case <-time.After(wait):
				draw(render.Running)
			}
		}
	}()
	var once sync.Once
	return func() bool {
		once.Do(func() { close(stop) })
		<-stopped
		return shown
	}
}

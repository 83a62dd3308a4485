package prochost

import (
	"context"
	"fmt"
	"sync"
	"syscall"
	"time"

	"github.com/gopherwarp/gopherwarp/internal/gpuhooks"
	"github.com/gopherwarp/gopherwarp/internal/render"
)

// ClockKey is where a cell finds the function, a func(), that starts the clock. The end of
// the cell stops it and prints what the cell took.
const ClockKey = "clock"

// A clock times one cell. There is one in the process, because one cell runs at a time.
type clock struct {
	mu    sync.Mutex
	began time.Time // zero while it stands
	used  [2]time.Duration
}

func (c *clock) start() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.used, c.began = processorTime(), time.Now()
}

// cellEnd stops the clock after what the devices still have to do for the cell.
func (c *clock) cellEnd(ctx context.Context) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.began.IsZero() {
		return nil
	}
	err := gpuhooks.CellEnd(ctx)
	took, used := time.Since(c.began), processorTime()
	c.began = time.Time{}
	fmt.Printf("took %s; processor time: user %s, system %s\n",
		render.Duration(took), render.Duration(used[0]-c.used[0]), render.Duration(used[1]-c.used[1]))
	return err
}

// processorTime is what all threads of the process have used as user and in the system.
func processorTime() [2]time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return [2]time.Duration{}
	}
	return [2]time.Duration{time.Duration(u.Utime.Nano()), time.Duration(u.Stime.Nano())}
}

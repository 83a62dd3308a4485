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

// ClockKey is the key of the function, a func(), that starts the clock. The end of the cell stops it
// and prints the cell's times.
const ClockKey = "clock"

// A clock times one cell. There is one per process, because cells run one at a time.
type clock struct {
	mu    sync.Mutex
	began time.Time // zero if it is not running
	used  [2]time.Duration
}

func (c *clock) start() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.used, c.began = processorTime(), time.Now()
}

// cellEnd stops the clock after the devices have finished the cell's work.
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

// processorTime returns the user and system time of all threads of the process.
func processorTime() [2]time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return [2]time.Duration{}
	}
	return [2]time.Duration{time.Duration(u.Utime.Nano()), time.Duration(u.Stime.Nano())}
}

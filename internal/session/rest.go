package session

import (
	"runtime/debug"
	"time"
)

// restAfter is the idle time after which unused memory is returned to the system: most
// notebooks are open and idle most of the time.
const restAfter = 2 * time.Second

// A rest returns unused memory to the system after some idle time.
type rest struct{ timer *time.Timer }

func newRest() rest { return rest{time.AfterFunc(restAfter, debug.FreeOSMemory)} }

// later restarts the idle time. It is called when a cell has ended.
func (r rest) later() { r.timer.Reset(restAfter) }

func (r rest) end() { r.timer.Stop() }

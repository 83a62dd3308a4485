package session

import (
	"runtime/debug"
	"time"
)

// restAfter is how long nothing runs before memory is given back to the system: most
// notebooks are open and idle most of the time.
const restAfter = 2 * time.Second

// A rest gives memory back when there has been nothing to do for a while.
type rest struct{ timer *time.Timer }

func newRest() rest { return rest{time.AfterFunc(restAfter, debug.FreeOSMemory)} }

// later puts it off. It is called when a cell has ended.
func (r rest) later() { r.timer.Reset(restAfter) }

func (r rest) end() { r.timer.Stop() }

package backend

import (
	"runtime"

	"github.com/gopherwarp/gopherwarp/gpu/internal/routine"
)

// A Collector is a Device that does things together with others, each in a process of its own. A
// group is such a set of devices; its handle is the session's choice.
type Collector interface {
	// GroupID makes something by which the members of one group find each other.
	GroupID() ([]byte, error)
	// Join begins to make the device a member. The Wait is for all of the others. Shared memory
	// is zero at first and mapped in all members' processes; the group keeps it.
	Join(group uint32, m Membership) (Wait, error)
	// Collect submits this member's part of a collective to a stream.
	Collect(group uint32, c *routine.Collective, stream uint32) error
	// Leave ends the membership. No collective may be under way.
	Leave(group uint32) error
}

// Membership is what a device must know to join a group.
type Membership struct {
	ID         []byte // from one member's GroupID
	Rank, Size int
	Shared     []byte
}

// Background runs f on an OS thread of its own and returns what waits for its end.
func Background(f func() error) Wait {
	b := &background{done: make(chan struct{})}
	go func() {
		// What a device library leaves behind in a thread must not be found by other goroutines, so
		// the thread ends with this one.
		runtime.LockOSThread()
		b.err = f()
		close(b.done)
	}()
	return b
}

type background struct {
	done chan struct{}
	err  error
}

func (b *background) Done() (bool, error) {
	select {
	case <-b.done:
		return true, b.err
	default:
		return false, nil
	}
}

func (b *background) Wait() error {
	<-b.done
	return b.err
}

package backend

import (
	"runtime"

	"github.com/gopherwarp/gopherwarp/gpu/internal/routine"
)

// A Collector is a Device that takes part in collective operations of a group of devices, each in a process of its own. The
// session chooses the handle of a group.
type Collector interface {
	// GroupID returns a new identifier, by which the members of one group find each other.
	GroupID() ([]byte, error)
	// Join starts to make the device a member of a group. The Wait waits until all members have joined. The shared memory is
	// initially zero and mapped in the processes of all members; the group keeps it.
	Join(group uint32, m Membership) (Wait, error)
	// Collect submits this member's part of a collective operation to a stream.
	Collect(group uint32, c *routine.Collective, stream uint32) error
	// Leave ends the membership. No collective operation may be pending.
	Leave(group uint32) error
}

// Membership describes a member of a group.
type Membership struct {
	ID         []byte // returned by GroupID of one member
	Rank, Size int
	Shared     []byte
}

// Background runs f on an OS thread of its own and returns a Wait for its end.
func Background(f func() error) Wait {
	b := &background{done: make(chan struct{})}
	go func() {
		// Other goroutines must not run on a thread in which a device library may have left state, so the thread exits with this
		// goroutine.
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

package hook

import "github.com/gopherwarp/gopherwarp/gpu/internal/routine"

// Peers are the processes that have a communicator together.
type Peers interface {
	// Place returns the number of this process's first device among those of all, and the number of all.
	Place() (first, size int)
	// Direct reports whether all devices are GPUs. They are connected by their library; otherwise data go through the host.
	Direct() bool
	// Share returns in each process the bytes that the one of the first device gives. Those of the others are not used.
	Share(data []byte) ([]byte, error)
	// Collect executes one device's part of a collective, with memory of the host for its source and destination.
	Collect(member int, c *routine.Collective, dst, src []byte) error
	// Ended returns a channel that is closed when a process has ended, or this one has left the others.
	Ended() <-chan struct{}
	// Err returns why the others cannot be reached, or nil if they can, or if this process has left them.
	Err() error
}

// Connect returns a *gpu.Communicator of devices of several processes. Those of this one are each a *gpu.Device, by default the current one.
// Meet is told whether they are GPUs.
var Connect func(meet func(devices int, gpus bool) (Peers, error), devices ...any) (any, error)

package gpu

import (
	"errors"
	"fmt"
	"sync"

	"github.com/gopherwarp/gopherwarp/gpu/internal/client"
	"github.com/gopherwarp/gopherwarp/gpu/internal/hook"
	"github.com/gopherwarp/gopherwarp/gpu/internal/routine"
)

// ranks are the processes of a communicator, if there are several.
type ranks struct {
	peers hook.Peers
	mu    sync.Mutex // held during a collective, so that the devices of this process have all of them in the same order
}

// peersError is an error of other processes, which is none of the device.
type peersError struct{ error }

func (e peersError) Unwrap() error { return e.error }

// connect implements hook.Connect.
func connect(meet func(devices int, gpus bool) (hook.Peers, error), devices ...any) (any, error) {
	const op = "making a communicator of several processes"
	var list []*Device
	for _, d := range devices {
		list = append(list, d.(*Device))
	}
	if len(list) == 0 {
		current, err := Current()
		if err != nil {
			return nil, wrap(op, err)
		}
		list = append(list, current)
	}
	links, err := linksOf(op, list)
	if err != nil {
		return nil, err
	}
	peers, err := meet(len(links), links[0].Kind() == "cuda")
	if err != nil {
		return nil, fmt.Errorf("%s: %w", op, err)
	}
	c := &Communicator{group: client.Apart(links), ranks: &ranks{peers: peers}}
	if peers.Direct() {
		first, size := peers.Place()
		c.group, err = client.NewGroup(links, &client.Others{First: first, Size: size, Share: peers.Share, Ended: peers.Ended(), Err: peers.Err})
	}
	if err != nil {
		return nil, wrap(op, err)
	}
	return c, nil
}

// throughHost executes the parts of this process's devices, by way of the host's memory, and waits for them.
func (c *Communicator) throughHost(op string, parts []client.Role) error {
	if err := c.group.Usable(); err != nil {
		return wrap(op, err)
	}
	c.ranks.mu.Lock()
	defer c.ranks.mu.Unlock()
	first, size := c.ranks.peers.Place()
	errs := make([]error, len(parts))
	var wg sync.WaitGroup
	for i := range parts {
		t := &parts[i]
		wg.Go(func() { errs[i] = c.ranks.partThroughHost(t, first+t.Member, size) })
	}
	wg.Wait()
	for _, err := range errs {
		var p peersError
		if errors.As(err, &p) {
			return fmt.Errorf("%s: %w", op, p.error)
		}
	}
	return wrap(op, errors.Join(errs...))
}

func (r *ranks) partThroughHost(t *client.Role, member, size int) error {
	in, out := extents(&t.What, member, size)
	src, dst := make([]byte, in), make([]byte, out)
	// If the source cannot be read, the others wait until this process ends.
	if in > 0 {
		if err := t.Reads.Download(src, t.What.Src, t.Stream); err != nil {
			return err
		}
	}
	if err := r.peers.Collect(member, &t.What, dst, src); err != nil {
		return peersError{err}
	}
	if out == 0 {
		return nil
	}
	return t.Writes.Upload(t.What.Dst, dst, t.Stream)
}

// extents returns the lengths in bytes of the source that a member reads and the destination that it writes.
func extents(c *routine.Collective, member, size int) (src, dst int) {
	n := c.N * c.Type.Size()
	switch {
	case c.Kind == routine.AllGather:
		return n, n * size
	case c.Kind == routine.ReduceScatter:
		return n * size, n
	case c.Kind == routine.Reduce && member != c.Root:
		return n, 0
	case c.Kind == routine.Broadcast && member == c.Root:
		return n, 0
	case c.Kind == routine.Broadcast:
		return 0, n
	}
	return n, n
}

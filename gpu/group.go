package gpu

import (
	"errors"
	"fmt"
	"sync"
	"syscall"
	"time"

	"github.com/gopherwarp/gopherwarp/gpu/internal/ring"
	"github.com/gopherwarp/gopherwarp/gpu/internal/routine"
	"github.com/gopherwarp/gopherwarp/gpu/internal/wire"
)

const (
	// joinLimit is how long devices may take to find each other.
	joinLimit = 60 * time.Second
	// forsakenLimit is how long a member may take to end its work once another one has died.
	// Longer means that it waits for the dead one.
	forsakenLimit = 2 * time.Second
	// sharedBase and sharedEach are the bytes of memory that simulated members have in common:
	// in all, and for each.
	sharedBase = 64 << 10
	sharedEach = 1 << 20
)

// A group is devices that do things together. A device that waits for another whose process died
// would wait forever. So when one dies, the processes of the others are replaced as well if they
// do wait, and the group is formed anew at its next use.
type group struct {
	links []*link

	mu      sync.Mutex
	handles []uint32   // the group's number in each process
	members []*process // that have joined; nil: none
	closed  bool
}

// form has the members join, unless all of them have. The lock is held.
func (g *group) form() error {
	if g.closed {
		return misuse("", "the communicator was closed; make a new one with gpu.NewCommunicator")
	}
	if g.whole() {
		return nil
	}
	g.leave()
	var err error
	for range 3 {
		if err = g.tryForm(); err == nil || !errors.Is(err, errReplaced) && !errors.Is(err, errGone) {
			return err
		}
	}
	return err
}

// whole says whether the processes that joined still serve.
func (g *group) whole() bool {
	for i, p := range g.members {
		if g.links[i].serving.Load() != p {
			return false
		}
	}
	return g.members != nil
}

func (g *group) tryForm() error {
	shared, err := ring.CreateMemory("gopherwarp-group", sharedBase+len(g.links)*sharedEach)
	if err != nil {
		return err
	}
	defer syscall.Close(shared)
	var id []byte
	first := g.links[0]
	err = first.with(func(p *process) error {
		req := &wire.GroupID{}
		err := first.request(p, req, -1)
		id = req.ID
		return err
	})
	if err != nil {
		return err
	}
	members, handles := make([]*process, len(g.links)), make([]uint32, len(g.links))
	for i, l := range g.links {
		err := l.with(func(p *process) error {
			members[i], handles[i] = p, l.handle()
			return l.request(p, &wire.Join{Group: handles[i], ID: id, Rank: i, Size: len(g.links)}, shared)
		})
		if err != nil {
			return fmt.Errorf("%s: %w", l.name(), err)
		}
	}
	g.members, g.handles = members, handles
	if err := g.joined(); err != nil {
		g.members = nil
		return err
	}
	go watch(g.links, members)
	return nil
}

// joined waits until the members have found each other.
func (g *group) joined() error {
	errs := make([]error, len(g.links))
	var wg sync.WaitGroup
	for i, l := range g.links {
		wg.Go(func() { errs[i] = l.awaitOn(g.members[i], &wire.Command{Op: wire.OpJoined, Arg: g.handles[i]}) })
	}
	done := make(chan struct{})
	go func() {
		wg.Wait()
		close(done)
	}()
	failed := make(chan struct{})
	for _, p := range g.members {
		go func() {
			select {
			case <-p.down:
				select {
				case failed <- struct{}{}:
				case <-done:
				}
			case <-done:
			}
		}()
	}
	select {
	case <-done:
		return errors.Join(errs...)
	case <-failed:
	case <-time.After(joinLimit):
	}
	// Whoever waits for one that will not come is stuck in a library.
	for _, p := range g.members {
		p.end("devices that were to form a group did not find each other")
	}
	<-done
	return errors.Join(errs...)
}

// watch ends the processes that wait for one that has died. It ends with the first death.
func watch(links []*link, members []*process) {
	dead := make(chan int)
	stop := make(chan struct{})
	defer close(stop)
	for i, p := range members {
		go func() {
			select {
			case <-p.down:
				select {
				case dead <- i:
				case <-stop:
				}
			case <-stop:
			}
		}()
	}
	i := <-dead
	why := fmt.Sprintf("the process of %s, which took part in a collective, died", links[i].name())
	var wg sync.WaitGroup
	for j, p := range members {
		if j == i || !links[j].busy() {
			continue
		}
		wg.Go(func() {
			done := make(chan struct{})
			go func() {
				_ = links[j].awaitOn(p, &wire.Command{Op: wire.OpSync}) // whoever waits for the work gets its error
				close(done)
			}()
			select {
			case <-done:
			case <-time.After(forsakenLimit):
				p.end(why)
			}
		})
	}
	wg.Wait()
}

// end kills the process, and says why.
func (p *process) end(why string) {
	p.why.CompareAndSwap(nil, &why)
	p.stopped.Store(true)
	p.kill()
}

// leave ends the membership of those processes that are still there.
func (g *group) leave() {
	for i, p := range g.members {
		l := g.links[i]
		if l.serving.Load() != p {
			continue
		}
		_ = l.awaitOn(p, &wire.Command{Op: wire.OpSync}) // an error is kept for whoever waits for the work
		l.mu.Lock()
		if l.p == p {
			_ = l.push(p, &wire.Command{Op: wire.OpLeave, Arg: g.handles[i]}, nil) // or the process is dead
		}
		l.mu.Unlock()
	}
	g.members = nil
}

// role is what one member is given of a collective.
type role struct {
	member int
	stream *Stream
	what   routine.Collective
	reads  *allocation
	writes *allocation
}

// post gives the members their parts. All must get collectives in the same order, whatever
// groups they are of, or they would wait for each other.
func (g *group) post(parts []role) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	registry.collective.Lock()
	defer registry.collective.Unlock()
	for range 3 {
		if err := g.form(); err != nil {
			return err
		}
		err := g.postOnce(parts)
		if !errors.Is(err, errReplaced) {
			return err
		}
	}
	return g.links[0].died()
}

// postOnce looks at everything that could be refused before anything is sent.
func (g *group) postOnce(parts []role) error {
	check := func(t *role) error {
		err := errors.Join(t.reads.usable(), t.writes.usable(), t.reads.lost())
		if l := g.links[t.member]; l.captures[t.stream.number()] != nil {
			err = errors.Join(err, misuse("", "a collective can't be part of a graph"))
		}
		return err
	}
	for i := range parts {
		t := &parts[i]
		err := g.links[t.member].with(func(p *process) error {
			if p != g.members[t.member] {
				return errReplaced
			}
			return check(t)
		})
		if err != nil {
			return err
		}
	}
	for i := range parts {
		t := &parts[i]
		l := g.links[t.member]
		err := l.with(func(p *process) error {
			if p != g.members[t.member] {
				return errReplaced
			}
			return l.submit(p, &wire.Command{Op: wire.OpCollective, Arg: g.handles[t.member], Stream: t.stream.number()}, t.what.Bytes(), t.reads, t.writes)
		})
		if err == nil {
			continue
		}
		if i == 0 {
			return err
		}
		// The others have their parts and wait for this one.
		for j, p := range g.members {
			if j != t.member {
				p.end(fmt.Sprintf("the process of %s, which took part in a collective, died", l.name()))
			}
		}
		return err
	}
	return nil
}

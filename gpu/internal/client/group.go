package client

import (
	"errors"
	"fmt"
	"sync"
	"syscall"
	"time"

	"github.com/gopherwarp/gopherwarp/gpu/internal/pointer"
	"github.com/gopherwarp/gopherwarp/gpu/internal/routine"
	"github.com/gopherwarp/gopherwarp/gpu/internal/wire"
	"github.com/gopherwarp/gopherwarp/internal/memfd"
)

const (
	// joinLimit is how long devices may take to connect to each other.
	joinLimit = 60 * time.Second
	// orphanLimit is how long a member may take to finish its work after the process of another one has exited. If it takes longer it is
	// waiting for that one.
	orphanLimit = 2 * time.Second
	// sharedBase and sharedEach are the size in bytes of the memory that simulated members share: in total, and for each.
	sharedBase = 64 << 10
	sharedEach = 1 << 20
)

// groups is held while the members of a group are given a collective, so that all devices get those of several groups in the same order.
var groups sync.Mutex

// A Group is a group of devices that take part in collective operations. A device that waits for another whose process has exited would
// wait forever. So if one exits, the processes of the others are replaced as well if they wait for it, and the group is formed again at
// its next use.
type Group struct {
	Links []*Link

	others *Others // nil if all members are here
	formed bool    // once

	mu      sync.Mutex
	handles []uint32   // the group's number in each process
	members []*Process // that have joined, or nil
	closed  bool
}

// Others are the members of a group that are devices of other processes.
type Others struct {
	First, Size int // the number of the first member that is here, and that of all members
	// Share returns in each process the bytes that the one of the first member gives. Those of the others are not used.
	Share func(id []byte) ([]byte, error)
	Ended <-chan struct{} // closed when the other processes have ended, or this one has left them
	Err   func() error    // why the others have ended, or nil
}

// NewGroup returns a group of the devices and connects them: with each other, and with others, if that is not nil.
func NewGroup(links []*Link, others *Others) (*Group, error) {
	g := &Group{Links: links, others: others}
	g.mu.Lock()
	defer g.mu.Unlock()
	return g, g.form()
}

// Apart returns a group of devices that are not connected. Nothing can be posted to it.
func Apart(links []*Link) *Group { return &Group{Links: links} }

// Usable returns an error if the group was closed.
func (g *Group) Usable() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.open()
}

func (g *Group) open() error {
	if g.closed {
		return invalid("the communicator was closed; make a new one with gpu.NewCommunicator")
	}
	return nil
}

// extent returns the number of the first member that is here, and that of all members.
func (g *Group) extent() (first, size int) {
	if g.others == nil {
		return 0, len(g.Links)
	}
	return g.others.First, g.others.Size
}

// ended returns a channel that is closed when other processes end, and never if there are none.
func (g *Group) ended() <-chan struct{} {
	if g.others == nil {
		return nil
	}
	return g.others.Ended
}

// Close waits for the devices and ends the group.
func (g *Group) Close() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return invalid("it was closed already")
	}
	g.leave()
	g.closed = true
	return nil
}

// form makes the members join, unless all of them have. The lock is held.
func (g *Group) form() error {
	if err := g.open(); err != nil {
		return err
	}
	if g.whole() {
		return nil
	}
	if g.others != nil {
		// The others would have to form the group again, too, and do not know that.
		if g.formed {
			return invalid("a device process of this rank was replaced, which has ended the connection to the other ranks: make a new communicator, on all ranks")
		}
		g.formed = true
		return g.tryForm()
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

// whole reports whether the processes that joined are still the current ones.
func (g *Group) whole() bool {
	for i, p := range g.members {
		if pointer.Load[Process](&g.Links[i].conn.serving) != p {
			return false
		}
	}
	return g.members != nil
}

func (g *Group) tryForm() error {
	shared, err := memfd.Create("gopherwarp-group", sharedBase+len(g.Links)*sharedEach)
	if err != nil {
		return err
	}
	defer syscall.Close(shared)
	id, err := g.identify()
	if err != nil {
		return err
	}
	rank, size := g.extent()
	members, handles := make([]*Process, len(g.Links)), make([]uint32, len(g.Links))
	for i, l := range g.Links {
		err := l.With(func(p *Process) error {
			members[i], handles[i] = p, l.state.handle()
			return l.conn.request(p, &wire.Join{Group: handles[i], ID: id, Rank: rank + i, Size: size}, shared)
		})
		if err != nil {
			return fmt.Errorf("%s: %w", l.Name(), err)
		}
	}
	g.members, g.handles = members, handles
	if err := g.joined(); err != nil {
		g.members = nil
		return err
	}
	go g.watch(members)
	return nil
}

// identify returns the identifier by which the members find each other. The first member makes it.
func (g *Group) identify() (id []byte, err error) {
	if rank, _ := g.extent(); rank == 0 {
		first := g.Links[0]
		err = first.With(func(p *Process) error {
			req := &wire.GroupID{}
			err := first.conn.request(p, req, -1)
			id = req.ID
			return err
		})
	}
	if g.others == nil {
		return id, err
	}
	// The others are not left waiting for an identifier that there is none of.
	id, failed := g.others.Share(id)
	switch {
	case err != nil:
		return nil, err
	case failed != nil:
		return nil, failed
	case len(id) == 0:
		return nil, errors.New("rank 0 could not begin to connect the devices; its error says why")
	}
	return id, nil
}

// joined waits until the members have connected to each other.
func (g *Group) joined() error {
	errs := make([]error, len(g.Links))
	var wg sync.WaitGroup
	for i, l := range g.Links {
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
			case <-p.Down:
				select {
				case failed <- struct{}{}:
				case <-done:
				}
			case <-done:
			}
		}()
	}
	why := "devices that were to form a group did not find each other"
	select {
	case <-done:
		return errors.Join(errs...)
	case <-failed:
	case <-g.ended():
		if err := g.others.Err(); err != nil {
			why = err.Error()
		}
	case <-time.After(joinLimit):
	}
	// A process that waits for one that will not join never returns from the library.
	for _, p := range g.members {
		p.end(why)
	}
	<-done
	return errors.Join(errs...)
}

// watch kills the processes that wait for one that has exited. It returns after the first exit.
func (g *Group) watch(members []*Process) {
	links := g.Links
	exited := make(chan int)
	stop := make(chan struct{})
	defer close(stop)
	for i, p := range members {
		go func() {
			select {
			case <-p.Down:
				select {
				case exited <- i:
				case <-stop:
				}
			case <-stop:
			}
		}()
	}
	i, why := -1, ""
	select {
	case i = <-exited:
		why = fmt.Sprintf("the process of %s, which took part in a collective, died", links[i].Name())
	case <-g.ended():
		err := g.others.Err()
		if err == nil {
			return
		}
		why = err.Error()
	}
	var wg sync.WaitGroup
	for j, p := range members {
		if j == i || !links[j].conn.busy() {
			continue
		}
		wg.Go(func() {
			done := make(chan struct{})
			go func() {
				_ = links[j].awaitOn(p, &wire.Command{Op: wire.OpSync}) // the error is returned to those who wait for the work
				close(done)
			}()
			select {
			case <-done:
			case <-time.After(orphanLimit):
				p.end(why)
			}
		})
	}
	wg.Wait()
}

// leave ends the membership of the processes that still run.
func (g *Group) leave() {
	for i, p := range g.members {
		l := g.Links[i]
		if pointer.Load[Process](&l.conn.serving) != p {
			continue
		}
		_ = l.awaitOn(p, &wire.Command{Op: wire.OpSync}) // an error is kept for those who wait for the work
		l.conn.mu.Lock()
		if l.conn.p == p {
			_ = l.conn.push(p, &wire.Command{Op: wire.OpLeave, Arg: g.handles[i]}, nil) // or the process has exited
		}
		l.conn.mu.Unlock()
	}
	g.members = nil
}

// A Role is the part of one member in a collective.
type Role struct {
	Member int
	Stream uint32
	What   routine.Collective
	Reads  *Block // or nil
	Writes *Block // or nil
}

// Post gives the members their parts of a collective. All devices must get collectives in the same order, even of different groups;
// otherwise they would wait for each other.
func (g *Group) Post(parts []Role) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	groups.Lock()
	defer groups.Unlock()
	for range 3 {
		if err := g.form(); err != nil {
			return err
		}
		err := g.postOnce(parts)
		if !errors.Is(err, errReplaced) {
			return err
		}
	}
	return exitedTwice()
}

// postOnce checks everything that could be rejected before anything is sent.
func (g *Group) postOnce(parts []Role) error {
	for i := range parts {
		t := &parts[i]
		if err := g.as(t, func(*Process) error { return g.check(t) }); err != nil {
			return err
		}
	}
	for i := range parts {
		t := &parts[i]
		l := g.Links[t.Member]
		err := g.as(t, func(p *Process) error {
			return l.Submit(p, &wire.Command{Op: wire.OpCollective, Arg: g.handles[t.Member], Stream: t.Stream}, t.What.Bytes(), t.Reads, t.Writes)
		})
		if err == nil {
			continue
		}
		if i > 0 { // the others have their parts and wait for this one
			g.endOthers(t.Member)
		}
		return err
	}
	return nil
}

// as runs fn with the process of a member, if it is the one that joined.
func (g *Group) as(t *Role, fn func(*Process) error) error {
	return g.Links[t.Member].With(func(p *Process) error {
		if p != g.members[t.Member] {
			return errReplaced
		}
		return fn(p)
	})
}

// check returns why a member cannot do its part. The lock of its link is held.
func (g *Group) check(t *Role) error {
	err := errors.Join(t.Reads.memory().Usable(), t.Writes.memory().Usable(), t.Reads.memory().TakeFault())
	if l := g.Links[t.Member]; l.captures[t.Stream] != nil {
		err = errors.Join(err, invalid("a collective can't be part of a graph"))
	}
	return err
}

// endOthers ends the processes of all members but one, which has failed.
func (g *Group) endOthers(failed int) {
	for j, p := range g.members {
		if j != failed {
			p.end(fmt.Sprintf("the process of %s, which took part in a collective, died", g.Links[failed].Name()))
		}
	}
}

package rank

import (
	"context"
	"errors"
	"fmt"

	"github.com/gopherwarp/gopherwarp/gpu/internal/routine"
)

// peers implements hook.Peers.
type peers struct {
	group       *Group
	name        string
	first, size int
	direct      bool
	turns       []int // how many pieces each of this process's devices has sent
}

func (p *peers) Place() (first, size int) { return p.first, p.size }

func (p *peers) Direct() bool { return p.direct }

// Share gives rank 0's bytes to all. It waits until the group ends: the devices that are being connected cannot wait for less.
func (p *peers) Share(data []byte) ([]byte, error) {
	if p.first > 0 {
		data = nil
	}
	return p.group.gather(context.Background(), "connecting devices", data)
}

// Ended returns a channel that is closed when the group has failed, or was closed.
func (p *peers) Ended() <-chan struct{} { return p.group.ended }

// Err returns why the group has failed.
func (p *peers) Err() error {
	if err := p.group.failure(); !errors.Is(err, errClosed) {
		return err
	}
	return nil
}

// Collect executes one device's part of a collective by calls of the store.
func (p *peers) Collect(member int, c *routine.Collective, dst, src []byte) error {
	o := &operation{peers: p, member: member, Collective: c, what: describe(c)}
	bytes := c.N * c.Type.Size()
	switch c.Kind {
	case routine.AllReduce, routine.Reduce:
		return o.pieces(bytes, maxPiece, func(from, end int) error {
			return o.piece(true, c.Kind == routine.AllReduce || member == c.Root, src[from:end], func(sum []byte) error { return copyAll(dst[from:end], sum) })
		})
	case routine.Broadcast:
		return o.pieces(bytes, maxPiece, func(from, end int) error {
			if member == c.Root {
				return o.piece(false, false, src[from:end], nil)
			}
			return o.piece(false, true, nil, func(its []byte) error { return copyAll(dst[from:end], its) })
		})
	case routine.AllGather:
		return o.pieces(bytes, max(1, min(maxPiece, maxData/p.size)), func(from, end int) error {
			return o.piece(false, true, src[from:end], func(all []byte) error {
				n := end - from
				if len(all) != n*p.size {
					return errLength
				}
				for i := range p.size {
					copy(dst[i*bytes+from:i*bytes+end], all[i*n:])
				}
				return nil
			})
		})
	case routine.ReduceScatter:
		for i := range p.size {
			err := o.pieces(bytes, maxPiece, func(from, end int) error {
				return o.piece(true, i == member, src[i*bytes+from:i*bytes+end], func(sum []byte) error { return copyAll(dst[from:end], sum) })
			})
			if err != nil {
				return err
			}
		}
		return nil
	}
	return fmt.Errorf("there is no collective of kind %d between processes", uint32(c.Kind))
}

var errLength = errors.New("the store's answer has another length than was asked for")

func copyAll(dst, src []byte) error {
	if len(dst) != len(src) {
		return errLength
	}
	copy(dst, src)
	return nil
}

// operation is a collective as one device executes it.
type operation struct {
	*routine.Collective
	peers  *peers
	member int
	what   string
}

// pieces calls f for parts of a number of bytes, at least once, so that the store can compare what the ranks call.
func (o *operation) pieces(bytes, most int, f func(from, end int) error) error {
	for from := 0; ; from += most {
		end := min(from+most, bytes)
		if err := f(from, end); err != nil || end >= bytes {
			return err
		}
	}
}

// piece sends data to the store and passes what comes back to use, if want is set.
func (o *operation) piece(reduced, want bool, data []byte, use func([]byte) error) error {
	p := o.peers
	turn := &p.turns[o.member-p.first]
	*turn++
	c := &call{Round: fmt.Sprintf("%s, %d", p.name, *turn), What: o.what, Member: o.member, Members: p.size, Want: want, Reduced: reduced}
	if reduced {
		c.Type, c.Reduction = o.Type, o.Reduce
	}
	// The group's end ends the wait, as a collective has no context.
	a, err := p.group.request(context.Background(), &message{Op: opCall, Call: c, data: data})
	if err != nil || !want {
		return err
	}
	return use(a.data)
}

// describe returns what all devices must agree on, for errors.
func describe(c *routine.Collective) string {
	elements := fmt.Sprintf("%d %v", c.N, c.Type)
	switch c.Kind {
	case routine.AllReduce:
		return fmt.Sprintf("an all-reduce (%s) of %s", reduction(c.Reduce), elements)
	case routine.Reduce:
		return fmt.Sprintf("a reduce (%s) to member %d of %s", reduction(c.Reduce), c.Root, elements)
	case routine.Broadcast:
		return fmt.Sprintf("a broadcast from member %d of %d bytes", c.Root, c.N)
	case routine.AllGather:
		return fmt.Sprintf("an all-gather of %d bytes each", c.N)
	}
	return fmt.Sprintf("a reduce-scatter (%s) of %s each", reduction(c.Reduce), elements)
}

func reduction(r routine.Reduction) string {
	names := [...]string{routine.Sum: "sum", routine.Product: "product", routine.Max: "max", routine.Min: "min", routine.Average: "average"}
	if int(r) < len(names) {
		return names[r]
	}
	return fmt.Sprint(uint32(r))
}

package rank

import (
	"errors"
	"fmt"

	"github.com/gopherwarp/gopherwarp/gpu/internal/routine"
)

// A call is the contribution of one member to a round: what all members give, or its reduction, is sent back to those that want it.
type call struct {
	Round   string `json:"round"` // its name
	What    string `json:"what"`  // in which all members' calls must agree, for errors
	Member  int    `json:"member"`
	Members int    `json:"members"`
	Want    bool   `json:"want,omitempty"`
	// Type is that of the elements if contributions are reduced; otherwise they are joined.
	Reduced   bool              `json:"reduced,omitempty"`
	Type      routine.Type      `json:"type,omitempty"`
	Reduction routine.Reduction `json:"reduction,omitempty"`
}

// A round is a call of all members.
type round struct {
	call
	rank    int      // that made the first call
	parts   [][]byte // by member
	waiting []waiter
	wants   []bool // by number in waiting
}

// contribute adds a contribution, and returns the round if it is complete. The lock is held.
func (s *store) contribute(m *member, req *message) (*round, error) {
	c := req.Call
	if c == nil || c.Members < 1 || c.Members > maxMembers || c.Member < 0 || c.Member >= c.Members {
		return nil, errors.New("a call without members")
	}
	for _, other := range s.members {
		if other != nil && other.left {
			return nil, fmt.Errorf("rank %d has left the group: all ranks must take part in a %s", other.rank, c.What)
		}
	}
	r := s.rounds[c.Round]
	if r == nil && len(s.rounds) >= maxWaiting {
		return nil, fmt.Errorf("%d calls wait for other ranks already", maxWaiting)
	}
	if r == nil {
		r = &round{call: *c, rank: m.rank, parts: make([][]byte, c.Members)}
		s.rounds[c.Round] = r
	}
	if r.What != c.What || r.Members != c.Members || r.Reduced != c.Reduced || r.Type != c.Type || r.Reduction != c.Reduction {
		text := fmt.Sprintf("rank %d calls %s where rank %d calls %s: all ranks must make the same calls in the same order", m.rank, c.What, r.rank, r.What)
		s.fail(text)
		return nil, errors.New(text)
	}
	if r.parts[c.Member] != nil {
		return nil, fmt.Errorf("member %d has called %s twice", c.Member, c.What)
	}
	r.parts[c.Member] = req.data
	r.waiting = append(r.waiting, waiter{m, req.ID})
	r.wants = append(r.wants, c.Want)
	if len(r.waiting) < r.Members {
		return nil, nil
	}
	delete(s.rounds, c.Round)
	return r, nil
}

// finish sends the result of a complete round. The lock is not held, so that other processes' requests need not wait for a sum.
func (r *round) finish() {
	answer := message{parts: r.parts}
	if r.Reduced {
		answer = message{}
		if sum, err := r.reduce(); err != nil {
			answer.Error = err.Error()
		} else {
			answer.parts = [][]byte{sum}
		}
	}
	for i, w := range r.waiting {
		a := answer
		if !r.wants[i] {
			a.parts = nil
		}
		w.answer(&a)
	}
}

// reduce returns the reduction of the contributions in the order of members: each rank receives the same bits, each time.
func (r *round) reduce() ([]byte, error) {
	combine := routine.ReducerOf(r.Type)
	length := len(r.parts[0])
	for i, p := range r.parts {
		if len(p) != length {
			return nil, fmt.Errorf("member %d has %d bytes, member 0 %d", i, len(p), length)
		}
	}
	if combine == nil || length%max(r.Type.Size(), 1) != 0 {
		return nil, fmt.Errorf("%d bytes of type %v cannot be reduced", length, r.Type)
	}
	sum := make([]byte, length)
	combine(sum, r.parts, r.Reduction)
	return sum, nil
}

package gpu

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/gopherwarp/gopherwarp/gpu/internal/hook"
	"github.com/gopherwarp/gopherwarp/gpu/internal/routine"
)

// fakePeers are processes that are all GPUs, as far as package gpu can tell.
type fakePeers struct {
	first, size int
	share       func(data []byte) ([]byte, error)
	ended       chan struct{}
	err         error
}

func (p *fakePeers) Place() (first, size int)          { return p.first, p.size }
func (p *fakePeers) Direct() bool                      { return true }
func (p *fakePeers) Share(data []byte) ([]byte, error) { return p.share(data) }
func (p *fakePeers) Ended() <-chan struct{}            { return p.ended }
func (p *fakePeers) Err() error                        { return p.err }
func (p *fakePeers) Collect(int, *routine.Collective, []byte, []byte) error {
	return errors.New("data went through the host")
}

// connectTo makes a communicator with other processes.
func connectTo(p *fakePeers) (*Communicator, error) {
	c, err := hook.Connect(func(int, bool) (hook.Peers, error) { return p, nil })
	if err != nil {
		return nil, err
	}
	return c.(*Communicator), nil
}

// TestDirectRanks connects devices as GPUs of several processes are connected: by the identifier that the first process shares, on the device.
func TestDirectRanks(t *testing.T) {
	freshDevice(t, "sim")
	p := &fakePeers{size: 1, ended: make(chan struct{}), share: func([]byte) ([]byte, error) { return []byte("id"), nil }}
	c, err := connectTo(p)
	if err != nil {
		t.Fatal(err)
	}
	x := ToDevice([]float32{1, 2})
	if err := AllReduce(c, ReduceSum, x); err != nil || x.ToHost()[1] != 2 {
		t.Errorf("got %v, %v", x.ToHost(), err)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	close(p.ended) // this process leaves the others, which is no error
}

func TestDirectRanksFail(t *testing.T) {
	for name, c := range map[string]struct {
		peers *fakePeers
		say   string
	}{
		"the identifier is not shared": {&fakePeers{size: 2, share: func([]byte) ([]byte, error) { return nil, errors.New("rank 1 has ended") }}, "rank 1 has ended"},
		"rank 0 makes no identifier":   {&fakePeers{first: 1, size: 2, share: func(data []byte) ([]byte, error) { return nil, nil }}, "rank 0 could not begin"},
		"the other ends": {
			&fakePeers{first: 1, size: 2, share: func([]byte) ([]byte, error) { return []byte("id"), nil }, err: errors.New("rank 0 has ended")},
			"rank 0 has ended",
		},
	} {
		t.Run(name, func(t *testing.T) {
			freshDevice(t, "sim")
			c.peers.ended = make(chan struct{})
			time.AfterFunc(100*time.Millisecond, func() { close(c.peers.ended) })
			begin := time.Now()
			_, err := connectTo(c.peers)
			if err == nil || !strings.Contains(err.Error(), c.say) || time.Since(begin) > 20*time.Second {
				t.Errorf("after %v: got error %v, want one with %q", time.Since(begin), err, c.say)
			}
			if got := ToDevice([]int32{5}).ToHost(); got[0] != 5 {
				t.Errorf("the device works no more: %v", got)
			}
		})
	}
}

package server

import (
	"errors"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/wire"
)

// fakeDevice counts launches and has no other methods.
type fakeDevice struct {
	backend.Device
	launches int
	last     backend.Launch
}

func (d *fakeDevice) Launch(l *backend.Launch) error {
	d.launches++
	d.last = *l
	return nil
}

func newFakeServer() (*server, *fakeDevice) {
	d := &fakeDevice{}
	s := &server{operations: newOperations(), dev: d}
	s.waits.init(s)
	return s, d
}

// TestOperations checks that each operation has a function.
func TestOperations(t *testing.T) {
	s, _ := newFakeServer()
	for op := wire.OpMessage; op < wire.OpEnd; op++ {
		if (s.actions[op] == nil) == (s.questions[op] == nil) {
			t.Errorf("operation %d must be either an action or a question", op)
		}
	}
	for _, op := range []wire.Op{0, wire.OpEnd, 1<<16 - 1} {
		_, err := s.execute(&wire.Command{Op: op, Slot: wire.NoSlot}, nil)
		var refused *backend.Error
		if !errors.As(err, &refused) || refused.Name != "CUDA_ERROR_INVALID_VALUE" {
			t.Errorf("operation %d: %v, want CUDA_ERROR_INVALID_VALUE", op, err)
		}
	}
}

func launchCommand() *wire.Command {
	c := &wire.Command{
		Op: wire.OpLaunch, Slot: wire.NoSlot, Func: 3, Stream: 4, Shared: 5, Arg: 6,
		Grid: [3]uint32{7, 8, 9}, Block: [3]uint32{10, 11, 12},
	}
	c.SetCluster([3]uint32{13, 14, 15})
	c.SetCooperative()
	return c
}

func TestLaunch(t *testing.T) {
	s, d := newFakeServer()
	if _, err := s.execute(launchCommand(), []byte{16}); err != nil {
		t.Fatal(err)
	}
	l := &d.last
	if d.launches != 1 || l.Func != 3 || l.Stream != 4 || l.SharedBytes != 5 || l.Shuffle != 6 ||
		l.Grid != [3]uint32{7, 8, 9} || l.Block != [3]uint32{10, 11, 12} || l.Cluster != [3]uint32{13, 14, 15} ||
		!l.Cooperative || string(l.Args) != "\x10" {
		t.Errorf("%d launches, the last %+v", d.launches, *l)
	}
}

// BenchmarkExecute measures the time that the device process adds to a launch, apart from the ring and the device.
func BenchmarkExecute(b *testing.B) {
	s, _ := newFakeServer()
	c, args := launchCommand(), make([]byte, 24)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := s.execute(c, args); err != nil {
			b.Fatal(err)
		}
	}
}

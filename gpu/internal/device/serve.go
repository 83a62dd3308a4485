package device

import (
	"errors"
	"fmt"
	"runtime"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/ring"
	"github.com/gopherwarp/gopherwarp/gpu/internal/wire"
)

// Config says what a device process serves.
type Config struct {
	Backend backend.Backend
	Ordinal int
	Note    string // goes to the session with the first message
	// Socket and Segment are the inherited descriptors.
	Socket, Segment int
}

// ErrFault is what Serve returns when the device failed for good. The session knows the
// details by then.
var ErrFault = errors.New("the device failed and its process must be replaced")

// Serve opens the device and carries out commands until the session hangs up, which is no
// error. It must be the main work of its process: when the session dies, it ends the
// process, whatever the device is doing.
func Serve(c Config) error {
	// A CUDA context belongs to a thread, and simulated kernels expect one caller.
	runtime.LockOSThread()
	conn := wire.NewConn(c.Socket)
	go exitWithSession(c.Socket)

	seg, err := ring.Open(c.Segment)
	if err != nil {
		return Refuse(c.Socket, err)
	}
	dev, err := c.Backend.Open(c.Ordinal)
	if err != nil {
		return Refuse(c.Socket, err)
	}
	hello := &wire.Hello{Version: wire.Version, Backend: c.Backend.Name(), Properties: dev.Properties(), Note: c.Note}
	if err := conn.Send(hello.Marshal(), -1); err != nil {
		return err
	}
	s := &server{dev: dev, seg: seg, conn: conn}
	return s.run()
}

// Refuse tells the session behind an inherited socket that there will be no device, and
// returns the reason.
func Refuse(socket int, reason error) error {
	hello := &wire.Hello{Version: wire.Version, Err: wire.AsError(reason)}
	if err := wire.NewConn(socket).Send(hello.Marshal(), -1); err != nil {
		return errors.Join(reason, err)
	}
	return reason
}

// server is the state of a device process.
type server struct {
	dev     backend.Device
	seg     *ring.Segment
	conn    *wire.Conn
	staging []byte
	launch  backend.Launch // reused, so that launching allocates nothing
	// pending is the first error that nobody has waited for yet.
	pending *wire.Failure
}

func (s *server) run() error {
	in := ring.NewConsumer(s.seg)
	for {
		record, err := in.Next()
		if errors.Is(err, ring.ErrHungUp) {
			return nil
		}
		if err != nil {
			return err
		}
		cmd, data := wire.At(record)
		if cmd == nil {
			return fmt.Errorf("command of %d bytes: %w", len(record), ring.ErrCorrupt)
		}
		s.seg.SetServing(cmd.Seq)
		if err := s.serve(cmd, data); err != nil {
			return err
		}
		in.Release()
	}
}

// serve carries out one command and hands its result over. Its own error means that the
// process is of no more use.
func (s *server) serve(cmd *wire.Command, data []byte) error {
	value, n, err := s.execute(cmd, data)
	var broken brokenError
	if errors.As(err, &broken) {
		return broken.error
	}
	failure := s.note(cmd.Seq, err)
	if cmd.Slot == wire.NoSlot || int(cmd.Slot) >= ring.Slots {
		if failure != nil && failure.Err.Fatal {
			return s.die(failure)
		}
		return nil
	}
	slot := s.seg.Slot(int(cmd.Slot))
	if failure == nil {
		slot.Finish(wire.StatusOK, value, n)
		return nil
	}
	if failure.Err.Fatal {
		return s.die(failure)
	}
	s.pending = nil
	slot.Finish(wire.StatusFailed, 0, copy(slot.Data(), failure.Marshal(ring.SlotBytes)))
	return nil
}

// note remembers the first error until it is reported, and returns it. A fatal one takes
// the place of others: it is what the user must know.
func (s *server) note(seq uint64, err error) *wire.Failure {
	if err == nil {
		return s.pending
	}
	e := wire.AsError(err)
	if s.pending == nil || e.Fatal {
		s.pending = &wire.Failure{Seq: seq, Err: *e}
	}
	return s.pending
}

// die leaves the failure where the session finds it, wakes everyone who waits and ends
// the service.
func (s *server) die(f *wire.Failure) error {
	s.seg.SetLastWords(f.Marshal(ring.LastWordsBytes))
	s.seg.HangUp()
	return ErrFault
}

// brokenError is an error of the connection with the session, not of the device.
type brokenError struct{ error }

package server

import (
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"sync"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/driver"
	"github.com/gopherwarp/gopherwarp/gpu/internal/ring"
	"github.com/gopherwarp/gopherwarp/gpu/internal/sanitizer"
	"github.com/gopherwarp/gopherwarp/gpu/internal/wire"
)

// Config is the configuration of a device process.
type Config struct {
	Backend backend.Backend
	Ordinal int
	Note    string // sent to the session in the first message
	// Socket and Segment are the inherited descriptors.
	Socket, Segment int
	// Log receives a record for each command, if it is not nil.
	Log *slog.Logger
}

// ErrFault is the error of Serve after a fatal error of the device, whose details were sent to the session.
var ErrFault = errors.New("the device failed and its process must be replaced")

// Serve opens the device and executes commands until the session closes the connection, which is no error. It must be the main
// work of its process: when the session exits, it exits the process, even during work of the device.
func Serve(c Config) error {
	// A CUDA context belongs to a thread, and the simulator expects a single caller.
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
	s := &server{operations: newOperations(), log: c.Log, dev: dev, backend: c.Backend.Name(), seg: seg, conn: conn, areas: map[uint32][]byte{}, textures: map[uint32]backend.Texture{}}
	s.sharer, _ = dev.(backend.Sharer)
	s.waits.init(s)
	s.graphs.init(s)
	s.groups.init(s)
	s.ranges.init()
	// If this fails, results are copied while the thread of commands waits, which is slower.
	if dev.RegisterHost(seg.Shared()) == nil {
		s.progress.init(s)
		s.signaler, _ = dev.(backend.Signaler)
	}
	return s.run()
}

// Refuse sends the session a message that the device could not be opened, through the inherited socket, and returns the reason.
func Refuse(socket int, reason error) error {
	hello := &wire.Hello{Version: wire.Version, Err: wire.AsError(reason)}
	if err := wire.NewConn(socket).Send(hello.Marshal(), -1); err != nil {
		return errors.Join(reason, err)
	}
	return reason
}

// server is the state of a device process.
type server struct {
	operations
	log   *slog.Logger // may be nil
	dev   backend.Device
	seg   *ring.Segment
	in    *ring.Consumer
	conn  *wire.Conn
	areas map[uint32][]byte // host memory that the session shares
	// textures has the textures by handle, for the helper processes of check mode.
	textures map[uint32]backend.Texture
	launch   backend.Launch // reused, so that launching allocates nothing
	waits    waits
	// signaler is nil if the device can't signal the session by itself.
	signaler backend.Signaler
	// sharer is nil if the device has processors of its own.
	sharer backend.Sharer
	// watcher checks launches if the device is no Checker. It is nil until check mode is first used.
	watcher *sanitizer.Watcher
	backend string // its name
	// translator is nil until the first Build request.
	translator *driver.Translator

	graphs   graphs
	groups   groups
	progress progress
	ranges   ranges
	recorder *recorder // also in dev; nil without a profile

	mu sync.Mutex // guards pending, since waits end on their own threads
	// pending is the first error that was not reported yet.
	pending *wire.Failure
}

func (s *server) run() error {
	s.in = ring.NewConsumer(s.seg)
	for {
		record, err := s.in.Next()
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
		if s.log != nil {
			err = s.logged(cmd, data)
		} else {
			err = s.serve(cmd, data)
		}
		if err != nil {
			return err
		}
		s.in.Release()
	}
}

// serve executes one command and finishes its slot, or leaves that to another thread. An error means that the process must exit.
func (s *server) serve(cmd *wire.Command, data []byte) error {
	if s.sharer != nil {
		s.sharer.Awaited(s.seg.Awaited())
	}
	if told, err := s.signalled(cmd); told {
		return err
	}
	r, err := s.execute(cmd, data)
	if err != nil {
		var broken brokenError
		if errors.As(err, &broken) {
			return broken.error
		}
	}
	if cmd.Slot == wire.NoSlot || int(cmd.Slot) >= ring.Slots {
		return s.unheard(cmd.Seq, err)
	}
	if err == nil && r.wait != nil {
		s.progress.waited(cmd)
		if done, err := s.waits.brief(r.wait); done || err != nil {
			return s.finish(cmd.Seq, int(cmd.Slot), r, err)
		}
		s.waits.hand(cmd.Seq, int(cmd.Slot), r)
		return nil
	}
	// The session continues while the launches are reset.
	err = s.finish(cmd.Seq, int(cmd.Slot), r, err)
	s.progress.waited(cmd)
	return err
}

// result is the result of a command.
type result struct {
	value int64
	n     int // bytes of the slot's data
	// wait is for the work that must complete first; then, after it, computes the value. Both may be nil.
	wait backend.Wait
	then func() (int64, error)
}

// finish finishes a slot with the result, or with the first error that was not reported yet. An error means that the process must
// exit.
func (s *server) finish(seq uint64, at int, r result, err error) error {
	if err == nil && r.then != nil {
		r.value, err = r.then()
	}
	if s.sharer != nil {
		s.sharer.Awaited(false)
	}
	failure := s.take(seq, err)
	slot := s.seg.Slot(at)
	switch {
	case failure == nil:
		slot.Finish(wire.StatusOK, r.value, r.n)
	case failure.Err.Fatal:
		return s.abort(failure)
	default:
		slot.Finish(wire.StatusFailed, 0, copy(slot.Data(), failure.Marshal(ring.SlotBytes)))
	}
	return nil
}

// note stores err if it is the first error that was not reported yet, and returns the stored error. A fatal error replaces
// another one, as it is more important to the user.
func (s *server) note(seq uint64, err error) *wire.Failure {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.noteLocked(seq, err)
}

func (s *server) noteLocked(seq uint64, err error) *wire.Failure {
	if err == nil {
		return s.pending
	}
	e := wire.AsError(err)
	if s.pending == nil || e.Fatal {
		s.pending = &wire.Failure{Seq: seq, Err: *e}
	}
	return s.pending
}

// unheard stores the error of a command without a slot. An error means that the process must exit.
func (s *server) unheard(seq uint64, err error) error {
	if err == nil {
		return nil
	}
	if failure := s.note(seq, err); failure.Err.Fatal {
		return s.abort(failure)
	}
	return nil
}

// failed reports whether there is an error that was not reported yet.
func (s *server) failed() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.pending != nil
}

// take is like note, but for reporting the error: it removes the stored one.
func (s *server) take(seq uint64, err error) *wire.Failure {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.noteLocked(seq, err)
	s.pending = nil
	return f
}

// abort stores the failure for the session, wakes all goroutines that wait, and returns ErrFault.
func (s *server) abort(f *wire.Failure) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.seg.HungUp() { // the first failure is the cause
		s.seg.SetLastWords(f.Marshal(ring.LastWordsBytes))
		s.seg.HangUp()
	}
	return ErrFault
}

// brokenError is an error of the connection with the session, not of the device.
type brokenError struct{ error }

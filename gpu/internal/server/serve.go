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

// Config says what a device process serves.
type Config struct {
	Backend backend.Backend
	Ordinal int
	Note    string // goes to the session with the first message
	// Socket and Segment are the inherited descriptors.
	Socket, Segment int
	// Log is told of each command. Nil means nobody.
	Log *slog.Logger
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
	s := &server{operations: newOperations(), log: c.Log, dev: dev, backend: c.Backend.Name(), seg: seg, conn: conn, areas: map[uint32][]byte{}, textures: map[uint32]backend.Texture{}}
	s.waits.init(s)
	s.graphs.init(s)
	s.groups.init(s)
	s.ranges.init()
	// Where this fails, results are copied while the thread of commands waits, which is slower.
	if dev.RegisterHost(seg.Shared()) == nil {
		s.progress.init(s)
		s.signaler, _ = dev.(backend.Signaler)
	}
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
	operations
	log   *slog.Logger // nil if nothing is logged
	dev   backend.Device
	seg   *ring.Segment
	in    *ring.Consumer
	conn  *wire.Conn
	areas map[uint32][]byte // host memory that the session shares
	// textures are what those are that kernels can be given, for helpers that check kernels.
	textures map[uint32]backend.Texture
	launch   backend.Launch // reused, so that launching allocates nothing
	waits    waits
	// signaler is nil if the device can't tell the session that it is done.
	signaler backend.Signaler
	// watcher checks launches, once somebody wants that, where the device can't.
	watcher *sanitizer.Watcher
	backend string // its name
	// translator is nil until somebody asks what the compiler makes of a program.
	translator *driver.Translator

	graphs   graphs
	groups   groups
	progress progress
	ranges   ranges
	recorder *recorder // stands in dev's place while there is a profile, else nil

	mu sync.Mutex // guards pending, since waits end on threads of their own
	// pending is the first error that nobody has waited for yet.
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

// serve carries out one command and hands its result over, or leaves that to whoever waits for
// it. Its own error means that the process is of no more use.
func (s *server) serve(cmd *wire.Command, data []byte) error {
	if told, err := s.signalled(cmd); told {
		return err
	}
	r, err := s.execute(cmd, data)
	var broken brokenError
	if errors.As(err, &broken) {
		return broken.error
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
	// The session goes on while this is noted.
	err = s.finish(cmd.Seq, int(cmd.Slot), r, err)
	s.progress.waited(cmd)
	return err
}

// result is what a command gives to the one who waits for it.
type result struct {
	value int64
	n     int // bytes of the slot's data
	// wait is for work that must end first, and then computes the value. Both may be nil.
	wait backend.Wait
	then func() (int64, error)
}

// finish hands a result over, or the first error that nobody has heard of. Its own error means
// that the process is of no more use.
func (s *server) finish(seq uint64, at int, r result, err error) error {
	if err == nil && r.then != nil {
		r.value, err = r.then()
	}
	failure := s.take(seq, err)
	slot := s.seg.Slot(at)
	switch {
	case failure == nil:
		slot.Finish(wire.StatusOK, r.value, r.n)
	case failure.Err.Fatal:
		return s.die(failure)
	default:
		slot.Finish(wire.StatusFailed, 0, copy(slot.Data(), failure.Marshal(ring.SlotBytes)))
	}
	return nil
}

// note remembers the first error until it is reported, and returns it. A fatal one takes
// the place of others: it is what the user must know.
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

// unheard remembers the error of what nobody waits for. Its own error means that the process is of
// no more use.
func (s *server) unheard(seq uint64, err error) error {
	if err == nil {
		return nil
	}
	if failure := s.note(seq, err); failure.Err.Fatal {
		return s.die(failure)
	}
	return nil
}

// failed reports whether there is an error that nobody has waited for yet.
func (s *server) failed() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.pending != nil
}

// take is note for a failure that is reported now.
func (s *server) take(seq uint64, err error) *wire.Failure {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.noteLocked(seq, err)
	s.pending = nil
	return f
}

// die leaves the failure where the session finds it, wakes everyone who waits and ends
// the service.
func (s *server) die(f *wire.Failure) error {
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

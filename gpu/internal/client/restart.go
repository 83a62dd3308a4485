package client

import (
	"fmt"
	"strings"
	"syscall"
	"time"

	"github.com/gopherwarp/gopherwarp/gpu/internal/pointer"
	"github.com/gopherwarp/gopherwarp/gpu/internal/wire"
)

// start starts a device process and restores everything that an earlier one had. The lock is held.
func (l *Link) start() error {
	program, err := Program()
	if err != nil {
		return Unavailable("opening device "+l.Name(), err)
	}
	kind, model, ordinal := NameParts(l.Name())
	args := []string{"device", "--backend", kind, "--model", model, "--ordinal", ordinal, "--socket", childSocket, "--segment", childSegment}
	p, err := startProcess(program, args, l.exited)
	if err != nil {
		return NameOp("opening device "+l.Name(), err)
	}
	if err := l.restore(p); err != nil {
		l.mem.closeSaved()
		p.stopped.Store(true)
		p.Kill()
		return NameOp("setting up device "+l.Name(), err)
	}
	l.mem.discardSaved()
	// Once "auto" has found its device, it does not change. Who sees the process without the lock sees what it is, too.
	found := deviceName(p.hello)
	pointer.Store(&l.spec, &found)
	pointer.Store(&l.hello, p.hello)
	l.conn.use(p)
	l.conn.started++
	l.watchIdle(p, l.conn.progress.seq, time.Now())
	l.mem.quota.apply(p.hello.Properties.TotalMemory)
	l.publish()
	l.mem.shrinkLater() // what was kept, also while there was no process to give it back
	return nil
}

func deviceName(h *wire.Hello) string {
	if h.Properties.Simulated && h.Properties.Ordinal == 0 {
		return h.Backend
	}
	return fmt.Sprintf("%s:%d", h.Backend, h.Properties.Ordinal)
}

// NameParts splits a device's name: "sim:t4x2:1" is number 1 of two T4 of the simulator.
func NameParts(name string) (kind, model, ordinal string) {
	kind, rest, _ := strings.Cut(name, ":")
	ordinal = "0"
	for part := range strings.SplitSeq(rest, ":") {
		switch {
		case part == "":
		case strings.Trim(part, "0123456789") == "":
			ordinal = part
		default:
			model = part
		}
	}
	return kind, model, ordinal
}

// restore gives a new process everything that the previous one had. Later steps depend on earlier ones. The lock is held.
func (l *Link) restore(p *Process) error {
	l.peers.forget() // the process that had them mapped has exited
	for _, part := range []func(*Process) error{
		l.copies.restore,
		l.pinned.restore,
		l.mem.restore,
		l.state.streams.restore,
		l.state.events.restore,
		l.state.modules.restore,
		l.state.textures.restore,
		l.state.graphs.restore,
		l.listBuffers,
	} {
		if err := part(p); err != nil {
			return err
		}
	}
	l.conn.progress.reset()
	return nil
}

// exited handles the exit of a device process: goroutines that wait for it get an error, and a new process is started at once. It runs on
// the goroutine that keeps the process.
func (l *Link) exited(p *Process, ws syscall.WaitStatus) {
	p.seg.HangUp()
	l.conn.mu.Lock()
	if l.conn.p == p {
		l.replace(p, ws)
	} else {
		close(p.Down) // it was never used
	}
	l.conn.mu.Unlock()
	p.users.Wait()
	p.conn.Close()
	p.seg.Unmap()
}

// replace records the work that was lost with a process that has exited, and starts its successor. The lock is held.
func (l *Link) replace(p *Process, ws syscall.WaitStatus) {
	l.conn.use(nil)
	progress := &l.conn.progress
	if p.fault = l.faults.exitError(p, ws, progress); p.fault != nil {
		l.faults.lose(progress, p.fault)
	}
	l.mem.loseUnshared()
	l.restoreManaged(progress.settled.Load())
	progress.reset()
	l.mem.reclaim(func(*usage) bool { return true })
	close(p.Down)
	// A process that exits by itself right after its start must not be restarted forever.
	if p.fault != nil || time.Since(p.born) > time.Second {
		// If this fails, the next use of the device tries again and returns the error.
		_ = l.start()
	}
}

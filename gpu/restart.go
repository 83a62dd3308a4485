package gpu

import (
	"errors"
	"fmt"
	"slices"
	"syscall"
	"time"

	"github.com/gopherwarp/gopherwarp/gpu/internal/wire"
)

// start starts a device process and gives it everything that an earlier one had. The lock
// is held.
func (l *link) start() error {
	bin, err := program()
	if err != nil {
		return unavailable("opening device "+l.name(), err)
	}
	kind, model, ordinal := nameParts(l.name())
	args := []string{"device", "--backend", kind, "--model", model, "--ordinal", ordinal, "--socket", childSocket, "--segment", childSegment}
	p, err := startProcess(bin, args, l.ended)
	if err != nil {
		return wrap("opening device "+l.name(), err)
	}
	if err := l.furnish(p); err != nil {
		p.stopped.Store(true)
		p.kill()
		return wrap("setting up device "+l.name(), err)
	}
	l.p = p
	l.serving.Store(p)
	l.started++
	// An "auto" that has found its device stays with it.
	found := deviceName(p.hello)
	l.spec.Store(&found)
	l.hello.Store(p.hello)
	return nil
}

func deviceName(h *wire.Hello) string {
	if h.Properties.Simulated && h.Properties.Ordinal == 0 {
		return h.Backend
	}
	return fmt.Sprintf("%s:%d", h.Backend, h.Properties.Ordinal)
}

// furnish makes a new process's device like that of the one before. The lock is held.
func (l *link) furnish(p *process) error {
	if err := l.stage(p); err != nil {
		return err
	}
	for _, m := range l.pinned {
		if err := l.tellPinned(p, m); err != nil {
			return err
		}
	}
	for addr, c := range l.chunks {
		err := l.request(p, &wire.ImportChunk{Addr: addr, Size: c.size}, c.fd)
		if errors.Is(err, errGone) {
			return err
		}
		if err != nil {
			l.abandon(c)
		}
	}
	for h, priority := range l.streams {
		if err := l.push(p, &wire.Command{Op: wire.OpStreamCreate, Stream: h, Arg: uint32(priority)}, nil); err != nil {
			return err
		}
	}
	for h, noClock := range l.events {
		if err := l.push(p, &wire.Command{Op: wire.OpEventCreate, Event: h, Arg: flag(noClock)}, nil); err != nil {
			return err
		}
	}
	for h, m := range l.modules {
		if err := l.request(p, m.load(h), -1); err != nil {
			return fmt.Errorf("loading %s again: %w", m.name, err)
		}
		if err := l.restoreGlobals(p, h, m); err != nil {
			return err
		}
	}
	clear(l.peers)
	for h, t := range l.textures {
		if t.broken = l.sendTexture(p, h, t); errors.Is(t.broken, errGone) {
			return t.broken
		}
	}
	for h, r := range l.graphs {
		if r.broken = l.sendGraph(p, h, r); errors.Is(r.broken, errGone) {
			return r.broken
		}
	}
	if err := l.tellBuffers(p); err != nil {
		return err
	}
	l.settled.Store(l.seq)
	l.streamed = false
	clear(l.arrived)
	return nil
}

// ended deals with the end of a device process: whoever waits on it is told, and a new one
// takes its place at once. It runs on the goroutine that keeps the process.
func (l *link) ended(p *process, ws syscall.WaitStatus) {
	p.seg.HangUp()
	l.mu.Lock()
	if l.p == p {
		l.p = nil
		l.serving.Store(nil)
		p.fault = l.verdict(p, ws)
		if p.fault != nil {
			l.fault.Store(p.fault)
			l.losses = append(l.losses, loss{l.settled.Load(), l.seq, p.fault})
			l.unheard.Store(true)
		}
		for _, c := range l.chunks {
			if c.fd < 0 {
				l.abandon(c)
			}
		}
		l.afterDeath(l.settled.Load())
		l.settled.Store(l.seq)
		l.streamed = false
		l.reclaim(func(*allocation) bool { return true })
		close(p.down)
		// A process that ends by itself as soon as it is up must not be started for ever.
		if p.fault != nil || time.Since(p.born) > time.Second {
			// If this fails, the next one to need the device tries again and gets the error.
			_ = l.start()
		}
	} else {
		close(p.down) // it never came into service
	}
	l.mu.Unlock()
	p.users.Wait()
	p.conn.Close()
	p.seg.Unmap()
}

// verdict says what was lost with a process, or nil if nothing was. The lock is held.
func (l *link) verdict(p *process, ws syscall.WaitStatus) *Error {
	if words := p.seg.LastWords(); words != nil {
		if f, err := wire.UnmarshalFailure(words); err == nil {
			return l.blame(f, p)
		}
	}
	launches := l.marks.between(l.settled.Load(), l.seq)
	e := &Error{Code: 719, Name: "CUDA_ERROR_LAUNCH_FAILED", Op: "device work"}
	if during := l.marks.between(p.seg.Serving()-1, p.seg.Serving()); len(during) == 1 && p.hello.Properties.Simulated {
		launches = during // it runs one at a time
	}
	why := p.why.Load()
	switch {
	case why != nil:
		e.Message = *why + "; the device process was replaced"
	case p.stopped.Load():
		e.Code, e.Name, e.Message = codeUnknown, "", "stopped; the device process was replaced"
	case l.work.Load() <= l.settled.Load():
		return nil
	default:
		e.Message = "the device process died (" + ending(ws) + ") and was replaced"
	}
	if len(launches) > 0 {
		e.Message += "; work since the last wait is lost: " + suspects(launches)
	} else {
		e.Message += "; copies since the last wait may be lost"
	}
	if len(launches) == 1 {
		e.Kernel, e.Site = launches[0].kernel.name, launches[0].place.String()
	}
	e.Message += ". Other buffers keep their contents"
	return e
}

func ending(ws syscall.WaitStatus) string {
	if ws.Signaled() {
		return ws.Signal().String()
	}
	return fmt.Sprintf("exit status %d", ws.ExitStatus())
}

// explain turns a failure that the device process reported into an error that names the
// launch.
func (l *link) explain(f *wire.Failure, p *process) *Error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.blame(f, p)
}

// blame is explain with the lock held. Simulated launches are carried out one by one, so an
// error belongs to the launch that returned it; on a GPU a fatal one belongs to some launch
// before.
func (l *link) blame(f *wire.Failure, p *process) *Error {
	e := fromBackend("device work", &f.Err)
	culprits := l.marks.between(f.Seq-1, f.Seq)
	if f.Err.Fatal && !p.hello.Properties.Simulated {
		upTo := l.seq
		if f.Seq != 0 {
			upTo = f.Seq
		}
		culprits = l.marks.between(l.settled.Load(), upTo)
		culprits = slices.DeleteFunc(culprits, func(m mark) bool { return m.seq <= l.arrived[m.stream] })
		culprits = narrow(culprits, p.seg)
		// A launch that was refused because of an earlier fault is not the fault.
		if n := len(culprits); n > 1 && culprits[n-1].seq == f.Seq {
			culprits = culprits[:n-1]
		}
	}
	switch len(culprits) {
	case 0:
	case 1:
		e.Kernel, e.Site = culprits[0].kernel.name, culprits[0].place.String()
		e.Op = "kernel " + e.Kernel + ", launched"
	default:
		e.Message += "; one of the kernels launched since the last wait did it: " + suspects(culprits)
	}
	if f.Err.Fatal {
		e.Message += ". The device process was replaced and buffers keep their contents"
	}
	return e
}

// close ends the device process for good, for tests and for programs that are done.
func (l *link) close() {
	l.mu.Lock()
	p := l.p
	l.p = nil
	l.serving.Store(nil)
	l.mu.Unlock()
	if p != nil {
		p.kill()
		<-p.down
	}
}

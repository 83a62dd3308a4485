package magics

import (
	"context"
	"sync"

	"github.com/gopherwarp/gopherwarp/internal/session"
	"github.com/gopherwarp/gopherwarp/kernel"
)

var _ kernel.CommOpener = (*Engine)(nil)

// comms connects the comms of the session process, which are those of widgets, with the kernel's.
type comms struct {
	session *session.Session
	cards   *cards

	mu   sync.Mutex
	host kernel.CommHost // of the cell that ran last; nil before
	open map[string]talker
}

// A talker is the session process's end of a comm.
type talker struct {
	comm    *kernel.Comm
	process int
	control bool // whether the front end asks on it for the states of all widgets
}

func newComms(s *session.Session) *comms {
	c := &comms{session: s, cards: newCards(), open: map[string]talker{}}
	s.SetComms(c)
	return c
}

// cell makes the comms that are opened from now on belong to a cell's output, if that can have any.
func (c *comms) cell(out kernel.Output) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.host, _ = out.(kernel.CommHost)
}

// remove returns an open comm and makes it unknown. A comm that is not open is nil.
func (c *comms) remove(id string) *kernel.Comm {
	c.mu.Lock()
	defer c.mu.Unlock()
	comm := c.open[id].comm
	delete(c.open, id)
	return comm
}

func (c *comms) talker(id string) talker {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.open[id]
}

func (c *comms) add(id string, t talker) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.open[id] = t
}

// Comm implements session.Comms.
func (c *comms) Comm(process int, m session.CommMessage) {
	out := kernel.CommMessage{Parent: m.Parent, Data: m.Data, Metadata: m.Meta, Buffers: m.Buffers}
	switch m.Kind {
	case session.CommOpen:
		c.mu.Lock()
		host := c.host
		c.mu.Unlock()
		if host == nil {
			return
		}
		if comm, err := host.OpenComm(m.ID, m.Target, out, listener{c, m.ID}); err == nil { // otherwise the front end has opened it already
			c.add(m.ID, talker{comm: comm, process: process})
		}
	case session.CommData:
		if t := c.talker(m.ID); t.comm != nil {
			if t.control {
				out.Data = c.cards.merge(out.Data)
			}
			_ = t.comm.Send(out) // fails if the front end has just closed it, of which the session process hears
		}
	case session.CommClose:
		if comm := c.remove(m.ID); comm != nil {
			_ = comm.Close(out)
		}
	}
}

// Ended implements session.Comms.
func (c *comms) Ended(process int) {
	c.mu.Lock()
	var ended []*kernel.Comm
	for id, t := range c.open {
		if t.process == process {
			ended = append(ended, t.comm)
			delete(c.open, id)
		}
	}
	c.mu.Unlock()
	for _, comm := range ended {
		_ = comm.Close(kernel.CommMessage{})
	}
}

// controlTarget is the target through which front ends ask for the states of all widgets. Widgets themselves are made by Go.
const controlTarget = "jupyter.widget.control"

// OpenComm implements kernel.CommOpener.
func (e *Engine) OpenComm(_ context.Context, target string, comm *kernel.Comm, first kernel.CommMessage) kernel.CommListener {
	switch target {
	case labTarget:
		return e.newLab(comm)
	case controlTarget:
	default:
		return nil
	}
	c, l := e.comms, listener{e.comms, comm.ID()}
	m := l.message(session.CommOpen, first)
	m.Target = target
	// Its answer may come before SendComm returns.
	c.add(comm.ID(), talker{comm: comm, control: true})
	process, err := c.session.SendComm(m)
	c.mu.Lock()
	defer c.mu.Unlock()
	if err != nil {
		// There is no session process, and so no widget but those of cards.
		delete(c.open, comm.ID())
		return cardStates{c.cards, comm}
	}
	if _, open := c.open[comm.ID()]; open {
		c.open[comm.ID()] = talker{comm, process, true}
	}
	return l
}

// A listener passes the front end's messages on a comm to the session process.
type listener struct {
	comms *comms
	id    string
}

func (l listener) message(kind session.CommKind, m kernel.CommMessage) session.CommMessage {
	return session.CommMessage{Kind: kind, ID: l.id, Data: m.Data, Meta: m.Metadata, Buffers: m.Buffers, Parent: m.Parent}
}

// Message implements kernel.CommListener.
func (l listener) Message(_ context.Context, m kernel.CommMessage) {
	_, _ = l.comms.session.SendComm(l.message(session.CommData, m)) // fails if the process has exited, which closes the comm
}

// Closed implements kernel.CommListener.
func (l listener) Closed(_ context.Context, m kernel.CommMessage) {
	l.comms.remove(l.id)
	_, _ = l.comms.session.SendComm(l.message(session.CommClose, m))
}

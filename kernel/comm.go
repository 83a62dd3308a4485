package kernel

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
)

// A CommOpener is an Engine to which front ends can open comms. A comm is a channel between an object in the front end, such as a widget,
// and its counterpart in the kernel. An engine that is not a CommOpener has no targets.
type CommOpener interface {
	// OpenComm accepts a comm that a front end opens, and returns the listener for its messages. Nil rejects it: there is no such target.
	// Cells may run meanwhile.
	OpenComm(ctx context.Context, target string, c *Comm, first CommMessage) CommListener
}

// A CommListener receives the front end's messages on one comm. Calls are sequential, unless the front end uses a comm in several
// subshells.
type CommListener interface {
	Message(ctx context.Context, m CommMessage)
	// Closed is called when the front end, not this side, has closed the comm.
	Closed(ctx context.Context, m CommMessage)
}

// A CommHost is an Output through which a cell can open comms. The outputs that the kernel passes to an engine are CommHosts.
type CommHost interface {
	// OpenComm opens a comm to a target in the front end. id must not be in use; if it is empty, the comm has a new one. A front end without
	// that target closes it, which calls the listener's Closed.
	OpenComm(id, target string, first CommMessage, l CommListener) (*Comm, error)
}

// A CommMessage is a message on a comm. Empty Data and Metadata stand for an empty object.
type CommMessage struct {
	// Parent is the header of the front end's request: that of a received message, or the one that a sent message answers. If it is
	// empty, a sent message answers the last request about the comm.
	Parent   json.RawMessage
	Data     json.RawMessage
	Metadata json.RawMessage
	Buffers  [][]byte
}

// ErrCommClosed is the error of sending on a comm that is closed.
var ErrCommClosed = errors.New("the comm is closed")

// A Comm is the kernel's end of a comm. Its methods are safe for concurrent use.
type Comm struct {
	s      *server
	id     string
	target string

	mu       sync.Mutex
	listener CommListener
	parent   json.RawMessage // of the last request about it
	closed   bool
}

// ID returns the id by which both sides know the comm.
func (c *Comm) ID() string { return c.id }

// Send sends a message to the front end. It returns ErrCommClosed if either side has closed the comm.
func (c *Comm) Send(m CommMessage) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return ErrCommClosed
	}
	return c.send("comm_msg", m)
}

// Close closes the comm. It returns ErrCommClosed if it is closed already.
func (c *Comm) Close(m CommMessage) error {
	c.s.comms.remove(c.id)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return ErrCommClosed
	}
	c.closed = true
	return c.send("comm_close", m)
}

// end closes the comm without a message. It reports whether it was open.
func (c *Comm) end() bool {
	c.s.comms.remove(c.id)
	c.mu.Lock()
	defer c.mu.Unlock()
	was := !c.closed
	c.closed = true
	return was
}

// send broadcasts a message; the caller holds c.mu or has the only reference to c.
func (c *Comm) send(msgType string, m CommMessage) error {
	content := map[string]any{"comm_id": c.id, "data": json.RawMessage(orEmpty(m.Data))}
	if msgType == "comm_open" {
		content["target_name"] = c.target
	}
	parent := c.parent
	if len(m.Parent) > 0 {
		parent = m.Parent
	}
	out, err := newMessage(c.s.session, msgType, parent, content)
	if err != nil {
		return err
	}
	if out.Metadata = m.Metadata; len(m.Metadata) > 0 && !isObject(m.Metadata) {
		return errors.New("the metadata of a comm message is not a JSON object")
	}
	out.Buffers = m.Buffers
	c.s.iopub.makeRoom()
	c.s.iopub.sendMessage(out)
	return nil
}

// heard records the request that answers belong to.
func (c *Comm) heard(r *request) CommListener {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.parent = r.msg.RawHeader
	return c.listener
}

// comms holds the open comms by id.
type comms struct {
	mu   sync.Mutex
	open map[string]*Comm
}

// add adds a comm. It returns false if the id is in use.
func (c *comms) add(one *Comm) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.open[one.id] != nil {
		return false
	}
	if c.open == nil {
		c.open = make(map[string]*Comm)
	}
	c.open[one.id] = one
	return true
}

func (c *comms) find(id string) *Comm {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.open[id]
}

func (c *comms) remove(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.open, id)
}

// OpenComm implements CommHost.
func (o *output) OpenComm(id, target string, first CommMessage, l CommListener) (*Comm, error) {
	if id == "" {
		id = newID()
	}
	c := &Comm{s: o.s, id: id, target: target, listener: l, parent: o.req.msg.RawHeader}
	if !o.s.comms.add(c) {
		return nil, fmt.Errorf("open comm %s: a comm of this id is open", id)
	}
	c.mu.Lock() // the front end's answer must not be handled in between
	defer c.mu.Unlock()
	if err := c.send("comm_open", first); err != nil {
		o.s.comms.remove(c.id)
		return nil, fmt.Errorf("open comm: %w", err)
	}
	return c, nil
}

// commRequest is the content of all messages about comms.
type commRequest struct {
	ID     string          `json:"comm_id"`
	Target string          `json:"target_name"`
	Data   json.RawMessage `json:"data"`
}

func (q commRequest) message(r *request) CommMessage {
	return CommMessage{Parent: r.msg.RawHeader, Data: q.Data, Metadata: r.msg.Metadata, Buffers: r.msg.Buffers}
}

// comm returns a handler of a message about comms. These have no reply that could contain an error.
func comm(handle func(s *server, ctx context.Context, r *request, q commRequest) error) handler {
	return func(s *server, ctx context.Context, r *request) (any, error) {
		var q commRequest
		err := r.msg.DecodeContent(&q)
		if err == nil && q.ID == "" {
			err = errors.New("comm_id is missing")
		}
		if err == nil {
			err = handle(s, ctx, r, q)
		}
		if err != nil {
			s.log.Warn("dropped a message", "type", r.msg.Header.Type, "comm", q.ID, "err", err)
		}
		return nil, nil
	}
}

func (s *server) commOpen(ctx context.Context, r *request, q commRequest) error {
	c := &Comm{s: s, id: q.ID, target: q.Target, parent: r.msg.RawHeader}
	if !s.comms.add(c) {
		return errors.New("a comm of this id is open")
	}
	if opener, ok := s.eng.(CommOpener); ok {
		if l := opener.OpenComm(ctx, q.Target, c, q.message(r)); l != nil {
			c.mu.Lock()
			c.listener = l
			c.mu.Unlock()
			return nil
		}
	}
	if err := c.Close(CommMessage{}); err != nil && !errors.Is(err, ErrCommClosed) {
		return err
	}
	return nil
}

func (s *server) commMessage(ctx context.Context, r *request, q commRequest) error {
	c := s.comms.find(q.ID)
	if c == nil {
		return errors.New("no such comm is open")
	}
	if l := c.heard(r); l != nil {
		l.Message(ctx, q.message(r))
	}
	return nil
}

func (s *server) commClose(ctx context.Context, r *request, q commRequest) error {
	c := s.comms.find(q.ID)
	if c == nil {
		return nil // both sides closed it at once
	}
	l := c.heard(r)
	if c.end() && l != nil {
		l.Closed(ctx, q.message(r))
	}
	return nil
}

func (s *server) commInfo(_ context.Context, r *request) (any, error) {
	var q struct {
		Target string `json:"target_name"`
	}
	if err := r.msg.DecodeContent(&q); err != nil {
		return nil, err
	}
	found := map[string]any{}
	s.comms.mu.Lock()
	defer s.comms.mu.Unlock()
	for id, c := range s.comms.open {
		if q.Target == "" || q.Target == c.target {
			found[id] = map[string]any{"target_name": c.target}
		}
	}
	return map[string]any{"status": "ok", "comms": found}, nil
}

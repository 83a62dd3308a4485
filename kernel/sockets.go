package kernel

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"slices"
	"sync"
	"syscall"
	"time"
)

// The sockets implement the part of ZeroMQ that a kernel needs. It has to answer the connection that
// asked even if that sent no identity, to welcome each subscriber, to know that its last messages
// were sent before it exits, and to tolerate strangers that send garbage and peers that stop reading.

// The memory that strangers can make the kernel use is limited: connections times bytes of a message.
const (
	// strangerBytes bounds a message from a peer that has not sent a signed one. Front ends begin with a
	// kernel_info_request.
	strangerBytes = 128 << 10
	// maxStrangers is how many connections of a socket may be those of strangers; a front end that was never asked
	// for input is one on stdin. Beyond that the oldest one is closed.
	maxStrangers = 128
	// plainBytes bounds a message to heartbeat and iopub, which are never signed, and maxPlain the
	// connections of each.
	plainBytes = 4 << 10
	maxPlain   = 256
)

// endpoint is one bound socket with all its connections.
type endpoint struct {
	typ      socketType
	listener net.Listener
	log      *slog.Logger

	mu     sync.Mutex
	conns  []*connection // from oldest to newest
	joined chan struct{} // closed, and replaced, when a handshake completes
	closed bool
	wg     sync.WaitGroup
}

// connection is an accepted connection.
type connection struct {
	net.Conn
	peer *peer // nil until the handshake is done
}

// stranger reports whether the connection has not sent a signed message.
func (c *connection) stranger() bool { return c.peer == nil || !c.peer.known.Load() }

func listen(ctx context.Context, typ socketType, network, addr string, log *slog.Logger) (*endpoint, error) {
	var lc net.ListenConfig
	l, err := lc.Listen(ctx, network, addr)
	if errors.Is(err, syscall.EADDRINUSE) && network == "unix" && removeStale(ctx, addr) {
		l, err = lc.Listen(ctx, network, addr)
	}
	if err != nil {
		return nil, fmt.Errorf("listen on %s: %w", addr, err)
	}
	return &endpoint{typ: typ, listener: l, log: log, joined: make(chan struct{})}, nil
}

// removeStale removes the socket of a kernel that was killed. It reports whether there was one.
func removeStale(ctx context.Context, addr string) bool {
	var d net.Dialer
	if rw, err := d.DialContext(ctx, "unix", addr); err == nil {
		_ = rw.Close()
		return false
	}
	info, err := os.Lstat(addr)
	return err == nil && info.Mode().Type() == fs.ModeSocket && os.Remove(addr) == nil
}

// start accepts connections until close. handle is called for every message, by one goroutine for each peer.
func (e *endpoint) start(handle func(p *peer, frames [][]byte)) {
	e.wg.Go(func() {
		for {
			rw, err := e.listener.Accept()
			if errors.Is(err, net.ErrClosed) {
				return
			}
			if err != nil {
				// Out of file descriptors, most likely, which is temporary.
				e.log.Warn("accept failed", "socket", e.typ, "err", err)
				time.Sleep(100 * time.Millisecond)
				continue
			}
			e.wg.Go(func() { e.serve(rw, handle) })
		}
	})
}

func (e *endpoint) serve(rw net.Conn, handle func(p *peer, frames [][]byte)) {
	defer rw.Close()
	c := e.register(rw)
	if c == nil {
		return
	}
	defer e.forget(c)
	p, err := openPeer(rw, e.typ, "")
	if err != nil {
		e.log.Warn("connection refused", "socket", e.typ, "err", err)
		return
	}
	defer func() { <-p.done }()
	defer p.close()
	p.limit = plainBytes
	if e.signed() {
		p.limit = strangerBytes
	}
	e.mu.Lock()
	c.peer = p
	close(e.joined)
	e.joined = make(chan struct{})
	e.mu.Unlock()
	for {
		frames, err := p.receive()
		if err != nil {
			if !errors.Is(err, io.EOF) && !errors.Is(err, net.ErrClosed) {
				e.log.Warn("connection dropped", "socket", e.typ, "err", err)
			}
			return
		}
		handle(p, frames)
	}
}

// signed reports whether messages to the socket have a signature.
func (e *endpoint) signed() bool { return e.typ == routerSocket }

// register adds a connection so that close can close it. It returns nil after close, and if there are too many already.
func (e *endpoint) register(rw net.Conn) *connection {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return nil
	}
	if !e.signed() && len(e.conns) >= maxPlain {
		e.log.Warn("connection refused: there are too many", "socket", e.typ, "connections", len(e.conns))
		return nil
	}
	if e.signed() {
		e.dropStrangerLocked()
	}
	c := &connection{Conn: rw}
	e.conns = append(e.conns, c)
	return c
}

// dropStrangerLocked closes the oldest connection of a stranger if there are too many.
func (e *endpoint) dropStrangerLocked() {
	var oldest *connection
	strangers := 0
	for _, c := range e.conns {
		if c.stranger() {
			strangers++
			if oldest == nil {
				oldest = c
			}
		}
	}
	if strangers >= maxStrangers {
		e.log.Warn("connection dropped: there are too many that have sent nothing signed", "socket", e.typ, "connections", strangers)
		oldest.Close()
		e.conns = slices.DeleteFunc(e.conns, func(c *connection) bool { return c == oldest })
	}
}

func (e *endpoint) forget(c *connection) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.conns = slices.DeleteFunc(e.conns, func(one *connection) bool { return one == c })
}

// peers returns the peers whose handshake is complete.
func (e *endpoint) peers() []*peer {
	e.mu.Lock()
	defer e.mu.Unlock()
	all := make([]*peer, 0, len(e.conns))
	for _, c := range e.conns {
		if c.peer != nil {
			all = append(all, c.peer)
		}
	}
	return all
}

// find returns the peer with the identity id. It waits for one until ctx is done, because the connections of a front end complete in any
// order.
func (e *endpoint) find(ctx context.Context, id string) (*peer, error) {
	for {
		e.mu.Lock()
		joined := e.joined
		e.mu.Unlock()
		for _, p := range e.peers() {
			if p.id == id {
				return p, nil
			}
		}
		select {
		case <-joined:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// close closes all connections, once their queues are written or done is closed, and waits for their goroutines.
func (e *endpoint) close(done <-chan struct{}) {
	e.mu.Lock()
	e.closed = true
	_ = e.listener.Close()
	e.mu.Unlock()
	for _, p := range e.peers() {
		p.finish(done)
	}
	e.mu.Lock()
	for _, c := range e.conns {
		_ = c.Close()
	}
	e.mu.Unlock()
	e.wg.Wait()
}

package kernel

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"sync"
	"time"
)

// The sockets are as much of ZeroMQ as a kernel needs. It has to answer the connection that
// asked even if that named no identity, to greet each subscriber, to know that its last words
// left before it exits, and to outlive strangers who send garbage and peers who stop reading.

const (
	// handshakeTimeout bounds how long a stranger who connects may say nothing.
	handshakeTimeout = 10 * time.Second
	// writeTimeout is how long a peer may leave its receive buffer full before it is cut
	// off. Until then the cell that prints waits, which keeps memory bounded.
	writeTimeout = 30 * time.Second
)

// peer is one connection of a socket.
type peer struct {
	rw net.Conn
	r  *bufio.Reader
	id string // the identity that it named; empty for none

	patience time.Duration // how long a write may take

	writing sync.Mutex
	out     []byte
	topics  map[string]bool // what it subscribed to; the publisher's lock guards it
}

// openPeer does the ZMTP handshake on a new connection.
func openPeer(rw net.Conn, typ socketType, id string) (*peer, error) {
	if err := rw.SetDeadline(time.Now().Add(handshakeTimeout)); err != nil {
		return nil, fmt.Errorf("set handshake deadline: %w", err)
	}
	r := bufio.NewReader(rw)
	peerID, err := shakeHands(rw, r, typ, id)
	if err != nil {
		return nil, fmt.Errorf("ZMTP handshake: %w", err)
	}
	if err := rw.SetDeadline(time.Time{}); err != nil {
		return nil, fmt.Errorf("clear handshake deadline: %w", err)
	}
	return &peer{
		rw: rw, r: r, id: peerID,
		patience: writeTimeout, topics: make(map[string]bool),
	}, nil
}

// send writes one message whole. A peer that does not take it in time is cut off.
func (p *peer) send(frames [][]byte) error {
	p.writing.Lock()
	defer p.writing.Unlock()
	p.out = appendFrames(p.out[:0], frames)
	err := p.write(p.out)
	if cap(p.out) > 1<<20 {
		p.out = nil // one large image must not hold its memory for good
	}
	return err
}

// write sends bytes; the caller holds p.writing.
func (p *peer) write(b []byte) error {
	err := p.rw.SetWriteDeadline(time.Now().Add(p.patience))
	if err == nil {
		_, err = p.rw.Write(b)
	}
	if err != nil {
		p.close() // part of a message may be out: the stream can't be used any more
		return fmt.Errorf("send to peer: %w", err)
	}
	return nil
}

// receive waits for the next message and answers commands on the way.
func (p *peer) receive() ([][]byte, error) {
	for {
		frames, command, err := readFrames(p.r, maxMessageBytes)
		if err != nil {
			return nil, err
		}
		if !command {
			return frames, nil
		}
		if answer := answerCommand(frames[0]); answer != nil {
			p.writing.Lock()
			err := p.write(answer)
			p.writing.Unlock()
			if err != nil {
				return nil, err
			}
		}
	}
}

func (p *peer) close() { _ = p.rw.Close() }

// endpoint is one bound socket with all its connections.
type endpoint struct {
	typ      socketType
	listener net.Listener
	log      *slog.Logger

	mu     sync.Mutex
	conns  map[net.Conn]*peer // nil until the handshake is done
	closed bool
	wg     sync.WaitGroup
}

func listen(ctx context.Context, typ socketType, network, addr string, log *slog.Logger) (*endpoint, error) {
	var lc net.ListenConfig
	l, err := lc.Listen(ctx, network, addr)
	if err != nil {
		return nil, fmt.Errorf("listen on %s: %w", addr, err)
	}
	return &endpoint{typ: typ, listener: l, log: log, conns: make(map[net.Conn]*peer)}, nil
}

// start accepts connections until close. handle gets every message, from one goroutine for
// each peer.
func (e *endpoint) start(handle func(p *peer, frames [][]byte)) {
	e.wg.Go(func() {
		for {
			rw, err := e.listener.Accept()
			if errors.Is(err, net.ErrClosed) {
				return
			}
			if err != nil {
				// Out of file descriptors, most likely: it passes.
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
	if !e.register(rw, nil) {
		return
	}
	defer e.forget(rw)
	p, err := openPeer(rw, e.typ, "")
	if err != nil {
		e.log.Warn("connection refused", "socket", e.typ, "err", err)
		return
	}
	e.register(rw, p)
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

// register notes a connection so that close can end it. It says no after close.
func (e *endpoint) register(rw net.Conn, p *peer) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return false
	}
	e.conns[rw] = p
	return true
}

func (e *endpoint) forget(rw net.Conn) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.conns, rw)
}

// peers returns those whose handshake is done.
func (e *endpoint) peers() []*peer {
	e.mu.Lock()
	defer e.mu.Unlock()
	all := make([]*peer, 0, len(e.conns))
	for _, p := range e.conns {
		if p != nil {
			all = append(all, p)
		}
	}
	return all
}

// find returns the peer that named identity id, or nil.
func (e *endpoint) find(id string) *peer {
	for _, p := range e.peers() {
		if p.id == id {
			return p
		}
	}
	return nil
}

// close ends all connections and waits for their goroutines.
func (e *endpoint) close() {
	e.mu.Lock()
	e.closed = true
	_ = e.listener.Close()
	for rw := range e.conns {
		_ = rw.Close()
	}
	e.mu.Unlock()
	e.wg.Wait()
}

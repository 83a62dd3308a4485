package kernel

import (
	"bufio"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// handshakeTimeout is the maximum duration of a handshake.
	handshakeTimeout = 10 * time.Second
	// lastWordsTimeout is the maximum time for sending the queued messages of a peer when the kernel exits.
	lastWordsTimeout = time.Second

	// maxQueued is the number of bytes in the queue of a peer that does not read, from which the peer is dropped. One more message is
	// queued before that, whatever its size.
	maxQueued = 64 << 20
	// enoughQueued is the number of queued bytes from which output of cells waits for the peer, limited by patience. The rest is for
	// messages that must not wait.
	enoughQueued = 32 << 20
	// patience is how long output of cells may have waited for a peer in total, since the peer had last read everything. Then it is
	// dropped.
	patience = 5 * time.Second

	// batch is the approximate number of bytes of a write.
	batch = 1 << 20
)

// peer is one connection of a socket. Messages to it are queued, so that sending never waits for a peer that does not read.
type peer struct {
	rw net.Conn
	r  *bufio.Reader
	id string // its identity; may be empty

	limit    uint64          // of the size of a message from it in bytes; only its reader uses it
	known    atomic.Bool     // whether it has sent a signed message
	topics   map[string]bool // its subscriptions; the publisher's lock guards them
	patience time.Duration   // how long output of cells may wait for it
	done     chan struct{}   // closed after the last write

	mu     sync.Mutex
	queue  []encoded
	queued int           // bytes in the queue, including those being written
	slow   time.Duration // how long output of cells has waited for it
	closed error         // why the peer was closed; nil if it is open
	change chan struct{} // closed and replaced when any of these changes
}

var (
	errPeerGone = errors.New("the connection is closed")
	errPeerSlow = errors.New("it does not read what is sent to it")
)

// newPeer starts the goroutine that writes to rw, which returns when the peer is closed.
func newPeer(rw net.Conn, r *bufio.Reader, id string) *peer {
	p := &peer{
		rw: rw, r: r, id: id, limit: maxMessageBytes, topics: make(map[string]bool), patience: patience,
		done: make(chan struct{}), change: make(chan struct{}),
	}
	go p.work()
	return p
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
	return newPeer(rw, r, peerID), nil
}

// send queues one message. A peer with too much in its queue is dropped.
func (p *peer) send(frames [][]byte) error { return p.post(encodeFrames(frames)) }

func (p *peer) post(m encoded) error {
	p.mu.Lock()
	if p.closed == nil && p.queued > maxQueued {
		p.closeLocked(errPeerSlow)
	}
	if p.closed != nil {
		defer p.mu.Unlock()
		return fmt.Errorf("send to peer: %w", p.closed)
	}
	p.queue = append(p.queue, m)
	p.queued += m.size
	p.changedLocked()
	p.mu.Unlock()
	return nil
}

// work writes queued messages until the peer is closed.
func (p *peer) work() {
	defer close(p.done)
	for {
		p.mu.Lock()
		if len(p.queue) == 0 {
			p.slow = 0
		}
		closed, change := p.closed, p.change
		buffers, size := p.takeLocked()
		p.mu.Unlock()
		if closed != nil {
			return
		}
		if size == 0 {
			<-change
			continue
		}
		if _, err := buffers.WriteTo(p.rw); err != nil {
			p.drop(fmt.Errorf("write: %w", err))
			return
		}
		p.mu.Lock()
		p.queued -= size
		p.changedLocked()
		p.mu.Unlock()
	}
}

// takeLocked takes the next messages from the queue. They still count as queued.
func (p *peer) takeLocked() (buffers net.Buffers, size int) {
	for len(p.queue) > 0 && size < batch {
		buffers = append(buffers, p.queue[0].parts...)
		size += p.queue[0].size
		p.queue[0] = encoded{}
		p.queue = p.queue[1:]
	}
	return buffers, size
}

func (p *peer) changedLocked() {
	close(p.change)
	p.change = make(chan struct{})
}

// makeRoom waits until output of cells may be queued. It drops the peer when that has taken too long.
func (p *peer) makeRoom(log *slog.Logger) {
	for {
		p.mu.Lock()
		full, change, left := p.closed == nil && p.queued > enoughQueued, p.change, p.patience-p.slow
		p.mu.Unlock()
		if !full {
			return
		}
		if left <= 0 {
			log.Warn("subscriber dropped", "err", errPeerSlow, "waited", p.patience)
			p.drop(errPeerSlow)
			return
		}
		start := time.Now()
		timeout := time.NewTimer(left)
		select {
		case <-change:
		case <-timeout.C:
		}
		timeout.Stop()
		p.mu.Lock()
		p.slow += time.Since(start)
		p.mu.Unlock()
	}
}

// finish waits until all queued messages are written, or done is closed.
func (p *peer) finish(done <-chan struct{}) {
	for {
		p.mu.Lock()
		waits, change := p.closed == nil && p.queued > 0, p.change
		p.mu.Unlock()
		if !waits {
			return
		}
		select {
		case <-change:
		case <-done:
			return
		}
	}
}

// receive returns the next message, for which it waits; it answers commands meanwhile.
func (p *peer) receive() ([][]byte, error) {
	for {
		frames, command, err := readFrames(p.r, p.limit)
		if err != nil {
			return nil, err
		}
		if !command {
			return frames, nil
		}
		if answer := answerCommand(frames[0]); answer != nil {
			if err := p.post(encoded{parts: [][]byte{answer}, size: len(answer)}); err != nil {
				return nil, err
			}
		}
	}
}

// trust permits the peer to send messages of any size, since it has the key.
func (p *peer) trust() {
	p.known.Store(true)
	p.limit = maxMessageBytes
}

func (p *peer) close() { p.drop(errPeerGone) }

// drop closes the connection. Queued messages are lost.
func (p *peer) drop(why error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closeLocked(why)
}

func (p *peer) closeLocked(why error) {
	if p.closed != nil {
		return
	}
	p.closed, p.queue = why, nil
	p.changedLocked()
	_ = p.rw.Close()
}

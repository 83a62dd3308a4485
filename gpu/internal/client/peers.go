package client

import (
	"errors"
	"fmt"
	"slices"
	"syscall"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/wire"
)

// minPeer is the minimum size in bytes of a copy for which mapping the other device's memory is faster.
const minPeer = 4 << 20

// CopyAcross copies n bytes from one device to another and waits for that.
func CopyAcross(dst *Block, to uint64, src *Block, from, n uint64, stream uint32) error {
	if n >= minPeer {
		err := copyFromPeer(dst, to, src, from, n, stream)
		if !errors.Is(err, ErrNoPeer) {
			return err
		}
	}
	// Through the host, reading the next part while one is written.
	type piece struct {
		mem []byte
		at  uint64
		err error
	}
	read, free := make(chan piece), make(chan []byte, 2)
	for range cap(free) {
		free <- make([]byte, min(n, 8*PartSize))
	}
	stop := make(chan struct{})
	defer close(stop)
	go func() {
		defer close(read)
		for at := uint64(0); at < n; {
			select {
			case <-stop:
				return
			case mem := <-free:
				mem = mem[:min(uint64(len(mem)), n-at)]
				p := piece{mem, at, src.Link.copies.download(src, mem, from+at, 0)}
				select {
				case <-stop:
					return
				case read <- p:
				}
				at += uint64(len(mem))
			}
		}
	}()
	for p := range read {
		if p.err != nil {
			return p.err
		}
		if err := dst.Link.copies.upload(dst, to+p.at, p.mem, stream); err != nil {
			return err
		}
		free <- p.mem[:cap(p.mem)]
	}
	return nil
}

// ErrNoPeer is the error of devices that cannot access each other's memory.
var ErrNoPeer = errors.New("devices cannot reach each other's memory")

// copyFromPeer maps the source into dst's device process for the duration of one copy.
func copyFromPeer(dst *Block, to uint64, src *Block, from, n uint64, stream uint32) error {
	if err := src.Link.Sync(); err != nil { // the data must have been written
		return err
	}
	c := src.chunk
	fd, err := src.share()
	if err != nil {
		return err
	}
	defer syscall.Close(fd)
	l := dst.Link
	var mapped uint64
	var by *Process
	err = l.With(func(p *Process) error {
		at, err := l.peers.mapChunk(p, c, fd)
		if err != nil {
			return err
		}
		mapped, by = at, p
		return l.Submit(p, &wire.Command{Op: wire.OpCopy, Dst: to, Src: mapped + from - c.addr, N: n, Stream: stream}, nil, dst)
	})
	if err != nil {
		return err
	}
	err = l.awaitOn(by, &wire.Command{Op: wire.OpStreamSync, Stream: stream})
	if errors.Is(err, errReplaced) {
		if err := l.awaitCleanup(by); err != nil {
			return err
		}
		return exitedTwice()
	}
	l.peers.release(peerChunk{mapped, by})
	return err
}

// share returns a descriptor of the allocation's chunk, which the caller must close: the chunk's own may be closed at any time.
func (a *Allocation) share() (fd int, err error) {
	fd = -1
	err = a.Link.With(func(*Process) (err error) {
		if err := a.Usable(); err != nil {
			return err
		}
		if a.chunk.fd < 0 {
			return ErrNoPeer
		}
		syscall.ForkLock.RLock()
		defer syscall.ForkLock.RUnlock()
		if fd, err = syscall.Dup(a.chunk.fd); err != nil {
			return fmt.Errorf("sharing device memory: %w", err)
		}
		syscall.CloseOnExec(fd)
		return nil
	})
	return fd, err
}

// peers are the chunks of other devices that a device has mapped. The connection's lock guards it.
type peers struct {
	conn   *connection
	chunks map[*chunk]peerChunk
}

// peerChunk is another device's chunk, mapped for a device.
type peerChunk struct {
	addr uint64
	by   *Process
}

// mapChunk maps another device's chunk, which has the descriptor fd, in the process, and returns its address there. The error is
// ErrNoPeer if the hardware cannot do that. The lock is held.
func (m *peers) mapChunk(p *Process, c *chunk, fd int) (uint64, error) {
	req := &wire.MapPeer{PeerAddr: c.addr, Size: c.size}
	err := m.conn.request(p, req, fd)
	var refused *backend.Error
	if errors.As(err, &refused) {
		return 0, ErrNoPeer
	}
	if err != nil {
		return 0, err
	}
	return req.Addr, nil
}

// keepMapped maps another device's chunk, unless the process has it mapped. The lock is held.
func (m *peers) keepMapped(p *Process, c *chunk, fd int) (peerChunk, error) {
	if known := m.chunks[c]; known.by == p {
		return known, nil
	}
	at, err := m.mapChunk(p, c, fd)
	if err != nil {
		return peerChunk{}, err
	}
	m.chunks[c] = peerChunk{at, p}
	return m.chunks[c], nil
}

// release unmaps a chunk, unless its process has exited.
func (m *peers) release(c peerChunk) {
	m.conn.mu.Lock()
	defer m.conn.mu.Unlock()
	if c.by == m.conn.p {
		m.conn.tell(&wire.Command{Op: wire.OpReleaseChunk, Dst: c.addr})
	}
}

// unmap unmaps a chunk that keepMapped mapped.
func (m *peers) unmap(c *chunk) {
	m.conn.mu.Lock()
	known := m.chunks[c]
	delete(m.chunks, c)
	m.conn.mu.Unlock()
	if known.by != nil {
		m.release(known)
	}
}

// forget removes the chunks that an exited process had mapped. The lock is held.
func (m *peers) forget() { clear(m.chunks) }

// MapPeer maps the chunk of another device's allocation, unless it is mapped, and returns the address of the allocation in the process
// by.
func (l *Link) MapPeer(a *Allocation) (start uint64, by *Process, err error) {
	c := a.chunk
	fd, err := a.share()
	if err != nil {
		return 0, nil, err
	}
	defer syscall.Close(fd)
	a.Link.conn.mu.Lock()
	if !slices.Contains(c.mappedBy, l) {
		c.mappedBy = append(c.mappedBy, l)
	}
	a.Link.conn.mu.Unlock()
	var m peerChunk
	err = l.With(func(p *Process) (err error) {
		m, err = l.peers.keepMapped(p, c, fd)
		return err
	})
	return m.addr + a.Addr - c.addr, m.by, err
}

package gpu

import (
	"errors"
	"fmt"
	"syscall"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/wire"
)

// peerLeast is the size from which on mapping the other device's memory pays, in bytes.
const peerLeast = 4 << 20

// copyAcross copies n bytes from one device to another and waits for that.
func copyAcross(dst *allocation, to uint64, src *allocation, from, n uint64, stream uint32) error {
	if n >= peerLeast {
		err := copyFromPeer(dst, to, src, from, n, stream)
		if !errors.Is(err, errNoPeer) {
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
		free <- make([]byte, min(n, 8*partSize))
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
				p := piece{mem, at, src.link.download(src, mem, from+at, 0)}
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
		if err := dst.link.upload(dst, to+p.at, p.mem, stream); err != nil {
			return err
		}
		free <- p.mem[:cap(p.mem)]
	}
	return nil
}

// errNoPeer says that a device cannot reach the other's memory.
var errNoPeer = errors.New("devices cannot reach each other's memory")

// copyFromPeer maps the source into dst's device process for the time of one copy.
func copyFromPeer(dst *allocation, to uint64, src *allocation, from, n uint64, stream uint32) error {
	if err := src.link.sync(); err != nil { // what is to be copied must be there
		return err
	}
	c := src.chunk
	fd, err := src.share()
	if err != nil {
		return err
	}
	defer syscall.Close(fd)
	l := dst.link
	var mapped uint64
	var by *process
	err = l.with(func(p *process) error {
		at, err := l.mapPeer(p, c, fd)
		if err != nil {
			return err
		}
		mapped, by = at, p
		return l.submit(p, &wire.Command{Op: wire.OpCopy, Dst: to, Src: mapped + from - c.addr, N: n, Stream: stream}, nil, dst)
	})
	if err != nil {
		return err
	}
	err = l.awaitOn(by, &wire.Command{Op: wire.OpStreamSync, Stream: stream})
	if errors.Is(err, errReplaced) {
		if err := l.mourn(by); err != nil {
			return err
		}
		return l.died()
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.p == by {
		// If the process has died since, the mapping is gone with it.
		_ = l.push(by, &wire.Command{Op: wire.OpReleaseChunk, Dst: mapped}, nil)
	}
	return err
}

// share returns a descriptor of the chunk that the allocation lies in, which the caller owns: the
// chunk's own may be closed at any time.
func (a *allocation) share() (fd int, err error) {
	a.link.mu.Lock()
	defer a.link.mu.Unlock()
	if err := a.usable(); err != nil {
		return -1, err
	}
	if a.chunk.fd < 0 {
		return -1, errNoPeer
	}
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	if fd, err = syscall.Dup(a.chunk.fd); err != nil {
		return -1, fmt.Errorf("sharing device memory: %w", err)
	}
	syscall.CloseOnExec(fd)
	return fd, nil
}

// mapPeer has the process map another device's chunk, which is behind fd, and returns its address there. The
// error is errNoPeer where the hardware can't. The lock is held.
func (l *link) mapPeer(p *process, c *chunk, fd int) (uint64, error) {
	req := &wire.MapPeer{PeerAddr: c.addr, Size: c.size}
	err := l.request(p, req, fd)
	var refused *backend.Error
	if errors.As(err, &refused) {
		return 0, errNoPeer
	}
	if err != nil {
		return 0, err
	}
	return req.Addr, nil
}

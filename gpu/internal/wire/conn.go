package wire

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"syscall"
)

// maxMessage is the maximum size of a received message, in bytes: images are a few megabytes.
const maxMessage = 1 << 30

// A Conn sends and receives messages on one end of a stream socket pair. Reads and writes block the calling thread: package net
// would be too large for a program that is linked into every cell.
type Conn struct{ fd int }

// Pair returns two connected ends. The second is a bare descriptor, to be inherited by another process; the caller closes it.
func Pair() (*Conn, int, error) {
	fds, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, -1, fmt.Errorf("make a socket pair: %w", err)
	}
	return &Conn{fd: fds[0]}, fds[1], nil
}

// NewConn returns a Conn for a descriptor from Pair, which it owns from then on.
func NewConn(fd int) *Conn { return &Conn{fd: fd} }

// FD returns the socket's descriptor, which the Conn still owns.
func (c *Conn) FD() int { return c.fd }

// Close closes the socket.
func (c *Conn) Close() error { return syscall.Close(c.fd) }

// SetReadTimeout sets the time after which reads fail with EAGAIN; 0 means never.
func (c *Conn) SetReadTimeout(microseconds int64) error {
	tv := syscall.NsecToTimeval(microseconds * 1000)
	return syscall.SetsockoptTimeval(c.fd, syscall.SOL_SOCKET, syscall.SO_RCVTIMEO, &tv)
}

// ErrBroken is the error of a request without an answer because the connection was closed.
var ErrBroken = errors.New("the connection between session and device process has ended")

// Ask sends a request, with a copy of the descriptor unless fd is negative, and waits for its answer. It returns the error of the
// request, ErrBroken or ErrShort.
func (c *Conn) Ask(r Request, fd int) error {
	if err := c.Send(MarshalRequest(r), fd); err != nil {
		return fmt.Errorf("%w: %w", ErrBroken, err)
	}
	msg, got, err := c.Receive()
	if err != nil {
		return fmt.Errorf("%w: %w", ErrBroken, err)
	}
	err = UnmarshalAnswer(msg, r)
	if d, ok := r.(describer); ok && err == nil {
		*d.descriptor() = got
	} else if got >= 0 {
		syscall.Close(got)
	}
	return err
}

// Answer sends the answer of a request, or the error with which it failed, and closes the descriptor that is sent with the
// answer.
func (c *Conn) Answer(r Request, failed error) error {
	fd := -1
	if d, ok := r.(describer); ok && *d.descriptor() >= 0 {
		fd = *d.descriptor()
		defer syscall.Close(fd)
	}
	if failed != nil {
		return c.Send(MarshalAnswer(r, failed), -1)
	}
	return c.Send(MarshalAnswer(r, nil), fd)
}

// A describer is a Request whose answer may come with a descriptor.
type describer interface{ descriptor() *int }

// Send sends a message and, if fd is not negative, a copy of that descriptor.
func (c *Conn) Send(msg []byte, fd int) error {
	var head [8]byte
	binary.NativeEndian.PutUint64(head[:], uint64(len(msg)))
	var rights []byte
	if fd >= 0 {
		rights = syscall.UnixRights(fd)
	}
	if err := c.write(head[:], rights); err != nil {
		return err
	}
	return c.write(msg, nil)
}

func (c *Conn) write(b, rights []byte) error {
	for len(b) > 0 {
		n, err := syscall.SendmsgN(c.fd, b, rights, nil, syscall.MSG_NOSIGNAL)
		if err == syscall.EINTR {
			continue
		}
		if err != nil {
			return fmt.Errorf("write to the socket between session and device process: %w", err)
		}
		b, rights = b[n:], nil
	}
	return nil
}

// Receive waits for a message. The descriptor is -1 if none came with it; otherwise the caller closes it. At the end of the
// connection the error is io.EOF.
func (c *Conn) Receive() (msg []byte, fd int, err error) {
	var head [8]byte
	fd, err = c.read(head[:])
	if err != nil {
		return nil, -1, err
	}
	n := binary.NativeEndian.Uint64(head[:])
	if n <= maxMessage {
		msg = make([]byte, n)
		_, err = c.read(msg)
	} else {
		err = ErrShort
	}
	if err != nil && fd >= 0 {
		syscall.Close(fd)
		fd = -1
	}
	return msg, fd, err
}

func (c *Conn) read(b []byte) (fd int, err error) {
	fd = -1
	oob := make([]byte, syscall.CmsgSpace(4))
	for len(b) > 0 {
		n, oobn, _, _, err := syscall.Recvmsg(c.fd, b, oob, syscall.MSG_CMSG_CLOEXEC)
		if err == syscall.EINTR {
			continue
		}
		if err == syscall.ECONNRESET || err == nil && n == 0 {
			return -1, io.EOF
		}
		if err != nil {
			return -1, fmt.Errorf("read from the socket between session and device process: %w", err)
		}
		if oobn > 0 {
			fd = takeFD(oob[:oobn])
		}
		b = b[n:]
	}
	return fd, nil
}

func takeFD(oob []byte) int {
	msgs, err := syscall.ParseSocketControlMessage(oob)
	if err != nil {
		return -1
	}
	for i := range msgs {
		if fds, err := syscall.ParseUnixRights(&msgs[i]); err == nil && len(fds) > 0 {
			return fds[0]
		}
	}
	return -1
}

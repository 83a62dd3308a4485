package kernel

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
)

// ZMTP 3.0 framing: every frame is a flag byte, a length and the body.
const (
	flagMore    = 1
	flagLong    = 2 // the length has 8 bytes, not 1
	flagCommand = 4

	maxMessageBytes = 1 << 30
)

var errTooLarge = errors.New("message is too large")

// frameCost is the memory that a frame needs in addition to its body, in bytes. Without it a message of empty frames could be of any
// size.
const frameCost = 64

// readFrames reads one whole message or command. It returns an error if that needs more than limit bytes.
func readFrames(r *bufio.Reader, limit uint64) (frames [][]byte, command bool, err error) {
	for total := uint64(0); ; {
		flags, err := r.ReadByte()
		if err != nil {
			if len(frames) > 0 && errors.Is(err, io.EOF) {
				err = io.ErrUnexpectedEOF
			}
			return nil, false, err
		}
		size, err := readLength(r, flags&flagLong != 0)
		if err != nil {
			return nil, false, err
		}
		if size > limit || total+size+frameCost > limit {
			return nil, false, errTooLarge
		}
		total += size + frameCost
		body, err := readBody(r, int64(size))
		if err != nil {
			return nil, false, err
		}
		frames = append(frames, body)
		if flags&flagMore == 0 {
			return frames, flags&flagCommand != 0, nil
		}
	}
}

func readLength(r *bufio.Reader, long bool) (uint64, error) {
	var b [8]byte
	n := b[7:]
	if long {
		n = b[:]
	}
	if _, err := io.ReadFull(r, n); err != nil {
		return 0, noEOF(err)
	}
	return binary.BigEndian.Uint64(b[:]), nil
}

// readBody reads a body. It does not trust size: it allocates memory as data arrives.
func readBody(r *bufio.Reader, size int64) ([]byte, error) {
	const trusted = 1 << 16
	if size <= trusted {
		body := make([]byte, size)
		_, err := io.ReadFull(r, body)
		return body, noEOF(err)
	}
	var buf bytes.Buffer
	if _, err := io.CopyN(&buf, r, size); err != nil {
		return nil, noEOF(err)
	}
	return buf.Bytes(), nil
}

func noEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// encoded is a message in ZMTP framing, in parts that are written in order.
type encoded struct {
	parts [][]byte
	size  int // bytes in all parts
}

// copyBelow is the size in bytes below which frames are copied into one part with others. Larger ones are used without a copy, such as
// those of pictures.
const copyBelow = 16 << 10

// encodeFrames frames a message. It keeps references to large frames, which must not be changed afterwards.
func encodeFrames(frames [][]byte) encoded {
	var m encoded
	var part []byte
	for i, f := range frames {
		var flags byte
		if i < len(frames)-1 {
			flags = flagMore
		}
		part = appendHead(part, flags, len(f))
		if len(f) < copyBelow {
			part = append(part, f...)
			continue
		}
		m.add(part)
		m.add(f)
		part = nil
	}
	m.add(part)
	return m
}

func (m *encoded) add(part []byte) {
	if len(part) > 0 {
		m.parts = append(m.parts, part)
		m.size += len(part)
	}
}

func appendFrame(dst []byte, flags byte, body []byte) []byte {
	return append(appendHead(dst, flags, len(body)), body...)
}

// appendHead appends the header of a frame.
func appendHead(dst []byte, flags byte, size int) []byte {
	if size > 255 {
		dst = append(dst, flags|flagLong)
		return binary.BigEndian.AppendUint64(dst, uint64(size))
	}
	return append(dst, flags, byte(size))
}

// A PING command has its name, a 2-byte time to live and up to 16 bytes that are returned.
var pingName = []byte("\x04PING")

// answerCommand returns the frame that answers a command, or nil if it needs no answer.
func answerCommand(body []byte) []byte {
	rest, ok := bytes.CutPrefix(body, pingName)
	if !ok || len(rest) < 2 || len(rest) > 18 {
		return nil
	}
	pong := append([]byte("\x04PONG"), rest[2:]...)
	return append([]byte{flagCommand, byte(len(pong))}, pong...)
}

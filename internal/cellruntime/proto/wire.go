package proto

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"net"
)

// MaxValue is the maximum size of a value on the socket in bytes. Real values are much smaller.
const MaxValue = 2 << 30

// Write writes a request or an event: the length of its JSON in four bytes, big-endian, and the JSON.
func Write(w io.Writer, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	if len(data) > MaxValue {
		return fmt.Errorf("a value of %d bytes; at most %d can be sent", len(data), MaxValue)
	}
	// A net.Conn writes both parts at once, so that values of several goroutines never mix.
	parts := net.Buffers{binary.BigEndian.AppendUint32(nil, uint32(len(data))), data}
	_, err = parts.WriteTo(w)
	return err
}

// Read reads the next request or event into v. At the end of the stream the error is io.EOF.
func Read(r *bufio.Reader, v any) error {
	var head [4]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return err
	}
	size := binary.BigEndian.Uint32(head[:])
	if size > MaxValue {
		return fmt.Errorf("a value of %d bytes; at most %d are taken", size, MaxValue)
	}
	data := make([]byte, size)
	if _, err := io.ReadFull(r, data); err != nil {
		return fmt.Errorf("a value ends early: %w", io.ErrUnexpectedEOF)
	}
	return json.Unmarshal(data, v)
}

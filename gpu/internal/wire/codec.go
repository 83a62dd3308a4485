package wire

import (
	"encoding/binary"
	"errors"
)

// ErrShort says that a message ends too early or goes on too long.
var ErrShort = errors.New("damaged message between session and device process")

// An encoder appends values to a message.
type encoder struct{ b []byte }

func (e *encoder) uint(v uint64)   { e.b = binary.NativeEndian.AppendUint64(e.b, v) }
func (e *encoder) int(v int)       { e.uint(uint64(v)) }
func (e *encoder) string(s string) { e.int(len(s)); e.b = append(e.b, s...) }
func (e *encoder) bytes(s []byte)  { e.int(len(s)); e.b = append(e.b, s...) }

func (e *encoder) bool(v bool) {
	if v {
		e.uint(1)
	} else {
		e.uint(0)
	}
}

func (e *encoder) strings(list []string) {
	e.int(len(list))
	for _, s := range list {
		e.string(s)
	}
}

// A decoder takes them out again. After a failure every value is zero.
type decoder struct {
	b   []byte
	bad bool
}

func (d *decoder) uint() uint64 {
	if len(d.b) < 8 {
		d.bad, d.b = true, nil
		return 0
	}
	v := binary.NativeEndian.Uint64(d.b)
	d.b = d.b[8:]
	return v
}

func (d *decoder) int() int   { return int(d.uint()) }
func (d *decoder) bool() bool { return d.uint() != 0 }

// count reads the number of items that follow, each at least size bytes long.
func (d *decoder) count(size int) int {
	n := d.uint()
	if n > uint64(len(d.b)/size) {
		d.bad, d.b = true, nil
		return 0
	}
	return int(n)
}

func (d *decoder) bytes() []byte {
	n := d.count(1)
	v := d.b[:n:n]
	d.b = d.b[n:]
	return v
}

func (d *decoder) string() string { return string(d.bytes()) }

func (d *decoder) strings() []string {
	n := d.count(8)
	list := make([]string, 0, n)
	for range n {
		list = append(list, d.string())
	}
	return list
}

func (d *decoder) end() error {
	if d.bad || len(d.b) != 0 {
		return ErrShort
	}
	return nil
}

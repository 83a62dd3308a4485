package wire

import (
	"encoding/binary"
	"errors"
)

// ErrShort is the error of a message that is too short or too long.
var ErrShort = errors.New("damaged message between session and device process")

// A coder encodes or decodes a message. The fields of a type are listed once, in a function that does both, so that the two
// directions cannot differ. Encoding changes no value: other goroutines may read it at the same time.
type coder struct {
	b       []byte // the encoded bytes, or those still to be decoded
	reading bool
	short   bool // the decoded bytes were too few; all further values are zero
}

// encode returns the bytes that f encodes.
func encode(f func(c *coder)) []byte {
	c := &coder{}
	f(c)
	return c.b
}

// decode decodes bytes with f. It fails unless f reads exactly all of them.
func decode(b []byte, f func(c *coder)) error {
	c := &coder{b: b, reading: true}
	f(c)
	if c.short || len(c.b) != 0 {
		return ErrShort
	}
	return nil
}

// word encodes v and returns it, or returns the next decoded number.
func (c *coder) word(v uint64) uint64 {
	if !c.reading {
		c.b = binary.NativeEndian.AppendUint64(c.b, v)
		return v
	}
	if len(c.b) < 8 {
		c.short, c.b = true, nil
		return 0
	}
	v = binary.NativeEndian.Uint64(c.b)
	c.b = c.b[8:]
	return v
}

// bytes copies when it encodes; when it decodes, the result is a part of the message.
func (c *coder) bytes(v *[]byte) {
	n := c.word(uint64(len(*v)))
	if !c.reading {
		c.b = append(c.b, *v...)
		return
	}
	if *v = nil; n > uint64(len(c.b)) {
		c.short, c.b = true, nil
		return
	}
	if n > 0 {
		*v = c.b[:n:n]
	}
	c.b = c.b[n:]
}

func (c *coder) bools(list ...*bool) {
	for _, v := range list {
		n := uint64(0)
		if *v {
			n = 1
		}
		if n = c.word(n); c.reading {
			*v = n != 0
		}
	}
}

// numbers encodes or decodes integers of any size, each as a word.
func numbers[T ~int | ~int64 | ~uint32 | ~uint64](c *coder, list ...*T) {
	for _, v := range list {
		if n := c.word(uint64(*v)); c.reading {
			*v = T(n)
		}
	}
}

// vector is like numbers, for an array.
func vector[T ~int | ~int64 | ~uint32 | ~uint64](c *coder, v []T) {
	for i := range v {
		numbers(c, &v[i])
	}
}

func texts[T ~string](c *coder, list ...*T) {
	for _, v := range list {
		b := []byte(*v)
		if c.bytes(&b); c.reading {
			*v = T(b)
		}
	}
}

// list encodes or decodes the number of elements and the elements. An element has at least one word, so the memory allocated for
// a damaged number is limited to a multiple of the message's size.
func list[T any](c *coder, v *[]T, element func(c *coder, v *T)) {
	n := c.word(uint64(len(*v)))
	if !c.reading {
		for i := range *v {
			element(c, &(*v)[i])
		}
		return
	}
	*v = nil
	for i := uint64(0); i < n && !c.short; i++ {
		var e T
		element(c, &e)
		*v = append(*v, e)
	}
}

// table is like list, for a map.
func table[V any](c *coder, m *map[string]V, value func(c *coder, v *V)) {
	n := c.word(uint64(len(*m)))
	if !c.reading {
		for k, v := range *m {
			texts(c, &k)
			value(c, &v)
		}
		return
	}
	*m = nil
	for i := uint64(0); i < n && !c.short; i++ {
		var k string
		var v V
		texts(c, &k)
		value(c, &v)
		if *m == nil {
			*m = map[string]V{}
		}
		(*m)[k] = v
	}
}

// optional encodes or decodes a value that may be nil.
func optional[T any](c *coder, v **T, value func(c *coder, v *T)) {
	there := *v != nil
	c.bools(&there)
	if c.reading {
		if *v = nil; there {
			*v = new(T)
		}
	}
	if !there {
		return
	}
	value(c, *v)
}

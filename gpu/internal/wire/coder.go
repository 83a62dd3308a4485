package wire

import (
	"encoding/binary"
	"errors"
)

// ErrShort is the error of a message that ends too early or goes on too long.
var ErrShort = errors.New("damaged message between session and device process")

// A coder writes a message, or reads one. What a type consists of is listed once, in a function
// that does both, so that the two directions cannot disagree. Writing changes no value: others may read it meanwhile.
type coder struct {
	b       []byte // what is written, or what is still to be read
	reading bool
	short   bool // what was read has ended too early; every value from there on is zero
}

// encode returns the bytes that f writes.
func encode(f func(c *coder)) []byte {
	c := &coder{}
	f(c)
	return c.b
}

// decode has f read bytes, and fails unless these are as many as it takes.
func decode(b []byte, f func(c *coder)) error {
	c := &coder{b: b, reading: true}
	f(c)
	if c.short || len(c.b) != 0 {
		return ErrShort
	}
	return nil
}

// word writes a number and returns it, or returns the next one.
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

// bytes copies when it writes, but what it reads is a part of the message.
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

// numbers is for integers of all sizes, each of which takes a word.
func numbers[T ~int | ~int64 | ~uint32 | ~uint64](c *coder, list ...*T) {
	for _, v := range list {
		if n := c.word(uint64(*v)); c.reading {
			*v = T(n)
		}
	}
}

// vector is numbers for an array.
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

// list writes or reads the elements' number and each of them. An element is a word at least, so a
// damaged number cannot ask for more memory than some times the message's.
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

// table is list for a map.
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

// optional is for what may be nil.
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

package wire

import (
	"errors"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// Hello is the device process's first message.
type Hello struct {
	Version    int
	Backend    string // "cuda" or "sim"
	Properties backend.Properties
	// Note is a message for the user, e.g. why the simulator is used.
	Note string
	// Err is the error with which the device could not be opened; then the other fields are empty.
	Err *backend.Error
}

func (h *Hello) code(c *coder) {
	numbers(c, &h.Version)
	texts(c, &h.Backend, &h.Note)
	optional(c, &h.Err, codeError)
	codeProperties(c, &h.Properties)
}

// Marshal returns the encoded message.
func (h *Hello) Marshal() []byte { return encode(h.code) }

// UnmarshalHello is the inverse of Marshal.
func UnmarshalHello(b []byte) (*Hello, error) {
	h := &Hello{}
	return h, decode(b, h.code)
}

// MarshalRequest returns the encoded question of r.
func MarshalRequest(r Request) []byte {
	return encode(func(c *coder) {
		k := r.kind()
		numbers(c, &k)
		r.question(c)
	})
}

// UnmarshalRequest is the inverse of MarshalRequest.
func UnmarshalRequest(b []byte) (r Request, err error) {
	err = decode(b, func(c *coder) {
		var k kind
		if numbers(c, &k); k >= kindEnd || requests[k] == nil {
			c.short = true
			return
		}
		r = requests[k]()
		r.question(c)
	})
	return r, err
}

// MarshalAnswer returns the encoded answer of r, or the error with which it failed.
func MarshalAnswer(r Request, failed error) []byte {
	return encode(func(c *coder) { codeAnswer(c, r, failed) })
}

// UnmarshalAnswer decodes an answer into r. If the request failed, the error is a *backend.Error or a *backend.CompileError.
func UnmarshalAnswer(b []byte, r Request) (err error) {
	if short := decode(b, func(c *coder) { err = codeAnswer(c, r, nil) }); short != nil {
		return short
	}
	return err
}

// codeAnswer encodes or decodes an answer, and returns the error with which the request failed.
func codeAnswer(c *coder, r Request, failed error) error {
	var refused *backend.CompileError
	var other *backend.Error
	if !errors.As(failed, &refused) {
		other = AsError(failed)
	}
	optional(c, &refused, func(c *coder, e *backend.CompileError) { texts(c, &e.Program, &e.Log) })
	optional(c, &other, codeError)
	switch {
	case refused != nil:
		return refused
	case other != nil:
		return other
	}
	r.answer(c)
	return nil
}

// Parts of the Arg of an OpViews.
const (
	ViewsSimulated = 1 << iota // the simulator is to check the launch
	ViewsLocals                // variables are recorded, too
)

// MarshalViews returns the data of an OpViews.
func MarshalViews(views []backend.View) []byte {
	return encode(func(c *coder) { list(c, &views, codeView) })
}

// UnmarshalViews is the inverse of MarshalViews.
func UnmarshalViews(b []byte) (views []backend.View, err error) {
	err = decode(b, func(c *coder) { list(c, &views, codeView) })
	return views, err
}

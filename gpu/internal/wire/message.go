package wire

import (
	"errors"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// Hello is the device process's first message.
type Hello struct {
	Version    int
	Backend    string // "cuda", "sim"
	Properties backend.Properties
	// Note is worth telling the user, e.g. why a simulator was taken.
	Note string
	// Err is why the device could not be opened; then the rest is empty.
	Err *backend.Error
}

func (h *Hello) code(c *coder) {
	numbers(c, &h.Version)
	texts(c, &h.Backend, &h.Note)
	optional(c, &h.Err, codeError)
	codeProperties(c, &h.Properties)
}

// Marshal returns the message's bytes.
func (h *Hello) Marshal() []byte { return encode(h.code) }

// UnmarshalHello is the inverse of Marshal.
func UnmarshalHello(b []byte) (*Hello, error) {
	h := &Hello{}
	return h, decode(b, h.code)
}

// MarshalRequest returns the bytes that ask r's question.
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

// MarshalAnswer returns the bytes that answer r, or say why it failed.
func MarshalAnswer(r Request, failed error) []byte {
	return encode(func(c *coder) { codeAnswer(c, r, failed) })
}

// UnmarshalAnswer puts an answer into r. If that has failed, the error is a *backend.Error or a
// *backend.CompileError.
func UnmarshalAnswer(b []byte, r Request) (err error) {
	if short := decode(b, func(c *coder) { err = codeAnswer(c, r, nil) }); short != nil {
		return short
	}
	return err
}

// codeAnswer writes or reads an answer, and returns why the request failed.
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

// MarshalViews returns the data of an OpViews.
func MarshalViews(views []backend.View) []byte {
	return encode(func(c *coder) { list(c, &views, codeView) })
}

// UnmarshalViews is the inverse of MarshalViews.
func UnmarshalViews(b []byte) (views []backend.View, err error) {
	err = decode(b, func(c *coder) { list(c, &views, codeView) })
	return views, err
}

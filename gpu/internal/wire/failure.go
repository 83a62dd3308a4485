package wire

import (
	"errors"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// The statuses of a ring slot.
const (
	StatusOK     = 0
	StatusFailed = 1 // the slot's data hold a Failure
)

// A Failure is an error of a command.
type Failure struct {
	// Seq is the command that failed, or 0 if that is not known: work runs
	// asynchronously, and an error often shows only at a later command.
	Seq uint64
	Err backend.Error
}

// Marshal gives the failure's bytes, at most limit of them: a very long message is cut.
func (f *Failure) Marshal(limit int) []byte {
	e := &encoder{}
	e.uint(f.Seq)
	err := f.Err
	const rest = 64 // all fields but the strings
	if n := limit - rest - len(err.Name); len(err.Message) > n {
		err.Message = err.Message[:max(n, 0)]
	}
	e.error(&err)
	return e.b
}

// UnmarshalFailure is the inverse of Marshal.
func UnmarshalFailure(b []byte) (*Failure, error) {
	d := &decoder{b: b}
	f := &Failure{Seq: d.uint()}
	if err := d.error(); err != nil {
		f.Err = *err
	}
	return f, d.end()
}

// AsError makes any error one that can travel.
func AsError(err error) *backend.Error {
	if err == nil {
		return nil
	}
	var e *backend.Error
	if errors.As(err, &e) {
		if e.Error() == err.Error() {
			return e
		}
		return &backend.Error{Code: e.Code, Name: e.Name, Message: err.Error(), Fatal: e.Fatal}
	}
	return &backend.Error{Code: 999, Name: "CUDA_ERROR_UNKNOWN", Message: err.Error()}
}

func (e *encoder) error(err *backend.Error) {
	e.bool(err != nil)
	if err == nil {
		return
	}
	e.int(err.Code)
	e.string(err.Name)
	e.string(err.Message)
	e.bool(err.Fatal)
}

func (d *decoder) error() *backend.Error {
	if !d.bool() {
		return nil
	}
	return &backend.Error{Code: d.int(), Name: d.string(), Message: d.string(), Fatal: d.bool()}
}

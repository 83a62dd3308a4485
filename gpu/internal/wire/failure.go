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
	// Seq is the command that failed, or 0 if that is unknown: work is asynchronous, and an error is often reported only by a
	// later command.
	Seq uint64
	Err backend.Error
}

func (f *Failure) code(c *coder) {
	numbers(c, &f.Seq)
	codeError(c, &f.Err)
}

// Marshal returns the encoded failure. The message is cut to keep it within limit bytes.
func (f *Failure) Marshal(limit int) []byte {
	short := *f
	const rest = 64 // all fields but the strings
	if n := limit - rest - len(f.Err.Name); len(f.Err.Message) > n {
		short.Err.Message = f.Err.Message[:max(n, 0)]
	}
	return encode(short.code)
}

// UnmarshalFailure is the inverse of Marshal.
func UnmarshalFailure(b []byte) (*Failure, error) {
	f := &Failure{}
	return f, decode(b, f.code)
}

// AsError converts any error to one that can be sent.
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

package client

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// An Error is a failure of the device, or a request that it cannot carry out.
type Error struct {
	Code    int    // of the CUDA driver, e.g. 700
	Name    string // its name, e.g. "CUDA_ERROR_ILLEGAL_ADDRESS"
	Op      string // what was being done, e.g. "launching saxpy"
	Message string // cause and remedy
	Kernel  string // the kernel that failed, if known
	Site    string // where it was launched, e.g. "cell[3]:7", if known
}

func (e *Error) Error() string {
	var b strings.Builder
	if e.Op != "" {
		b.WriteString(e.Op)
		if e.Site != "" {
			b.WriteString(" at " + e.Site)
		}
		b.WriteString(": ")
	}
	b.WriteString(e.Message)
	if e.Name != "" {
		fmt.Fprintf(&b, " [%s, %d]", e.Name, e.Code)
	}
	return b.String()
}

// A CompileError is the error of CUDA source that does not compile.
type CompileError struct{ Program, Log string }

func (e *CompileError) Error() string { return e.Program + " does not compile:\n" + e.Log }

// The driver's codes that are used here.
const (
	codeInvalidValue = 1
	CodeOutOfMemory  = 2
	codeUnknown      = 999
)

// invalid returns the error of an invalid request.
func invalid(format string, args ...any) *Error {
	return &Error{Code: codeInvalidValue, Name: "CUDA_ERROR_INVALID_VALUE", Message: fmt.Sprintf(format, args...)}
}

// fromBackend converts a backend's error to this package's type.
func fromBackend(op string, err *backend.Error) *Error {
	return &Error{Code: err.Code, Name: err.Name, Op: op, Message: err.Message}
}

// NameOp returns the error with the operation that failed, as an *Error or a *CompileError. Errors of something else, such as an earlier
// launch, have an operation already.
func NameOp(op string, err error) error {
	var e *Error
	var b *backend.Error
	var c *CompileError
	switch {
	case errors.As(err, &c):
		return c
	case errors.As(err, &e):
		if e.Op != "" {
			return e
		}
		named := *e
		named.Op = op
		return &named
	case errors.As(err, &b):
		return fromBackend(op, b)
	case errors.Is(err, io.EOF):
		err = errGone
	}
	return Unavailable(op, err)
}

// Unavailable returns the error of a device process that is not available.
func Unavailable(op string, err error) *Error {
	return &Error{Code: codeUnknown, Name: "CUDA_ERROR_UNKNOWN", Op: op, Message: err.Error()}
}

package client

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// Error is a failure of the device, or a request that it cannot carry out.
type Error struct {
	Code    int    // the CUDA driver's code, e.g. 700
	Name    string // its name, e.g. "CUDA_ERROR_ILLEGAL_ADDRESS"
	Op      string // what was being done, e.g. "launching saxpy"
	Message string // what happened and what to do
	Kernel  string // the kernel that failed, if that is known
	Site    string // where it was launched, e.g. "cell[3]:7", if that is known
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

// CompileError is CUDA source that does not compile.
type CompileError struct{ Program, Log string }

func (e *CompileError) Error() string { return e.Program + " does not compile:\n" + e.Log }

// The driver's codes that are needed here.
const (
	codeInvalidValue = 1
	CodeOutOfMemory  = 2
	codeUnknown      = 999
)

// invalid returns the error of a request that cannot be right.
func invalid(format string, args ...any) *Error {
	return &Error{Code: codeInvalidValue, Name: "CUDA_ERROR_INVALID_VALUE", Message: fmt.Sprintf(format, args...)}
}

// fromBackend puts a backend's error into this package's form.
func fromBackend(op string, err *backend.Error) *Error {
	return &Error{Code: err.Code, Name: err.Name, Op: op, Message: err.Message}
}

// NameOp gives an error the operation it happened in. Errors that speak of something else, such as an earlier launch, have
// one already. What it returns is an *Error or a *CompileError.
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

// Unavailable returns the error of a device process that cannot be had.
func Unavailable(op string, err error) *Error {
	return &Error{Code: codeUnknown, Name: "CUDA_ERROR_UNKNOWN", Op: op, Message: err.Error()}
}

package gpu

import (
	"errors"
	"fmt"

	"github.com/gopherwarp/gopherwarp/gpu/internal/client"
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

func (e *Error) Error() string { return (*client.Error)(e).Error() }

// A CompileError is the error of CUDA source that does not compile. Its log refers to the lines of the source.
type CompileError struct {
	Program string // as given to Compile, e.g. "cell[3].cu"
	Log     string
}

func (e *CompileError) Error() string { return e.Program + " does not compile:\n" + e.Log }

const codeNotFound = 500

// misuse returns the error of an invalid request.
func misuse(op, format string, args ...any) *Error {
	return &Error{Code: 1, Name: "CUDA_ERROR_INVALID_VALUE", Op: op, Message: fmt.Sprintf(format, args...)}
}

// wrap returns err as this package's type, with the operation that failed. Errors of something else, such as an earlier launch, have an
// operation already.
func wrap(op string, err error) error {
	if err == nil {
		return nil // separate from named, whose variables are allocated on the heap
	}
	return named(op, err)
}

func named(op string, err error) error {
	var e *Error
	var c *CompileError
	switch {
	case errors.As(err, &c):
		return c
	case errors.As(err, &e) && e.Op != "":
		return e
	case errors.As(err, &e):
		named := *e
		named.Op = op
		return &named
	}
	switch e := client.NameOp(op, err).(type) {
	case *client.CompileError:
		return (*CompileError)(e)
	case *client.Error:
		return (*Error)(e)
	default:
		return e
	}
}

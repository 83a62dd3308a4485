package gpu

import (
	"fmt"
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

// CompileError is CUDA source that does not compile. Its log names the source's own lines.
type CompileError struct {
	Program string // as given to Compile, e.g. "cell[3].cu"
	Log     string
}

func (e *CompileError) Error() string { return e.Program + " does not compile:\n" + e.Log }

// The codes that this package itself uses.
const (
	codeInvalidValue = 1
	codeNotFound     = 500
	codeUnknown      = 999
)

// misuse is the error of a request that cannot be right.
func misuse(op, format string, args ...any) *Error {
	return &Error{Code: codeInvalidValue, Name: "CUDA_ERROR_INVALID_VALUE", Op: op, Message: fmt.Sprintf(format, args...)}
}

// unavailable is the error of a device process that cannot be had.
func unavailable(op string, err error) *Error {
	return &Error{Code: codeUnknown, Name: "CUDA_ERROR_UNKNOWN", Op: op, Message: err.Error()}
}

// fromBackend puts a backend's error into this package's form.
func fromBackend(op string, err *backend.Error) *Error {
	return &Error{Code: err.Code, Name: err.Name, Op: op, Message: err.Message}
}

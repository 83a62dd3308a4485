package driver

import (
	"errors"
	"fmt"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// result is CUresult.
type result int32

const (
	success                result = 0
	errInvalidValue        result = 1
	errJITCompilerNotFound result = 221
	errInvalidHandle       result = 400
	errNotFound            result = 500
	errNotReady            result = 600
	errNotPermitted        result = 800
	errNotSupported        result = 801
)

// fatal are the results after which the context, and with it the process, cannot be used again. CUDA's documentation says so of
// each ("the process must be terminated", "the context cannot be used"). The unknown error is one of them because the state after
// it is unknown. Launches out of resources (701) and cooperative launches that are too large (720) are not: they fail before
// anything was executed.
var fatal = map[result]bool{
	4:   true, // deinitialised: the driver is shutting down
	214: true, // uncorrectable ECC error
	220: true, // uncorrectable NVLink error
	226: true, // contained memory error
	700: true, // illegal address
	702: true, // launch timeout
	709: true, // context is destroyed
	710: true, // device-side assert
	714: true, // hardware stack error
	715: true, // illegal instruction
	716: true, // misaligned address
	717: true, // invalid address space
	718: true, // invalid program counter
	719: true, // launch failed
	721: true, // tensor memory leak
	809: true, // MPS client terminated
	911: true, // failure of an external device
	999: true, // unknown
}

// failure returns the error of a driver call; doing describes the call.
func (a *api) failure(r result, doing string) *backend.Error {
	var name, text *byte
	a.GetErrorName(r, &name)
	a.GetErrorString(r, &text)
	e := &backend.Error{
		Code:    int(r),
		Name:    goString(name),
		Message: doing + ": " + goString(text),
		Fatal:   fatal[r],
	}
	if name == nil {
		e.Name, e.Message = "CUDA_ERROR", fmt.Sprintf("%s: the driver returned %d, an unknown error", doing, r)
	}
	return e
}

// check returns nil for a successful call, and otherwise its failure.
func (a *api) check(r result, doing string) error {
	if r == success {
		return nil
	}
	return a.failure(r, doing)
}

// unknownHandle returns the error for a module, kernel, stream or event that does not exist.
func unknownHandle(kind string, handle uint32) error {
	return &backend.Error{
		Code:    int(errInvalidHandle),
		Name:    "CUDA_ERROR_INVALID_HANDLE",
		Message: fmt.Sprintf("there is no %s %d; it was never created or has been destroyed", kind, handle),
	}
}

// invalidValue returns the error for an invalid argument.
func invalidValue(format string, args ...any) error {
	return &backend.Error{
		Code:    int(errInvalidValue),
		Name:    "CUDA_ERROR_INVALID_VALUE",
		Message: fmt.Sprintf(format, args...),
	}
}

// isCode reports whether err is the driver's result r.
func isCode(err error, r result) bool {
	var e *backend.Error
	return errors.As(err, &e) && e.Code == int(r)
}

package sim

import (
	"fmt"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// The CUresult codes that the simulator returns, as in cuda.h.
const (
	codeInvalidValue        = 1
	codeOutOfMemory         = 2
	codeInvalidDevice       = 101
	codeInvalidImage        = 200
	codeInvalidHandle       = 400
	codeNotFound            = 500
	codeIllegalAddress      = 700
	codeOutOfResources      = 701
	codeAssert              = 710
	codeIllegalInstruction  = 715
	codeLaunchFailed        = 719
	codeSystemNotReady      = 802
	codeJITCompilerNotFound = 221
	codeInvalidClusterSize  = 912
	codeNotSupported        = 801

	codeCooperativeLaunchTooLarge = 720
)

var codeNames = map[int]string{
	codeInvalidValue:        "CUDA_ERROR_INVALID_VALUE",
	codeOutOfMemory:         "CUDA_ERROR_OUT_OF_MEMORY",
	codeInvalidDevice:       "CUDA_ERROR_INVALID_DEVICE",
	codeInvalidImage:        "CUDA_ERROR_INVALID_IMAGE",
	codeInvalidHandle:       "CUDA_ERROR_INVALID_HANDLE",
	codeNotFound:            "CUDA_ERROR_NOT_FOUND",
	codeIllegalAddress:      "CUDA_ERROR_ILLEGAL_ADDRESS",
	codeOutOfResources:      "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES",
	codeAssert:              "CUDA_ERROR_ASSERT",
	codeIllegalInstruction:  "CUDA_ERROR_ILLEGAL_INSTRUCTION",
	codeLaunchFailed:        "CUDA_ERROR_LAUNCH_FAILED",
	codeSystemNotReady:      "CUDA_ERROR_SYSTEM_NOT_READY",
	codeJITCompilerNotFound: "CUDA_ERROR_JIT_COMPILER_NOT_FOUND",
	codeInvalidClusterSize:  "CUDA_ERROR_INVALID_CLUSTER_SIZE",
	codeNotSupported:        "CUDA_ERROR_NOT_SUPPORTED",

	codeCooperativeLaunchTooLarge: "CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE",
}

// errorf returns the error of a call that was rejected and had no effect.
func errorf(code int, format string, args ...any) *backend.Error {
	return &backend.Error{Code: code, Name: codeNames[code], Message: fmt.Sprintf(format, args...)}
}

// wrap converts a system error to a device error.
func wrap(code int, err error, format string, args ...any) error {
	return errorf(code, "%s: %v", fmt.Sprintf(format, args...), err)
}

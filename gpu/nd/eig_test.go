package nd_test

import (
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/gpu/internal/hook"
	"github.com/gopherwarp/gopherwarp/gpu/internal/routine"
	"github.com/gopherwarp/gopherwarp/gpu/nd"
)

// Eig needs no library: the host computes it where the device has no cuSOLVER, or an older one. Other errors are returned.
func TestEigWithoutLibrary(t *testing.T) {
	call := hook.CallLibrary
	t.Cleanup(func() { hook.CallLibrary = call })
	for name, works := range map[string]bool{"CUDA_ERROR_NOT_SUPPORTED": true, "CUDA_ERROR_NOT_FOUND": true, "CUDA_ERROR_ILLEGAL_ADDRESS": false} {
		hook.CallLibrary = func(routine.Call, ...any) error { return &gpu.Error{Name: name} }
		var values []complex128
		err := nd.Try(func() { values = nd.Eigvals[complex128](nd.FromSlice([]float64{2, 0, 0, 2}, 2, 2)).ToHost() })
		if works != (err == nil) || works && (values[0] != 2 || values[1] != 2) {
			t.Errorf("after %s: %v, %v", name, values, err)
		}
	}
}

package backendtest

import (
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// RunKernels runs the part of the suite in which kernels compute something, all of them
// right.
func RunKernels(t *testing.T, b backend.Backend) {
	onThread(func() { testKernels(t, &suite{b: b, root: t.Name()}) })
}

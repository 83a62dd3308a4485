package backendtest

import (
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// RunKernels runs the tests of kernels that compute a result and have no defects.
func RunKernels(t *testing.T, b backend.Backend) {
	s := &suite{b: b, root: t.Name()}
	t.Run("Kernels", func(t *testing.T) { onThread(func() { testKernels(t, s) }) })
	t.Run("Corpus", func(t *testing.T) { onThread(func() { testCorpus(t, s) }) })
}

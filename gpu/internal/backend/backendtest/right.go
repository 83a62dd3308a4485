package backendtest

import (
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// RunKernels runs the tests of kernels that compute a result and have no defects: of the corpus, the files that have one of the names.
func RunKernels(t *testing.T, b backend.Backend, named func(string) bool) {
	s := &suite{b: b, root: t.Name()}
	t.Run("Kernels", func(t *testing.T) { onThread(func() { testKernels(t, s) }) })
	t.Run("Corpus", func(t *testing.T) { onThread(func() { testCorpusOf(t, s, named) }) })
}

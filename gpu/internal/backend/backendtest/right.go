package backendtest

import (
	"hash/crc32"
	"os"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// RunKernels runs the tests of kernels that compute a result and have no defects: of the corpus one file in three, or all with
// GOPHERWARP_PROGRAMS=all.
func RunKernels(t *testing.T, b backend.Backend) {
	s := &suite{b: b, root: t.Name()}
	t.Run("Kernels", func(t *testing.T) { onThread(func() { testKernels(t, s) }) })
	all := os.Getenv("GOPHERWARP_PROGRAMS") == "all"
	t.Run("Corpus", func(t *testing.T) {
		onThread(func() {
			testCorpusOf(t, s, func(name string) bool { return all || crc32.ChecksumIEEE([]byte(name))%3 == 0 })
		})
	})
}

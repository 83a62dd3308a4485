package backendtest

import (
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/internal/corpus"
)

// testCorpus runs the kernels of gpu/testdata/kernels.
func testCorpus(t *testing.T, s *suite) {
	cases, err := corpus.Load()
	try(t, err)
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			onThread(func() {
				r := newRig(t, s)
				got, err := c.Run(r.d, r.chunk.Addr, rigBytes)
				if err == nil {
					err = c.Check(got)
				}
				if err != nil {
					t.Error(err)
				}
			})
		})
	}
}

package backendtest

import (
	"errors"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/backend/backendtest/corpus"
)

// testCorpus runs the kernels of gpu/testdata/kernels.
func testCorpus(t *testing.T, s *suite) {
	testCorpusOf(t, s, func(string) bool { return true })
}

// testCorpusOf runs those of the files that have one of the names.
func testCorpusOf(t *testing.T, s *suite, named func(string) bool) {
	cases, err := corpus.Load()
	try(t, err)
	for _, c := range cases {
		if !named(c.Name) {
			continue
		}
		t.Run(c.Name, func(t *testing.T) {
			onThread(func() {
				r := newRig(t, s)
				got, err := c.Run(r.d, r.chunk.Addr, rigBytes)
				if e := new(backend.Error); errors.As(err, &e) && e.Name == "CUDA_ERROR_NOT_SUPPORTED" {
					t.Skip("SKIPPED: the device does not support it:", err)
				}
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

// Programs returns the kernels of the tests, for compilers without a device.
func Programs() []backend.Program {
	var programs []backend.Program
	for _, tt := range kernelTests {
		programs = append(programs, backend.Program{Name: strings.ReplaceAll(tt.name, " ", "_") + ".cu", Source: tt.source, Kernels: tt.kernels})
	}
	return programs
}

package cudalib

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/routine"
)

func TestNames(t *testing.T) {
	for _, c := range []struct {
		family routine.Family
		cuda   int
		names  []string
		wheel  string
	}{
		{routine.BLAS, 13, []string{"libcublas.so.13", "libcublas.so.12", "libcublas.so.11"}, "nvidia-cublas"},
		{routine.BLAS, 14, []string{"libcublas.so.13", "libcublas.so.12", "libcublas.so.11"}, "nvidia-cublas"},
		{routine.Solver, 12, []string{"libcusolver.so.11"}, "nvidia-cusolver-cu12"},
		{routine.Collectives, 13, []string{"libnccl.so.2"}, "nvidia-nccl-cu13"},
		{routine.FFT, 11, []string{"libcufft.so.10"}, "nvidia-cufft-cu11"},
	} {
		p := products[c.family]
		if got := p.names(c.cuda); !slices.Equal(got, c.names) || p.wheel(c.cuda) != c.wheel {
			t.Errorf("%v with CUDA %d: got %v, %s", c.family, c.cuda, got, p.wheel(c.cuda))
		}
	}
	if got := jitLink.names(11); got != nil {
		t.Errorf("CUDA 11 has no nvJitLink: got %v", got)
	}
}

// The error for a missing library has the name of the package to install, and each call tries to open it again.
func TestMissing(t *testing.T) {
	tried := 0
	l := New(Config{CUDA: 12, Open: func(names []string) (uintptr, string, error) {
		tried++
		return 0, "", errors.New("/opt/lib/libcublas.so.12: needs what is not there")
	}})
	c := &routine.Gemm{Type: routine.Float32, A: routine.Matrices{Lead: 1}, B: routine.Matrices{Lead: 1}, C: routine.Matrices{Lead: 1}}
	for range 2 {
		tried = 0
		var e *backend.Error
		err := l.Call(c, 0, 0)
		if !errors.As(err, &e) || e.Fatal || tried == 0 {
			t.Fatalf("got %#v after %d tries", err, tried)
		}
		for _, say := range []string{"cuBLAS", "pip install nvidia-cublas-cu12", "CUDA_HOME", "needs what is not there"} {
			if !strings.Contains(e.Message, say) {
				t.Errorf("%q does not say %q", e.Message, say)
			}
		}
	}
	c.M = -1
	if err := l.Call(c, 0, 0); err == nil || !strings.Contains(err.Error(), "M is -1") {
		t.Errorf("got %v", err)
	}
	if err := errors.Join(l.Forget(3), l.Close()); err != nil {
		t.Error(err)
	}
}

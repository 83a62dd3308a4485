package nd_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/nd"
)

func TestNumPyNorms(t *testing.T) {
	s := newSuite(t)
	a, x := turned[float64](s, 3, 4, 5)
	for _, p := range []float64{2, 1, 0, 3, math.Inf(1), math.Inf(-1)} {
		expectFrom(s, fmt.Sprintf("np.linalg.norm(x0, float(%q), 1)", fmt.Sprint(p)), 100, func() *nd.Array[float64] { return nd.VectorNorm(a, p, 1) }, x)
	}
	for kind, name := range map[nd.NormKind]string{nd.Frobenius: "'fro'", nd.Nuclear: "'nuc'", nd.Spectral: "2", nd.ByColumns: "1", nd.ByRows: "np.inf"} {
		expectFrom(s, "np.linalg.norm(x0, "+name+", (-2, -1))", 1000, func() *nd.Array[float64] { return nd.MatrixNorm(a, kind) }, x)
	}
	// There are no singular values in a rehearsal, in which kernels compute nothing.
	for _, c := range s.cases {
		c.made = false
	}
	s.run()
}

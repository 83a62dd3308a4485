package nd_test

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gopherwarp/gopherwarp/gpu/nd"
)

func TestGonumMatrices(t *testing.T) {
	var product mat.Dense
	a := mat.NewDense(2, 3, []float64{1, 2, 3, 4, 5, 6})
	product.Mul(a, a.T())
	x := nd.FromMatrix(a)
	equal(t, "a·aᵀ", nd.MatMul(x, nd.FromMatrix(a.T())), product.RawMatrix().Data...)
	equal(t, "aᵀ", nd.FromMatrix(a.T()), 1, 4, 2, 5, 3, 6)
	if back := mat.NewDense(2, 3, x.ToHost()); !mat.Equal(back, a) {
		t.Errorf("it comes back as %v", back)
	}
}

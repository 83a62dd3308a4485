package linalg

import (
	"math"
	"math/cmplx"

	"gonum.org/v1/gonum/blas"

	"github.com/gopherwarp/gopherwarp/gpu/internal/eigenvalues"
	"github.com/gopherwarp/gopherwarp/gpu/internal/routine"
)

func complexSolver(a access[complex128]) solver[complex128] {
	return solver[complex128]{
		access: a, factor: lu, solve: solveLU, qr: householder, q: makeQ,
		cholesky: cholesky, svd: jacobiSVD, eigen: jacobiEigen,
		general: func(vectors bool, n int, a []complex128) (w, v []complex128, ok bool) {
			return eigenvalues.Of(a, n, vectors)
		},
	}
}

// lu factors a matrix with partial pivoting; the absolute value of an element is measured as LAPACK does.
func lu(m, n int, a []complex128, pivots []int) {
	size := func(v complex128) float64 { return math.Abs(real(v)) + math.Abs(imag(v)) }
	for j := range pivots {
		best := j
		for i := j + 1; i < m; i++ {
			if size(a[i*n+j]) > size(a[best*n+j]) {
				best = i
			}
		}
		pivots[j] = best
		swapRows(a, n, j, best)
		if a[j*n+j] == 0 {
			continue
		}
		for i := j + 1; i < m; i++ {
			a[i*n+j] /= a[j*n+j]
			f := a[i*n+j]
			for k := j + 1; k < n; k++ {
				a[i*n+k] -= f * a[j*n+k]
			}
		}
	}
}

func swapRows(a []complex128, n, i, j int) {
	if i == j {
		return
	}
	for k := range n {
		a[i*n+k], a[j*n+k] = a[j*n+k], a[i*n+k]
	}
}

func solveLU(op routine.Op, n, columns int, a []complex128, pivots []int, x []complex128) {
	if op == routine.AsIs {
		for i, p := range pivots {
			swapRows(x, columns, i, p)
		}
		b.Ztrsm(blas.Left, blas.Lower, blas.NoTrans, blas.Unit, n, columns, 1, a, n, x, columns)
		b.Ztrsm(blas.Left, blas.Upper, blas.NoTrans, blas.NonUnit, n, columns, 1, a, n, x, columns)
		return
	}
	b.Ztrsm(blas.Left, blas.Upper, transposed(op), blas.NonUnit, n, columns, 1, a, n, x, columns)
	b.Ztrsm(blas.Left, blas.Lower, transposed(op), blas.Unit, n, columns, 1, a, n, x, columns)
	for i := n - 1; i >= 0; i-- {
		swapRows(x, columns, i, pivots[i])
	}
}

// householder factors A = Q·R with reflections I - τ·v·vᴴ. v without its leading 1 is stored below
// the diagonal.
func householder(m, n int, a, tau []complex128) {
	for j := range tau {
		alpha := a[j*n+j]
		below := 0.0
		for i := j + 1; i < m; i++ {
			below = math.Hypot(below, cmplx.Abs(a[i*n+j]))
		}
		if below == 0 && imag(alpha) == 0 {
			tau[j] = 0
			continue
		}
		beta := -math.Copysign(math.Hypot(cmplx.Abs(alpha), below), real(alpha))
		tau[j] = complex((beta-real(alpha))/beta, -imag(alpha)/beta)
		for i := j + 1; i < m; i++ {
			a[i*n+j] /= alpha - complex(beta, 0)
		}
		a[j*n+j] = complex(beta, 0)
		reflect(m, n, j, j+1, a, cmplx.Conj(tau[j]))
	}
}

// reflect applies I - τ·v·vᴴ, with the v of column j, to the columns from first on.
func reflect(m, n, j, first int, a []complex128, tau complex128) {
	for k := first; k < n; k++ {
		sum := a[j*n+k]
		for i := j + 1; i < m; i++ {
			sum += cmplx.Conj(a[i*n+j]) * a[i*n+k]
		}
		sum *= tau
		a[j*n+k] -= sum
		for i := j + 1; i < m; i++ {
			a[i*n+k] -= a[i*n+j] * sum
		}
	}
}

// makeQ computes Q from the reflections that householder stored.
func makeQ(m, n, k int, a, tau []complex128) {
	for j := k; j < n; j++ {
		for i := range m {
			a[i*n+j] = 0
		}
		a[j*n+j] = 1
	}
	for j := k - 1; j >= 0; j-- {
		reflect(m, n, j, j+1, a, tau[j])
		for i := range j {
			a[i*n+j] = 0
		}
		a[j*n+j] = 1 - tau[j]
		for i := j + 1; i < m; i++ {
			a[i*n+j] *= -tau[j]
		}
	}
}

// cholesky factors the matrix in one triangle and returns the order of the first leading minor that is
// not positive definite, or 0.
func cholesky(half routine.Triangle, n int, a []complex128) int {
	// at returns the index of an element of L, or of the conjugated element of U across the diagonal.
	at := func(i, j int) int {
		if half == routine.Upper {
			i, j = j, i
		}
		return i*n + j
	}
	lower := func(i, j int) complex128 {
		if half == routine.Upper {
			return cmplx.Conj(a[at(i, j)])
		}
		return a[at(i, j)]
	}
	for j := range n {
		d := real(a[j*n+j])
		for k := range j {
			l := lower(j, k)
			d -= real(l)*real(l) + imag(l)*imag(l)
		}
		if !(d > 0) {
			return j + 1
		}
		d = math.Sqrt(d)
		a[j*n+j] = complex(d, 0)
		for i := j + 1; i < n; i++ {
			v := lower(i, j)
			for k := range j {
				v -= lower(i, k) * cmplx.Conj(lower(j, k))
			}
			v /= complex(d, 0)
			if half == routine.Upper {
				v = cmplx.Conj(v)
			}
			a[at(i, j)] = v
		}
	}
	return 0
}

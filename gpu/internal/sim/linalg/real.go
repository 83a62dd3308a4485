package linalg

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/lapack"
	lapackimpl "gonum.org/v1/gonum/lapack/gonum"

	"github.com/gopherwarp/gopherwarp/gpu/internal/routine"
)

var lp lapackimpl.Implementation

// realSolver returns a solver that uses gonum's LAPACK.
func realSolver(a access[float64]) solver[float64] {
	return solver[float64]{
		access: a,
		factor: func(m, n int, a []float64, pivots []int) { lp.Dgetrf(m, n, a, max(n, 1), pivots) },
		solve: func(op routine.Op, n, columns int, a []float64, pivots []int, x []float64) {
			lp.Dgetrs(transposed(op), n, columns, a, n, pivots, x, columns)
		},
		qr: func(m, n int, a, tau []float64) {
			withWork(func(work []float64, n2 int) { lp.Dgeqrf(m, n, a, n, tau, work, n2) })
		},
		q: func(m, n, k int, a, tau []float64) {
			withWork(func(work []float64, n2 int) { lp.Dorgqr(m, n, k, a, n, tau, work, n2) })
		},
		cholesky: func(half routine.Triangle, n int, a []float64) int {
			if n == 0 {
				return 0
			}
			before := make([]complex128, len(a))
			for i, v := range a {
				before[i] = complex(v, 0)
			}
			if lp.Dpotrf(uplo(half), n, a, n) {
				return 0
			}
			return cholesky(half, n, before) // gonum does not return the order of the minor
		},
		svd: func(job routine.Job, m, n int, a []float64, s []float64, u, vt []float64) bool {
			jobU := [...]lapack.SVDJob{lapack.SVDNone, lapack.SVDStore, lapack.SVDAll}[job]
			jobVT := [...]lapack.SVDJob{lapack.SVDNone, lapack.SVDStore, lapack.SVDStore}[job]
			columns := [...]int{1, n, m}[job]
			var ok bool
			withWork(func(work []float64, n2 int) {
				ok = lp.Dgesvd(jobU, jobVT, m, n, a, n, s, u, columns, vt, n, work, n2)
			})
			return ok
		},
		eigen: func(vectors bool, half routine.Triangle, n int, a, w []float64) bool {
			job := lapack.EVNone
			if vectors {
				job = lapack.EVCompute
			}
			var ok bool
			withWork(func(work []float64, n2 int) { ok = lp.Dsyev(job, uplo(half), n, a, n, w, work, n2) })
			return ok
		},
	}
}

// withWork calls f with -1 to get the size of the workspace, and again with a workspace.
func withWork(f func(work []float64, n int)) {
	size := []float64{0}
	f(size, -1)
	work := make([]float64, max(int(size[0]), 1))
	f(work, len(work))
}

func uplo(half routine.Triangle) blas.Uplo {
	if half == routine.Lower {
		return blas.Lower
	}
	return blas.Upper
}

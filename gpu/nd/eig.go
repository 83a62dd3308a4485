package nd

import (
	"math/cmplx"
	"slices"
)

// Eig returns the eigenvalues w of square matrices, of shape (…, n) and in no particular order, and the eigenvectors, which are the
// columns of v and have norm 1: a @ v = v · w. Both are complex for every dtype of a: nd.Eig[complex128] of float64s. The eigenvectors of
// a multiple eigenvalue may be linearly dependent. It is computed on the host in double precision, also if the device is a GPU, so it
// waits for the device. For symmetric matrices Eigh is faster and more accurate.
func Eig[C Complex, T Inexact](a *Array[T]) (w, v *Array[C]) { return eigGeneral[C]("Eig", a, true) }

// Eigvals returns the eigenvalues, the w of Eig.
func Eigvals[C Complex, T Inexact](a *Array[T]) *Array[C] {
	w, _ := eigGeneral[C]("Eigvals", a, false)
	return w
}

func eigGeneral[C Complex, T Inexact](op string, a *Array[T], vectors bool) (w, v *Array[C]) {
	batch, n := nodeOf(a).check(op).square(op)
	want := C128
	if nodeOf(a).dt == F32 || nodeOf(a).dt == C64 {
		want = C64
	}
	if c := DTypeOf[C](); c != want {
		fail(op, "the eigenvalues of %v matrices are %v, not %v", nodeOf(a).dt, want, c)
	}
	host := a.ToHost()
	values, columns := make([]C, 0, product(batch)*n), make([]C, 0, len(host))
	for i := range product(batch) {
		m := make([]complex128, n*n)
		for j, x := range host[i*n*n:][:n*n] {
			if m[j] = widen(x); cmplx.IsNaN(m[j]) || cmplx.IsInf(m[j]) {
				fail(op, "matrix %d has an element that is %v: eigenvalues are there for finite numbers", i, x)
			}
		}
		found, of, ok := eigenpairs(m, n, vectors)
		if !ok {
			fail(op, "the computation of eigenvalues did not converge for matrix %d", i)
		}
		for _, x := range found {
			values = append(values, C(x))
		}
		for _, x := range of {
			columns = append(columns, C(x))
		}
	}
	shape := append(slices.Clone(batch), n)
	w = FromSlice(values, len(values)).Reshape(shape...).To(nodeOf(a).eng.dev)
	if vectors {
		v = FromSlice(columns, len(columns)).Reshape(append(shape, n)...).To(nodeOf(a).eng.dev)
	}
	return w, v
}

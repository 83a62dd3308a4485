package nd

import (
	"errors"
	"math/cmplx"
	"slices"

	"github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/gpu/internal/eigenvalues"
	"github.com/gopherwarp/gopherwarp/gpu/internal/routine"
)

// Eig returns the eigenvalues w of square matrices, of shape (…, n) and in no particular order, and the eigenvectors, which are the
// columns of v and have norm 1: a @ v = v · w. Both are complex for every dtype of a: nd.Eig[complex128] of float64s. The eigenvectors of
// a multiple eigenvalue may be linearly dependent. It waits for the device. A GPU needs the cuSOLVER of CUDA 12.6 or later for it; without
// that it is computed on the host in double precision. For symmetric matrices Eigh is faster and more accurate.
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
	x := byColumns(AsType[C](a)) // a copy, which is overwritten
	e := nodeOf(x).eng
	if x.Sub(x).Any().Item() { // the difference is NaN where an element is not finite
		failNotFinite(op, a.ToHost(), n*n)
	}
	w = newArray[C](e, contiguous(op, append(slices.Clone(batch), n)))
	columns := n
	if !vectors {
		columns = 0
	}
	v = newArray[C](e, contiguous(op, append(slices.Clone(batch), columns, n)))
	info := infos(op, e, batch)
	switch {
	case nodeOf(x).lay.size == 0:
	case eigOnDevice(nodeOf(x), nodeOf(w), nodeOf(v), nodeOf(info), n, vectors):
		solved(op, "the computation of eigenvalues did not converge", info)
	default:
		eigOnHost(op, x, w, v, n, vectors)
	}
	return w, v.SwapAxes(-1, -2)
}

// failNotFinite panics with the first element that is NaN or infinite, of matrices of that many elements.
func failNotFinite[T Inexact](op string, host []T, size int) {
	for i, x := range host {
		if c := widen(x); cmplx.IsNaN(c) || cmplx.IsInf(c) {
			fail(op, "matrix %d has an element that is %v: eigenvalues are there for finite numbers", i/size, x)
		}
	}
}

// eigOnDevice computes the eigenvalues and, by columns, the eigenvectors of the matrices x, whose memory it overwrites. It reports whether the
// device's library can do so.
func eigOnDevice(x, w, v, info *node, n int, vectors bool) bool {
	c := &routine.Geev{
		Type: libraryTypes[x.dt], Vectors: vectors, N: n, A: x.stack(n, n), W: w.vectors(n), V: v.stack(n, n), Info: info.address(), Count: info.lay.size,
	}
	err := x.eng.tryCall(c, x, w, v, info)
	if e, ok := errors.AsType[*gpu.Error](err); ok && (e.Name == "CUDA_ERROR_NOT_SUPPORTED" || e.Name == "CUDA_ERROR_NOT_FOUND") {
		return false // there is an older library, or none
	}
	if err != nil {
		panic(err)
	}
	return true
}

// eigOnHost computes the eigenvalues and eigenvectors of matrices by columns on the host.
func eigOnHost[C Complex](op string, x, w, v *Array[C], n int, vectors bool) {
	host := x.SwapAxes(-1, -2).ToHost()
	values, columns := make([]C, 0, nodeOf(w).lay.size), make([]C, 0, len(host))
	for at := 0; at < len(host); at += n * n {
		m := make([]complex128, n*n)
		for j, x := range host[at:][:n*n] {
			m[j] = complex128(x)
		}
		found, of, ok := eigenvalues.Of(m, n, vectors)
		if !ok {
			fail(op, "the computation of eigenvalues did not converge for matrix %d", at/(n*n))
		}
		for _, x := range found {
			values = append(values, C(x))
		}
		for _, x := range of {
			columns = append(columns, C(x))
		}
	}
	write := func(to *Array[C], list []C) { to.Assign(FromSlice(list, nodeOf(to).Shape()...).To(nodeOf(to).eng.dev)) }
	write(w, values)
	if vectors {
		write(v.SwapAxes(-1, -2), columns)
	}
}

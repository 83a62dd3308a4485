package linalg

import (
	"cmp"
	"math"
	"math/cmplx"
	"slices"

	"github.com/gopherwarp/gopherwarp/gpu/internal/routine"
)

const (
	sweeps = 60 // a dozen always suffices
	tiny   = 1e-15
)

// A rotation replaces columns p and q by p' = c·p - s·w·q and q' = s·p + c·w·q, with w of absolute
// value 1.
type rotation struct {
	c, s float64
	w    complex128
}

// rotationFor returns the rotation that diagonalises the Hermitian matrix with diagonal p, q and the element off it.
func rotationFor(p, q float64, off complex128) rotation {
	size := cmplx.Abs(off)
	theta := (q - p) / (2 * size)
	t := math.Copysign(1/(math.Abs(theta)+math.Hypot(1, theta)), theta)
	c := 1 / math.Hypot(1, t)
	return rotation{c, c * t, cmplx.Conj(off / complex(size, 0))}
}

func (r rotation) apply(p, q complex128) (complex128, complex128) {
	q *= r.w
	c, s := complex(r.c, 0), complex(r.s, 0)
	return c*p - s*q, s*p + c*q
}

// columns applies the rotation to columns p and q of a matrix with n columns.
func (r rotation) columns(a []complex128, n, p, q int) {
	for i := 0; i < len(a); i += n {
		a[i+p], a[i+q] = r.apply(a[i+p], a[i+q])
	}
}

// sweep calls f for each pair of n columns, until it rotates none of them. It returns false if that takes more than
// the maximum number of sweeps.
func sweep(n int, f func(p, q int) (turned bool)) bool {
	for range sweeps {
		done := true
		for p := range n {
			for q := p + 1; q < n; q++ {
				if f(p, q) {
					done = false
				}
			}
		}
		if done {
			return true
		}
	}
	return false
}

// ordered returns the indices of keys, from the smallest to the largest.
func ordered(keys []float64) []int {
	order := make([]int, len(keys))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(keys[i], keys[j]) })
	return order
}

// jacobiEigen rotates a Hermitian matrix until it is diagonal.
func jacobiEigen(vectors bool, half routine.Triangle, n int, a []complex128, w []float64) bool {
	mirror(half, n, a)
	scale := 0.0
	for _, v := range a {
		scale = math.Hypot(scale, cmplx.Abs(v))
	}
	v := identity(n)
	done := sweep(n, func(p, q int) bool {
		off := a[p*n+q]
		if cmplx.Abs(off) <= tiny*scale {
			return false
		}
		r := rotationFor(real(a[p*n+p]), real(a[q*n+q]), off)
		r.columns(a, n, p, q)
		for i := range n { // the rows, with the conjugated rotation
			x, y := r.apply(cmplx.Conj(a[p*n+i]), cmplx.Conj(a[q*n+i]))
			a[p*n+i], a[q*n+i] = cmplx.Conj(x), cmplx.Conj(y)
		}
		a[p*n+q], a[q*n+p] = 0, 0
		r.columns(v, n, p, q)
		return true
	})
	values := make([]float64, n)
	for i := range n {
		values[i] = real(a[i*n+i])
	}
	order := ordered(values)
	for i, from := range order {
		w[i] = values[from]
	}
	if !vectors {
		return done
	}
	for col, from := range order {
		for i := range n {
			a[i*n+col] = v[i*n+from]
		}
	}
	return done
}

// mirror sets the other triangle of a Hermitian matrix, and makes its diagonal real.
func mirror(half routine.Triangle, n int, a []complex128) {
	for i := range n {
		a[i*n+i] = complex(real(a[i*n+i]), 0)
		for j := range i {
			if half == routine.Lower {
				a[j*n+i] = cmplx.Conj(a[i*n+j])
			} else {
				a[i*n+j] = cmplx.Conj(a[j*n+i])
			}
		}
	}
}

func identity(n int) []complex128 {
	v := make([]complex128, n*n)
	for i := range n {
		v[i*n+i] = 1
	}
	return v
}

// jacobiSVD rotates the columns of A until they are orthogonal: then they are U·diag(S), and the
// product of the rotations is V.
func jacobiSVD(job routine.Job, m, n int, a []complex128, s []float64, u, vt []complex128) bool {
	v := identity(n)
	done := sweep(n, func(p, q int) bool {
		pp, qq, off := columnProducts(a, n, p, q)
		if cmplx.Abs(off) <= tiny*math.Sqrt(pp)*math.Sqrt(qq) {
			return false
		}
		r := rotationFor(pp, qq, off)
		r.columns(a, n, p, q)
		r.columns(v, n, p, q)
		return true
	})
	norms := make([]float64, n)
	for j := range n {
		for i := range m {
			norms[j] = math.Hypot(norms[j], cmplx.Abs(a[i*n+j]))
		}
		norms[j] = -norms[j] // the largest first
	}
	order := ordered(norms)
	for i, from := range order {
		s[i] = -norms[from]
	}
	if job == routine.ValuesOnly {
		return done
	}
	columns := len(u) / m
	rank := 0
	for col, from := range order {
		for i := range n {
			vt[col*n+i] = cmplx.Conj(v[i*n+from])
		}
		if s[col] > s[0]*float64(m)*tiny {
			rank = col + 1
			for i := range m {
				u[i*columns+col] = a[i*n+from] / complex(s[col], 0)
			}
		}
	}
	complete(u, m, columns, rank)
	return done
}

// columnProducts returns the squared norms of columns p and q of a matrix with n columns, and their inner product.
func columnProducts(a []complex128, n, p, q int) (pp, qq float64, pq complex128) {
	for i := 0; i < len(a); i += n {
		x, y := a[i+p], a[i+q]
		pp += real(x)*real(x) + imag(x)*imag(x)
		qq += real(y)*real(y) + imag(y)*imag(y)
		pq += cmplx.Conj(x) * y
	}
	return pp, qq, pq
}

// complete fills the columns beginning with the given one so that all are orthonormal.
func complete(u []complex128, m, columns, from int) {
	unit := 0
	for col := from; col < columns; {
		for i := range m {
			u[i*columns+col] = 0
		}
		u[unit*columns+col] = 1
		unit++
		for range 2 { // once leaves rounding errors
			for j := range col {
				var dot complex128
				for i := range m {
					dot += cmplx.Conj(u[i*columns+j]) * u[i*columns+col]
				}
				for i := range m {
					u[i*columns+col] -= dot * u[i*columns+j]
				}
			}
		}
		norm := 0.0
		for i := range m {
			norm = math.Hypot(norm, cmplx.Abs(u[i*columns+col]))
		}
		// A unit vector that is mostly in the span of the columns is not used; enough of the m
		// unit vectors remain.
		if norm*norm < 0.5/float64(m) {
			continue
		}
		for i := range m {
			u[i*columns+col] /= complex(norm, 0)
		}
		col++
	}
}

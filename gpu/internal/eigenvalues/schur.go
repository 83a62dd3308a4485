package eigenvalues

import (
	"math"
	"math/cmplx"
	"slices"
)

// schur is a complex matrix of order n that rotations reduce to an upper triangular one, and the product of these rotations.
type schur struct {
	n    int
	t, q []complex128
}

// Of returns the eigenvalues and, if wanted, the eigenvectors of a matrix of order n, by the QR algorithm.
func Of(m []complex128, n int, vectors bool) (w, v []complex128, ok bool) {
	s := &schur{n, slices.Clone(m), make([]complex128, n*n)}
	by := s.scale()
	for i := range n {
		s.q[i*n+i] = 1
	}
	s.hessenberg()
	if !s.triangle() {
		return nil, nil, false
	}
	for i := range n {
		w = append(w, ldexp(s.t[i*n+i], -by))
	}
	if vectors {
		v = s.vectors()
	}
	return w, v, true
}

// scale multiplies the matrix by a power of 2 that it returns the exponent of, so that squares of its elements neither overflow nor vanish.
func (s *schur) scale() int {
	const most = 400
	largest := 0.0
	for _, x := range s.t {
		largest = max(largest, math.Abs(real(x)), math.Abs(imag(x)))
	}
	_, exponent := math.Frexp(largest)
	if largest == 0 || -most <= exponent && exponent <= most {
		return 0
	}
	for i, x := range s.t {
		s.t[i] = ldexp(x, -exponent)
	}
	return -exponent
}

// ldexp returns x times 2 to that power.
func ldexp(x complex128, power int) complex128 {
	return complex(math.Ldexp(real(x), power), math.Ldexp(imag(x), power))
}

// rotate rotates rows i and i+1 so that the element of the second one in column col becomes 0, and applies the inverse to the columns of
// the same numbers.
func (s *schur) rotate(i, col int) {
	n := s.n
	a, b := s.t[i*n+col], s.t[(i+1)*n+col]
	c, d, ok := rotation(a, b)
	if !ok {
		return
	}
	s.rows(i, c, d)
	s.columns(i, c, d)
	s.t[(i+1)*n+col] = 0
}

// rotation returns the c and d for which (c, d; -conj d, conj c) is unitary and maps (a, b) to (r, 0). ok is false if b is 0 and no
// rotation is needed.
func rotation(a, b complex128) (c, d complex128, ok bool) {
	r := math.Hypot(cmplx.Abs(a), cmplx.Abs(b))
	if b == 0 || r == 0 {
		return 1, 0, false
	}
	return cmplx.Conj(a) / complex(r, 0), cmplx.Conj(b) / complex(r, 0), true
}

// rows applies a rotation to rows i and i+1.
func (s *schur) rows(i int, c, d complex128) {
	up, down := s.t[i*s.n:][:s.n], s.t[(i+1)*s.n:][:s.n]
	for j := range up {
		x, y := up[j], down[j]
		up[j], down[j] = c*x+d*y, cmplx.Conj(c)*y-cmplx.Conj(d)*x
	}
}

// columns applies the inverse of a rotation to columns i and i+1, also of q.
func (s *schur) columns(i int, c, d complex128) {
	for _, m := range [][]complex128{s.t, s.q} {
		for at := i; at < len(m); at += s.n {
			x, y := m[at], m[at+1]
			m[at], m[at+1] = cmplx.Conj(c)*x+cmplx.Conj(d)*y, c*y-d*x
		}
	}
}

// hessenberg reduces the matrix to upper Hessenberg form: one diagonal is left below the main one.
func (s *schur) hessenberg() {
	for col := range max(s.n-2, 0) {
		for i := s.n - 2; i > col; i-- {
			s.rotate(i, col)
		}
	}
}

// triangle makes that diagonal 0, too, from its last nonzero element on, by steps of the QR algorithm. It reports whether they converged.
func (s *schur) triangle() bool {
	const turns = 60 // for each eigenvalue
	left := turns
	for end := s.n - 1; end > 0; left-- {
		if left < 0 {
			return false
		}
		first := s.first(end)
		if first == end {
			end, left = end-1, turns
			continue
		}
		shift := s.shift(end)
		if left%10 == 9 && left != turns-1 { // another shift, against cycles
			shift += complex(cmplx.Abs(s.t[end*s.n+end-1]), 0)
		}
		s.step(first, end, shift)
	}
	return true
}

// first returns the row in which the block that ends with row end begins: the element to the left of that row's diagonal element is
// negligible, and is set to 0.
func (s *schur) first(end int) int {
	n := s.n
	for first := end; first > 0; first-- {
		small := &s.t[first*n+first-1]
		near := cmplx.Abs(s.t[(first-1)*n+first-1]) + cmplx.Abs(s.t[first*n+first])
		if cmplx.Abs(*small) <= 0x1p-52*near || cmplx.Abs(*small) < 0x1p-1000 {
			*small = 0
			return first
		}
	}
	return 0
}

// step factors the block minus shift into a unitary and a triangular matrix, and multiplies them in the reverse order.
func (s *schur) step(first, end int, shift complex128) {
	n := s.n
	for i := first; i <= end; i++ {
		s.t[i*n+i] -= shift
	}
	// The columns of each rotation are rotated after the next rows.
	var c, d [2]complex128
	for i := first; i <= end; i++ {
		if i < end {
			c[i%2], d[i%2], _ = rotation(s.t[i*n+i], s.t[(i+1)*n+i])
			s.rows(i, c[i%2], d[i%2])
			s.t[(i+1)*n+i] = 0
		}
		if i > first {
			s.columns(i-1, c[(i-1)%2], d[(i-1)%2])
		}
	}
	for i := first; i <= end; i++ {
		s.t[i*n+i] += shift
	}
}

// shift returns the eigenvalue of the 2×2 block that ends there which is closer to its last element.
func (s *schur) shift(end int) complex128 {
	n := s.n
	a, b, c, d := s.t[(end-1)*n+end-1], s.t[(end-1)*n+end], s.t[end*n+end-1], s.t[end*n+end]
	half := (a - d) / 2
	root := cmplx.Sqrt(half*half + b*c)
	if cmplx.Abs(half+root) < cmplx.Abs(half-root) {
		root = -root
	}
	if half+root == 0 {
		return d
	}
	return d - b*c/(half+root)
}

// vectors returns the eigenvectors of the original matrix: those of the triangular one by substitution, rotated back.
func (s *schur) vectors() []complex128 {
	n := s.n
	norm := 0.0
	for _, x := range s.t {
		norm = max(norm, cmplx.Abs(x))
	}
	v := make([]complex128, n*n)
	y := make([]complex128, n)
	for k := range n {
		y[k] = 1
		for i := k - 1; i >= 0; i-- {
			var sum complex128
			for j := i + 1; j <= k; j++ {
				sum += s.t[i*n+j] * y[j]
			}
			gap := s.t[k*n+k] - s.t[i*n+i]
			if least := max(0x1p-52*norm, 0x1p-1000); cmplx.Abs(gap) < least {
				gap = complex(least, 0)
			}
			y[i] = sum / gap
			if size := cmplx.Abs(y[i]); size > 0x1p500 {
				for j := i; j <= k; j++ {
					y[j] /= complex(size, 0)
				}
			}
		}
		length := 0.0
		for i := range n {
			var sum complex128
			for j := range k + 1 {
				sum += s.q[i*n+j] * y[j]
			}
			v[i*n+k] = sum
			length = math.Hypot(length, cmplx.Abs(sum))
		}
		for i := range n {
			v[i*n+k] /= complex(length, 0)
		}
	}
	return v
}

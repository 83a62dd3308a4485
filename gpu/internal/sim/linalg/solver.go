package linalg

import (
	"math"
	"math/cmplx"

	"github.com/gopherwarp/gopherwarp/gpu/internal/routine"
)

// A solver has the factorisations for elements of one type. Its matrices are in row-major order
// without gaps.
type solver[W float64 | complex128] struct {
	access[W]
	factor   func(m, n int, a []W, pivots []int) // pivots count from 0
	solve    func(op routine.Op, n, columns int, a []W, pivots []int, x []W)
	qr       func(m, n int, a, tau []W)
	q        func(m, n, k int, a, tau []W)
	cholesky func(half routine.Triangle, n int, a []W) (info int)
	svd      func(job routine.Job, m, n int, a []W, s []float64, u, vt []W) bool
	general  func(vectors bool, n int, a []W) (w, v []W, ok bool) // of complex numbers only
	eigen    func(vectors bool, half routine.Triangle, n int, a []W, w []float64) bool
}

// access converts elements of memory, by index.
type access[W float64 | complex128] struct {
	get func(mem []byte, i int) W
	put func(mem []byte, i int, v W)
	// putReal stores a real number of the corresponding type.
	putReal func(mem []byte, i int, v float64)
}

func accessAs[T number, W float64 | complex128](to func(T) W, from func(W) T) access[W] {
	return access[W]{
		get: func(mem []byte, i int) W { return to(view[T](mem, i)[0]) },
		put: func(mem []byte, i int, v W) { view[T](mem, i)[0] = from(v) },
	}
}

// load returns the matrix that begins at an element, in row-major order.
func (a access[W]) load(mem []byte, from, rows, cols, lead int) []W {
	list := make([]W, rows*cols)
	for c := range cols {
		for r := range rows {
			list[r*cols+c] = a.get(mem, from+c*lead+r)
		}
	}
	return list
}

// save is the inverse of load.
func (a access[W]) save(mem []byte, from, rows, cols, lead int, list []W) {
	for c := range cols {
		for r := range rows {
			a.put(mem, from+c*lead+r, list[r*cols+c])
		}
	}
}

// factorise executes the routines of cuSOLVER.
func factorise(c routine.Call, t routine.Type, parts [][]byte) {
	switch t {
	case routine.Float32:
		s := realSolver(accessAs(func(v float32) float64 { return float64(v) }, func(v float64) float32 { return float32(v) }))
		s.putReal = putFloat32
		s.run(c, parts)
	case routine.Float64:
		s := realSolver(accessAs(func(v float64) float64 { return v }, func(v float64) float64 { return v }))
		s.putReal = putFloat64
		s.run(c, parts)
	case routine.Complex64:
		s := complexSolver(accessAs(func(v complex64) complex128 { return complex128(v) }, func(v complex128) complex64 { return complex64(v) }))
		s.putReal = putFloat32
		s.run(c, parts)
	case routine.Complex128:
		s := complexSolver(accessAs(func(v complex128) complex128 { return v }, func(v complex128) complex128 { return v }))
		s.putReal = putFloat64
		s.run(c, parts)
	}
}

func putFloat32(mem []byte, i int, v float64) { view[float32](mem, i)[0] = float32(v) }
func putFloat64(mem []byte, i int, v float64) { view[float64](mem, i)[0] = v }

func (s solver[W]) run(c routine.Call, parts [][]byte) {
	switch c := c.(type) {
	case *routine.Getrf:
		s.getrf(c, parts)
	case *routine.Getrs:
		s.getrs(c, parts)
	case *routine.Geqrf:
		s.geqrf(c, parts)
	case *routine.Orgqr:
		s.orgqr(c, parts)
	case *routine.Potrf:
		s.potrf(c, parts)
	case *routine.Gesvd:
		s.gesvd(c, parts)
	case *routine.Syevd:
		s.syevd(c, parts)
	case *routine.Geev:
		s.geev(c, parts)
	}
}

// The routines, each for all matrices of a batch. parts are the operands, in the order of Operands.

func (s solver[W]) getrf(c *routine.Getrf, parts [][]byte) {
	for i := range c.Count {
		a := s.load(parts[0], i*c.A.Step, c.M, c.N, c.A.Lead)
		pivots := make([]int, min(c.M, c.N))
		s.factor(c.M, c.N, a, pivots)
		s.save(parts[0], i*c.A.Step, c.M, c.N, c.A.Lead, a)
		info := 0
		for j, p := range pivots {
			view[int32](parts[1], i*c.Pivots.Step)[j] = int32(p + 1)
			if a[j*c.N+j] == 0 && info == 0 {
				info = j + 1
			}
		}
		setInfo(parts[2], i, info)
	}
}

func (s solver[W]) getrs(c *routine.Getrs, parts [][]byte) {
	for i := range c.Count {
		pivots := make([]int, c.N)
		for j := range pivots {
			pivots[j] = int(view[int32](parts[1], i*c.Pivots.Step)[j]) - 1
		}
		x := s.load(parts[2], i*c.B.Step, c.N, c.NRHS, c.B.Lead)
		if len(x) > 0 {
			s.solve(c.Trans, c.N, c.NRHS, s.load(parts[0], i*c.A.Step, c.N, c.N, c.A.Lead), pivots, x)
		}
		s.save(parts[2], i*c.B.Step, c.N, c.NRHS, c.B.Lead, x)
		setInfo(parts[3], i, 0)
	}
}

func (s solver[W]) geqrf(c *routine.Geqrf, parts [][]byte) {
	for i := range c.Count {
		a, tau := s.load(parts[0], i*c.A.Step, c.M, c.N, c.A.Lead), make([]W, min(c.M, c.N))
		if len(a) > 0 {
			s.qr(c.M, c.N, a, tau)
		}
		s.save(parts[0], i*c.A.Step, c.M, c.N, c.A.Lead, a)
		s.save(parts[1], i*c.Tau.Step, len(tau), 1, 0, tau)
		setInfo(parts[2], i, 0)
	}
}

func (s solver[W]) orgqr(c *routine.Orgqr, parts [][]byte) {
	for i := range c.Count {
		a := s.load(parts[0], i*c.A.Step, c.M, c.N, c.A.Lead)
		if len(a) > 0 {
			s.q(c.M, c.N, c.K, a, s.load(parts[1], i*c.Tau.Step, c.K, 1, 0))
		}
		s.save(parts[0], i*c.A.Step, c.M, c.N, c.A.Lead, a)
		setInfo(parts[2], i, 0)
	}
}

func (s solver[W]) potrf(c *routine.Potrf, parts [][]byte) {
	for i := range c.Count {
		a := s.load(parts[0], i*c.A.Step, c.N, c.N, c.A.Lead)
		setInfo(parts[1], i, s.cholesky(c.Half, c.N, a))
		s.save(parts[0], i*c.A.Step, c.N, c.N, c.A.Lead, a)
	}
}

func (s solver[W]) syevd(c *routine.Syevd, parts [][]byte) {
	for i := range c.Count {
		a := s.load(parts[0], i*c.A.Step, c.N, c.N, c.A.Lead)
		w := make([]float64, c.N)
		ok := c.N == 0 || finite(a) && s.eigen(c.Vectors, c.Half, c.N, a, w)
		if !ok {
			fillNaN(a)
			fillNaN(w)
		}
		s.save(parts[0], i*c.A.Step, c.N, c.N, c.A.Lead, a)
		s.saveReal(parts[1], i*c.W.Step, w)
		converged(parts[2], i, ok)
	}
}

func (s solver[W]) geev(c *routine.Geev, parts [][]byte) {
	for i := range c.Count {
		a := s.load(parts[0], i*c.A.Step, c.N, c.N, c.A.Lead)
		var w, v []W
		ok := finite(a)
		if ok {
			w, v, ok = s.general(c.Vectors, c.N, a)
		}
		if !ok {
			w, v = make([]W, c.N), make([]W, c.N*c.N)
			fillNaN(w)
			fillNaN(v)
		}
		s.save(parts[1], i*c.W.Step, c.N, 1, c.N, w)
		if c.Vectors {
			s.save(parts[3], i*c.V.Step, c.N, c.N, c.V.Lead, v)
		}
		converged(parts[2], i, ok)
	}
}

func (s solver[W]) gesvd(c *routine.Gesvd, parts [][]byte) {
	for i := range c.Count {
		a := s.load(parts[0], i*c.A.Step, c.M, c.N, c.A.Lead)
		values := make([]float64, c.N)
		var u, vt []W
		if c.Job != routine.ValuesOnly {
			u, vt = make([]W, c.M*c.ColumnsU()), make([]W, c.N*c.N)
		}
		ok := finite(a) && s.svd(c.Job, c.M, c.N, a, values, u, vt)
		if !ok {
			fillNaN(values)
			fillNaN(u)
			fillNaN(vt)
		}
		s.saveReal(parts[1], i*c.S.Step, values)
		converged(parts[2], i, ok)
		if c.Job == routine.ValuesOnly {
			continue
		}
		s.save(parts[3], i*c.U.Step, c.M, c.ColumnsU(), c.U.Lead, u)
		s.save(parts[4], i*c.VT.Step, c.N, c.N, c.VT.Lead, vt)
	}
}

func (a access[W]) saveReal(mem []byte, from int, list []float64) {
	for i, v := range list {
		a.putReal(mem, from+i, v)
	}
}

// setInfo stores the Info of a problem.
func setInfo(mem []byte, i, info int) { view[int32](mem, i)[0] = int32(info) }

func converged(mem []byte, i int, ok bool) {
	if ok {
		setInfo(mem, i, 0)
	} else {
		setInfo(mem, i, 1)
	}
}

// finite reports whether all elements are finite. With others, iterations may never end.
func finite[W float64 | complex128](list []W) bool {
	for _, v := range list {
		if v-v != 0 {
			return false
		}
	}
	return true
}

// fillNaN sets all elements to NaN.
func fillNaN[W float64 | complex128](list []W) {
	switch list := any(list).(type) {
	case []float64:
		for i := range list {
			list[i] = math.NaN()
		}
	case []complex128:
		for i := range list {
			list[i] = cmplx.NaN()
		}
	}
}

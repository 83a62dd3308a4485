package cudalib

import (
	"errors"
	"fmt"
	"unsafe"

	"github.com/gopherwarp/gopherwarp/gpu/internal/routine"
)

// The values of cuSPARSE's constants.
const (
	index32    = 2 // CUSPARSE_INDEX_32I
	orderByCol = 1
	orderByRow = 2
)

const multiplying = "multiplying a sparse matrix"

// description is the index of a cuSPARSE descriptor of a matrix or vector. It is created for one call, since the library has read
// it when the call returns.
type description int

// The descriptors of a product.
const (
	describeA description = iota
	describeB
	describeC
)

var destroys = map[string]string{
	"cusparseCreateCsr":   "cusparseDestroySpMat",
	"cusparseCreateDnMat": "cusparseDestroyDnMat",
	"cusparseCreateDnVec": "cusparseDestroyDnVec",
}

func (l *Libraries) multiplySparse(c *routine.CSRMul, s *stream, handle uintptr) (err error) {
	height, out := c.Heights()
	if out == 0 || c.N == 0 {
		return nil
	}
	lib := l.opened[routine.Sparse]
	t := dataTypes[c.Type]
	op := uintptr(c.Trans)
	if c.Trans == routine.Adjoint && !c.Type.Complex() {
		op = uintptr(routine.Transposed) // equivalent, and the library refuses the other one
	}
	l.alpha.set(c.Type, c.Alpha)
	l.beta.set(c.Type, c.Beta)

	var made []func() error
	defer func() {
		for _, destroy := range made {
			err = errors.Join(err, destroy())
		}
	}()
	describe := func(d description, name string, args ...uintptr) error {
		err := lib.call(multiplying, name, append([]uintptr{uintptr(unsafe.Pointer(&l.described[d]))}, args...)...)
		if err == nil {
			made = append(made, func() error { return lib.call(multiplying, destroys[name], l.described[d]) })
		}
		return err
	}
	err = describe(describeA, "cusparseCreateCsr", uintptr(c.Rows), uintptr(c.Cols), uintptr(c.NonZeros),
		uintptr(c.RowStart), uintptr(c.Column), uintptr(c.Values), index32, index32, 0, t)
	if err != nil {
		return err
	}
	// The product with a vector has a separate algorithm.
	vector := c.N == 1 && (!c.ByRows || c.B.Lead == 1 && c.C.Lead == 1)
	order := uintptr(orderByCol)
	if c.ByRows {
		order = orderByRow
	}
	dense := func(d description, m routine.Matrices, rows int) error {
		if vector {
			return describe(d, "cusparseCreateDnVec", uintptr(rows), uintptr(m.Addr), t)
		}
		return describe(d, "cusparseCreateDnMat", uintptr(rows), uintptr(c.N), uintptr(m.Lead), uintptr(m.Addr), t, order)
	}
	if err := dense(describeB, c.B, height); err != nil {
		return err
	}
	if err := dense(describeC, c.C, out); err != nil {
		return err
	}
	name, args := "cusparseSpMM", []uintptr{handle, op, uintptr(routine.AsIs)}
	if vector {
		name, args = "cusparseSpMV", args[:2]
	}
	compute := dataTypes[c.Type]
	args = append(args, l.alpha.at(), l.described[describeA], l.described[describeB], l.beta.at(), l.described[describeC], compute, 0)
	l.number = 0
	if err := lib.call(multiplying, name+"_bufferSize", append(args, uintptr(unsafe.Pointer(&l.number)))...); err != nil {
		return err
	}
	work, err := l.workspace(s, uint64(l.number))
	if err != nil {
		return fmt.Errorf("allocate the workspace of a sparse product: %w", err)
	}
	return lib.call(multiplying, name, append(args, uintptr(work))...)
}

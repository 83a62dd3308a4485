package gpu

import (
	"fmt"
)

// A View2D is elements in rows and columns, in memory of the host or, in kernels written in Go, of the device. View2DOf makes one of a slice;
// a launch takes a table, or As2D of a buffer, for a parameter of this type.
type View2D[T Element] struct {
	Data       []T
	Rows, Cols int
	Stride     int // distance between rows in elements
}

// View2DOf returns the first rows*cols elements as rows of cols elements. It panics if there are fewer.
func View2DOf[T Element](elements []T, rows, cols int) View2D[T] {
	mustFit(len(elements), rows, cols)
	return View2D[T]{Data: elements, Rows: rows, Cols: cols, Stride: cols}
}

// At returns an element.
func (v View2D[T]) At(row, col int) T { return *v.Ref(row, col) }

// Set changes an element.
func (v View2D[T]) Set(row, col int, x T) { *v.Ref(row, col) = x }

// Ref returns the address of an element, for the atomic functions.
func (v View2D[T]) Ref(row, col int) *T {
	inRange(row, v.Rows)
	inRange(col, v.Cols)
	return &v.Data[row*v.Stride+col]
}

// Row returns the elements of a row.
func (v View2D[T]) Row(row int) []T {
	inRange(row, v.Rows)
	return v.Data[row*v.Stride:][:v.Cols]
}

// A View3D is planes of elements in rows and columns, as View2D. There are no gaps.
type View3D[T Element] struct {
	Data               []T
	Planes, Rows, Cols int
}

// View3DOf returns the first planes*rows*cols elements as planes of rows of cols elements. It panics if there are fewer.
func View3DOf[T Element](elements []T, planes, rows, cols int) View3D[T] {
	mustFit(len(elements), planes, rows, cols)
	return View3D[T]{Data: elements, Planes: planes, Rows: rows, Cols: cols}
}

// At returns an element.
func (v View3D[T]) At(plane, row, col int) T { return *v.Ref(plane, row, col) }

// Set changes an element.
func (v View3D[T]) Set(plane, row, col int, x T) { *v.Ref(plane, row, col) = x }

// Ref returns the address of an element, for the atomic functions.
func (v View3D[T]) Ref(plane, row, col int) *T {
	inRange(plane, v.Planes)
	inRange(row, v.Rows)
	inRange(col, v.Cols)
	return &v.Data[(plane*v.Rows+row)*v.Cols+col]
}

// inRange panics as an index out of range does.
func inRange(i, n int) {
	if uint(i) >= uint(n) {
		panic(fmt.Sprintf("index out of range [%d] with length %d", i, n))
	}
}

// mustFit panics if there are fewer than n elements for a view of these sizes.
func mustFit(n int, sizes ...int) {
	if err := fitsView(n, sizes...); err != nil {
		panic(misuse("making a view", "%v", err))
	}
}

// fitsView returns an error if n elements are too few for a view of these sizes.
func fitsView(n int, sizes ...int) error {
	need := 1
	for _, size := range sizes {
		if size < 0 || need > 0 && size > maxBytes/need {
			return fmt.Errorf("a view of %s elements cannot be", sizeText(sizes))
		}
		need *= size
	}
	if need > n {
		return fmt.Errorf("there are %d elements, and a view of %s needs %d", n, sizeText(sizes), need)
	}
	return nil
}

// Ptr2D is an argument for a View2D parameter of a kernel written in Go: a *Buffer2D, or As2D of a buffer or of host memory.
type Ptr2D[T Element] interface {
	Ptr[T]
	view2D() (View2D[T], error) // without elements
}

// Ptr3D is an argument for a View3D parameter of a kernel written in Go: As3D of a buffer or of host memory.
type Ptr3D[T Element] interface {
	Ptr[T]
	view3D() (View3D[T], error) // without elements
}

// As2D passes the first rows*cols elements of a buffer, or of host memory as In, Out or InOut, as rows of cols elements.
func As2D[T Element](p Ptr[T], rows, cols int) Ptr2D[T] { return &shaped[T]{p, []int{rows, cols}} }

// As3D passes the first planes*rows*cols elements of a buffer, or of host memory as In, Out or InOut, as planes of rows of cols elements.
func As3D[T Element](p Ptr[T], planes, rows, cols int) Ptr3D[T] {
	return &shaped[T]{p, []int{planes, rows, cols}}
}

// A shaped is memory with sizes.
type shaped[T Element] struct {
	Ptr[T]
	sizes []int
}

func (s *shaped[T]) fits() error {
	n, err := s.elements()
	if err != nil {
		return err
	}
	return fitsView(n, s.sizes...)
}

func (s *shaped[T]) view2D() (View2D[T], error) {
	return View2D[T]{Rows: s.sizes[0], Cols: s.sizes[1], Stride: s.sizes[1]}, s.fits()
}

func (s *shaped[T]) view3D() (View3D[T], error) {
	return View3D[T]{Planes: s.sizes[0], Rows: s.sizes[1], Cols: s.sizes[2]}, s.fits()
}

func (b *Buffer2D[T]) view2D() (View2D[T], error) {
	if b == nil {
		return View2D[T]{}, nil // an error of its pointer
	}
	if b.pitch%sizeOf[T]() != 0 {
		return View2D[T]{}, fmt.Errorf("the rows of the table are %d bytes apart, no multiple of an element's %d: use a buffer and gpu.As2D", b.pitch, sizeOf[T]())
	}
	return View2D[T]{Rows: b.height, Cols: b.width, Stride: b.PitchElements()}, nil
}

// PassView2D passes the address, the number of elements, and the sizes of a view. The launchers of kernels written in Go call it.
func PassView2D[T Element](c *Call, p Ptr2D[T]) {
	PassPointer[T](c, p)
	if p == nil || c.err != nil {
		return
	}
	v, err := p.view2D()
	c.sizes(err, max(0, (v.Rows-1)*v.Stride+v.Cols), v.Rows, v.Cols, v.Stride)
}

// PassView3D passes the address, the number of elements, and the sizes of a view. The launchers of kernels written in Go call it.
func PassView3D[T Element](c *Call, p Ptr3D[T]) {
	PassPointer[T](c, p)
	if p == nil || c.err != nil {
		return
	}
	v, err := p.view3D()
	c.sizes(err, v.Planes*v.Rows*v.Cols, v.Planes, v.Rows, v.Cols)
}

// sizes passes numbers after an address, unless there is an error.
func (c *Call) sizes(err error, sizes ...int) {
	if err != nil {
		c.err = c.k.reject("parameter %s: %v", describe(&c.k.params[c.next-1]), err)
		return
	}
	for _, n := range sizes {
		c.Int(n)
	}
}

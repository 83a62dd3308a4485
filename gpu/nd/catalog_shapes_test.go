package nd_test

import (
	"fmt"

	"github.com/gopherwarp/gopherwarp/gpu/nd"
)

// statisticCases are functions that consist of several reductions.
func statisticCases[T float32 | float64](c *catalog) {
	type array = nd.Array[T]
	tame := func(name, expr string, f func(a *array) *array) { // without infinite numbers, whose variance is NaN
		host := make([]T, 60)
		for i := range host {
			host[i] = T(c.NormFloat64() + 3)
		}
		a, x := given(host, 3, 4, 5)
		from(c, name, expr+".astype(x0.dtype)", 16, func() *array { return f(a) }, x)
		x.Axes = []int{2, 0, 1}
		from(c, name, expr+".astype(x0.dtype)", 16, func() *array { return f(a.Transpose(2, 0, 1)) }, x)
	}
	const wide = "x0.astype(np.float64)"
	tame("Sum", wide+".sum(1)", func(a *array) *array { return a.Sum(1) })
	tame("Mean", wide+".mean()", func(a *array) *array { return nd.Mean(a) })
	tame("Mean", wide+".mean(1)", func(a *array) *array { return nd.Mean(a, 1) })
	tame("Var", wide+".var((0, 2))", func(a *array) *array { return nd.Var(a, 0, 2) })
	tame("VarOf", wide+".var(1, ddof=1)", func(a *array) *array { return nd.VarOf(a, 1, 1) })
	tame("Std", wide+".std(-1)", func(a *array) *array { return nd.Std(a, -1) })
	tame("StdOf", wide+".std(ddof=1)", func(a *array) *array { return nd.StdOf(a, 1) })
	tame("Norm", "np.linalg.norm("+wide+", axis=1)", func(a *array) *array { return nd.Norm(a, 1) })
	empty, x := random[T](c, 2, 0)
	from(c, "Mean", "x0.mean(1)", 0, func() *array { return nd.Mean(empty, 1) }, x)
	from(c, "Var", "x0.var(1)", 0, func() *array { return nd.Var(empty, 1) }, x)
}

// random returns an array of random numbers.
func random[T nd.Elem](c *catalog, shape ...int) (*nd.Array[T], input) {
	return array[T](c.suite, shape...)
}

// viewCases are views, and writes through them.
func viewCases[T nd.Elem](c *catalog) {
	type array = nd.Array[T]
	view := func(name, expr string, f func(a *array) *array) { eager(c, name, expr, 0, f) }
	view("Reshape", "x0.reshape(-1, 1, x0.shape[0])", func(a *array) *array { return a.Reshape(-1, 1, a.Shape()[0]) })
	view("Ravel", "x0.ravel()", (*array).Ravel)
	view("Transpose", "x0.transpose()", func(a *array) *array { return a.Transpose() })
	view("T", "x0.T", (*array).T)
	view("SwapAxes", "x0.swapaxes(0, -1)", func(a *array) *array { return a.SwapAxes(0, -1) })
	view("SwapAxes", "x0.swapaxes(0, 3)", func(a *array) *array { return a.SwapAxes(0, 3) })
	view("MoveAxis", "np.moveaxis(x0, 0, -1)", func(a *array) *array { return a.MoveAxis(0, -1) })
	view("MoveAxis", "np.moveaxis(x0, -1, 0)", func(a *array) *array { return a.MoveAxis(-1, 0) })
	view("ExpandDims", "np.expand_dims(x0, -1)", func(a *array) *array { return a.ExpandDims(-1) })
	view("Squeeze", "x0.squeeze()", func(a *array) *array { return a.Squeeze() })
	view("Squeeze", "x0.squeeze(0)", func(a *array) *array { return a.Squeeze(0) })
	view("BroadcastTo", "np.broadcast_to(x0, (2,) + x0.shape)", func(a *array) *array { return a.BroadcastTo(append([]int{2}, a.Shape()...)...) })
	view("BroadcastTo", "np.broadcast_to(x0, (3, 4, 6))", func(a *array) *array { return a.BroadcastTo(3, 4, 6) })
	view("Flip", "np.flip(x0)", func(a *array) *array { return a.Flip() })
	view("Flip", "np.flip(x0, 1)", func(a *array) *array { return a.Flip(1) })
	for k := -6; k <= 6; k += 3 {
		view("Diagonal", fmt.Sprintf("np.diagonal(x0, %d, -2, -1)", k), func(a *array) *array { return a.Diagonal(k) })
	}
	view("Slice", "x0[::-1, -1:]", func(a *array) *array { return a.Slice(nd.All.By(-1), nd.From(-1)) })
	view("At", "x0[-1]", func(a *array) *array { return a.At(-1) })
	view("At", "x0[0, 1]", func(a *array) *array { return a.At(0, 1) })
	view("At", "x0[0, 1, 2, 3]", func(a *array) *array { return a.At(0, 1, 2, 3) })
	view("Fill", "np.full_like(x0, 1)", func(a *array) *array { return a.Copy().Fill(num[T](1)) })
	view("FullLike", "np.full_like(x0, 1)", func(a *array) *array { return nd.FullLike(a, num[T](1)) })
	view("ZerosLike", "np.zeros_like(x0)", func(a *array) *array { return nd.ZerosLike(a) })
	view("OnesLike", "np.ones_like(x0)", func(a *array) *array { return nd.OnesLike(a) })
	view("Flatnonzero", "np.flatnonzero(x0).astype(x0.dtype)", func(a *array) *array { return nd.AsType[T](nd.Flatnonzero(a)) })
	for axis := range 3 {
		a, x := random[T](c, 4, 3, 5)
		from(c, "Nonzero", fmt.Sprintf("np.nonzero(x0)[%d]", axis), 0, func() *nd.Array[int64] { return nd.Nonzero(a)[axis] }, x)
	}
	a, x := random[T](c, 4, 5)
	b, y := random[T](c, 5)
	m, z := random[bool](c, 4, 1)
	from(c, "Assign", "(np.copyto(x0, x1), x0)[1]", 0, func() *array { return a.Copy().Assign(b) }, x, y)
	from(c, "PutMask", "(np.copyto(x0, x1, where=x2), x0)[1]", 0, func() *array { return nd.PutMask(a.Copy(), m, b) }, x, y, z)
	from(c, "PutMask", "(np.copyto(x0, x1, where=x1.astype(bool)), x0)[1]", 0, func() *array { return nd.PutMask(a.Copy(), nd.AsType[bool](b), b) }, x, y)
	from(c, "PutMask", "(np.copyto(x0, x0.T), x0)", 0, func() *array { return nd.PutMask(a.Copy(), m, a.T()) }, x)
	rows, w := random[bool](c, 4)
	from(c, "Mask", "x0[x1]", 0, func() *array { return nd.Mask(a, rows) }, x, w)
}

// joinCases are functions that join and split arrays.
func joinCases[T nd.Number](c *catalog) {
	type array = nd.Array[T]
	view := func(name, expr string, f func(a *array) *array) { eager(c, name, expr, 0, f) }
	view("Concatenate", "np.concatenate((x0, x0[:1], x0), 0)", func(a *array) *array { return nd.Concatenate(0, a, a.Slice(nd.To(1)), a) })
	view("Stack", "np.stack((x0, x0), -1)", func(a *array) *array { return nd.Stack(-1, a, a) })
	view("Stack", "np.stack((x0, x0), 1)", func(a *array) *array { return nd.Stack(1, a, a) })
	view("Split", "np.split(x0, 2, -1)[1]", func(a *array) *array { return nd.Split(a, 2, -1)[1] })
	view("SplitAt", "np.split(x0, (1, 3), -1)[1]", func(a *array) *array { return nd.SplitAt(a, -1, 1, 3)[1] })
	view("SplitAt", "np.split(x0, (1, 30), -1)[2]", func(a *array) *array { return nd.SplitAt(a, -1, 1, 30)[2] })
	view("Tile", "np.tile(x0, (2, 1, 3, 1))", func(a *array) *array { return nd.Tile(a, 2, 1, 3, 1) })
	view("Repeat", "np.repeat(x0, 3, 1)", func(a *array) *array { return nd.Repeat(a, 3, 1) })
	view("Roll", "np.roll(x0, -7, -1)", func(a *array) *array { return nd.Roll(a, -7, -1) })
	view("PadConstant", "np.pad(x0, 2, constant_values=1)", func(a *array) *array { return nd.PadConstant(a, num[T](1), [2]int{2, 2}) })
	for mode, name := range map[nd.PadMode]string{nd.PadEdge: "edge", nd.PadReflect: "reflect", nd.PadSymmetric: "symmetric", nd.PadWrap: "wrap"} {
		view("Pad", "np.pad(x0, (7, 13), '"+name+"')", func(a *array) *array { return nd.Pad(a, mode, [2]int{7, 13}) })
	}
	matrix := func(name, expr string, f func(a *array) *array) {
		for _, shape := range [][]int{{4, 6}, {6, 4}, {3, 3, 5}, {0, 4}, {1, 1}} {
			a, x := random[T](c, shape...)
			from(c, name, expr, 0, func() *array { return f(a) }, x)
		}
	}
	for k := -4; k <= 4; k += 2 {
		matrix("Tril", fmt.Sprintf("np.tril(x0, %d)", k), func(a *array) *array { return nd.Tril(a, k) })
		matrix("Triu", fmt.Sprintf("np.triu(x0, %d)", k), func(a *array) *array { return nd.Triu(a, k) })
	}
	tame := func(shape ...int) (*array, input) {
		host := make([]T, 60)
		for i := range host {
			host[i] = num[T](float64(c.IntN(50)))
		}
		return given(host, shape...)
	}
	for _, shape := range [][]int{{6, 10}, {3, 4, 5}, {60}} {
		a, x := tame(shape...)
		from(c, "Trace", "np.trace(x0, axis1=-2, axis2=-1, dtype=x0.dtype)", 0, func() *array { return nd.Trace(a) }, x)
	}
	a, x := tame(60)
	b, y := tame(6, 10)
	from(c, "Outer", "np.outer(x0, x0)", 0, func() *array { return nd.Outer(a, a) }, x)
	from(c, "Outer", "np.outer(x0, x1)", 0, func() *array { return nd.Outer(a, b) }, x, y)
}

// indexCases are functions that take arrays of indices, some of them negative.
func indexCases(c *catalog) {
	a, x := random[float32](c, 5, 6)
	index, y := given([]int32{4, -1, 0, -5, 2, 2}, 2, 3)
	along, z := given([]int64{4, -1, 0, -5, 2, 2}, 1, 6)
	outside, w := given([]int32{5}, 1)
	type array = nd.Array[float32]
	from(c, "Take", "np.take(x0, x1)", 0, func() *array { return nd.Take(a, index) }, x, y)
	from(c, "Take", "np.take(x0, x1, 0)", 0, func() *array { return nd.Take(a, index, 0) }, x, y)
	from(c, "Take", "np.take(x0, x1, -1)", 0, func() *array { return nd.Take(a, index, -1) }, x, y)
	from(c, "TakeAlong", "np.take_along_axis(x0, x1, 0)", 0, func() *array { return nd.TakeAlong(a, along, 0) }, x, z)
	// A rehearsal computes nothing, so no index is out of range.
	c.names["Take"] = true
	expectFrom(c.suite, "np.take(x0, x1, 0)", 0, func() *array { return nd.Take(a, outside, 0) }, x, w)
	c.cases[len(c.cases)-1].made = false
}

// creationCases are arrays that are made of numbers.
func creationCases(c *catalog) {
	for _, shape := range [][]int{{}, {0}, {2, 0, 3}, {3, 4}} {
		py := "("
		for _, n := range shape {
			py += fmt.Sprint(n, ",")
		}
		py += ")"
		from(c, "Zeros", "np.zeros("+py+", np.int16)", 0, func() *nd.Array[int16] { return nd.Zeros[int16](shape...) })
		from(c, "Ones", "np.ones("+py+", np.complex64)", 0, func() *nd.Array[complex64] { return nd.Ones[complex64](shape...) })
		from(c, "Full", "np.full("+py+", -2.5)", 0, func() *nd.Array[float64] { return nd.Full(-2.5, shape...) })
	}
	for _, n := range []int{0, 1, 2, 7} {
		from(c, "Linspace", fmt.Sprintf("np.linspace(-1, 2.5, %d)", n), 1, func() *nd.Array[float64] { return nd.Linspace(-1, 2.5, n) })
		from(c, "Arange", fmt.Sprintf("np.arange(%d, dtype=np.int8)", n), 0, func() *nd.Array[int8] { return nd.Arange(int8(n)) })
		from(c, "Eye", fmt.Sprintf("np.eye(%d, 4, -1)", n), 0, func() *nd.Array[float64] { return nd.Eye[float64](n, 4, -1) })
		from(c, "Eye", fmt.Sprintf("np.eye(%d, dtype=np.int32)", n), 0, func() *nd.Array[int32] { return nd.Eye[int32](n) })
	}
	from(c, "Arange", "np.arange(5, -5, -3)", 0, func() *nd.Array[int64] { return nd.Arange[int64](5, -5, -3) })
	from(c, "Arange", "np.arange(1, 2, 0.3)", 1, func() *nd.Array[float64] { return nd.Arange(1, 2, 0.3) })
	from(c, "Arange", "np.arange(2, 1)", 0, func() *nd.Array[int64] { return nd.Arange[int64](2, 1) })
	from(c, "FromSlice", "np.array([1, 2, 3, 4], np.uint8).reshape(2, -1)", 0, func() *nd.Array[uint8] { return nd.FromSlice([]uint8{1, 2, 3, 4}, 2, -1) })
	from(c, "FromSlice", "np.array([1, 2, 3]).reshape(2, 2)", 0, func() *nd.Array[int64] { return nd.FromSlice([]int64{1, 2, 3}, 2, 2) })
}

// attributeCases are the attributes of arrays.
func attributeCases(c *catalog) {
	type array = nd.Array[float32]
	says := func(name, expr string, f func(a *array) int) {
		eager(c, name, "np.array(["+expr+"])", 0, func(a *array) *nd.Array[int64] { return nd.FromSlice([]int64{int64(f(a))}) })
	}
	says("NDim", "x0.ndim", (*array).NDim)
	says("Size", "x0.size", (*array).Size)
	says("Bytes", "x0.nbytes", (*array).Bytes)
	says("Len", "len(x0)", (*array).Len)
	says("Contiguous", "int(x0.flags.c_contiguous)", func(a *array) int {
		if a.Contiguous() {
			return 1
		}
		return 0
	})
	says("DType", "x0.dtype.itemsize", func(a *array) int { return a.DType().Size() })
	list := func(name, expr string, f func(a *array) []int) {
		eager(c, name, expr, 0, func(a *array) *nd.Array[int64] {
			var wide []int64
			for _, v := range f(a) {
				wide = append(wide, int64(v))
			}
			return nd.FromSlice(wide)
		})
	}
	list("Shape", "np.array(x0.shape)", (*array).Shape)
	list("Strides", "np.array(x0.strides) // x0.itemsize * (x0.size > 0)", func(a *array) []int {
		if a.Size() == 0 { // the strides are unused
			return make([]int, a.NDim())
		}
		return a.Strides()
	})
	a, x := random[float32](c, 1, 1)
	b, y := random[float32](c, 2)
	expectFrom(c.suite, "np.array(x0.item(), np.float32)", 1, func() *array { return nd.Scalar(a.Item()) }, x)
	expectFrom(c.suite, "np.array(x0.item(), np.float32)", 1, func() *array { return nd.Scalar(b.Item()) }, y)
	c.names["Item"] = true
}

package nd_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/nd"
)

// Elements of one and two bytes are transposed in words where rows and columns are made of whole ones, and one by one where not.
func TestTransposedSmallElements(t *testing.T) {
	for _, side := range [][2]int{{72, 96}, {128, 256}, {260, 132}, {16, 1028}, {70, 90}, {71, 96}, {72, 93}, {131, 257}} {
		t.Run(fmt.Sprint(side), func(t *testing.T) {
			testTransposed(t, side[0], side[1], func(i int) int8 { return int8(i * 7) })
			testTransposed(t, side[0], side[1], func(i int) int16 { return int16(i * 77) })
		})
	}
}

func testTransposed[T int8 | int16](t *testing.T, rows, cols int, element func(i int) T) {
	const outer = 3
	host := make([]T, outer*rows*cols)
	for i := range host {
		host[i] = element(i)
	}
	expect := func(what string, got *nd.Array[T], want func(k, i, j int) T) {
		t.Helper()
		list := got.ToHost()
		for at, v := range list {
			k, i, j := at/(rows*cols), at/rows%cols, at%rows
			if w := want(k, i, j); v != w {
				t.Errorf("%T, %s: element %d, %d, %d is %d, want %d", v, what, k, i, j, v, w)
				return
			}
		}
	}
	at := func(k, i, j int) T { return host[(k*rows+j)*cols+i] } // of the transposed matrices
	a := nd.FromSlice(host, outer, rows, cols)
	matrix, other := a.Slice(nd.At(1)), nd.FromSlice(host[:rows*cols], cols, rows)
	expect("copied", matrix.T().Copy(), func(_, i, j int) T { return at(1, i, j) })
	expect("several", a.Transpose(0, 2, 1).Copy(), at)
	expect("added", matrix.T().Add(other), func(_, i, j int) T { return at(1, i, j) + host[i*rows+j] })
	expect("two", matrix.T().Mul(a.Slice(nd.At(2)).T()), func(_, i, j int) T { return at(1, i, j) * at(2, i, j) })
	expect("from an odd address", nd.FromSlice(append([]T{0}, host...)).Slice(nd.R(1, 1+rows*cols)).Reshape(rows, cols).T().Copy(), func(_, i, j int) T { return at(0, i, j) })

	into := nd.Zeros[T](cols, rows+4)
	into.Slice(nd.All, nd.R(4, rows+4)).Assign(matrix.T())
	expect("assigned", into.Slice(nd.All, nd.From(4)).Copy(), func(_, i, j int) T { return at(1, i, j) })
	if edge := into.Slice(nd.All, nd.To(4)).ToHost(); slices.ContainsFunc(edge, func(v T) bool { return v != 0 }) {
		t.Errorf("%T: an assignment has changed what is beside it", host[0])
	}
	less := matrix.T().Less(other).ToHost()
	for k, v := range less {
		i, j := k/rows, k%rows
		if want := at(1, i, j) < host[k]; v != want {
			t.Errorf("%T, compared: element %d, %d is %t, want %t", host[0], i, j, v, want)
			break
		}
	}
}

package simd

import (
	"fmt"
	"testing"
	"unsafe"
)

// tile is a function that multiplies packed factors, for a tile of so many rows of some strips.
type tile[T float32 | float64] struct {
	name         string
	rows, strips int
	multiply     func(c, a, b *T, stride, add, n int)
}

// Tiles compute the product of packed factors, and store nothing else.
func TestTiles(t *testing.T) {
	if !Has {
		t.Skip("SKIPPED: the processor has no AVX2 or no FMA")
	}
	of32 := []tile[float32]{{"Tile32", 6, 1, Tile32}, {"ShortTile32", 4, 1, ShortTile32}, {"TallTile32", 8, 1, TallTile32}, {"LargeTile32", 8, 2, LargeTile32}}
	of64 := []tile[float64]{{"Tile64", 6, 1, Tile64}, {"ShortTile64", 4, 1, ShortTile64}, {"TallTile64", 8, 1, TallTile64}, {"LargeTile64", 8, 2, LargeTile64}}
	if !Has512 {
		t.Log("SKIPPED: TallTile and LargeTile, since the processor has no AVX-512")
		of32, of64 = of32[:2], of64[:2]
	}
	for _, n := range []int{1, 3, 4, 5, 8, 11} {
		for add := range 2 {
			for _, f := range of32 {
				t.Run(fmt.Sprint(f.name, "/", n, "/", add), func(t *testing.T) { testTile(t, f, n, add) })
			}
			for _, f := range of64 {
				t.Run(fmt.Sprint(f.name, "/", n, "/", add), func(t *testing.T) { testTile(t, f, n, add) })
			}
		}
	}
}

// testTile multiplies small integers, of which all sums are exact.
func testTile[T float32 | float64](t *testing.T, f tile[T], n, add int) {
	t.Helper()
	width := 64 / int(unsafe.Sizeof(T(0)))
	length := f.strips * width
	stride := length + 3
	a, b, c := make([]T, f.rows*n), make([]T, length*n), make([]T, f.rows*stride)
	for i := range a {
		a[i] = T(i%7 - 3)
	}
	for i := range b {
		b[i] = T(i%11 - 5)
	}
	for i := range c {
		c[i] = T(i % 13)
	}
	want := append([]T(nil), c...)
	for r := range f.rows {
		for i := range length {
			sum := T(add) * c[r*stride+i]
			for k := range n {
				sum += a[k*f.rows+r] * b[i/width*width*n+k*width+i%width]
			}
			want[r*stride+i] = sum
		}
	}
	f.multiply(&c[0], &a[0], &b[0], stride*int(unsafe.Sizeof(T(0))), add, n)
	for i, v := range want {
		if c[i] != v {
			t.Fatalf("element %d of row %d is %v, want %v", i%stride, i/stride, c[i], v)
		}
	}
}

package linalg

import (
	"math"
	"runtime"
	"sync"
	"unsafe"

	"github.com/gopherwarp/gopherwarp/gpu/internal/routine"
	"github.com/gopherwarp/gopherwarp/gpu/internal/sim/cores"
	"github.com/gopherwarp/gopherwarp/gpu/internal/sim/simd"
)

// The sizes of the parts that a product of matrices is divided into. Rows of the tile that the innermost loop computes are columns of the
// result, which is in column-major order.
const (
	tileBytes  = 64      // of a row of a strip
	depth      = 256     // of packed factors, so that the strip that several tiles share is in the first cache
	blockBytes = 1 << 10 // of a column of the result that a goroutine takes at a time, so that its factors are in the second cache
	mostRows   = 192     // columns of the result that it takes at a time, a multiple of a tile's rows, as is leastRows
	leastRows  = 24
	leastWork  = 1 << 15 // products of numbers for which packing and goroutines are worth their time
)

// multiplier multiplies matrices of one type with vector instructions.
type multiplier[T float32 | float64] struct {
	tiles[T]
	dotRows func(out, a, x *T, stride, rows, n int)
	// addRows are for 8 vectors and for one.
	addRowsWide, addRows func(out, a, x *T, stride, n int)
	spare                sync.Pool // of *[]T, memory for packed factors
}

// take returns memory for n numbers, which are not initialized. Small products would else take most of their time to clear new memory.
func (m *multiplier[T]) take(n int) *[]T {
	at, _ := m.spare.Get().(*[]T)
	if at == nil || cap(*at) < n {
		list := make([]T, n)
		return &list
	}
	*at = (*at)[:n]
	return at
}

// tiles are functions that compute a tile of tileRows rows, which are as long as one strip or as two, and one of shortRows rows. Only AVX-512 has
// registers for two strips, so twoStrips can be nil.
type tiles[T any] struct {
	tileRows  int
	oneStrip  func(c, a, b *T, stride, add, n int)
	twoStrips func(c, a, b *T, stride, add, n int)
	short     func(c, a, b *T, stride, add, n int)
}

// shortRows is the number of rows of a short tile.
const shortRows = 4

var (
	// The first ones are of AVX2. The others are of AVX-512, but for the short one, which is the same.
	tiles32 = [2]tiles[float32]{{6, simd.Tile32, nil, simd.ShortTile32}, {8, simd.TallTile32, simd.LargeTile32, simd.ShortTile32}}
	tiles64 = [2]tiles[float64]{{6, simd.Tile64, nil, simd.ShortTile64}, {8, simd.TallTile64, simd.LargeTile64, simd.ShortTile64}}

	multiplier32 = multiplier[float32]{
		tiles: best(tiles32), dotRows: simd.DotRows32, addRowsWide: simd.AddRowsWide32, addRows: simd.AddRows32,
	}
	multiplier64 = multiplier[float64]{
		tiles: best(tiles64), dotRows: simd.DotRows64, addRowsWide: simd.AddRowsWide64, addRows: simd.AddRows64,
	}
)

// best returns the tiles of AVX-512 if the processor has it, and those of AVX2 otherwise.
func best[T any](of [2]tiles[T]) tiles[T] {
	if simd.Has512 {
		return of[1]
	}
	return of[0]
}

// matrix is a factor: element (row, column) is at row·down + column·right.
type matrix[T any] struct {
	at          []T
	down, right int
}

func factor[T any](at []T, op routine.Op, lead int) matrix[T] {
	if op == routine.AsIs {
		return matrix[T]{at, 1, lead}
	}
	return matrix[T]{at, lead, 1}
}

// multiply computes the products of c, and reports whether it has: gonum is as quick for small ones.
func (m *multiplier[T]) multiply(c *routine.Gemm, parts [][]byte, alpha, beta T) bool {
	if !simd.Has || c.M == 0 || c.N == 0 || c.K == 0 || c.M*c.N*c.K < leastWork/8 {
		return false
	}
	for i := range c.Count {
		a := factor(view[T](parts[0], i*c.A.Step), c.TransA, c.A.Lead)
		b := factor(view[T](parts[1], i*c.B.Step), c.TransB, c.B.Lead)
		out := view[T](parts[2], i*c.C.Step)
		add := beta != 0
		if beta != 1 && add {
			scale(out, c.M, c.N, c.C.Lead, beta)
		}
		switch {
		case c.N == 1 && c.M == 1 && a.right == 1 && b.down == 1:
			if !add {
				out[0] = 0
			}
			out[0] += alpha * m.dot(a.at[:c.K], b.at[:c.K])
		case c.N == 1:
			m.vector(out, 1, c.M, c.K, a.down, a.right, a.at, b.at, b.down, alpha, add)
		case c.M == 1:
			m.vector(out, c.C.Lead, c.N, c.K, b.right, b.down, b.at, a.at, a.right, alpha, add)
		default:
			m.matrices(&result[T]{out, c.C.Lead, c.M, c.N}, c.K, a, b, alpha, add)
		}
	}
	return true
}

// dot returns the product of two vectors. They are divided into parts of the same number of elements, so that the result does not depend on
// the number of threads.
func (m *multiplier[T]) dot(a, b []T) (sum T) {
	parts := make([]T, (len(b)+leastWork-1)/leastWork)
	cores.Range(len(parts), 0.1*leastWork, func(from, to int) {
		for i := from; i < to; i++ {
			m.dots(parts[i:i+1], a[i*leastWork:], 0, b[i*leastWork:min(len(b), (i+1)*leastWork)])
		}
	})
	for _, v := range parts {
		sum += v
	}
	return sum
}

// vector stores in n elements of out, step apart, or adds to them, the product of a matrix, whose element (i, k) is at i·down + k·right, and
// a vector of count elements that are apart elements apart.
func (m *multiplier[T]) vector(out []T, step, n, count, down, right int, a, x []T, apart int, alpha T, add bool) {
	factors := x[:(count-1)*apart+1]
	if alpha != 1 || apart != 1 {
		factors = make([]T, count)
		for k := range factors {
			factors[k] = alpha * x[k*apart]
		}
	}
	// direct is whether results are computed where they are stored.
	direct := !add && step == 1
	room := func(from, to int) []T {
		if direct {
			return out[from:to]
		}
		return make([]T, to-from)
	}
	store := func(from int, sums []T) {
		if direct {
			return
		}
		for i, v := range sums {
			if add {
				v += out[(from+i)*step]
			}
			out[(from+i)*step] = v
		}
	}
	switch {
	case right == 1:
		cores.Range(n, 0.06*float64(count), func(from, to int) {
			sums := room(from, to)
			m.dots(sums, a[from*down:], down, factors)
			store(from, sums)
		})
	case down == 1 && n >= leastAcross:
		cores.Range((n+acrossUnit-1)/acrossUnit, 0.06*float64(count*acrossUnit), func(from, to int) {
			from, to = from*acrossUnit, min(n, to*acrossUnit)
			sums := room(from, to)
			clear(sums)
			m.sum(sums, a[from:], right, factors)
			store(from, sums)
		})
	default:
		sums := room(0, n)
		m.sumOfParts(sums, a, down, right, factors)
		store(0, sums)
	}
}

// A product of a matrix and a vector is divided by elements of the result if there are leastAcross or more, in units of so many, which are
// several lines of the cache. Shorter ones are divided by the elements of the vector, into mostParts at most.
const (
	leastAcross = 1024
	acrossUnit  = 128
	mostParts   = 64
)

// sumOfParts stores the product of a matrix, whose element (i, k) is at i·down + k·right, and factors. These are divided into parts of the
// same number, so that the result does not depend on the number of threads.
func (m *multiplier[T]) sumOfParts(out, a []T, down, right int, factors []T) {
	n := len(out)
	each := max(1, leastWork/n, (len(factors)+mostParts-1)/mostParts)
	count := (len(factors) + each - 1) / each
	parts := make([]T, count*n)
	cores.Range(count, 0.06*float64(n*each), func(from, to int) {
		for p := from; p < to; p++ {
			sums, begin := parts[p*n:][:n], p*each
			some := factors[begin:min(len(factors), begin+each)]
			if down == 1 {
				m.sum(sums, a[begin*right:], right, some)
				continue
			}
			for k, f := range some {
				for i := range sums {
					sums[i] += f * a[(begin+k)*right+i*down]
				}
			}
		}
	})
	copy(out, parts)
	for p := 1; p < count; p++ {
		for i, v := range parts[p*n:][:n] {
			out[i] += v
		}
	}
}

// dots stores the products of rows, which are stride elements apart, and x.
func (m *multiplier[T]) dots(out, a []T, stride int, x []T) {
	lanes := tileBytes / 2 / int(unsafe.Sizeof(x[0]))
	n := len(x) / lanes * lanes
	if n > 0 {
		m.dotRows(&out[0], &a[0], &x[0], stride*int(unsafe.Sizeof(x[0])), len(out), n)
	} else {
		clear(out)
	}
	if n == len(x) {
		return
	}
	for r := range out {
		for k := n; k < len(x); k++ {
			out[r] += a[r*stride+k] * x[k]
		}
	}
}

// sum adds multiples of rows, which are stride elements apart, to out.
func (m *multiplier[T]) sum(out, a []T, stride int, factors []T) {
	size := int(unsafe.Sizeof(factors[0]))
	lanes := tileBytes / 2 / size
	i := 0
	for ; i+8*lanes <= len(out); i += 8 * lanes {
		m.addRowsWide(&out[i], &a[i], &factors[0], stride*size, len(factors))
	}
	for ; i+lanes <= len(out); i += lanes {
		m.addRows(&out[i], &a[i], &factors[0], stride*size, len(factors))
	}
	for ; i < len(out); i++ {
		for k, f := range factors {
			out[i] += f * a[k*stride+i]
		}
	}
}

// result is where a product is stored. It has elements of a column one after the other, and columns lead elements apart.
type result[T any] struct {
	at                  []T
	lead, rows, columns int
}

// bands are the columns of the result, divided into those that a tile computes: long bands of width columns, and after them short ones of
// shortRows. The last one may end outside of the result.
type bands struct{ width, long, short int }

// bandsOf returns the bands for that many columns of which the fewest are outside.
func bandsOf(columns, width int) bands {
	best, least := bands{}, math.MaxInt
	// Behind tiles of 6 or 8 rows, more than two short ones never leave fewer outside.
	for short := range 3 {
		long := max(0, columns-short*shortRows+width-1) / width
		if covered := long*width + short*shortRows; covered >= columns && covered < least {
			best, least = bands{width, long, short}, covered
		}
	}
	return best
}

// count returns the number of bands.
func (b bands) count() int { return b.long + b.short }

// start returns the first column of band i, or the column behind the last band.
func (b bands) start(i int) int { return min(i, b.long)*b.width + max(0, i-b.long)*shortRows }

// packed are the factors of a part of a product, which is from some row and band of the result to others.
type packed[T float32 | float64] struct {
	a, b                       []T // a is of these rows, b of all columns
	n                          int // columns of the one factor, and rows of the other
	row, rowEnd, band, bandEnd int
	add                        int // 1 to add the product, 0 to store it
	edge                       []T // room for a tile of which only a part is in the result
}

// matrices stores alpha·a·b in out, or adds it.
func (m *multiplier[T]) matrices(out *result[T], count int, a, b matrix[T], alpha T, add bool) {
	size := int(unsafe.Sizeof(alpha))
	width, block := tileBytes/size, blockBytes/size
	across := (out.rows + block - 1) / block
	all := bandsOf(out.columns, m.tileRows)
	// Some tasks for each processor, but few enough that to pack the rows of a task is little of its work.
	columns := min(max(roundUp(out.columns*across/(4*runtime.GOMAXPROCS(0)), m.tileRows), leastRows), mostRows)
	each := columns / m.tileRows
	down := (all.count() + each - 1) / each
	room := m.take(all.start(all.count()) * min(count, depth))
	defer m.spare.Put(room)
	packedB := *room
	turned := matrix[T]{b.at, b.right, b.down}
	for from := 0; from < count; from += depth {
		n := min(depth, count-from)
		cores.Range(all.count(), 0.3*float64(n*m.tileRows), func(band, end int) {
			packBands(packedB, turned, all, band, end, out.columns, from, n, alpha)
		})
		part := packed[T]{b: packedB, n: n}
		if add || from > 0 {
			part.add = 1
		}
		cores.Blocks(across*down, 0.02*float64(n)*float64(min(out.rows, block)*min(out.columns, columns)), func(next func() (from, to int)) {
			part := part
			lines := roundUp(min(out.rows, block), width) * n
			room := m.take(lines + 2*width*m.tileRows)
			defer m.spare.Put(room)
			part.a, part.edge = (*room)[:lines], (*room)[lines:]
			for task, end := next(); task < end; task, end = next() {
				for ; task < end; task++ {
					row := task / down * block
					if part.row != row || part.rowEnd == 0 {
						part.row, part.rowEnd = row, min(out.rows, row+block)
						pack(part.a, a, row, part.rowEnd, from, n, width, 1)
					}
					part.band = task % down * each
					part.bandEnd = min(all.count(), part.band+each)
					m.part(out, all, &part, width)
				}
			}
		})
	}
}

// packBands packs n rows of the columns of some bands, multiplied by factor: turned has these as columns of its rows. There are rows of it up to
// last.
func packBands[T float32 | float64](to []T, turned matrix[T], all bands, band, end, last, from, n int, factor T) {
	if to, until := to[all.start(band)*n:], min(end, all.long); band < until {
		pack(to, turned, all.start(band), min(last, all.start(until)), from, n, all.width, factor)
	}
	if band = max(band, all.long); band < end {
		pack(to[all.start(band)*n:], turned, all.start(band), min(last, all.start(end)), from, n, shortRows, factor)
	}
}

func roundUp(n, unit int) int { return (n + unit - 1) / unit * unit }

// pack copies n columns of some rows, multiplied by factor, in strips of width rows: as many as a tile has for the one factor, and the elements
// of tileBytes for the other. The last strip has zeros where there are no more rows.
func pack[T float32 | float64](to []T, a matrix[T], row, end, column, n, width int, factor T) {
	if whole := (end - row) / width * width; whole > 0 && factor == 1 && a.down == 1 && a.right != 1 && width*int(unsafe.Sizeof(factor)) == tileBytes {
		size := int(unsafe.Sizeof(factor))
		from := a.at[row+column*a.right:][:whole+(n-1)*a.right]
		simd.Lines((*byte)(unsafe.Pointer(&to[0])), (*byte)(unsafe.Pointer(&from[0])), tileBytes*n, a.right*size, whole/width, n)
		to, row = to[whole*n:], row+whole
	}
	for ; row < end; row += width {
		packStrip(to[:width*n], matrix[T]{a.at[row*a.down+column*a.right:], a.down, a.right}, min(width, end-row), n, width, factor)
		to = to[width*n:]
	}
}

func packStrip[T float32 | float64](to []T, a matrix[T], rows, n, width int, factor T) {
	if rows < width {
		clear(to)
	}
	switch {
	case a.right == 1:
		packRows(to, a, rows, n, width, factor)
	case rows == 6 && a.down == 1:
		for k := range n {
			v := (*[6]T)(a.at[k*a.right:])
			line := (*[6]T)(to[k*width:])
			line[0], line[1], line[2], line[3], line[4], line[5] = factor*v[0], factor*v[1], factor*v[2], factor*v[3], factor*v[4], factor*v[5]
		}
	case rows == 8 && a.down == 1:
		for k := range n {
			v := (*[8]T)(a.at[k*a.right:])
			line := (*[8]T)(to[k*width:])
			line[0], line[1], line[2], line[3] = factor*v[0], factor*v[1], factor*v[2], factor*v[3]
			line[4], line[5], line[6], line[7] = factor*v[4], factor*v[5], factor*v[6], factor*v[7]
		}
	default:
		for k := range n {
			for i := range rows {
				to[k*width+i] = factor * a.at[k*a.right+i*a.down]
			}
		}
	}
}

// packRows copies a strip of rows whose elements are adjacent, several rows at a time.
func packRows[T float32 | float64](to []T, a matrix[T], rows, n, width int, factor T) {
	i := 0
	for ; i+4 <= rows; i += 4 {
		u, v, w, x := a.at[i*a.down:][:n], a.at[(i+1)*a.down:][:n], a.at[(i+2)*a.down:][:n], a.at[(i+3)*a.down:][:n]
		for k := range u {
			line := (*[4]T)(to[k*width+i:])
			line[0], line[1], line[2], line[3] = factor*u[k], factor*v[k], factor*w[k], factor*x[k]
		}
	}
	for ; i+2 <= rows; i += 2 {
		u, v := a.at[i*a.down:][:n], a.at[(i+1)*a.down:][:n]
		for k := range u {
			line := (*[2]T)(to[k*width+i:])
			line[0], line[1] = factor*u[k], factor*v[k]
		}
	}
	for ; i < rows; i++ {
		for k, v := range a.at[i*a.down:][:n] {
			to[k*width+i] = factor * v
		}
	}
}

// part computes some rows and bands of the result.
func (m *multiplier[T]) part(out *result[T], all bands, p *packed[T], width int) {
	size := int(unsafe.Sizeof(p.edge[0]))
	for band := p.band; band < p.bandEnd; band++ {
		c, end := all.start(band), all.start(band+1)
		var length int
		for r := p.row; r < p.rowEnd; r += length {
			tile := m.oneStrip
			length = width // of the tile's rows
			switch {
			case band >= all.long:
				tile = m.short
			case m.twoStrips != nil && r+2*width <= p.rowEnd:
				tile, length = m.twoStrips, 2*width
			}
			strips := &p.a[(r-p.row)*p.n]
			if end <= out.columns && r+length <= out.rows {
				tile(&out.at[c*out.lead+r], &p.b[c*p.n], strips, out.lead*size, p.add, p.n)
				continue
			}
			tile(&p.edge[0], &p.b[c*p.n], strips, length*size, 0, p.n)
			p.copyEdge(out, r, c, length, min(end, out.columns)-c)
		}
	}
}

// copyEdge stores or adds the part of a tile at an edge that is in the result: some columns, from row and column on, of a tile with rows of that
// length.
func (p *packed[T]) copyEdge(out *result[T], row, column, length, columns int) {
	for i := range columns {
		to := out.at[(column+i)*out.lead+row:]
		line := p.edge[i*length:][:min(length, out.rows-row)]
		if p.add == 0 {
			copy(to, line)
			continue
		}
		for k, v := range line {
			to[k] += v
		}
	}
}

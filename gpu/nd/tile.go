package nd

import (
	"fmt"
	"math"

	"github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/gpu/internal/expression"
)

// tiling has everything that the code of a kernel that works in tiles depends on besides the expression. Such a kernel reads operands
// whose adjacent elements are along another loop than the destination's, as those of a transposed array are: each block copies a square
// of both loops to shared memory in the order of memory, and computes in the order of the destination.
type tiling struct {
	rank  int // loops; of the last two, the last has adjacent elements of the destination and the other one those of the operand
	wide  bool
	tiles []int // the operands that go through shared memory
	side  int   // of a tile, in elements
	dt    DType
	// square is the number of elements along each side of the squares that a thread computes: 1, or, if elements have one or two bytes, as
	// many as a word of 4 bytes has. Then the tiles, the result, and operands in its order are read and written in words.
	square int
}

// The limits of tiles: shorter loops gain nothing from them, and shared memory has limited room.
const (
	shortestTiled = 16
	tileBytes     = 48 << 10
	wordBytes     = 4
	bankWords     = 32 // of shared memory, which a warp reads at once; a row of squares' tiles has as many
)

// crossing returns the loop along which an operand's elements are adjacent in memory, if that is not the innermost one, along which the
// destination's are; otherwise it returns -1.
func (p *plan) crossing(l loops, dst *leaf) int {
	inner := len(l.lens) - 1
	if inner < 1 || len(l.strides) < 2 || l.strides[0][inner] != 1 || l.lens[inner] < shortestTiled {
		return -1
	}
	for k := range p.leaves {
		if p.leaves[k].buf == nil || abs(l.strides[k+1][inner]) < 2 {
			continue
		}
		for d := range inner {
			if abs(l.strides[k+1][d]) == 1 && l.lens[d] >= shortestTiled {
				return d
			}
		}
	}
	return -1
}

// tileRequest returns the launch that computes the plan into dst by tiles of loop down and the innermost one.
func (e *engine) tileRequest(p *plan, dst *leaf, l loops, down int) request {
	l.secondLast(down)
	t := p.tiling(dst, l)
	e.key = p.key(append(e.key[:0], 't', byte(t.rank), boolByte(t.wide), byte(t.side), byte(t.square), byte(t.dt)))

	inner := t.rank - 1
	across, up := (l.lens[inner]+t.side-1)/t.side, (l.lens[inner-1]+t.side-1)/t.side
	w := e.words[:0].put(l.lens[inner]).put(l.lens[inner-1]).put(across).put(up).put(dst.off)
	for i := range p.leaves {
		w = w.put(p.leaves[i].off)
	}
	w = w.list(l.lens[:inner-1])
	for _, s := range l.strides {
		w = w.list(s)
	}
	e.words = w.constants(p)
	blocks := across * up * product(l.lens[:inner-1])
	return request{
		key: e.key, write: func() source { return p.tileSource(t) }, words: e.words,
		cfg: gpu.Launch{Grid: gpu.Dim3{X: blocks, Y: 1, Z: 1}, Block: gpu.Dim3{X: mapBlock, Y: 1, Z: 1}},
	}
}

// secondLast moves a loop other than the last one to the position before the last.
func (l *loops) secondLast(d int) {
	move := func(list []int) {
		v, last := list[d], len(list)-1
		copy(list[d:], list[d+1:last])
		list[last-1] = v
	}
	move(l.lens)
	for _, s := range l.strides {
		move(s)
	}
}

// tiling chooses the operands that go through shared memory, and marks them and the others.
func (p *plan) tiling(dst *leaf, l loops) tiling {
	t := tiling{rank: len(l.lens), dt: dst.dt, side: 64}
	inner := t.rank - 1
	for k := range p.leaves {
		o, s := &p.leaves[k], l.strides[k+1]
		o.class = classStrided
		switch {
		case o.buf == nil:
			o.class = classIndex
		case abs(s[inner-1]) == 1 && abs(s[inner]) > 1:
			t.tiles = append(t.tiles, k)
			if o.dt.Size() > 4 {
				t.side = 32
			}
		}
	}
	for t.bytes(p) > tileBytes {
		t.tiles = t.tiles[:len(t.tiles)-1]
	}
	for _, k := range t.tiles {
		p.leaves[k].class = classTile
	}
	t.square = 1
	if n := wordBytes / dst.dt.Size(); n > 1 && t.squares(p, dst, l, n) {
		t.square, t.side = n, n*bankWords
		for k := range p.leaves {
			if o := &p.leaves[k]; o.class == classStrided && l.inWords(o, k+1, inner, dst.dt, n) {
				o.class = classVector
			}
		}
	}
	reach := dst.lay.size
	for _, s := range l.strides {
		far := 0
		for d, n := range l.lens {
			far += abs(s[d]) * (n + t.side)
		}
		reach = max(reach, far)
	}
	t.wide = max(dst.off, furthest(p.leaves))+reach > math.MaxInt32-mapBlock*vector
	return t
}

// squares reports whether threads can compute squares of n by n elements: whether the destination and the operands that go through shared
// memory are made of words of n elements.
func (t *tiling) squares(p *plan, dst *leaf, l loops, n int) bool {
	down, inner := t.rank-2, t.rank-1
	if l.lens[down]%n != 0 || l.lens[inner]%n != 0 || !l.inWords(dst, 0, inner, dst.dt, n) {
		return false
	}
	for _, k := range t.tiles {
		if !l.inWords(&p.leaves[k], k+1, down, dst.dt, n) {
			return false
		}
	}
	return len(t.tiles) > 0 && len(t.tiles)*n*bankWords*bankWords*wordBytes <= tileBytes
}

// inWords reports whether the memory of the destination (k is 0) or of operand k-1 is made of words of n elements, adjacent along a loop, that
// are as large as those of dt.
func (l *loops) inWords(o *leaf, k, along int, dt DType, n int) bool {
	if o.dt.Size() != dt.Size() || l.strides[k][along] != 1 || !o.aligned(n) {
		return false
	}
	for d, s := range l.strides[k] {
		if d != along && s%n != 0 {
			return false
		}
	}
	return true
}

// bytes returns how much shared memory the tiles take.
func (t *tiling) bytes(p *plan) int {
	sum := 0
	for _, k := range t.tiles {
		sum += t.side * (t.side + 1) * p.leaves[k].dt.Size()
	}
	return sum
}

// tileCode writes a kernel that works in tiles. Its strings are C expressions of the arguments.
type tileCode struct {
	writer
	p *plan
	t tiling

	across, down string     // lengths of the last two loops
	offsets      []string   // of the destination and the operands
	strides      [][]string // of the destination and the operands, by loop
	names        []string   // variables of the offsets in an iteration of the outer loops
}

// tileSource writes the kernel.
func (p *plan) tileSource(t tiling) source {
	c := tileCode{writer: newWriter(t.wide), p: p, t: t, names: append([]string{"at"}, p.offsetNames()...)}
	in := c.index
	c.across, c.down = c.word(), c.word()
	tilesAcross, tilesDown := c.word(), c.word()
	c.offsets = c.list(len(p.leaves) + 1)
	lens := c.list(t.rank - 2)
	c.strides = c.table(len(c.offsets), t.rank)
	f, need := c.element(p)
	need |= t.dt.needs()
	name := p.name("tile")
	fmt.Fprintf(&c, "struct nd_args { long long v[%d]; };\n\n%s\n", c.words, f)
	fmt.Fprintf(&c, "extern \"C\" __global__ void __launch_bounds__(%d) %s(%s *out%s, const nd_args a) {\n", mapBlock, name, t.dt.info().stored, p.pointers())
	for _, k := range t.tiles {
		c.room(k)
	}
	fmt.Fprintf(&c, "    %s block = blockIdx.x / (%s);\n", in, tilesAcross)
	fmt.Fprintf(&c, "    const %s j = (blockIdx.x %% (%s)) * %d, i = block %% (%s) * %d;\n    block /= %s;\n", in, tilesAcross, t.side, tilesDown, t.side, tilesDown)
	fmt.Fprintf(&c, "    const %s width = min(%s - j, (%s)%d), height = min(%s - i, (%s)%d);\n", in, c.across, in, t.side, c.down, in, t.side)
	c.begins(c.offsets)
	if len(lens) > 0 {
		c.decompose("block", lens, c.names, c.strides)
	}
	if t.square > 1 {
		c.squares()
		return source{name: name, need: need | needVector, text: c.String()}.describedBy(p.describe(expression.Tile, t.dt, t.rank))
	}
	for _, k := range t.tiles {
		c.load(k, fmt.Sprintf("t%d[x][y]", k))
	}
	fmt.Fprintf(&c, "    __syncthreads();\n#pragma unroll\n    for (int k = 0; k < %d; k++) {\n", t.side*t.side/mapBlock)
	fmt.Fprintf(&c, "        const int x = threadIdx.x %% %d, y = threadIdx.x / %d + k * %d;\n", t.side, t.side, mapBlock/t.side)
	fmt.Fprintf(&c, "        if (x < width && y < height)\n            out[%s] = %s;\n    }\n}\n", c.at(0), t.dt.store(c.call()))
	return source{name: name, need: need, text: c.String()}.describedBy(p.describe(expression.Tile, t.dt, t.rank))
}

// room declares the shared memory for operand k.
func (c *tileCode) room(k int) {
	if c.t.square > 1 {
		fmt.Fprintf(c, "    __shared__ %s t%d[%d];\n", vectorOf(c.p.leaves[k].dt, c.t.square), k, c.t.side*bankWords)
		return
	}
	fmt.Fprintf(c, "    __shared__ %s t%d[%d][%d];\n", c.p.leaves[k].dt.info().stored, k, c.t.side, c.t.side+1)
}

// load writes the loop in which a thread copies its pieces of operand k, elements or words of them, to shared memory, where into is the place
// of a piece. Adjacent threads copy adjacent pieces. All are loaded before the first is stored, without a branch, so that many loads are in
// flight: outside of the array it is the last piece once more.
func (c *tileCode) load(k int, into string) {
	n, piece := c.t.square, c.p.leaves[k].dt.info().stored
	if n > 1 {
		piece = vectorOf(c.p.leaves[k].dt, n)
	}
	row := c.t.side / n // pieces
	count := c.t.side * row / mapBlock
	in := c.index
	fmt.Fprintf(c, "    {\n        %s load[%d];\n#pragma unroll\n        for (int k = 0; k < %d; k++) {\n", piece, count, count)
	fmt.Fprintf(c, "            const %s y = min((%s)(threadIdx.x %% %d%s), height - %d), x = min((%s)(threadIdx.x / %d + k * %d), width - 1);\n",
		in, in, row, times(n), n, in, row, mapBlock/row)
	fmt.Fprintf(c, "            load[k] = *(const %s *)(p%d + %s);\n        }\n#pragma unroll\n        for (int k = 0; k < %d; k++) {\n", piece, k, c.at(k+1), count)
	fmt.Fprintf(c, "            const int y = threadIdx.x %% %d%s, x = threadIdx.x / %d + k * %d;\n            %s = load[k];\n        }\n    }\n", row, times(n), row, mapBlock/row, into)
}

// times returns the C code that multiplies by n.
func times(n int) string {
	if n == 1 {
		return ""
	}
	return fmt.Sprintf(" * %d", n)
}

// squares writes the rest of a kernel whose threads compute squares. A row of a tile has the words of elements with one x; they begin at
// another bank in each square, so that threads with adjacent squares read from different banks.
func (c *tileCode) squares() {
	n, rows := c.t.square, mapBlock/bankWords
	word := fmt.Sprintf("x * %d + (y / %d + x / %d) %% %d", bankWords, n, n, bankWords)
	for _, k := range c.t.tiles {
		c.load(k, fmt.Sprintf("t%d[%s]", k, word))
	}
	fmt.Fprintf(c, "    __syncthreads();\n#pragma unroll\n    for (int k = 0; k < %d; k++) {\n", bankWords/rows)
	fmt.Fprintf(c, "        const int left = threadIdx.x %% %d * %d, top = (threadIdx.x / %d + k * %d) * %d;\n", bankWords, n, bankWords, rows, n)
	c.WriteString("        if (top >= height || left >= width)\n            continue;\n")
	for k, l := range c.p.leaves {
		if l.class == classTile || l.class == classVector {
			fmt.Fprintf(c, "        %s q%d[%d];\n", vectorOf(l.dt, n), k, n)
		}
	}
	fmt.Fprintf(c, "#pragma unroll\n        for (int s = 0; s < %d; s++) {\n            const int x = left + s, y = top;\n", n)
	for _, k := range c.t.tiles {
		fmt.Fprintf(c, "            q%d[s] = t%d[%s];\n", k, k, word)
	}
	c.WriteString("        }\n")
	c.wordsOf(n)
	result := vectorOf(c.t.dt, n)
	fmt.Fprintf(c, "#pragma unroll\n        for (int r = 0; r < %d; r++) {\n            %s to;\n#pragma unroll\n            for (int s = 0; s < %d; s++) {\n", n, result, n)
	fmt.Fprintf(c, "                const int x = left + s, y = top + r;\n                to.at[s] = %s;\n            }\n", c.t.dt.store(c.call()))
	fmt.Fprintf(c, "            const int x = left, y = top + r;\n            *(%s *)(out + %s) = to;\n        }\n    }\n}\n", result, c.at(0))
}

// wordsOf writes the loop that loads the words of operands in the destination's order, if there are any.
func (c *tileCode) wordsOf(n int) {
	head := fmt.Sprintf("#pragma unroll\n        for (int r = 0; r < %d; r++) {\n            const int x = left, y = top + r;\n", n)
	tail := ""
	for k, l := range c.p.leaves {
		if l.class == classVector {
			fmt.Fprintf(c, "%s            q%d[r] = *(const %s *)(p%d + %s);\n", head, k, vectorOf(l.dt, n), k, c.at(k+1))
			head, tail = "", "        }\n"
		}
	}
	c.WriteString(tail)
}

// at returns the index, in memory, of element (y, x) of the tile of an operand.
func (c *tileCode) at(k int) string {
	s := c.strides[k]
	return fmt.Sprintf("%s + (i + y) * %s + (j + x) * %s", c.names[k], s[c.t.rank-2], s[c.t.rank-1])
}

// call returns the expression's value for element (y, x) of the tile.
func (c *tileCode) call() string {
	call := "nd_f("
	for k, l := range c.p.leaves {
		var x string
		switch l.class {
		case classTile:
			x = fmt.Sprintf("t%d[x][y]", k)
			if c.t.square > 1 {
				x = fmt.Sprintf("q%d[s].at[r]", k)
			}
		case classVector:
			x = fmt.Sprintf("q%d[r].at[s]", k)
		case classIndex:
			x = fmt.Sprintf("(long long)(%s)", c.at(k+1))
		default:
			x = fmt.Sprintf("p%d[%s]", k, c.at(k+1))
		}
		call += l.dt.load(x) + ", "
	}
	return call + c.p.rest()
}

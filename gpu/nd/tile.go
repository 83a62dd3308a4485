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
}

// The limits of tiles: shorter loops gain nothing from them, and shared memory has limited room.
const (
	shortestTiled = 16
	tileBytes     = 48 << 10
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
	e.key = p.key(append(e.key[:0], 't', byte(t.rank), boolByte(t.wide), byte(t.side), byte(t.dt)))

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
		fmt.Fprintf(&c, "    __shared__ %s t%d[%d][%d];\n", p.leaves[k].dt.info().stored, k, t.side, t.side+1)
	}
	fmt.Fprintf(&c, "    %s block = blockIdx.x / (%s);\n", in, tilesAcross)
	fmt.Fprintf(&c, "    const %s j = (blockIdx.x %% (%s)) * %d, i = block %% (%s) * %d;\n    block /= %s;\n", in, tilesAcross, t.side, tilesDown, t.side, tilesDown)
	fmt.Fprintf(&c, "    const %s width = min(%s - j, (%s)%d), height = min(%s - i, (%s)%d);\n", in, c.across, in, t.side, c.down, in, t.side)
	c.begins(c.offsets)
	if len(lens) > 0 {
		c.decompose("block", lens, c.names, c.strides)
	}
	c.loop("y", "x", "height", "width")
	c.WriteString(" {\n")
	for _, k := range t.tiles {
		fmt.Fprintf(&c, "            t%d[x][y] = p%d[%s];\n", k, k, c.at(k+1))
	}
	c.WriteString("        }\n    }\n    __syncthreads();\n")
	c.loop("x", "y", "width", "height")
	fmt.Fprintf(&c, "\n            out[%s] = %s;\n    }\n}\n", c.at(0), t.dt.store(c.call()))
	return source{name: name, need: need, text: c.String()}.describedBy(p.describe(expression.Tile, t.dt, t.rank))
}

// loop writes the head of the loop in which a thread goes through elements of the tile, adjacent threads along fast.
func (c *tileCode) loop(fast, slow, fastLimit, slowLimit string) {
	side := c.t.side
	fmt.Fprintf(c, "#pragma unroll\n    for (int k = 0; k < %d; k++) {\n", side*side/mapBlock)
	fmt.Fprintf(c, "        const int %s = threadIdx.x %% %d, %s = threadIdx.x / %d + k * %d;\n", fast, side, slow, side, mapBlock/side)
	fmt.Fprintf(c, "        if (%s < %s && %s < %s)", fast, fastLimit, slow, slowLimit)
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
		case classIndex:
			x = fmt.Sprintf("(long long)(%s)", c.at(k+1))
		default:
			x = fmt.Sprintf("p%d[%s]", k, c.at(k+1))
		}
		call += l.dt.load(x) + ", "
	}
	return call + c.p.rest()
}

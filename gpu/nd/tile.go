package nd

import (
	"fmt"
	"math"

	"github.com/gopherwarp/gopherwarp/gpu"
)

// tiling is all that the code of a kernel depends on that goes through its operands in tiles, beside
// the expression. Such a kernel reads operands whose neighbours lie along another loop than the
// destination's, as a transposed one's do: each block takes a square of both loops to shared
// memory in the order in which it lies in memory, and computes in the order of the destination.
type tiling struct {
	rank  int // loops; of the last two, the last is the destination's and the other one the operand's
	wide  bool
	tiles []int // the operands that go through shared memory
	side  int   // of a tile, in elements
	dt    DType
}

// The limits of tiles: loops that are shorter are as well done without, and what
// shared memory has room for.
const (
	shortestTiled = 16
	tileBytes     = 48 << 10
)

// crossing is the loop along which the neighbours of an operand lie, if that is not the innermost one,
// along which those of the destination do; else it is -1.
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

// tileRequest is the launch that computes the plan into dst by tiles of the loop down and the
// innermost one.
func (e *engine) tileRequest(p *plan, dst *leaf, l loops, down int) request {
	rank := len(l.lens)
	inner := rank - 1
	// The loop becomes the last but one.
	toEnd := func(list []int) {
		v := list[down]
		copy(list[down:], list[down+1:inner])
		list[inner-1] = v
	}
	toEnd(l.lens)
	for _, s := range l.strides {
		toEnd(s)
	}
	t := tiling{rank: rank, dt: dst.dt, side: 64}
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
	for room := tileBytes; ; {
		for _, k := range t.tiles {
			room -= t.side * (t.side + 1) * p.leaves[k].dt.Size()
		}
		if room >= 0 {
			break
		}
		room = tileBytes
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
	t.wide = reach > math.MaxInt32-mapBlock*vector
	e.key = p.key(append(e.key[:0], 't', byte(rank), boolByte(t.wide), byte(t.side), byte(t.dt)))

	across, up := (l.lens[inner]+t.side-1)/t.side, (l.lens[inner-1]+t.side-1)/t.side
	w := e.words[:0].put(l.lens[inner]).put(l.lens[inner-1]).put(across).put(up).put(dst.off)
	for i := range p.leaves {
		w = w.put(p.leaves[i].off)
	}
	blocks := across * up
	for _, n := range l.lens[:inner-1] {
		w = w.put(n)
		blocks *= n
	}
	for _, s := range l.strides {
		for _, v := range s {
			w = w.put(v)
		}
	}
	for _, c := range p.consts {
		w = w.constant(c)
	}
	e.words = w
	return request{
		key: e.key, write: func() source { return p.tileSource(t) }, words: w,
		cfg: gpu.Launch{Grid: gpu.Dim3{X: blocks, Y: 1, Z: 1}, Block: gpu.Dim3{X: mapBlock, Y: 1, Z: 1}},
	}
}

// tileSource writes the kernel.
func (p *plan) tileSource(t tiling) source {
	w := writer{index: "int"}
	if t.wide {
		w.index = "long long"
	}
	in := w.index
	across, down, tilesAcross, tilesDown := w.word(), w.word(), w.word(), w.word()
	offsets := make([]string, len(p.leaves)+1)
	for i := range offsets {
		offsets[i] = w.word()
	}
	lens := make([]string, t.rank-2)
	for d := range lens {
		lens[d] = w.word()
	}
	strides := make([][]string, len(offsets))
	for i := range strides {
		for range t.rank {
			strides[i] = append(strides[i], w.word())
		}
	}
	f, need := p.element(w.words)
	for _, c := range p.consts {
		w.words += constWords(c.dt)
	}
	need |= t.dt.needs()
	name := p.name("tile")
	fmt.Fprintf(&w, "struct nd_args { long long v[%d]; };\n\n%s\n", w.words, f)
	fmt.Fprintf(&w, "extern \"C\" __global__ void __launch_bounds__(%d) %s(%s *out%s, const nd_args a) {\n", mapBlock, name, t.dt.info().stored, p.pointers())
	for _, k := range t.tiles {
		fmt.Fprintf(&w, "    __shared__ %s t%d[%d][%d];\n", p.leaves[k].dt.info().stored, k, t.side, t.side+1)
	}
	fmt.Fprintf(&w, "    %s block = blockIdx.x / (%s);\n", in, tilesAcross)
	fmt.Fprintf(&w, "    const %s j = (blockIdx.x %% (%s)) * %d, i = block %% (%s) * %d;\n    block /= %s;\n", in, tilesAcross, t.side, tilesDown, t.side, tilesDown)
	fmt.Fprintf(&w, "    const %s width = min(%s - j, (%s)%d), height = min(%s - i, (%s)%d);\n", in, across, in, t.side, down, in, t.side)
	names := append([]string{"at"}, p.offsetNames()...)
	at := func(k int, column, row string) string { // place of an operand in the tile
		return fmt.Sprintf("%s + (i + %s) * %s + (j + %s) * %s", names[k], row, strides[k][t.rank-2], column, strides[k][t.rank-1])
	}
	fmt.Fprintf(&w, "    %s at = %s", in, offsets[0])
	for i := range p.leaves {
		fmt.Fprintf(&w, ", o%d = %s", i, offsets[i+1])
	}
	w.WriteString(";\n")
	if len(lens) > 0 {
		w.decompose("block", lens, names, strides)
	}
	loop := func(fast, slow, fastLimit, slowLimit string) {
		fmt.Fprintf(&w, "#pragma unroll\n    for (int k = 0; k < %d; k++) {\n", t.side*t.side/mapBlock)
		fmt.Fprintf(&w, "        const int %s = threadIdx.x %% %d, %s = threadIdx.x / %d + k * %d;\n", fast, t.side, slow, t.side, mapBlock/t.side)
		fmt.Fprintf(&w, "        if (%s < %s && %s < %s)", fast, fastLimit, slow, slowLimit)
	}
	loop("y", "x", "height", "width")
	w.WriteString(" {\n")
	for _, k := range t.tiles {
		fmt.Fprintf(&w, "            t%d[x][y] = p%d[%s];\n", k, k, at(k+1, "x", "y"))
	}
	w.WriteString("        }\n    }\n    __syncthreads();\n")
	loop("x", "y", "width", "height")
	fmt.Fprintf(&w, "\n            out[%s] = ", at(0, "x", "y"))
	call := "nd_f("
	for k, l := range p.leaves {
		x := ""
		switch l.class {
		case classTile:
			x = fmt.Sprintf("t%d[x][y]", k)
		case classIndex:
			call += fmt.Sprintf("(long long)(%s), ", at(k+1, "x", "y"))
			continue
		default:
			x = fmt.Sprintf("p%d[%s]", k, at(k+1, "x", "y"))
		}
		call += l.dt.load(x) + ", "
	}
	w.WriteString(t.dt.store(call+"a)") + ";\n    }\n}\n")
	return source{name, need, w.String()}
}

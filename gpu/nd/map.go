package nd

import (
	"math"

	"github.com/gopherwarp/gopherwarp/gpu"
)

// mapping has everything that the code of an element-wise kernel depends on besides the expression.
type mapping struct {
	rank  int   // loops
	width int   // elements that a thread computes at once
	wide  bool  // indices of 64 bits
	out   class // of the destinations
	// ends means that the kernel copies the ends of the destination's rows, too, from other memory.
	ends bool
}

const (
	mapBlock = 256 // threads of a block
	vector   = 16  // bytes that a thread loads at once
)

// mapRequest returns the launch that computes the plan into dst, and into others that are arranged as it is if the plan has several outputs.
// The lock is held.
func (e *engine) mapRequest(p *plan, dst *leaf) request {
	s := p.space(dst)
	if !s.linear && len(p.outs) == 1 {
		if down := p.crossing(s.loops, dst); down >= 0 {
			return e.tileRequest(p, dst, s.loops, down)
		}
	}
	m := s.classify(dst, p.outs)
	if len(p.outs) == 1 {
		if t, ok := s.stencil(m); ok {
			return e.stencilRequest(p, dst, &s, s.widened(t, p, dst, e.columnsGain))
		}
	}
	e.key = p.key(append(e.key[:0], 'm', byte(m.rank), byte(m.width), boolByte(m.wide), byte(m.out), byte(len(p.outs))))
	for _, o := range p.outs {
		e.key = append(e.key, o.value, byte(o.dt))
	}
	g := s.grid(m.width)
	e.words = s.arguments(e.words[:0], dst, &g).constants(p)
	return request{key: e.key, write: func() source { return p.mapSource(m) }, words: e.words, cfg: g.launch()}
}

// space is the iteration space of an element-wise kernel: loops over the destination, which is operand 0, and the leaves.
type space struct {
	loops
	// linear means that all operands have the same arrangement in memory, for any axes, or have one element. There is one loop then, and
	// loops has no strides.
	linear bool
	leaves []leaf
}

// space returns the loops with which the plan is computed into dst.
func (p *plan) space(dst *leaf) space {
	s := space{leaves: p.leaves, linear: p.linear(dst)}
	if s.linear {
		p.length[0] = dst.lay.size
		s.lens = p.length[:]
		return s
	}
	shape := dst.lay.shape
	strides := make([][]int, len(p.leaves)+1)
	flat := make([]int, 0, len(strides)*len(shape))
	add := func(i int, lay *layout) {
		flat = lay.broadcastStrides(shape, flat)
		strides[i] = flat[len(flat)-len(shape):]
	}
	for i := range p.leaves {
		add(i+1, p.leaves[i].lay)
	}
	add(0, dst.lay)
	s.loops = nest(shape, strides)
	return s
}

// linear reports whether the space of the plan with that destination is linear.
func (p *plan) linear(dst *leaf) bool {
	for i := range p.leaves {
		if lay := p.leaves[i].lay; lay != dst.lay && lay.size != 1 && !(lay.contig && lay.size == dst.lay.size) {
			return false
		}
	}
	return dst.lay.contig
}

// inner returns the length of the innermost loop.
func (s *space) inner() int { return s.lens[len(s.lens)-1] }

// step returns the stride of operand i in the innermost loop.
func (s *space) step(i int) int {
	switch {
	case !s.linear:
		return s.strides[i][len(s.lens)-1]
	case i > 0 && s.leaves[i-1].lay.size == 1:
		return 0
	}
	return 1
}

// extent returns the distance, in elements, between the first and the last element of operand i that the loops read. It is 0 for linear
// spaces, whose loop length has that information.
func (s *space) extent(i int) int {
	if s.linear {
		return 0
	}
	return s.loops.extent(i)
}

// classify decides how the innermost loop goes through each operand, and returns what the code depends on.
func (s *space) classify(dst *leaf, outs []output) mapping {
	m := mapping{rank: len(s.lens), width: vector / s.widest(outs)}
	m.out = s.class(0, dst, m.width)
	if m.out != classVector {
		m.width = 1
		if m.out = s.class(0, dst, 1); m.out == classSame {
			m.out = classStrided
		}
	}
	if s.inner() < m.width {
		m.width = 1
	}
	if s.operands(m.width) < 0 {
		m.width = 1
		s.operands(1)
	}
	reach := max(product(s.lens), s.extent(0))
	for i := range s.leaves {
		reach = max(reach, s.extent(i+1))
	}
	m.wide = max(dst.off, furthest(s.leaves))+reach > math.MaxInt32-mapBlock*vector
	return m
}

// operands sets the class of each operand for threads that have that many elements, and returns how many more operands are read by vectors
// than by adjacent elements that are no vectors: a thread reads these one by one, and a warp's threads then are not beside each other.
func (s *space) operands(width int) (balance int) {
	for i := range s.leaves {
		o := &s.leaves[i]
		switch o.class = s.class(i+1, o, width); o.class {
		case classVector:
			balance++
		case classNext:
			balance--
		}
	}
	return balance
}

// widest returns the size of the largest element that is read or written in order: it decides how many elements make a vector.
func (s *space) widest(outs []output) (size int) {
	for _, o := range outs {
		size = max(size, o.dt.Size())
	}
	for i := range s.leaves {
		if o := &s.leaves[i]; o.buf != nil && s.step(i+1) == 1 {
			size = max(size, o.dt.Size())
		}
	}
	return size
}

// class returns how the innermost loop goes through operand i, which is o, if each thread has that many elements.
func (s *space) class(i int, o *leaf, width int) class {
	step := s.step(i)
	switch {
	case o.buf == nil:
		return classIndex
	case step == 0:
		return classSame
	case step != 1:
		return classStrided
	case !o.aligned(width):
		return classNext
	}
	for d := range len(s.lens) - 1 {
		if s.strides[i][d]%width != 0 {
			return classNext
		}
	}
	return classVector
}

// grid is the arrangement of the threads of an element-wise kernel: the blocks are as wide as the innermost loop needs, and as high as
// that allows.
type grid struct {
	rows   int // iterations of all loops but the innermost one
	perRow int // blocks for one of those iterations
	x, y   int // threads of a block
}

// grid returns the arrangement for threads that compute that many elements each.
func (s *space) grid(width int) grid { return s.gridOf((s.inner() + width - 1) / width) }

// gridOf returns the arrangement for that many threads along the innermost loop.
func (s *space) gridOf(across int) grid {
	g := grid{x: mapBlock, rows: product(s.lens[:len(s.lens)-1])}
	for len(s.lens) > 1 && g.x > 1 && g.x/2 >= across {
		g.x /= 2
	}
	g.y = mapBlock / g.x
	g.perRow = (across + g.x - 1) / g.x
	return g
}

func (g *grid) launch() gpu.Launch {
	blocks := g.perRow * ((g.rows + g.y - 1) / g.y)
	return gpu.Launch{Grid: gpu.Dim3{X: blocks, Y: 1, Z: 1}, Block: gpu.Dim3{X: g.x, Y: g.y, Z: 1}}
}

// arguments adds the words of the kernel, in the order in which mapSource takes them.
func (s *space) arguments(w words, dst *leaf, g *grid) words {
	inner := len(s.lens) - 1
	w = w.put(s.lens[inner]).put(dst.off)
	for i := range s.leaves {
		w = w.put(s.leaves[i].off)
	}
	if inner > 0 {
		w = w.put(g.rows).put(g.perRow).list(s.lens[:inner])
	}
	for i := range len(s.leaves) + 1 {
		if inner > 0 {
			w = w.list(s.strides[i][:inner])
		}
		w = w.put(s.step(i))
	}
	return w
}

package nd

import (
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/gopherwarp/gopherwarp/gpu"
)

// program is a kernel that was made for an expression, for the classes of its operands and for a
// number of axes. Shapes, strides and constants are arguments of it.
type program struct {
	kernel *gpu.Kernel
}

// mapping is all that the code of an element-wise kernel depends on, beside the expression.
type mapping struct {
	rank  int   // loops
	width int   // elements that a thread computes at once
	wide  bool  // indices of 64 bits
	out   class // of the destination
	dt    DType // of the destination
}

const (
	mapBlock = 256 // threads of a block
	vector   = 16  // bytes that a thread loads at once
)

// evaluate computes the expression, unless n has memory. The lock is held.
func (e *engine) evaluate(n *node) {
	if !n.lazy() {
		return
	}
	e.settle(n)
	m := &memory{}
	m.first.buf = e.alloc(n.lay.size * n.dt.Size())
	m.now = &m.first
	if n.lay.size > 0 {
		e.run(n, leaf{buf: m.first.buf, dt: n.dt, lay: n.lay})
	}
	m.first.readers = n.refs
	n.forget()
	n.mem, n.op, n.refs, n.cost = m, opLeaf, 0, 0
}

// run launches the kernel for the expression, with dst as its destination. The lock is held.
func (e *engine) run(n *node, dst leaf) {
	p := &e.plan
	defer p.drop()
	p.trace(n)
	r := e.mapRequest(p, &dst)
	e.launch(p, &r, dst.buf, dst.lay.size*dst.dt.Size())
}

// launch launches a kernel that reads the plan's operands and writes that many bytes. The lock is held.
func (e *engine) launch(p *plan, r *request, dst *gpu.Buffer[byte], bytes int) {
	e.buffers = append(e.buffers[:0], dst)
	for i := range p.leaves {
		if l := &p.leaves[i]; l.buf != nil {
			e.buffers = append(e.buffers, l.buf)
			bytes += l.lay.size * l.dt.Size()
		}
	}
	e.submit(r, bytes, e.buffers...)
	clear(e.buffers)
}

// submit launches a kernel with those buffers and the request's words. The lock is held.
func (e *engine) submit(r *request, bytes int, buffers ...*gpu.Buffer[byte]) {
	if e.rehearsal != nil {
		if _, ok := e.programs[string(r.key)]; !ok {
			e.rehearsal[string(r.key)] = r.write()
		}
		return
	}
	c := e.program(r).kernel.Begin(r.cfg)
	for _, b := range buffers {
		gpu.Pointer(c, b)
	}
	c.Bytes(r.words)
	if err := c.Do(); err != nil {
		panic(err)
	}
	e.stats.Launches++
	e.stats.Bytes += int64(bytes)
}

// mapRequest is the launch that computes the plan into dst. The lock is held.
func (e *engine) mapRequest(p *plan, dst *leaf) request {
	m := mapping{dt: dst.dt}
	shape := dst.lay.shape
	var l loops
	linear := dst.lay.contig
	for i := range p.leaves {
		if lay := p.leaves[i].lay; lay != dst.lay && lay.size != 1 && !(lay.contig && lay.size == dst.lay.size) {
			linear = false
			break
		}
	}
	var lens [1]int
	if linear {
		// All operands go through memory in the same way, whatever the axes are.
		lens[0] = dst.lay.size
		l.lens = lens[:]
	} else {
		strides := make([][]int, len(p.leaves)+1)
		flat := make([]int, 0, len(strides)*len(shape))
		for i := range p.leaves {
			flat = p.leaves[i].lay.stretched(shape, flat)
			strides[i+1] = flat[len(flat)-len(shape):]
		}
		flat = dst.lay.stretched(shape, flat)
		strides[0] = flat[len(flat)-len(shape):]
		l = nest(shape, strides)
	}
	m.rank = len(l.lens)
	inner := l.lens[m.rank-1]
	if down := p.crossing(l, dst); !linear && down >= 0 {
		return e.tileRequest(p, dst, l, down)
	}

	// The widest operand decides how many elements make 16 bytes.
	size := dst.dt.Size()
	stride := func(i int) int { // of the innermost loop; operand 0 is the destination
		switch {
		case !linear:
			return l.strides[i][m.rank-1]
		case i > 0 && p.leaves[i-1].lay.size == 1:
			return 0
		}
		return 1
	}
	for i := range p.leaves {
		if p.leaves[i].buf != nil && stride(i+1) == 1 {
			size = max(size, p.leaves[i].dt.Size())
		}
	}
	m.width = vector / size
	reach := inner
	for i := range m.rank - 1 {
		reach *= l.lens[i]
	}
	classify := func(i int, o *leaf) class {
		switch s := stride(i); {
		case o.buf == nil:
			return classIndex
		case s == 0:
			return classSame
		case s != 1:
			return classStrided
		}
		bytes := m.width * o.dt.Size()
		if (int(o.buf.Address())+o.off*o.dt.Size())%bytes != 0 {
			return classNext
		}
		for d := range m.rank - 1 {
			if l.strides[i][d]%m.width != 0 {
				return classNext
			}
		}
		return classVector
	}
	extent := func(i int) int {
		if linear {
			return 0
		}
		far := 0
		for d, n := range l.lens {
			far += abs(l.strides[i][d]) * (n - 1)
		}
		return far
	}
	m.out = classify(0, dst)
	if m.out != classVector {
		m.width = 1
		if m.out == classSame {
			m.out = classStrided
		} else {
			m.out = classify(0, dst)
		}
	}
	if inner < m.width {
		m.width = 1
	}
	reach = max(reach, extent(0))
	for i := range p.leaves {
		o := &p.leaves[i]
		o.class = classify(i+1, o)
		reach = max(reach, extent(i+1))
	}
	m.wide = reach > math.MaxInt32-mapBlock*vector

	e.key = p.key(append(e.key[:0], 'm', byte(m.rank), byte(m.width), boolByte(m.wide), byte(m.out), byte(m.dt)))

	// The blocks are as wide as the innermost loop needs, and as high as that leaves them.
	across := (inner + m.width - 1) / m.width
	bx := mapBlock
	for m.rank > 1 && bx > 1 && bx/2 >= across {
		bx /= 2
	}
	perRow := (across + bx - 1) / bx
	rows := 1
	for _, n := range l.lens[:m.rank-1] {
		rows *= n
	}
	by := mapBlock / bx
	w := e.words[:0].put(inner).put(dst.off)
	for i := range p.leaves {
		w = w.put(p.leaves[i].off)
	}
	if m.rank > 1 {
		w = w.put(rows).put(perRow)
		for d := range m.rank - 1 {
			w = w.put(l.lens[d])
		}
	}
	for i := range len(p.leaves) + 1 {
		for d := range m.rank {
			if d == m.rank-1 {
				w = w.put(stride(i))
			} else {
				w = w.put(l.strides[i][d])
			}
		}
	}
	for _, c := range p.consts {
		w = w.constant(c)
	}
	e.words = w
	blocks := perRow * ((rows + by - 1) / by)
	return request{
		key: e.key, write: func() source { return p.mapSource(m) }, words: w,
		cfg: gpu.Launch{Grid: gpu.Dim3{X: blocks, Y: 1, Z: 1}, Block: gpu.Dim3{X: bx, Y: by, Z: 1}},
	}
}

func abs(n int) int { return max(n, -n) }

func boolByte(b bool) byte {
	if b {
		return 1
	}
	return 0
}

// source is the text of a kernel, without the prelude that it needs.
type source struct {
	name string
	need sections
	text string
}

// request is a launch to be: the key of its kernel, how to write that, and what it is launched with.
// The key is the engine's and good until the next request.
type request struct {
	key   []byte
	write func() source
	cfg   gpu.Launch
	words words
}

// program returns the kernel of a request, making it if need be. The lock is held.
func (e *engine) program(r *request) *program {
	if p, ok := e.programs[string(r.key)]; ok {
		return p
	}
	e.compile(map[string]source{string(r.key): r.write()})
	return e.programs[string(r.key)]
}

// compile makes the kernels of sources, which are given by their keys, in one program.
func (e *engine) compile(list map[string]source) {
	need := sections(0)
	for _, s := range list {
		need |= s.need
	}
	name := "expressions"
	var b strings.Builder
	b.WriteString(prelude(need))
	keys := slices.Sorted(maps.Keys(list))
	for i, key := range keys {
		if s := list[key]; len(list) == 1 {
			name = s.name
			b.WriteString("\n" + s.text)
		} else {
			b.WriteString("\n" + numbered(s, i))
		}
	}
	mod, err := e.dev.Compile(b.String(), gpu.Name(name+".cu"), gpu.Flags("-fmad=false"))
	if err != nil {
		panic(fmt.Errorf("compiling the kernel of an expression: %w", err))
	}
	for i, key := range keys {
		name := list[key].name
		if len(list) > 1 {
			name = fmt.Sprintf("%s_%d", name, i)
		}
		k, err := mod.Kernel(name)
		if err != nil {
			panic(err)
		}
		e.programs[key] = &program{kernel: k}
		e.stats.Compilations++
	}
}

// declared are the names that every kernel's text declares beside its own.
var declared = regexp.MustCompile(`\bnd_(f|args|acc|join|key|encode|decode|digit|same|words|pack|unpack|up|of)\b`)

// numbered is the text with a number behind what it declares.
func numbered(s source, i int) string {
	text := declared.ReplaceAllString(s.text, fmt.Sprintf("${0}_%d", i))
	return strings.ReplaceAll(text, " "+s.name+"(", fmt.Sprintf(" %s_%d(", s.name, i))
}

// writer writes the source of a kernel and counts the words of its arguments.
type writer struct {
	strings.Builder
	words int
	index string // the C type of indices
}

// word takes the next word as an index.
func (w *writer) word() string {
	w.words++
	return fmt.Sprintf("(%s)a.v[%d]", w.index, w.words-1)
}

// decompose takes an index apart into those of loops and adds what these mean to the offsets. The
// variable is used up.
func (w *writer) decompose(index string, lens, offsets []string, strides [][]string) {
	for d := len(lens) - 1; d >= 0; d-- {
		if d > 0 {
			fmt.Fprintf(w, "    {\n        const %s q = %s / %s, r = %s - q * %s;\n        %s = q;\n", w.index, index, lens[d], index, lens[d], index)
		} else {
			fmt.Fprintf(w, "    {\n        const %s r = %s;\n", w.index, index)
		}
		for i, o := range offsets {
			fmt.Fprintf(w, "        %s += r * %s;\n", o, strides[i][d])
		}
		w.WriteString("    }\n")
	}
}

// offsetNames are the variables with the operands' offsets.
func (p *plan) offsetNames() []string {
	names := make([]string, len(p.leaves))
	for i := range names {
		names[i] = fmt.Sprintf("o%d", i)
	}
	return names
}

// pointers are the parameters for the operands.
func (p *plan) pointers() string {
	var b strings.Builder
	for i, l := range p.leaves {
		if l.class != classIndex {
			fmt.Fprintf(&b, ", const %s *p%d", l.dt.info().stored, i)
		}
	}
	return b.String()
}

// constExpr reads a constant of the arguments.
func constExpr(dt DType, word int) string {
	at := fmt.Sprintf("a.v[%d]", word)
	switch {
	case dt == F32 || dt.half():
		return "__int_as_float((int)" + at + ")"
	case dt == F64:
		return "__longlong_as_double(" + at + ")"
	case dt.is(kindComplex):
		part := dt.realPart().info().held
		return fmt.Sprintf("%s((%s)__longlong_as_double(%s), (%s)__longlong_as_double(a.v[%d]))", dt.info().held, part, at, part, word+1)
	}
	return "(" + dt.info().held + ")" + at
}

// element writes the function nd_f, which computes one element of the operands' ones and of
// constants, which begin at that word.
func (p *plan) element(firstConst int) (text string, need sections) {
	var b strings.Builder
	last := p.steps[len(p.steps)-1]
	fmt.Fprintf(&b, "static __device__ __forceinline__ %s nd_f(", last.dt.info().held)
	for i := range p.leaves {
		fmt.Fprintf(&b, "%s x%d, ", p.leaves[i].dt.info().held, i)
	}
	b.WriteString("const nd_args &a) {\n")
	word := firstConst
	for i := range p.steps {
		s := &p.steps[i]
		need |= s.dt.needs()
		var expr string
		switch s.op {
		case opLeaf, opIndex:
			expr = fmt.Sprintf("x%d", s.args[0])
		case opConst:
			expr = constExpr(s.dt, word)
			word += constWords(s.dt)
		default:
			var of [3]DType
			var names [3]string
			for j := range s.n {
				of[j] = p.steps[s.args[j]].dt
				names[j] = fmt.Sprintf("v%d", s.args[j])
			}
			var more sections
			expr, more = s.op.express(s.dt, of, names)
			need |= more
		}
		fmt.Fprintf(&b, "    const %s v%d = %s;\n", s.dt.info().held, i, expr)
	}
	fmt.Fprintf(&b, "    return v%d;\n}\n", len(p.steps)-1)
	return b.String(), need
}

// name is a kernel's: of the last few operations, so that profiles can be read.
func (p *plan) name(prefix string) string {
	name := prefix
	shown := 0
	for i := len(p.steps) - 1; i >= 0 && shown < 4; i-- {
		if o := p.steps[i].op; o > opIndex {
			name += "_" + strings.ToLower(opTable[o].name)
			shown++
		}
	}
	return name
}

// mapSource writes the kernel that computes the expression for each element.
func (p *plan) mapSource(m mapping) source {
	name := p.name("map")
	w := writer{index: "int"}
	if m.wide {
		w.index = "long long"
	}
	n := w.word()
	offsets := make([]string, len(p.leaves)+1)
	for i := range offsets {
		offsets[i] = w.word()
	}
	var rows, perRow string
	lens := make([]string, m.rank-1)
	if m.rank > 1 {
		rows, perRow = w.word(), w.word()
		for d := range lens {
			lens[d] = w.word()
		}
	}
	strides := make([][]string, len(offsets))
	for i := range strides {
		for range m.rank {
			strides[i] = append(strides[i], w.word())
		}
	}
	f, need := p.element(w.words)
	for _, c := range p.consts {
		w.words += constWords(c.dt)
	}
	if m.width > 1 {
		need |= needVector
	}
	need |= m.dt.needs()
	fmt.Fprintf(&w, "struct nd_args { long long v[%d]; };\n\n%s\n", w.words, f)

	fmt.Fprintf(&w, "extern \"C\" __global__ void __launch_bounds__(%d) %s(%s *out", mapBlock, name, m.dt.info().stored)
	w.WriteString(p.pointers())
	w.WriteString(", const nd_args a) {\n")
	in := w.index
	if m.rank == 1 {
		fmt.Fprintf(&w, "    const %s n = %s, j = ((%s)blockIdx.x * %d + threadIdx.x) * %d;\n", in, n, in, mapBlock, m.width)
		fmt.Fprintf(&w, "    if (j >= n)\n        return;\n")
	} else {
		fmt.Fprintf(&w, "    const %s n = %s, perRow = %s, j = ((%s)(blockIdx.x %% perRow) * blockDim.x + threadIdx.x) * %d;\n", in, n, perRow, in, m.width)
		fmt.Fprintf(&w, "    %s row = (%s)(blockIdx.x / perRow) * blockDim.y + threadIdx.y;\n", in, in)
		fmt.Fprintf(&w, "    if (j >= n || row >= %s)\n        return;\n", rows)
	}
	fmt.Fprintf(&w, "    %s at = %s", in, offsets[0])
	for i := range p.leaves {
		fmt.Fprintf(&w, ", o%d = %s", i, offsets[i+1])
	}
	w.WriteString(";\n")
	names := append([]string{"at"}, p.offsetNames()...)
	w.decompose("row", lens, names, strides)
	inner := m.rank - 1
	for i, l := range p.leaves {
		if l.class == classSame {
			fmt.Fprintf(&w, "    const %s s%d = p%d[o%d];\n", l.dt.info().stored, i, i, i)
		}
	}
	// value is element k of operand i, where vectors are loaded already or not.
	call := func(k string, loaded bool) string {
		var b strings.Builder
		b.WriteString("nd_f(")
		for i, l := range p.leaves {
			var x string
			switch l.class {
			case classSame:
				x = fmt.Sprintf("s%d", i)
			case classIndex:
				x = fmt.Sprintf("(long long)(o%d + (j + %s) * %s)", i, k, strides[i+1][inner])
			case classStrided:
				x = fmt.Sprintf("p%d[o%d + (j + %s) * %s]", i, i, k, strides[i+1][inner])
			case classVector:
				if loaded {
					x = fmt.Sprintf("q%d.at[%s]", i, k)
					break
				}
				fallthrough
			default:
				x = fmt.Sprintf("p%d[o%d + j + %s]", i, i, k)
			}
			b.WriteString(l.dt.load(x) + ", ")
		}
		b.WriteString("a)")
		return b.String()
	}
	if m.width == 1 {
		to := "out[at + j]"
		if m.out == classStrided {
			to = fmt.Sprintf("out[at + j * %s]", strides[0][inner])
		}
		fmt.Fprintf(&w, "    %s = %s;\n}\n", to, m.dt.store(call("0", false)))
		return source{name, need, w.String()}
	}
	fmt.Fprintf(&w, "    if (j + %d <= n) {\n", m.width)
	for i, l := range p.leaves {
		if l.class == classVector {
			fmt.Fprintf(&w, "        const nd_vector<%s, %d> q%d = *(const nd_vector<%s, %d> *)(p%d + o%d + j);\n", l.dt.info().stored, m.width, i, l.dt.info().stored, m.width, i, i)
		}
	}
	fmt.Fprintf(&w, "        nd_vector<%s, %d> r;\n#pragma unroll\n        for (int k = 0; k < %d; k++)\n            r.at[k] = %s;\n", m.dt.info().stored, m.width, m.width, m.dt.store(call("k", true)))
	fmt.Fprintf(&w, "        *(nd_vector<%s, %d> *)(out + at + j) = r;\n        return;\n    }\n", m.dt.info().stored, m.width)
	fmt.Fprintf(&w, "    for (%s k = 0; j + k < n; k++)\n        out[at + j + k] = %s;\n}\n", in, m.dt.store(call("k", false)))
	return source{name, need, w.String()}
}

// Explain computes nothing and returns the source of the kernel that will compute the array, or a
// remark if it has been computed.
func Explain(o Operand) (text string) {
	n := o.core().check("Explain")
	if n.eng == nil {
		return "// a constant: it becomes an argument of the kernels that use it\n"
	}
	e := n.eng
	e.mu.Lock()
	defer e.mu.Unlock()
	if !n.lazy() {
		return "// computed already: the array is in memory\n"
	}
	e.settle(n)
	e.request(n, func(r *request) {
		s := r.write()
		text = prelude(s.need) + "\n" + s.text
	})
	return text
}

// unmark takes back that the plan counts as a use of what is part of the expression.
func (p *plan) unmark(n *node) {
	if n.fused > 0 && n.mark == p.epoch {
		n.fused--
		n.mark = 0
		for _, a := range n.args {
			if a != nil {
				p.unmark(a)
			}
		}
	}
}

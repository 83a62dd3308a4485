package nd

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/gpu/internal/hook"
	"github.com/gopherwarp/gopherwarp/gpu/internal/routine"
)

// The kernel that reduces the rows of an expression which contains a product of matrices, without storing that: as for the nearest of many
// points, whose distances follow from the products of their coordinates.
//
//go:embed kernels/product_rows.cu
var productKernel string

const (
	productBlock = 256     // threads
	productTile  = 128     // rows of a block, and columns that it computes at once
	productPart  = 32      // of the depth, that is in shared memory at once
	fewestTiled  = 1 << 15 // rows: fewer make too few blocks
	deepest      = 64      // terms of an element: to add more takes longer than to store the sum and to read it
)

// depthPart returns how much of the depth of a product is in shared memory at once, or 0 if the kernel is not made for it.
func depthPart(depth int) int {
	switch {
	case depth > deepest || depth%4 != 0:
		return 0
	case depth <= productPart:
		return depth
	case depth%8 == 0:
		return depth / 2
	}
	return 0
}

// productWaits reports whether a product of a and b, which have been computed, is put off, since a kernel may compute it with a reduction.
func (e *engine) productWaits(a, b *node, rows, depth, columns int) bool {
	if a.dt != F32 || rows < fewestTiled || columns < shortRow || columns > longRow || depthPart(depth) == 0 || e.describes() {
		return false
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	return !a.open() && !b.open() && a.held()+b.held() <= e.mostHeld
}

// putOffProduct returns the product of two matrices as an expression.
func (e *engine) putOffProduct(op string, a, b *node, lay *layout) *node {
	out := new(node)
	out.init(op, opProduct, a.dt, e, lay, a, b, nil)
	e.await(out, 0)
	return out
}

// factors returns the matrices of which n, a product that was put off, is made. The lock is held.
func (n *node) factors() (left, right leaf) {
	a, b := n.args[0], n.args[1]
	return leaf{buf: n.content(0).buf, dt: a.dt, off: a.off, lay: a.lay}, leaf{buf: n.content(1).buf, dt: b.dt, off: b.off, lay: b.lay}
}

// runProduct computes a product that was put off into its memory, by a library or, if a kernel has reduced it before, by that kernel, whose
// elements may differ in their last digits: else a program would not find the largest of them among them. The lock is held.
func (e *engine) runProduct(n *node, m *memory) {
	if n.late.reduced {
		p := &e.plan
		defer p.drop()
		p.begin()
		p.visit(n, nil)
		e.launchProduct(productCode{p: p, dt: n.dt, stores: true}, n, n, m)
		return
	}
	a, b := n.factors()
	g := gemm(libraryTypes[n.dt], a.lay.matrix(), b.lay.matrix())
	g.A.Addr, g.B.Addr, g.C.Addr = b.address(), a.address(), m.first.buf.Address()
	if err := hook.CallLibrary(g, bufferOf(a.buf), bufferOf(b.buf), bufferOf(m.first.buf)); err != nil {
		panic(err)
	}
	e.countCall(g)
}

// address returns the address of the operand's first element.
func (l *leaf) address() uint64 { return l.buf.Address() + uint64(l.off*l.dt.Size()) }

// gemm returns the call for a product of matrices, without their addresses: as in matmul, outᵀ = bᵀ·aᵀ is requested. A lead of 0 means that the
// library cannot read that matrix.
func gemm(kind routine.Type, left, right matrix) *routine.Gemm {
	x, y := left.factor(), right.factor()
	return &routine.Gemm{
		Type: kind, M: right.cols, N: left.rows, K: left.cols, Alpha: 1, Count: 1, TransA: y.op, TransB: x.op,
		A: routine.Matrices{Lead: y.lead}, B: routine.Matrices{Lead: x.lead}, C: routine.Matrices{Lead: right.cols},
	}
}

// productIn returns the product that one kernel computes together with the reduction n, or nil if there is none. It is used there alone and
// for the first time, and all else that the reduction needs are numbers, rows, columns and matrices. The lock is held.
func (e *engine) productIn(n *node) *node {
	if n.op != opFold || !n.products || n.late.fold >= foldGo || n.args[0].lay.rank() != 2 || n.args[0].dt.is(kindComplex) {
		return nil
	}
	var product *node
	var visit func(a *node) bool
	visit = func(a *node) bool {
		switch {
		case a == nil || a.op == opConst || a.op == opLeaf:
			return a == nil || a.lay.rank() <= 2
		case a.op == opProduct:
			first := product == nil && a.refs == 1 && !a.late.reduced && slices.Equal(a.lay.shape, n.args[0].lay.shape)
			product = a
			return first
		case a.result() != nil:
			return !a.result().hasProduct() // is computed before
		case a.op == opIndex || a.op == opGather || a.op == opScan || a.refs > 1:
			return false
		}
		return !slices.ContainsFunc(a.args[:], func(b *node) bool { return !visit(b) })
	}
	if !visit(n.args[0]) {
		return nil
	}
	return product
}

// hasProduct reports whether a product that was put off is part of the expression. The lock is held.
func (n *node) hasProduct() bool {
	return n.op == opProduct || slices.ContainsFunc(n.args[:], func(a *node) bool { return a != nil && a.hasProduct() })
}

// reduceProduct computes a reduction together with the product that it is made of, if there is one, and reports whether it did. The lock is
// held.
func (e *engine) reduceProduct(n *node) bool {
	for {
		product := e.productIn(n)
		if product == nil {
			return false
		}
		e.take([]*node{n, product})
		before := e.finished
		e.flush()
		if n.lazy() {
			e.settleBeside(n, product)
		}
		if e.finished == before {
			e.runProductRows(n, product)
			return true
		}
		if !n.lazy() {
			return true
		}
	}
}

// settleBeside computes the reductions that n needs beside a product. The lock is held.
func (e *engine) settleBeside(n, product *node) {
	for _, a := range n.args {
		switch {
		case a == nil || a == product || !a.lazy():
		case a.result() != nil:
			e.evaluate(a)
		default:
			e.settleBeside(a, product)
		}
	}
}

// runProductRows computes a reduction with a product. The lock is held.
func (e *engine) runProductRows(n, product *node) {
	m := e.room(n)
	p := &e.plan
	defer p.drop()
	p.begin()
	p.visitArgument(n, 0)
	e.launchProduct(productCode{p: p, fold: n.late.fold, dt: n.dt}, n, product, m)
	e.finish(n, m)
	product.late.reduced = true
	e.noteUsed([]*node{product})
}

// launchProduct launches the kernel that computes n with a product into its memory. The lock is held.
func (e *engine) launchProduct(c productCode, n, product *node, m *memory) {
	x, y := product.factors()
	left, right := x.lay.matrix(), y.lay.matrix()
	p := c.p
	c.depth, c.vectors = left.cols, [2]bool{x.rowsOfVectors(left.right, left.down), y.rowsOfVectors(right.down, right.right)}
	e.words = e.words[:0].put(left.rows).put(right.cols).put(x.off).put(left.down).put(left.right).put(y.off).put(right.right).put(right.down)
	e.key = p.key(c.fold.key(append(e.key[:0], "product "...), boolByte(c.stores)))
	e.key = append(e.key, byte(c.depth), byte(c.dt), boolByte(c.vectors[0]), boolByte(c.vectors[1]))
	for i := range p.leaves {
		l := &p.leaves[i]
		down, along := l.lay.strideIn(0, 2), l.lay.strideIn(1, 2)
		e.words = e.words.put(l.off).put(down).put(along)
		c.same = append(c.same, down == 0)
		e.key = append(e.key, boolByte(down == 0))
	}
	e.words = e.words.constants(p)
	bytes := n.lay.size*n.dt.Size() + (left.rows*left.cols+right.rows*right.cols)*x.dt.Size()
	e.launch(p, &request{key: e.key, words: e.words, write: c.source, cfg: gpu.Launch{
		Grid: gpu.Dim3{X: (left.rows + productTile - 1) / productTile, Y: 1, Z: 1}, Block: gpu.Dim3{X: productBlock, Y: 1, Z: 1},
	}}, bytes, m.first.buf, x.buf, y.buf)
}

// rowsOfVectors reports whether the terms of each row or column are adjacent, and can be read four at a time.
func (l *leaf) rowsOfVectors(stride, step int) bool {
	return stride == 1 && step%4 == 0 && l.aligned(4)
}

// productCode writes the kernel.
type productCode struct {
	p       *plan
	fold    fold
	dt      DType
	stores  bool // the elements are stored, and not folded
	depth   int
	vectors [2]bool // the terms of the rows and of the columns are read four at a time
	same    []bool  // the operands that have the same elements in all rows
}

// The words of the kernel: the size of the product, then those of each matrix and operand.
const (
	productWords = 8
	operandWords = 3 // the offset, and the distances from a row to the next and from a column to the next
)

func (c productCode) source() source {
	element, need := c.p.element(productWords + operandWords*len(c.p.leaves))
	words := productWords + operandWords*len(c.p.leaves)
	for _, k := range c.p.consts {
		words += constWords(k.dt)
	}
	same, x := c.elements()
	h := holes{
		"name": "product", "words": words, "functions": element + "\n", "params": c.p.pointers(), "R": c.dt.info().stored,
		"threads": productBlock, "tile": productTile, "depth": c.depth, "part": depthPart(c.depth), "same": same,
		"loadX": c.load("x", "first", "rows", 2, c.vectors[0]), "loadY": c.load("y", "begin", "columns", 5, c.vectors[1]),
		"begin": "", "element": "if (first + i / 4 * half + down + i % 4 < rows)\n                    out[at[i] * columns + column] = " + x, "end": "",
	}
	if !c.stores {
		need |= c.folds(x, h)
	}
	return source{name: h["name"].(string), need: need | c.dt.needs(), text: fill(productKernel, h)}
}

// folds sets the parts of the kernel that fold values x.
func (c productCode) folds(x string, h holes) (need sections) {
	acc := c.fold.accumulator(c.p.last())
	joins, need := c.fold.source(acc)
	add := c.fold.add("acc[i]", acc, c.p.last(), x, "column")
	if choice := c.fold.choice(acc); choice != "" {
		x, _ = castExpr(acc, c.p.last(), x)
		joins, add = joins+choice, "nd_chosen(acc[i], "+x+", column)"
	}
	result, more := c.fold.outcome(acc, c.dt, "acc[i]", "columns")
	h["name"], h["functions"], h["element"] = c.p.name("product_"+c.fold.name()), joins+h["functions"].(string), "acc[i] = "+add
	h["begin"] = "    nd_acc acc[8];\n#pragma unroll\n    for (int i = 0; i < 8; i++)\n        acc[i] = nd_acc" + c.fold.none(acc) + ";\n"
	h["end"] = `#pragma unroll
    for (int i = 0; i < 8; i++) {
        acc[i] = nd_joined<nd_acc, 16, nd_join>(acc[i]);
        if (right == 0 && first + i / 4 * half + down + i % 4 < rows)
            out[at[i]] = ` + c.dt.store(result) + ";\n    }\n"
	return need | more | needRows
}

// choice returns the function nd_chosen, which is the accumulator after one more value, for reductions that choose one of the values. It has no
// branches, as a thread has few instructions between two of these.
func (f fold) choice(acc DType) string {
	none, made := "!a.some", "true"
	switch f {
	case foldMin, foldMax:
	case foldArgmin, foldArgmax:
		none, made = "(a.at < 0)", "is ? at : a.at"
	default:
		return ""
	}
	worse := strings.NewReplacer("&&", "&", "||", "|").Replace(f.worse(acc, "a.value", "x"))
	return "static __device__ __forceinline__ nd_acc nd_chosen(const nd_acc &a, " + acc.info().held + " x, long long at) {\n" +
		"    const bool is = " + none + " | (" + worse + ");\n    return nd_acc{is ? x : a.value, " + made + "};\n}\n"
}

// elements returns the statements that read the operands which all rows have in common, and the value of an element.
func (c productCode) elements() (same, value string) {
	var b strings.Builder
	value = "nd_f("
	for i, l := range c.p.leaves {
		word := productWords + operandWords*i
		load := func(row string) string {
			return l.dt.load(fmt.Sprintf("p%d[a.v[%d]%s + column * a.v[%d]]", i, word, row, word+2))
		}
		switch {
		case l.class == classProduct:
			value += "sum[i][j], "
		case c.same[i]:
			fmt.Fprintf(&b, "            const %s q%d = %s;\n", l.dt.info().held, i, load(""))
			value += fmt.Sprintf("q%d, ", i)
		default:
			value += load(fmt.Sprintf(" + at[i] * a.v[%d]", word+1)) + ", "
		}
	}
	return b.String(), value + c.p.rest()
}

// load returns the statements that copy a part of a matrix to shared memory: the terms of that many rows, or columns, side by side. What is
// beyond the end counts as 0.
func (c productCode) load(name, first, end string, word int, vectors bool) string {
	each, element, store := 1, "const float v = inside ? %[1]s[i] : 0.0f;\n", "                %[1]ss[d * pitch + k] = v;\n"
	if vectors {
		each, element = 4, "const float4 v = inside ? *(const float4 *)(%[1]s + i) : make_float4(0, 0, 0, 0);\n"
		store = ""
		for i, field := range []string{"x", "y", "z", "w"} {
			store += fmt.Sprintf("                %%[1]ss[(d + %d) * pitch + k] = v.%s;\n", i, field)
		}
	}
	return fmt.Sprintf(`#pragma unroll
            for (int e = threadIdx.x; e < part / %[5]d * tile; e += %[6]d) {
                const int k = e %% tile, d = e / tile * %[5]d;
                const bool inside = %[2]s + k < %[3]s;
                const long long i = a.v[%[4]d] + (%[2]s + k) * a.v[%[4]d + 1] + (from + d) * a.v[%[4]d + 2];
                `+element+store+"            }\n", name, first, end, word, each, productBlock)
}

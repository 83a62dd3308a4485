package nd

import (
	"fmt"
	"slices"
	"strings"
)

// rowCode writes a kernel for rows. Its strings are C expressions of the arguments.
type rowCode struct {
	writer
	p *plan
	k *rowPlan

	rows, length string
	offsets      []string   // of the operands
	lens         []string   // of the loops over the rows
	strides      [][]string // of the operands, by loop
	steps        []string   // of the operands, from one element of a row to the next
	scans        []rowScan
}

// rowSource writes the kernel that computes the rows.
func (p *plan) rowSource(k *rowPlan) source {
	c := rowCode{writer: newWriter(k.wide), p: p, k: k, scans: k.findScans()}
	c.rows, c.length = c.word(), c.word()
	c.offsets = c.list(len(p.leaves))
	c.lens = c.list(len(k.space.kept.lens))
	for range p.leaves {
		c.strides = append(c.strides, c.list(len(c.lens)))
		c.steps = append(c.steps, c.word())
	}
	first := c.words
	c.skip(p)
	need := needRows
	if k.width > 1 {
		need |= needVector
	}
	if len(c.scans) > 0 {
		need |= needScan
	}
	fmt.Fprintf(&c, "struct nd_args { long long v[%d]; };\n", c.words)
	name := "rows"
	for i := range k.phases {
		need |= c.functions(i, first)
		for _, f := range k.phases[i].folds {
			name += "_"
			if f.scan {
				name += "cum"
			}
			name += f.fold.name()
		}
	}
	if k.last != nil {
		name = p.name(name)
	}
	bounds := fmt.Sprint(k.threads * k.rowsInBlock())
	if len(k.kept) > 0 {
		bounds += fmt.Sprintf(", %d", keptThreads/(k.threads*k.rowsInBlock()))
	}
	fmt.Fprintf(&c, "extern \"C\" __global__ void __launch_bounds__(%s) %s(%s, const nd_args a) {\n", bounds, name, c.params())
	c.begin()
	for i := range k.phases {
		need |= c.pass(i)
	}
	c.WriteString("}\n")
	return source{name: name, need: need, text: c.String()}.describedBy(k.describe(p))
}

// params returns the parameters for the results and the operands.
func (c *rowCode) params() string {
	var list []string
	for i, r := range c.k.results {
		list = append(list, fmt.Sprintf("%s *__restrict__ to%d", r.dt.info().stored, i))
	}
	if c.k.last != nil {
		list = append(list, c.k.last.dt.info().stored+" *__restrict__ out")
	}
	return strings.Join(list, ", ") + c.p.pointers()
}

// functions writes the function that computes the values of a phase for one element, and how they are folded.
func (c *rowCode) functions(i, firstConst int) (need sections) {
	ph := &c.k.phases[i]
	p := *c.p
	p.steps = ph.steps
	var params, body, stores strings.Builder
	need = p.writeSteps(&body, firstConst)
	for j, v := range ph.values() {
		fmt.Fprintf(&params, ", %s &y%d", ph.steps[v].dt.info().held, j)
		fmt.Fprintf(&stores, "    y%d = v%d;\n", j, v)
	}
	for _, s := range ph.steps {
		switch s.op {
		case opLeaf, opIndex:
			fmt.Fprintf(&params, ", %s x%d", s.dt.info().held, s.args[0])
		case opFold:
			fmt.Fprintf(&params, ", %s r%d", s.dt.info().held, s.args[0])
		case opScan:
			fmt.Fprintf(&params, ", nd_acc%d &c%d", c.scans[s.args[2]].number, s.args[2])
		}
	}
	fmt.Fprintf(c, "static __device__ __forceinline__ void nd_f%d(const nd_args &a%s) {\n%s%s}\n", i, params.String(), body.String(), stores.String())
	for j, f := range ph.folds {
		text, more := f.fold.source(f.acc)
		need |= more
		c.WriteString(c.renamed(i, j, text))
		if f.scan {
			number := c.number(i, j)
			text, more := f.scanFunction(slices.IndexFunc(c.scans, func(s rowScan) bool { return s.number == number }))
			need |= more
			c.WriteString(c.renamed(i, j, text))
		}
	}
	return need
}

// values returns the steps whose values a phase folds or stores.
func (ph *phase) values() []uint8 {
	if len(ph.folds) == 0 {
		return []uint8{uint8(len(ph.steps) - 1)}
	}
	var list []uint8
	for _, f := range ph.folds {
		list = append(list, f.value)
	}
	return list
}

// renamed returns the text of fold j of a phase with names of its own.
func (c *rowCode) renamed(phase, j int, text string) string {
	n := c.number(phase, j)
	return strings.NewReplacer("nd_acc", fmt.Sprintf("nd_acc%d", n), "nd_join", fmt.Sprintf("nd_join%d", n)).Replace(text)
}

// number returns the number of fold j of a phase among all.
func (c *rowCode) number(phase, j int) int {
	for _, ph := range c.k.phases[:phase] {
		j += len(ph.folds)
	}
	return j
}

// begin writes the code that finds a thread's row.
func (c *rowCode) begin() {
	in := c.index
	fmt.Fprintf(c, "    const %s rows = %s, row = (%s)blockIdx.x * %d + threadIdx.y, n = row < rows ? %s : 0;\n", in, c.rows, in, c.k.rowsInBlock(), c.length)
	fmt.Fprintf(c, "    %s k = min(row, rows - 1)", in)
	for i, o := range c.offsets {
		fmt.Fprintf(c, ", o%d = %s", i, o)
	}
	c.WriteString(";\n")
	if c.k.last != nil {
		fmt.Fprintf(c, "    const %s at = row * n;\n", in)
	}
	if c.k.width > 1 {
		fmt.Fprintf(c, "    const %s whole = n / %d * %d;\n", in, c.k.width, c.k.width)
	}
	c.decompose("k", c.lens, c.p.offsetNames(), c.strides)
	for i, l := range c.p.leaves {
		if l.class == classSame {
			fmt.Fprintf(c, "    const %s s%d = p%d[o%d];\n", l.dt.info().stored, i, i, i)
		}
	}
	if len(c.k.kept) > 0 {
		c.load()
	}
}

// load writes the loop that reads the operands that a thread keeps.
func (c *rowCode) load() {
	for _, i := range c.k.kept {
		fmt.Fprintf(c, "    %s h%d[%d];\n", vectorOf(c.p.leaves[i].dt, c.k.width), i, c.k.vectors)
	}
	fmt.Fprintf(c, "#pragma unroll\n    for (int v = 0; v < %d; v++) {\n        const %s j = ((%s)threadIdx.x + v * %d) * %d;\n        if (j < whole) {\n", c.k.vectors, c.index, c.index, c.k.threads, c.k.width)
	for _, i := range c.k.kept {
		fmt.Fprintf(c, "            h%d[v] = *(const %s *)(p%d + o%d + j);\n", i, vectorOf(c.p.leaves[i].dt, c.k.width), i, i)
	}
	c.WriteString("        }\n    }\n")
}

// pass writes the loops of a phase over a row.
func (c *rowCode) pass(i int) (need sections) {
	ph, width := &c.k.phases[i], c.k.width
	for j, f := range ph.folds {
		if f.scan {
			c.scanRoom(c.number(i, j), f)
			continue
		}
		c.WriteString(c.renamed(i, j, fmt.Sprintf("    nd_acc acc%d = %s;\n", c.number(i, j), f.fold.none(f.acc))))
	}
	c.WriteString("    {\n")
	if width > 1 {
		c.vectors(i)
	}
	if ph.other() {
		c.rest(i)
	}
	c.WriteString("    }\n")
	for j, f := range ph.folds {
		if c.k.threads > 32 && !f.scan {
			c.WriteString(c.renamed(i, j, fmt.Sprintf("    __shared__ nd_acc room%d[%d];\n", c.number(i, j), c.k.threads/32)))
		}
	}
	for j, f := range ph.folds {
		if f.scan {
			continue
		}
		room := "nullptr"
		n := c.number(i, j)
		if c.k.threads > 32 {
			room = fmt.Sprintf("room%d", n)
		}
		c.WriteString(c.renamed(i, j, fmt.Sprintf("    acc%d = nd_whole<nd_acc, %d, nd_join>(acc%d, %s);\n", n, c.k.threads, n, room)))
		_, lifted := castExpr(f.acc, f.dt, "")
		need |= lifted
	}
	c.scanParts(i)
	return need | c.results(i)
}

// rest writes the loop of a phase over the elements of a row that are not part of a vector. If it uses scans, one thread has all of them: they
// are fewer than a vector's.
func (c *rowCode) rest(i int) {
	ph := &c.k.phases[i]
	begin := "threadIdx.x"
	if c.k.width > 1 {
		begin = "whole + threadIdx.x"
	}
	if len(ph.scanned()) > 0 {
		c.carries(i, false, "        ")
		fmt.Fprintf(c, "#pragma unroll 1\n        for (%s j = threadIdx.x == 0 ? whole : n; j < n; j++) {\n", c.index)
	} else {
		fmt.Fprintf(c, "#pragma unroll 4\n        for (%s j = %s; j < n; j += %d) {\n", c.index, begin, c.k.threads)
	}
	c.call(i, "j", false, "            ")
	if len(ph.folds) == 0 {
		fmt.Fprintf(c, "            out[at + j] = %s;\n", c.k.last.dt.store("y0"))
	}
	for j, f := range ph.folds {
		if !f.scan {
			n := c.number(i, j)
			c.WriteString(c.renamed(i, j, fmt.Sprintf("            acc%d = %s;\n", n, f.fold.add(fmt.Sprintf("acc%d", n), f.acc, f.dt, fmt.Sprintf("y%d", j), "j"))))
		}
	}
	c.WriteString("        }\n")
}

// vectors writes the loop of a phase over the vectors of a row. Each element of a vector has its own accumulators, so that additions need
// not wait for each other. A scan goes on from one element to the next.
func (c *rowCode) vectors(i int) {
	ph, width := &c.k.phases[i], c.k.width
	for j, f := range ph.folds {
		if n := c.number(i, j); !f.scan {
			c.WriteString(c.renamed(i, j, fmt.Sprintf("        nd_acc part%d[%d];\n#pragma unroll\n        for (int k = 0; k < %d; k++)\n            part%d[k] = acc%d;\n", n, width, width, n, n)))
		}
	}
	c.vectorLoop(i)
	c.loadVectors(ph)
	var result string
	if len(ph.folds) == 0 {
		result = vectorOf(c.k.last.dt, width)
		fmt.Fprintf(c, "            %s y;\n", result)
	}
	c.carries(i, true, "            ")
	fmt.Fprintf(c, "#pragma unroll\n            for (int k = 0; k < %d; k++) {\n", width)
	c.call(i, "j + k", true, "                ")
	for j, f := range ph.folds {
		to := fmt.Sprintf("part%d[k]", c.number(i, j))
		if f.scan {
			to = fmt.Sprintf("sum%d", c.number(i, j))
		}
		c.WriteString(c.renamed(i, j, fmt.Sprintf("                %s = %s;\n", to, f.fold.add(to, f.acc, f.dt, fmt.Sprintf("y%d", j), "j + k"))))
	}
	if result != "" {
		fmt.Fprintf(c, "                y.at[k] = %s;\n            }\n            *(%s *)(out + at + j) = y;\n        }\n", c.k.last.dt.store("y0"), result)
		return
	}
	c.WriteString("            }\n")
	if ph.scans() {
		c.WriteString("            }\n")
	}
	for j, f := range ph.folds {
		if f.scan {
			c.scanVector(c.number(i, j))
		}
	}
	c.WriteString("        }\n")
	for j, f := range ph.folds {
		if n := c.number(i, j); !f.scan {
			c.WriteString(c.renamed(i, j, fmt.Sprintf("#pragma unroll\n        for (int k = 0; k < %d; k++)\n            acc%d = nd_join(acc%d, part%d[k]);\n", width, n, n, n)))
		}
	}
}

// vectorLoop writes the head of the loop over the vectors of a row. All threads of a warp take part in a scan.
func (c *rowCode) vectorLoop(i int) {
	ph, width := &c.k.phases[i], c.k.width
	if c.k.vectors == 0 {
		fmt.Fprintf(c, "#pragma unroll 4\n        for (%s j = threadIdx.x * %d; j < whole; j += %d) {\n", c.index, width, c.k.threads*width)
		return
	}
	fmt.Fprintf(c, "#pragma unroll\n        for (int v = 0; v < %d; v++) {\n            const %s j = ((%s)threadIdx.x + v * %d) * %d;\n", c.k.vectors, c.index, c.index, c.k.threads, width)
	if !ph.scans() {
		c.WriteString("            if (j >= whole)\n                continue;\n")
		return
	}
	for j, f := range ph.folds {
		if n := c.number(i, j); f.scan {
			fmt.Fprintf(c, "            nd_acc%[1]d sum%[1]d = none%[1]d;\n", n)
		}
	}
	c.WriteString("            if (j < whole) {\n")
}

// loadVectors writes the code that finds the thread's vectors.
func (c *rowCode) loadVectors(ph *phase) {
	for _, s := range ph.steps {
		l := int(s.args[0])
		switch {
		case s.op != opLeaf || c.p.leaves[l].class != classVector:
		case slices.Contains(c.k.kept, l):
			fmt.Fprintf(c, "            const %s &q%d = h%d[v];\n", vectorOf(s.dt, c.k.width), l, l)
		default:
			c.WriteString("            " + loadVector(s.dt, c.k.width, l))
		}
	}
}

// call writes the call of a phase's function for an element of the row. If loaded is set, vectors have been read already.
func (c *rowCode) call(i int, element string, loaded bool, indent string) {
	ph := &c.k.phases[i]
	args := "a"
	for j, v := range ph.values() {
		fmt.Fprintf(c, "%s%s y%d;\n", indent, ph.steps[v].dt.info().held, j)
		args += fmt.Sprintf(", y%d", j)
	}
	for _, s := range ph.steps {
		switch s.op {
		case opLeaf:
			args += ", " + s.dt.load(c.operand(int(s.args[0]), element, loaded))
		case opIndex:
			args += fmt.Sprintf(", (long long)(o%d + (%s) * %s)", s.args[0], element, c.steps[s.args[0]])
		case opFold:
			args += fmt.Sprintf(", r%d", s.args[0])
		case opScan:
			args += fmt.Sprintf(", c%d", s.args[2])
		}
	}
	fmt.Fprintf(c, "%snd_f%d(%s);\n", indent, i, args)
}

// operand returns an element of operand i.
func (c *rowCode) operand(i int, element string, loaded bool) string {
	switch c.p.leaves[i].class {
	case classSame:
		return fmt.Sprintf("s%d", i)
	case classStrided:
		return fmt.Sprintf("p%d[o%d + (%s) * %s]", i, i, element, c.steps[i])
	case classVector:
		if loaded {
			return fmt.Sprintf("q%d.at[k]", i)
		}
	}
	return fmt.Sprintf("p%d[o%d + %s]", i, i, element)
}

// results writes the variables with the results of a phase, and stores them.
func (c *rowCode) results(i int) (need sections) {
	for k, r := range c.k.results {
		if r.phase != i {
			continue
		}
		acc := c.k.phases[i].folds[r.at].acc
		value, more := r.fold.outcome(acc, r.dt, fmt.Sprintf("acc%d", c.number(i, r.at)), c.length)
		need |= more | r.dt.needs()
		fmt.Fprintf(c, "    const %s r%d = %s;\n    if (threadIdx.x == 0 && n > 0)\n        to%d[row] = %s;\n", r.dt.info().held, k, value, k, r.dt.store(fmt.Sprintf("r%d", k)))
	}
	return need
}

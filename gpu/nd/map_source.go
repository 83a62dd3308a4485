package nd

import (
	"fmt"
	"strings"

	"github.com/gopherwarp/gopherwarp/gpu/internal/expression"
)

// mapCode writes an element-wise kernel. Its strings are C expressions of the arguments.
type mapCode struct {
	writer
	p *plan
	m mapping

	n            string     // length of the innermost loop
	rows, perRow string     // iterations of the other loops, and blocks for each of them
	offsets      []string   // of the destination and the operands
	lens         []string   // of the other loops
	strides      [][]string // of the destination and the operands, by loop

	name string
	need sections
}

// mapCode returns the beginning of an element-wise kernel's source, up to its parameters.
func (p *plan) mapCode(m mapping, prefix string) *mapCode {
	c := &mapCode{writer: newWriter(m.wide), p: p, m: m, name: p.name(prefix)}
	c.n = c.word()
	c.offsets = c.list(len(p.leaves) + 1)
	if m.rank > 1 {
		c.rows, c.perRow = c.word(), c.word()
		c.lens = c.list(m.rank - 1)
	}
	c.strides = c.table(len(c.offsets), m.rank)
	var f string
	f, c.need = c.element(p)
	c.need |= m.dt.needs()
	fmt.Fprintf(c, "struct nd_args { long long v[%d]; };\n\n%s\n", c.words, f)
	fmt.Fprintf(c, "extern \"C\" __global__ void __launch_bounds__(%d) %s(%s *out%s, const nd_args a) {\n", mapBlock, c.name, m.dt.info().stored, p.pointers())
	return c
}

// source returns the kernel's source, which is complete.
func (c *mapCode) source() source {
	return source{name: c.name, need: c.need, text: c.String()}.describedBy(c.p.describe(expression.Map, c.m.dt, c.m.rank))
}

// mapSource writes the kernel that computes the expression for each element.
func (p *plan) mapSource(m mapping) source {
	c := p.mapCode(m, "map")
	c.begin()
	if m.width > 1 {
		c.need |= needVector
		c.vectors()
	} else {
		c.single()
	}
	return c.source()
}

// begin writes the code that finds the thread's first element j and the offsets of the operands' rows.
func (c *mapCode) begin() {
	in := c.index
	if c.m.rank == 1 {
		fmt.Fprintf(c, "    const %s n = %s, j = ((%s)blockIdx.x * %d + threadIdx.x) * %d;\n", in, c.n, in, mapBlock, c.m.width)
		fmt.Fprintf(c, "    if (j >= n)\n        return;\n")
	} else {
		fmt.Fprintf(c, "    const %s n = %s, perRow = %s, j = ((%s)(blockIdx.x %% perRow) * blockDim.x + threadIdx.x) * %d;\n", in, c.n, c.perRow, in, c.m.width)
		fmt.Fprintf(c, "    %s row = (%s)(blockIdx.x / perRow) * blockDim.y + threadIdx.y;\n", in, in)
		fmt.Fprintf(c, "    if (j >= n || row >= %s)\n        return;\n", c.rows)
	}
	c.begins(c.offsets)
	c.decompose("row", c.lens, append([]string{"at"}, c.p.offsetNames()...), c.strides)
	for i, l := range c.p.leaves {
		if l.class == classSame {
			fmt.Fprintf(c, "    const %s s%d = p%d[o%d];\n", l.dt.info().stored, i, i, i)
		}
	}
}

// single writes the code that computes one element.
func (c *mapCode) single() {
	to := "out[at + j]"
	if c.m.out == classStrided {
		to = fmt.Sprintf("out[at + j * %s]", c.strides[0][c.m.rank-1])
	}
	fmt.Fprintf(c, "    %s = %s;\n}\n", to, c.m.dt.store(c.call("0", false)))
}

// vectors writes the code that computes a vector of elements, and the code for the elements after the last whole vector.
func (c *mapCode) vectors() {
	m := c.m
	fmt.Fprintf(c, "    if (j + %d <= n) {\n", m.width)
	for i, l := range c.p.leaves {
		if l.class == classVector {
			fmt.Fprintf(c, "        const nd_vector<%s, %d> q%d = *(const nd_vector<%s, %d> *)(p%d + o%d + j);\n", l.dt.info().stored, m.width, i, l.dt.info().stored, m.width, i, i)
		}
	}
	stored := m.dt.info().stored
	fmt.Fprintf(c, "        nd_vector<%s, %d> r;\n#pragma unroll\n        for (int k = 0; k < %d; k++)\n            r.at[k] = %s;\n", stored, m.width, m.width, m.dt.store(c.call("k", true)))
	fmt.Fprintf(c, "        *(nd_vector<%s, %d> *)(out + at + j) = r;\n        return;\n    }\n", stored, m.width)
	fmt.Fprintf(c, "    for (%s k = 0; j + k < n; k++)\n        out[at + j + k] = %s;\n}\n", c.index, m.dt.store(c.call("k", false)))
}

// call returns the expression's value for the thread's element k. If loaded is set, vectors have been read already.
func (c *mapCode) call(k string, loaded bool) string {
	var b strings.Builder
	b.WriteString("nd_f(")
	for i, l := range c.p.leaves {
		b.WriteString(l.dt.load(c.operand(i, k, loaded)) + ", ")
	}
	b.WriteString("a)")
	return b.String()
}

// operand returns the thread's element k of operand i.
func (c *mapCode) operand(i int, k string, loaded bool) string {
	switch step := c.strides[i+1][c.m.rank-1]; c.p.leaves[i].class {
	case classSame:
		return fmt.Sprintf("s%d", i)
	case classIndex:
		return fmt.Sprintf("(long long)(o%d + (j + %s) * %s)", i, k, step)
	case classStrided:
		return fmt.Sprintf("p%d[o%d + (j + %s) * %s]", i, i, k, step)
	case classVector:
		if loaded {
			return fmt.Sprintf("q%d.at[%s]", i, k)
		}
	}
	return fmt.Sprintf("p%d[o%d + j + %s]", i, i, k)
}

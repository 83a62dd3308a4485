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
	left, right  string     // elements before and after those of the destination in a row of it

	name  string
	need  sections
	ahead bool // the thread has the vectors of several turns, which it read before
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
	if m.ends {
		c.left, c.right = c.word(), c.word()
	}
	f, need := c.element(p)
	c.need = need
	for _, o := range p.outs {
		c.need |= o.dt.needs()
	}
	fmt.Fprintf(c, "struct nd_args { long long v[%d]; };\n\n%s\n", c.words, f)
	fmt.Fprintf(c, "extern \"C\" __global__ void __launch_bounds__(%d) %s(%s%s, const nd_args a) {\n", mapBlock, c.name, c.params(), p.pointers())
	return c
}

// source returns the kernel's source, which is complete.
func (c *mapCode) source() source {
	s := source{name: c.name, need: c.need, text: c.String()}
	return s.describedBy(c.p.describe(expression.Map, c.p.outs[0].dt, c.m.rank))
}

// mapSource writes the kernel that computes the outputs for each element.
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

// to returns the name of the pointer to the elements of output i.
func (c *mapCode) to(i int) string {
	if len(c.p.outs) == 1 {
		return "out"
	}
	return fmt.Sprintf("out%d", i)
}

// params returns the parameters for the outputs.
func (c *mapCode) params() string {
	var list []string
	for i, o := range c.p.outs {
		restrict := ""
		if len(c.p.outs) > 1 {
			restrict = "__restrict__ "
		}
		list = append(list, o.dt.info().stored+" *"+restrict+c.to(i))
	}
	if c.m.ends {
		list = append(list, "const "+c.p.outs[0].dt.info().stored+" *old")
	}
	return strings.Join(list, ", ")
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
	c.same()
}

// same writes the code that reads operands which have one element for all.
func (c *mapCode) same() {
	for i, l := range c.p.leaves {
		if l.class == classSame {
			fmt.Fprintf(c, "    const %s s%d = p%d[o%d];\n", l.dt.info().stored, i, i, i)
		}
	}
}

// single writes the code that computes one element.
func (c *mapCode) single() {
	to := "at + j"
	if c.m.out == classStrided {
		to = "at + j * " + c.strides[0][c.m.rank-1]
	}
	c.store("    ", to, "0", false)
	c.WriteString("}\n")
}

// store writes the code that stores the thread's element k of each output at that place.
func (c *mapCode) store(indent, place, k string, loaded bool) {
	for i, v := range c.values(indent, k, loaded) {
		fmt.Fprintf(c, "%s%s[%s] = %s;\n", indent, c.to(i), place, c.p.outs[i].dt.store(v))
	}
}

// values returns the values of the outputs for the thread's element k, for which it may write statements. If loaded is set, vectors have
// been read already.
func (c *mapCode) values(indent, k string, loaded bool) []string {
	if len(c.p.outs) == 1 {
		return []string{"nd_f(" + c.arguments(k, loaded) + c.p.rest()}
	}
	var names []string
	args := c.arguments(k, loaded)
	for i, o := range c.p.outs {
		names = append(names, fmt.Sprintf("y%d", i))
		args += names[i] + ", "
		fmt.Fprintf(c, "%s%s %s;\n", indent, o.dt.info().held, names[i])
	}
	fmt.Fprintf(c, "%snd_f(%s%s;\n", indent, args, c.p.rest())
	return names
}

// vectors writes the code that computes a vector of elements, and the code for the elements after the last whole vector.
func (c *mapCode) vectors() {
	m := c.m
	fmt.Fprintf(c, "    if (j + %d <= n) {\n", m.width)
	c.load("        ")
	for i, o := range c.p.outs {
		fmt.Fprintf(c, "        %s r%d;\n", vectorOf(o.dt, m.width), i)
	}
	fmt.Fprintf(c, "#pragma unroll\n        for (int k = 0; k < %d; k++) {\n", m.width)
	for i, v := range c.values("            ", "k", true) {
		fmt.Fprintf(c, "            r%d.at[k] = %s;\n", i, c.p.outs[i].dt.store(v))
	}
	c.WriteString("        }\n")
	for i, o := range c.p.outs {
		fmt.Fprintf(c, "        *(%s *)(%s + at + j) = r%d;\n", vectorOf(o.dt, m.width), c.to(i), i)
	}
	fmt.Fprintf(c, "        return;\n    }\n    for (%s k = 0; j + k < n; k++) {\n", c.index)
	c.store("        ", "at + j + k", "k", false)
	c.WriteString("    }\n}\n")
}

// load writes the code that reads the thread's vectors.
func (c *mapCode) load(indent string) {
	for i, l := range c.p.leaves {
		if l.class == classVector {
			c.WriteString(indent + loadVector(l.dt, c.m.width, i))
		}
	}
}

// arguments returns those of nd_f for the operands.
func (c *mapCode) arguments(k string, loaded bool) string {
	var b strings.Builder
	for i, l := range c.p.leaves {
		b.WriteString(l.dt.load(c.operand(i, k, loaded)) + ", ")
	}
	return b.String()
}

// loaded returns element k of the vector of operand i.
func (c *mapCode) loaded(i int, k string) string {
	l := &c.p.leaves[i]
	switch {
	case !c.ahead:
		return fmt.Sprintf("q%d.at[%s]", i, k)
	case inWords(l.dt, c.m.width):
		return fmt.Sprintf("nd_element<%s>(q%d[turn], %s)", l.dt.info().stored, i, k)
	}
	return fmt.Sprintf("q%d[turn].at[%s]", i, k)
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
			return c.loaded(i, k)
		}
	}
	return fmt.Sprintf("p%d[o%d + j + %s]", i, i, k)
}

package nd

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"
)

// stencilCode writes a kernel for stencils.
type stencilCode struct {
	*mapCode
	t stencil
}

// stencilSource writes the kernel that computes the expression for elements of adjacent rows in each thread.
func (p *plan) stencilSource(t stencil) source {
	c := stencilCode{mapCode: p.mapCode(t.mapping, "stencil"), t: t}
	c.begin()
	for i := range t.taps {
		if int(t.taps[i].group) == i+1 {
			c.load(i)
		}
	}
	c.compute()
	return c.source()
}

// begin writes the code that finds the thread's element j of a row, the first of its rows, and the offsets of that. The last rows are
// computed by a thread that begins earlier than its own first row, so that all read only what is there.
func (c *stencilCode) begin() {
	in, outer := c.index, len(c.lens)-1
	fmt.Fprintf(c, "    const %s n = %s, perRow = %s, j = (%s)(blockIdx.x %% perRow) * blockDim.x + threadIdx.x;\n", in, c.n, c.perRow, in)
	fmt.Fprintf(c, "    %s row = (%s)(blockIdx.x / perRow) * blockDim.y + threadIdx.y;\n", in, in)
	fmt.Fprintf(c, "    if (j >= n || row >= %s)\n        return;\n", c.rows)
	fmt.Fprintf(c, "    const %s rows = %s, bands = (rows + %d) / %d;\n", in, c.lens[outer], c.t.down-1, c.t.down)
	band := "row"
	if outer > 0 {
		band = "row % bands"
	}
	fmt.Fprintf(c, "    const %s own = %s * %d, first = min(own, rows - %d);\n", in, band, c.t.down, c.t.down)

	// Operands of a group have the offset of the first one.
	names, strides := []string{"at"}, [][]string{c.strides[0]}
	fmt.Fprintf(c, "    %s at = %s + first * %s", in, c.offsets[0], c.strides[0][outer])
	for i, o := range c.t.taps {
		if o.group == 0 || int(o.group) == i+1 {
			name := fmt.Sprintf("o%d", i)
			fmt.Fprintf(c, ", %s = %s + first * %s", name, c.offsets[i+1], c.strides[i+1][outer])
			names, strides = append(names, name), append(strides, c.strides[i+1])
		}
	}
	c.WriteString(";\n")
	if outer > 0 {
		c.WriteString("    row /= bands;\n")
		c.decompose("row", c.lens[:outer], names, strides)
	}
}

// load writes the variables with the elements of the group that is counted from operand i.
func (c *stencilCode) load(i int) {
	dt := c.p.leaves[i].dt
	for at, cols := range c.t.columns(i) {
		if cols == 0 {
			continue
		}
		row := at - farTap
		begin := c.variable(i, row)
		fmt.Fprintf(c, "    const %s %s = o%d%s + j;\n", c.index, begin, i, c.further(i+1, row))
		for ; cols != 0; cols &= cols - 1 {
			col := bits.TrailingZeros64(cols) - farTap
			fmt.Fprintf(c, "    const %s %s = %s;\n", dt.info().held, c.variable(i, row, col), dt.load(fmt.Sprintf("p%d[%s%s]", i, begin, plus(col, ""))))
		}
	}
}

// variable returns the name for the index of the group's element in a row, or for an element: they are counted from the least.
func (c *stencilCode) variable(group, row int, col ...int) string {
	least := tap{row: farTap, col: farTap}
	for _, o := range c.t.taps {
		if int(o.group) == group+1 {
			least.row, least.col = min(least.row, o.row), min(least.col, o.col)
		}
	}
	name := fmt.Sprintf("g%d_%d", group, row-int(least.row))
	for _, k := range col {
		name += fmt.Sprintf("_%d", k-int(least.col))
	}
	return name
}

// further returns the term that is added to the offset of operand k for another row.
func (c *stencilCode) further(k, row int) string { return plus(row, c.strides[k][c.m.rank-2]) }

// plus returns the term that adds n, or n times a factor.
func plus(n int, factor string) string {
	sign := " + "
	if n < 0 {
		sign = " - "
	}
	switch {
	case n == 0:
		return ""
	case factor == "":
		return sign + strconv.Itoa(abs(n))
	case abs(n) == 1:
		return sign + factor
	}
	return fmt.Sprintf("%s%d * %s", sign, abs(n), factor)
}

// compute writes the code that computes the elements of the rows, and after that stores them: an element that is stored might be one that
// is read, as far as the compiler knows.
func (c *stencilCode) compute() {
	dt := c.p.outs[0].dt
	for r := range c.t.down {
		fmt.Fprintf(c, "    const %s y%d = %s;\n", dt.info().stored, r, dt.store(c.call(r)))
	}
	step := ""
	if c.m.out == classStrided {
		step = " * " + c.strides[0][c.m.rank-1]
	}
	for r := range c.t.down {
		c.own(r)
		fmt.Fprintf(c, "    out[at%s + j%s] = y%d;\n", c.further(0, r), step, r)
	}
	if c.m.ends {
		c.ends()
	}
	c.WriteString("}\n")
}

// own writes the condition under which row r is one of the thread's own.
func (c *stencilCode) own(r int) {
	if r < c.t.down-1 {
		fmt.Fprintf(c, "    if (own <= first%s)\n    ", plus(r, ""))
	}
}

// ends writes the code that copies what is before and after the elements of the rows, by the threads that have the first and the last ones.
func (c *stencilCode) ends() {
	fmt.Fprintf(c, "    const %s left = %s, right = %s, end = j < left ? j - left : j + right;\n    if (j >= left && j < n - right)\n        return;\n", c.index, c.left, c.right)
	for r := range c.t.down {
		c.own(r)
		at := fmt.Sprintf("at%s + end", c.further(0, r))
		fmt.Fprintf(c, "    out[%s] = old[%s];\n", at, at)
	}
}

// call returns the expression's value for the element of row r.
func (c *stencilCode) call(r int) string {
	var b strings.Builder
	b.WriteString("nd_f(")
	for i, o := range c.t.taps {
		if o.group != 0 {
			b.WriteString(c.variable(int(o.group)-1, int(o.row)+r, int(o.col)) + ", ")
			continue
		}
		row := r
		if o.unchanged {
			row = 0
		}
		b.WriteString(c.p.leaves[i].dt.load(c.single(i, row)) + ", ")
	}
	b.WriteString(c.p.rest())
	return b.String()
}

// single returns the element, in a row, of operand i, which is in no group.
func (c *stencilCode) single(i, row int) string {
	at := fmt.Sprintf("o%d%s", i, c.further(i+1, row))
	switch step := c.strides[i+1][c.m.rank-1]; c.p.leaves[i].class {
	case classSame:
	case classIndex:
		return fmt.Sprintf("(long long)(%s + j * %s)", at, step)
	case classStrided:
		at += " + j * " + step
	default:
		at += " + j"
	}
	return fmt.Sprintf("p%d[%s]", i, at)
}

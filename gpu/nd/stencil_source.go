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
	// places are the variables with columns that are cut off at the ends of rows, by their values.
	places map[string]string
}

// stencilSource writes the kernel that computes the expression for elements of adjacent rows, and maybe columns, in each thread.
func (p *plan) stencilSource(t stencil) source {
	c := stencilCode{mapCode: p.mapCode(t.mapping, "stencil"), t: t, places: map[string]string{}}
	if t.across > 1 {
		c.need |= needVector
	}
	c.begin()
	for i := range t.taps {
		if int(t.taps[i].group) == i+1 {
			c.load(i)
		}
	}
	c.compute()
	return c.source()
}

// begin writes the code that finds the thread's first element j of a row, the first of its rows, and the offsets of that. The last rows are
// computed by a thread that begins earlier than its own first row, so that all read only what is there.
func (c *stencilCode) begin() {
	in, outer := c.index, len(c.lens)-1
	name, first := "j", ""
	if c.t.across > 1 {
		name, first = "block", fmt.Sprintf(", j = block * %d%s", c.t.across, plus(-c.t.shift, ""))
	}
	fmt.Fprintf(c, "    const %s n = %s, perRow = %s, %s = (%s)(blockIdx.x %% perRow) * blockDim.x + threadIdx.x%s;\n", in, c.n, c.perRow, name, in, first)
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
	row, k := noRow, -1
	for l := range c.t.loads(i) {
		k++
		if l.row != row {
			row = l.row
			fmt.Fprintf(c, "    const %s %s = o%d%s%s;\n", c.index, c.variable(i, row), i, c.further(i+1, row), c.inRow())
		}
		from := fmt.Sprintf("p%d[%s]", i, c.place(i, &l))
		if l.width == 1 {
			c.declare(i, &l, dt.load(from))
			continue
		}
		t, name := vectorOf(dt, l.width), fmt.Sprintf("q%d_%d", i, k)
		fmt.Fprintf(c, "    const %s %s = *(const %s *)&%s;\n", t, name, t, from)
		begin := l.col
		for rest := l.needed; rest != 0; rest &= rest - 1 {
			l.col = bits.TrailingZeros64(rest) - farTap
			c.declare(i, &l, dt.load(fmt.Sprintf("%s.at[%d]", name, l.col-begin)))
		}
	}
}

// noRow is less than the number of any row.
const noRow = -farTap - 1

// declare writes the variable with the first element of a load.
func (c *stencilCode) declare(i int, l *load, value string) {
	fmt.Fprintf(c, "    const %s %s = %s;\n", c.p.leaves[i].dt.info().held, c.variable(i, l.row, l.col), value)
}

// inRow returns the term that is added to the index of a row for all loads.
func (c *stencilCode) inRow() string {
	if c.t.partial {
		return "" // the loads of some threads begin at other columns
	}
	return " + j"
}

// place returns the index from which a load reads. A thread that has columns outside of the row reads what is inside instead of what only
// these need: all that is read is in the array's memory.
func (c *stencilCode) place(i int, l *load) string {
	row := c.variable(i, l.row)
	if !c.t.partial {
		return row + plus(l.col, "")
	}
	value := ""
	if l.width == 1 {
		value = c.within("j", l.col, c.t.shift, l.low, "n"+plus(l.high-1, ""), l.col > l.high)
	} else {
		lead := int(c.t.taps[i].lead)
		begin := c.t.shift + lead // of the vector before, from which they are counted, to the first column
		number := (l.col + lead) / c.t.across
		last := fmt.Sprintf("(n%s) / %d", plus(l.high-1+begin, ""), c.t.across)
		value = c.within("block", number, 0, floorDiv(l.low+begin, c.t.across), last, l.col > l.high)
		if value != "" {
			value = fmt.Sprintf("%s * %d%s", value, c.t.across, plus(-begin, ""))
		}
	}
	if value == "" {
		return row + " + j" + plus(l.col, "")
	}
	name, known := c.places[value]
	if !known {
		name = fmt.Sprintf("j%d", len(c.places))
		c.places[value] = name
		fmt.Fprintf(c, "    const %s %s = %s;\n", c.index, name, value)
	}
	return row + " + " + name
}

// within returns the sum of a variable, which is -least at first, and a number, but not less than low, and not more than last if it may be so
// in the last thread of a row. It is empty if it is never cut off.
func (c *stencilCode) within(name string, add, least, low int, last string, far bool) string {
	value := name + plus(add, "")
	if add-least < low {
		value = fmt.Sprintf("max(%s, (%s)%d)", value, c.index, low)
	}
	if far {
		value = fmt.Sprintf("min(%s, %s)", value, last)
	}
	if add-least >= low && !far {
		return ""
	}
	return value
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
		for k := range c.t.across {
			fmt.Fprintf(c, "    const %s %s = %s;\n", dt.info().stored, c.result(r, k), dt.store(c.call(r, k)))
		}
	}
	if c.t.partial {
		c.storePartly()
	} else {
		c.storeRows("    ")
	}
	switch {
	case c.m.ends && c.t.across > 1:
		c.endsOfColumns()
	case c.m.ends:
		c.ends()
	}
	c.WriteString("}\n")
}

// result returns the name for an element that is stored.
func (c *stencilCode) result(r, k int) string {
	if c.t.across > 1 {
		return fmt.Sprintf("y%d_%d", r, k)
	}
	return fmt.Sprintf("y%d", r)
}

// storeRows writes the code that stores the elements of a thread that has only columns in the row.
func (c *stencilCode) storeRows(indent string) {
	t := vectorOf(c.p.outs[0].dt, c.t.piece)
	for r := range c.t.down {
		for k := 0; k < c.t.across; k += c.t.piece {
			if c.t.piece == 1 {
				c.storeElement(indent, r, k)
				continue
			}
			var list []string
			for i := range c.t.piece {
				list = append(list, c.result(r, k+i))
			}
			c.own(indent, r, fmt.Sprintf("*(%s *)&out[at%s + j%s] = %s{{%s}}", t, c.further(0, r), plus(k, ""), t, strings.Join(list, ", ")))
		}
	}
}

// storePartly writes the code that stores the elements of a thread that may have columns outside of the row.
func (c *stencilCode) storePartly() {
	inside := fmt.Sprintf("j + %d <= n", c.t.across)
	if c.t.shift > 0 {
		inside = "j >= 0 && " + inside
	}
	fmt.Fprintf(c, "    if (%s) {\n", inside)
	c.storeRows("        ")
	c.WriteString("    } else {\n")
	for k := range c.t.across {
		var conditions []string
		if k < c.t.shift {
			conditions = append(conditions, fmt.Sprintf("j >= %d", -k))
		}
		if k > 0 {
			conditions = append(conditions, fmt.Sprintf("j + %d < n", k))
		}
		indent := "        "
		if len(conditions) > 0 {
			fmt.Fprintf(c, "        if (%s) {\n", strings.Join(conditions, " && "))
			indent += "    "
		}
		for r := range c.t.down {
			c.storeElement(indent, r, k)
		}
		if len(conditions) > 0 {
			c.WriteString("        }\n")
		}
	}
	c.WriteString("    }\n")
}

// storeElement writes the statement that stores element k of row r.
func (c *stencilCode) storeElement(indent string, r, k int) {
	at := c.column(k)
	if c.m.out == classStrided {
		at += " * " + c.strides[0][c.m.rank-1]
	} else {
		at = "j" + plus(k, "")
	}
	c.own(indent, r, fmt.Sprintf("out[at%s + %s] = %s", c.further(0, r), at, c.result(r, k)))
}

// column returns column k as a factor.
func (c *stencilCode) column(k int) string {
	if k == 0 {
		return "j"
	}
	return fmt.Sprintf("(j + %d)", k)
}

// own writes a statement for row r that is executed if that is one of the thread's own.
func (c *stencilCode) own(indent string, r int, statement string) {
	if r < c.t.down-1 {
		fmt.Fprintf(c, "%sif (own <= first%s)\n    ", indent, plus(r, ""))
	}
	c.WriteString(indent + statement + ";\n")
}

// ends writes the code that copies what is before and after the elements of the rows, by the threads that have the first and the last ones.
func (c *stencilCode) ends() {
	fmt.Fprintf(c, "    const %s left = %s, right = %s, end = j < left ? j - left : j + right;\n    if (j >= left && j < n - right)\n        return;\n", c.index, c.left, c.right)
	c.copyEnds("    ")
}

// copyEnds writes the code that copies one element before or after each row's.
func (c *stencilCode) copyEnds(indent string) {
	for r := range c.t.down {
		at := fmt.Sprintf("at%s + end", c.further(0, r))
		c.own(indent, r, fmt.Sprintf("out[%s] = old[%s]", at, at))
	}
}

// endsOfColumns writes the same code for threads with several columns.
func (c *stencilCode) endsOfColumns() {
	in, many := c.index, c.t.across
	fmt.Fprintf(c, "    const %s left = %s, right = %s;\n    if (j >= left && j + %d <= n - right)\n        return;\n", in, c.left, c.right, many)
	fmt.Fprintf(c, "    for (%s k = max(j, (%s)0); k < min(j + %d, n); k++) {\n", in, in, many)
	fmt.Fprintf(c, "        if (k >= left && k < n - right)\n            continue;\n        const %s end = k < left ? k - left : k + right;\n", in)
	c.copyEnds("        ")
	c.WriteString("    }\n")
}

// call returns the expression's value for element k of row r.
func (c *stencilCode) call(r, k int) string {
	var b strings.Builder
	b.WriteString("nd_f(")
	for i, o := range c.t.taps {
		row := r
		if o.unchanged {
			row = 0
		}
		if o.group != 0 {
			b.WriteString(c.variable(int(o.group)-1, int(o.row)+row, int(o.col)+k) + ", ")
			continue
		}
		b.WriteString(c.p.leaves[i].dt.load(c.single(i, row, k)) + ", ")
	}
	b.WriteString(c.p.rest())
	return b.String()
}

// single returns the element, in a row and a column, of operand i, which is in no group.
func (c *stencilCode) single(i, row, k int) string {
	at := fmt.Sprintf("o%d%s", i, c.further(i+1, row))
	j := c.column(k)
	switch step := c.strides[i+1][c.m.rank-1]; c.p.leaves[i].class {
	case classSame:
	case classIndex:
		return fmt.Sprintf("(long long)(%s + %s * %s)", at, j, step)
	case classStrided:
		if c.t.partial {
			if in := c.within("j", k, c.t.shift, 0, "n - 1", k > 0); in != "" {
				j = in
			}
		}
		at += " + " + j + " * " + step
	default:
		at += " + j"
	}
	return fmt.Sprintf("p%d[%s]", i, at)
}

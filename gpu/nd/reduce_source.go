package nd

import (
	"fmt"
	"strconv"
)

// reduceCode writes a kernel that folds the expression, or the accumulators that such kernels have left. Its strings are C expressions.
type reduceCode struct {
	writer
	p *plan
	r reduction

	keeps, folds, per, segments string // arguments: results, values of each, values of a segment, segments

	total   string   // values of each result, by which a mean is divided
	offsets []string // of the operands

	keptLens, reducedLens       []string   // by loop
	keptStrides, reducedStrides [][]string // by operand and loop

	initial string // the value with which the result is joined

	along, across string // the axis of a block along which values are folded, and the other one
	step          string // from one value of a thread to the next
	held          int    // results of a thread
	acc           string // the accumulator, of a lane if there are several
	lanes         string // the head of the loop over these
}

// reduceSource writes the kernel that folds the expression.
func (p *plan) reduceSource(r reduction) source {
	c := reduceCode{writer: newWriter(r.wide), p: p, r: r}
	c.arguments()
	c.threads()
	name := fmt.Sprintf("join_%s_%s", r.fold.name(), r.acc)
	var f string
	var need sections
	params := ", const nd_acc *p"
	if !r.second {
		name = p.name("reduce_" + r.fold.name())
		f, need = c.element(p)
		params = p.pointers()
	}
	joins, more := r.fold.source(r.acc)
	need |= more | r.dt.needs()
	if r.width > 1 {
		need |= needVector
	}
	if r.lanes > 0 {
		need |= needRows
	}
	fmt.Fprintf(&c, "struct nd_args { long long v[%d]; };\n%s%s", c.words, joins, f)
	result := r.dt.info().stored
	if r.first {
		result = "nd_acc"
	}
	bounds := strconv.Itoa(reduceBlock)
	if r.width > 1 && len(p.steps) <= 3 && r.fold.accBytes(r.acc) <= 8 {
		bounds += ", 8" // blocks at once: simple sums need no more registers than that allows
	}
	fmt.Fprintf(&c, "extern \"C\" __global__ void __launch_bounds__(%s) %s(%s *out%s, const nd_args a) {\n", bounds, name, result, params)
	c.begin()
	c.foldLoop()
	c.WriteString("    }\n")
	c.foldBlock()
	need |= c.result()
	return source{name: name, need: need, text: c.String()}.describedBy(r.describe(p))
}

// arguments reads the words.
func (c *reduceCode) arguments() {
	c.keeps, c.folds, c.per, c.segments = c.word(), c.word(), c.word(), c.word()
	c.total = c.folds
	if c.r.second {
		c.total = c.word()
	}
	n := len(c.p.leaves)
	c.offsets = c.list(n)
	c.keptLens, c.reducedLens = c.list(c.r.kept), c.list(c.r.reduced)
	for range n {
		c.keptStrides = append(c.keptStrides, c.list(c.r.kept))
		c.reducedStrides = append(c.reducedStrides, c.list(c.r.reduced))
	}
	if c.r.initial != nil {
		c.initial = constExpr(c.r.acc, c.words)
		c.words += constWords(c.r.acc)
	}
}

// threads decides what each thread of a block does.
func (c *reduceCode) threads() {
	r := c.r
	c.along, c.across, c.held, c.acc = "x", "y", 1, "acc"
	if r.down {
		c.along, c.across, c.held = "y", "x", r.width
	}
	if c.held > 1 {
		c.acc, c.lanes = "acc[lane]", fmt.Sprintf("#pragma unroll\n    for (int lane = 0; lane < %d; lane++)\n    ", c.held)
	}
	c.step = "blockDim." + c.along
	switch {
	case r.full && r.down:
		c.step = strconv.Itoa(reduceBlock / 32)
	case r.full:
		c.step = strconv.Itoa(reduceBlock)
	}
}

// begin writes the code that finds a thread's part, and its accumulators.
func (c *reduceCode) begin() {
	in, none := c.index, c.r.fold.none(c.r.acc)
	if c.r.lanes > 0 {
		fmt.Fprintf(c, "    const %s row = (%s)blockIdx.x * %d + threadIdx.y, end = %s;\n", in, in, reduceBlock/c.r.lanes, c.folds)
	} else {
		c.beginSegment()
	}
	if c.held > 1 {
		fmt.Fprintf(c, "    nd_acc acc[%d];\n%s    acc[lane] = %s;\n", c.held, c.lanes, none)
	} else {
		fmt.Fprintf(c, "    nd_acc acc = %s;\n", none)
	}
	fmt.Fprintf(c, "    if (row < %s) {\n", c.keeps)
	if len(c.offsets) == 0 {
		return
	}
	fmt.Fprintf(c, "    %s k = row", in)
	for i, o := range c.offsets {
		fmt.Fprintf(c, ", o%d = %s", i, o)
	}
	c.WriteString(";\n")
	c.decompose("k", c.keptLens, c.p.offsetNames(), c.keptStrides)
}

// beginSegment writes the code that finds the segment of a block, and its accumulators' room.
func (c *reduceCode) beginSegment() {
	in := c.index
	fmt.Fprintf(c, "    const %s segments = %s;\n", in, c.segments)
	if c.r.down {
		// Blocks that run together read adjacent memory.
		fmt.Fprintf(c, "    const %[1]s groups = gridDim.x / segments, segment = blockIdx.x / groups, group = blockIdx.x %% groups;\n", in)
	} else {
		fmt.Fprintf(c, "    const %[1]s segment = blockIdx.x %% segments, group = blockIdx.x / segments;\n", in)
	}
	fmt.Fprintf(c, "    __shared__ nd_acc shared[%d];\n", reduceBlock*c.held)
	fmt.Fprintf(c, "    const %[1]s row = (group * blockDim.%[2]s + threadIdx.%[2]s) * %[3]d, begin = segment * %[4]s, end = min(%[5]s, begin + %[4]s);\n", in, c.across, c.held, c.per, c.folds)
}

// result writes the code that stores a block's result, or its part of one.
func (c *reduceCode) result() (need sections) {
	r := c.r
	fmt.Fprintf(c, "    if (threadIdx.%s != 0 || row >= %s)\n        return;\n%s", c.along, c.keeps, c.lanes)
	to := "row"
	if c.held > 1 {
		to = "row + lane"
	}
	switch {
	case r.first && r.columns:
		fmt.Fprintf(c, "        out[segment * %s + %s] = %s;\n}\n", c.keeps, to, c.acc)
		return 0
	case r.first:
		fmt.Fprintf(c, "        out[(%s) * segments + segment] = %s;\n}\n", to, c.acc)
		return 0
	case r.fold.arg():
		fmt.Fprintf(c, "        out[%s] = %s.at;\n}\n", to, c.acc)
		return 0
	}
	x, end := c.acc+".value", "}\n"
	if g := r.fold.goFunc(); g != nil {
		joined, more := g.call(r.acc, []DType{r.acc, r.acc}, []string{c.initial, x})
		x, need = fmt.Sprintf("(%s.some ? %s : %s)", c.acc, joined, c.initial), more
	}
	if r.fold == foldMean {
		fmt.Fprintf(c, "    {\n        const %s nd_mean = %s;\n", r.acc.info().held, meanOf(r.acc, c.acc, c.total))
		x, end = "nd_mean", "    }\n}\n"
	}
	x, more := castExpr(r.dt, r.acc, x)
	need |= more
	fmt.Fprintf(c, "        out[%s] = %s;\n%s", to, r.dt.store(x), end)
	return need
}

func (f fold) name() string {
	if g := f.goFunc(); g != nil {
		return g.name
	}
	return [...]string{"sum", "prod", "min", "max", "any", "all", "argmin", "argmax", "mean"}[f]
}

// foldLoop writes the loop in which a thread folds its values into acc.
func (c *reduceCode) foldLoop() {
	switch r := c.r; {
	case r.second:
		c.foldParts()
	case r.width == 1:
		c.foldEach()
	case r.down:
		c.foldDown()
	default:
		c.foldVectors()
	}
}

// foldParts writes the loop over accumulators that another kernel has left.
func (c *reduceCode) foldParts() {
	at := "row * end + j"
	if c.r.columns {
		at = "j * (" + c.keeps + ") + row"
	}
	fmt.Fprintf(c, "#pragma unroll 8\n        for (%s j = begin + threadIdx.%s; j < end; j += %s)\n            acc = nd_join(acc, p[%s]);\n", c.index, c.along, c.step, at)
}

// call returns the expression's value for those operands.
func (c *reduceCode) call(value func(i int) string) string {
	text := "nd_f("
	for i, l := range c.p.leaves {
		x := value(i)
		if l.class == classIndex {
			text += "(long long)(" + x + "), "
		} else {
			text += l.dt.load(x) + ", "
		}
	}
	return text + c.p.rest()
}

// add returns an accumulator after value x of turn at.
func (c *reduceCode) add(acc, at string) string {
	return c.r.fold.add(acc, c.r.acc, c.p.last(), "x", at)
}

// foldEach writes the loop in which a thread takes one value in each turn.
func (c *reduceCode) foldEach() {
	if c.r.reduced == 1 {
		c.WriteString("#pragma unroll 8\n")
	}
	fmt.Fprintf(c, "        for (%s j = begin + threadIdx.%s; j < end; j += %s) {\n", c.index, c.along, c.step)
	at := c.foldedAt()
	x := c.call(func(i int) string {
		if c.p.leaves[i].class == classIndex {
			return at(i)
		}
		return fmt.Sprintf("p%d[%s]", i, at(i))
	})
	fmt.Fprintf(c, "            const %s x = %s;\n            acc = %s;\n        }\n", c.p.last().info().held, x, c.add("acc", "j"))
}

// foldVectors writes the loop in which a thread takes a vector in each iteration, with four loads in flight, and the loop for the
// remaining elements. Each element of a vector has its own accumulator, so that additions need not wait for each other.
func (c *reduceCode) foldVectors() {
	width, held := c.r.width, c.p.last().info().held
	for i, l := range c.p.leaves {
		if l.class == classSame {
			fmt.Fprintf(c, "        const %s s%d = p%d[o%d];\n", l.dt.info().stored, i, i, i)
		}
	}
	fmt.Fprintf(c, "        nd_acc part[%d];\n#pragma unroll\n        for (int k = 0; k < %d; k++)\n            part[k] = acc;\n", width, width)
	if c.r.lanes > 0 {
		fmt.Fprintf(c, "#pragma unroll\n        for (int turn = 0; turn < %d; turn++) {\n            const %s j = (turn * %d + threadIdx.x) * %d;\n            if (j >= end)\n                break;\n", c.r.turns, c.index, c.r.lanes, width)
	} else {
		fmt.Fprintf(c, "        const %s whole = begin + (end - begin) / %d * %d;\n#pragma unroll 4\n", c.index, width, width)
		fmt.Fprintf(c, "        for (%s j = begin + threadIdx.x * %d; j < whole; j += %d) {\n", c.index, width, reduceBlock*width)
	}
	for i, l := range c.p.leaves {
		if l.class == classVector {
			c.WriteString("            " + loadVector(l.dt, width, i))
		}
	}
	fmt.Fprintf(c, "#pragma unroll\n            for (int k = 0; k < %d; k++) {\n                const %s x = %s;\n                part[k] = %s;\n            }\n        }\n",
		width, held, c.vectorCall("j + k", true), c.add("part[k]", "j + k"))
	fmt.Fprintf(c, "#pragma unroll\n        for (int k = 0; k < %d; k++)\n            acc = nd_join(acc, part[k]);\n", width)
	if c.r.lanes > 0 {
		return
	}
	fmt.Fprintf(c, "        for (%s j = whole + threadIdx.x; j < end; j += %d) {\n            const %s x = %s;\n            acc = %s;\n        }\n",
		c.index, reduceBlock, held, c.vectorCall("j", false), c.add("acc", "j"))
}

// vectorCall returns the expression's value for an element of foldVectors. If loaded is set, vectors are read already.
func (c *reduceCode) vectorCall(element string, loaded bool) string {
	return c.call(func(i int) string {
		step := c.reducedStrides[i][0]
		switch c.p.leaves[i].class {
		case classSame:
			return fmt.Sprintf("s%d", i)
		case classIndex:
			return fmt.Sprintf("o%d + (%s) * %s", i, element, step)
		case classVector:
			if loaded {
				return fmt.Sprintf("q%d.at[k]", i)
			}
		}
		return fmt.Sprintf("p%d[o%d + (%s) * %s]", i, i, element, step)
	})
}

// foldedAt writes the code that computes the operands' offsets in iteration j, and returns a function from an operand's number to its
// offset.
func (c *reduceCode) foldedAt() func(i int) string {
	if len(c.reducedLens) == 1 {
		return func(i int) string { return fmt.Sprintf("o%d + j * %s", i, c.reducedStrides[i][0]) }
	}
	names := make([]string, len(c.p.leaves))
	fmt.Fprintf(c, "            %s left = j;\n", c.index)
	for i := range c.p.leaves {
		fmt.Fprintf(c, "            %s q%d = o%d;\n", c.index, i, i)
		names[i] = fmt.Sprintf("q%d", i)
	}
	c.decompose("left", c.reducedLens, names, c.reducedStrides)
	return func(i int) string { return names[i] }
}

// foldDown writes the loop in which a thread folds values for several adjacent results.
func (c *reduceCode) foldDown() {
	r := c.r
	if r.reduced == 1 {
		c.WriteString("#pragma unroll 8\n")
	}
	fmt.Fprintf(c, "        for (%s j = begin + threadIdx.y; j < end; j += %s) {\n", c.index, c.step)
	at := c.foldedAt()
	for i, l := range c.p.leaves {
		stored := l.dt.info().stored
		switch l.class {
		case classVector:
			t := vectorOf(l.dt, r.width)
			fmt.Fprintf(c, "            const %s t%d = *(const %s *)(p%d + %s);\n", t, i, t, i, at(i))
		case classSame:
			fmt.Fprintf(c, "            const %s t%d = p%d[%s];\n", stored, i, i, at(i))
		}
	}
	x := c.call(func(i int) string {
		switch c.p.leaves[i].class {
		case classVector:
			return fmt.Sprintf("t%d.at[lane]", i)
		case classSame:
			return fmt.Sprintf("t%d", i)
		case classIndex:
			return fmt.Sprintf("%s + lane * %s", at(i), c.keptStrides[i][0])
		}
		return fmt.Sprintf("p%d[%s + lane * %s]", i, at(i), c.keptStrides[i][0])
	})
	fmt.Fprintf(c, "#pragma unroll\n            for (int lane = 0; lane < %d; lane++) {\n                const %s x = %s;\n                acc[lane] = %s;\n            }\n        }\n",
		r.width, c.p.last().info().held, x, c.add("acc[lane]", "j"))
}

// last returns the type of the expression's value.
func (p *plan) last() DType { return p.steps[len(p.steps)-1].dt }

// foldBlock writes the code that joins the accumulators of a block's threads along one side into one, for each lane.
func (c *reduceCode) foldBlock() {
	if c.r.lanes > 0 {
		if c.r.lanes > 1 {
			fmt.Fprintf(c, "    acc = nd_joined<nd_acc, %d, nd_join>(acc);\n", c.r.lanes)
		}
		return
	}
	step, place := "", "me"
	if c.along == "y" {
		step = " * blockDim.x"
	}
	if c.lanes != "" {
		place = fmt.Sprintf("lane * %d + me", reduceBlock)
	}
	fmt.Fprintf(c, `    const int me = threadIdx.y * blockDim.x + threadIdx.x;
%[5]s    shared[%[3]s] = %[4]s;
    __syncthreads();
    for (int half = blockDim.%[1]s / 2; half > 0; half /= 2) {
        if (threadIdx.%[1]s < half) {
%[5]s            shared[%[3]s] = nd_join(shared[%[3]s], shared[%[3]s + half%[2]s]);
        }
        __syncthreads();
    }
%[5]s    %[4]s = shared[%[3]s];
`, c.along, step, place, c.acc, c.lanes)
}

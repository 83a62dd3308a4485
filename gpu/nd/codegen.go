package nd

import (
	"fmt"
	"strings"
)

// holes are the values of a kernel's placeholders, by name.
type holes map[string]any

// fill returns a text of package nd's directory kernels with its placeholders, which are written {{name}}, replaced. It panics if one has
// no value. Package text/template would do, but a program that imports it links all exported methods of all its types, and so would all
// cells with arrays.
func fill(text string, values holes) string {
	var b strings.Builder
	for {
		before, after, found := strings.Cut(text, "{{")
		b.WriteString(before)
		if !found {
			break
		}
		name, rest, _ := strings.Cut(after, "}}")
		v, ok := values[name]
		if !ok {
			panic(fmt.Sprintf("a kernel's text has no value for {{%s}}", name))
		}
		fmt.Fprint(&b, v)
		text = rest
	}
	return b.String()
}

// writer writes the source of a kernel and counts the words of its arguments.
type writer struct {
	strings.Builder
	words int
	index string // the C type of indices
}

// newWriter returns a writer whose indices have 64 bits or 32.
func newWriter(wide bool) writer {
	if wide {
		return writer{index: "long long"}
	}
	return writer{index: "int"}
}

// word returns the next word as an index.
func (w *writer) word() string {
	w.words++
	return fmt.Sprintf("(%s)a.v[%d]", w.index, w.words-1)
}

// list returns the next n words.
func (w *writer) list(n int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = w.word()
	}
	return list
}

// table returns the next words as rows of n.
func (w *writer) table(rows, n int) [][]string {
	table := make([][]string, rows)
	for i := range table {
		table[i] = w.list(n)
	}
	return table
}

// vectorOf returns the C type of a vector of elements.
func vectorOf(dt DType, width int) string {
	return fmt.Sprintf("nd_vector<%s, %d>", dt.info().stored, width)
}

// loadVector returns the statement that reads the thread's vector of operand i into a variable, from index j of a row on.
func loadVector(dt DType, width, i int) string {
	t := vectorOf(dt, width)
	return fmt.Sprintf("const %s q%d = *(const %s *)(p%d + o%d + j);\n", t, i, t, i, i)
}

// element reads the words of the plan's constants and returns the function nd_f.
func (w *writer) element(p *plan) (text string, need sections) {
	text, need = p.element(w.words)
	w.skip(p)
	return text, need
}

// skip counts the words of the plan's constants.
func (w *writer) skip(p *plan) {
	for _, c := range p.consts {
		w.words += constWords(c.dt)
	}
}

// begins writes the variables of the offsets of the destination and of the operands, with those values.
func (w *writer) begins(offsets []string) {
	fmt.Fprintf(w, "    %s at = %s", w.index, offsets[0])
	for i, o := range offsets[1:] {
		fmt.Fprintf(w, ", o%d = %s", i, o)
	}
	w.WriteString(";\n")
}

// decompose splits an index into those of loops and adds the corresponding distances to the offsets. The variable is changed.
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

// offsetNames returns the variables with the operands' offsets.
func (p *plan) offsetNames() []string {
	names := make([]string, len(p.leaves))
	for i := range names {
		names[i] = fmt.Sprintf("o%d", i)
	}
	return names
}

// pointers returns the parameters for the operands.
func (p *plan) pointers() string {
	var b strings.Builder
	for i, l := range p.leaves {
		if l.class != classIndex && l.class != classProduct {
			fmt.Fprintf(&b, ", const %s *p%d", l.dt.info().stored, i)
		}
	}
	for i, l := range p.sources {
		fmt.Fprintf(&b, ", const %s *from%d", l.dt.info().stored, i)
	}
	return b.String()
}

// rest returns the last arguments of nd_f: the sources, and those of the kernel.
func (p *plan) rest() string {
	var b strings.Builder
	for i := range p.sources {
		fmt.Fprintf(&b, "from%d, ", i)
	}
	return b.String() + "a)"
}

// constExpr returns an expression that reads a constant of the arguments.
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

// element writes the function nd_f, which computes one element of the result from one of each operand and from constants, the first of
// which is at that word. It returns the element or, of several outputs, sets a variable for each.
func (p *plan) element(firstConst int) (text string, need sections) {
	var b strings.Builder
	result, outs := p.last().info().held, p.outs
	if len(outs) > 1 {
		result = "void"
	} else {
		outs = nil
	}
	fmt.Fprintf(&b, "static __device__ __forceinline__ %s nd_f(", result)
	for i := range p.leaves {
		fmt.Fprintf(&b, "%s x%d, ", p.leaves[i].dt.info().held, i)
	}
	for i, o := range outs {
		fmt.Fprintf(&b, "%s &y%d, ", o.dt.info().held, i)
	}
	for i := range p.sources {
		fmt.Fprintf(&b, "const %s *from%d, ", p.sources[i].dt.info().stored, i)
	}
	b.WriteString("const nd_args &a) {\n")
	need = p.writeSteps(&b, firstConst)
	for i, o := range outs {
		fmt.Fprintf(&b, "    y%d = v%d;\n", i, o.value)
	}
	if outs == nil {
		fmt.Fprintf(&b, "    return v%d;\n", len(p.steps)-1)
	}
	b.WriteString("}\n")
	return b.String(), need
}

// writeSteps writes the variables with the values of the steps.
func (p *plan) writeSteps(b *strings.Builder, firstConst int) (need sections) {
	for i := range p.steps {
		s := &p.steps[i]
		need |= s.dt.needs()
		var expr string
		switch s.op {
		case opLeaf, opIndex:
			expr = fmt.Sprintf("x%d", s.args[0])
		case opFold:
			expr = fmt.Sprintf("r%d", s.args[0])
		case opScan:
			expr = fmt.Sprintf("nd_scan%[1]d(c%[1]d, v%[2]d)", s.args[2], s.args[0])
		case opConst:
			word := firstConst
			for _, c := range p.consts[:s.args[0]] {
				word += constWords(c.dt)
			}
			expr = constExpr(s.dt, word)
		case opGather:
			at := fmt.Sprintf("v%d", s.args[0])
			if p.steps[s.args[0]].dt.is(kindInt) {
				at = fmt.Sprintf("%[1]s < 0 ? %[1]s + v%[2]d : %[1]s", at, s.args[1])
			}
			expr = s.dt.load(fmt.Sprintf("from%d[%s]", s.args[2], at))
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
		fmt.Fprintf(b, "    const %s v%d = %s;\n", s.dt.info().held, i, expr)
	}
	return need
}

// name returns a kernel's name, made of the last few operations, so that profiles can be read.
func (p *plan) name(prefix string) string {
	name := prefix
	shown := 0
	for i := len(p.steps) - 1; i >= 0 && shown < 4; i-- {
		if o := p.steps[i].op; o > opView {
			name += "_" + o.name()
			shown++
		}
	}
	return name
}

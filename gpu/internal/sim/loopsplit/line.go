package loopsplit

import "fmt"

// A line is a subscript that grows from thread to thread by what only a run of the kernel shows, such as threadIdx.x * n. It is computed once
// for the first thread of a piece, as is its slope, if none of its parts wraps around within the piece.
type line struct {
	at    *expr
	slope string
	parts []slope
	needs []*variable
}

// A slope is that of a part of a line.
type slope struct {
	at   *expr
	text string
}

// findLine records a subscript if it is a line, and reports whether it is.
func (x *indexer) findLine(e *expr) bool {
	e = e.bare()
	if _, ok := x.growth(e); ok {
		return false
	}
	l := line{at: e}
	var ok bool
	if l.slope, ok = x.slope(e, &l); !ok {
		return false
	}
	x.lines = append(x.lines, l)
	for _, v := range l.needs {
		x.needs(v)
	}
	return true
}

// need records the variables that an expression needs, and the parts of it that grow by a number.
func (x *indexer) need(e *expr, l *line) {
	e.walk(func(part *expr) {
		if c, ok := x.growth(part); ok && c > 0 && part.kind != parenExpr {
			l.parts = append(l.parts, slope{part, fmt.Sprintf("%dll", c)})
		}
		if v := x.neededBy(part); v != nil {
			x.need(v.value, l)
			l.needs = append(l.needs, v)
		}
	})
}

// slope returns by how much an expression grows from thread to thread, as an expression of 64 bits that is the same for all of them. It records
// those parts for which that is no number of the source.
func (x *indexer) slope(e *expr, l *line) (text string, ok bool) {
	if by, ok := x.growth(e); ok {
		x.need(e, l)
		return fmt.Sprintf("%dll", by), true
	}
	switch e.kind {
	case parenExpr:
		return x.slope(e.list[0], l)
	case nameExpr:
		text, ok = x.nameSlope(e, l)
	case binaryExpr:
		text, ok = x.binarySlope(e, l)
	}
	if ok {
		l.parts = append(l.parts, slope{e, text})
	}
	return text, ok
}

func (x *indexer) nameSlope(e *expr, l *line) (text string, ok bool) {
	of := x.once[e.name]
	switch {
	case of != nil && isNamed(e, e.name) && e.within(x.scopes[of]):
		x.once[e.name] = nil // its value may name another variable of that name
		text, ok = x.slope(of.value, l)
		x.once[e.name] = of
		l.needs = append(l.needs, of)
		return text, ok
	case e.qualifier != "" || x.inner[e.name] || len(e.macro) > 0 || len(x.code.macros[e.name]) > 0 || e.v == nil:
		return "", false
	case len(e.v.dims) > 0 || e.v.points || e.v.reference || e.v.has("*") || x.changed[e.v]:
		return "", false
	case e.v.storage == recomputed && x.isInteger(e.v):
		text, ok = x.slope(e.v.value, l)
		l.needs = append(l.needs, e.v)
		return text, ok
	}
	return "", false
}

func (x *indexer) binarySlope(e *expr, l *line) (text string, ok bool) {
	a, okA := x.slope(e.list[0], l)
	b, okB := x.slope(e.list[1], l)
	if !okA || !okB {
		return "", false
	}
	switch e.op {
	case "+", "-":
		return fmt.Sprintf("(%s %s %s)", a, e.op, b), true
	case "*":
		for i, other := range []string{b, a} {
			if by, ok := x.growth(e.list[i]); ok && by == 0 {
				return fmt.Sprintf("(long long)(%s) * %s", x.textOf(e.list[i]), other), true
			}
		}
	}
	return "", false
}

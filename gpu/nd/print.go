package nd

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unsafe"
)

// Like in NumPy, arrays of more than wholeSize elements show edgeItems at both ends of each axis.
const (
	wholeSize = 1000
	edgeItems = 3
	lineWidth = 75
	// widestEnd is the maximum width of the last line with what stands after the elements.
	widestEnd = 100
	decimals  = 8
)

// String waits for the array and formats its elements as NumPy does, or the first and last ones of each axis, with its shape, dtype and
// device.
//
//go:noinline
func (a *Array[T]) String() string { return textOf(ref(a)) }

func (a *node) text() string {
	if a == nil || a.lay == nil {
		return "array(nil)"
	}
	shape := a.Shape()
	cells := formatAll(a.dt, a.excerpt(0, a.lay.size > wholeSize))
	cut := make([]bool, len(shape))
	shown := 1
	for i, n := range shape {
		cut[i] = a.lay.size > wholeSize && n > 2*edgeItems
		if cut[i] {
			shape[i] = 2 * edgeItems
		}
		shown *= shape[i]
	}
	var b strings.Builder
	b.WriteString("array(")
	switch {
	case a.lay.size == 0:
		b.WriteString("[]")
	default:
		p := printer{&b, cells, shape, cut}
		p.axis(0, len("array("))
	}
	elements := b.String()
	on := "device=" + a.Device().Name()
	if s := a.shards; s != nil {
		on = s.text()
	}
	about := fmt.Sprintf("shape=%s, dtype=%v, %s)", shapeString(a.lay.shape), a.dt, on)
	if end := elements[strings.LastIndexByte(elements, '\n')+1:]; len(end)+len(", ")+len(about) > widestEnd {
		return elements + ",\n" + strings.Repeat(" ", len("array(")) + about
	}
	return elements + ", " + about
}

// MIMEBundle returns the representation that a notebook shows, by MIME type.
//
//go:noinline
func (a *Array[T]) MIMEBundle() map[string]any { return bundleOf(ref(a)) }

func (a *node) bundle() map[string]any { return map[string]any{"text/plain": a.text()} }

// excerpt copies back the elements that are shown, in row-major order.
func (a *node) excerpt(axis int, cut bool) []byte {
	if axis == a.lay.rank() || !cut {
		host := make([]byte, a.lay.size*a.dt.Size())
		a.copyTo(a.lay.size, host)
		return host
	}
	if a.lay.shape[axis] <= 2*edgeItems {
		return a.excerpt(axis+1, cut)
	}
	index := make([]Index, axis+1)
	index[axis] = To(edgeItems)
	first := a.slice(index).excerpt(axis+1, cut)
	index[axis] = From(-edgeItems)
	last := a.slice(index).excerpt(axis+1, cut)
	// Both have the same shape, in which the axis is one of blocks.
	outer := 1
	for _, n := range a.lay.shape[:axis] {
		outer *= n
	}
	if outer == 0 || len(first) == 0 {
		return nil
	}
	block := len(first) / outer
	var both []byte
	for i := range outer {
		both = append(append(both, first[i*block:(i+1)*block]...), last[i*block:(i+1)*block]...)
	}
	return both
}

type printer struct {
	*strings.Builder
	cells []string
	shape []int
	cut   []bool
}

// axis writes the rest of an axis, indented.
func (p *printer) axis(i, indent int) {
	if i == len(p.shape) {
		p.WriteString(p.cells[0])
		p.cells = p.cells[1:]
		return
	}
	p.WriteByte('[')
	last := i == len(p.shape)-1
	column := indent + 1
	for k := range p.shape[i] {
		if k > 0 && last {
			p.WriteByte(',')
			if column += len(p.cells[0]) + 2; column > lineWidth {
				p.WriteString("\n" + strings.Repeat(" ", indent+1))
				column = indent + 1 + len(p.cells[0])
			} else {
				p.WriteByte(' ')
			}
		} else if k > 0 {
			p.WriteString("," + strings.Repeat("\n", len(p.shape)-1-i) + strings.Repeat(" ", indent+1))
		}
		if p.cut[i] && k == edgeItems {
			p.WriteString("...,")
			if last {
				p.WriteByte(' ')
			} else {
				p.WriteString(strings.Repeat("\n", len(p.shape)-1-i) + strings.Repeat(" ", indent+1))
			}
		}
		p.axis(i+1, indent+1)
	}
	p.WriteByte(']')
}

// formatAll formats values in columns of the same width.
func formatAll(dt DType, memory []byte) []string {
	size := dt.Size()
	values := make([]number, len(memory)/size)
	re, im := make([]float64, len(values)), make([]float64, len(values))
	for i := range values {
		values[i] = numberAt(dt, unsafe.Pointer(&memory[i*size]))
		re[i], im[i] = math.Float64frombits(values[i][0]), math.Float64frombits(values[i][1])
	}
	out := make([]string, len(values))
	switch {
	case dt.is(kindFloat):
		out = formatFloats(re, dt)
	case dt.is(kindComplex):
		r, m := formatFloats(re, dt.realPart()), formatFloats(im, dt.realPart())
		for i := range out {
			digits := strings.TrimLeft(m[i], " ")
			if !strings.HasPrefix(digits, "-") {
				digits = "+" + digits
			}
			text := strings.TrimRight(digits, " ")
			out[i] = r[i] + text + "j" + strings.Repeat(" ", len(digits)-len(text))
		}
	default:
		for i, v := range values {
			switch {
			case dt == Bool:
				out[i] = strconv.FormatBool(v[0] != 0)
			case dt.is(kindInt):
				out[i] = strconv.FormatInt(int64(v[0]), 10)
			default:
				out[i] = strconv.FormatUint(v[0], 10)
			}
		}
	}
	return alignRight(out)
}

func alignRight(list []string) []string {
	width := 0
	for _, s := range list {
		width = max(width, len(s))
	}
	for i, s := range list {
		list[i] = strings.Repeat(" ", width-len(s)) + s
	}
	return list
}

// formatFloats formats numbers with as many digits as distinguish them, at most 8 after the decimal point, and aligns the decimal points.
func formatFloats(list []float64, dt DType) []string {
	bits := 32
	if dt == F64 {
		bits = 64
	}
	most, least := 0.0, math.Inf(1)
	for _, v := range list {
		if v = math.Abs(v); v > 0 && !math.IsInf(v, 0) {
			most, least = max(most, v), min(least, v)
		}
	}
	scientific := most >= 1e8 || most > 0 && (least < 1e-4 || most/least > 1000 && least < 1e-2)
	out := make([]string, len(list))
	ints, fracs := make([]string, len(list)), make([]string, len(list))
	width := 0
	for i, v := range list {
		switch {
		case math.IsNaN(v):
			out[i] = "nan"
			continue
		case math.IsInf(v, 0):
			out[i] = strings.Replace(strconv.FormatFloat(v, 'g', -1, 64), "+Inf", "inf", 1)
			out[i] = strings.Replace(out[i], "-Inf", "-inf", 1)
			continue
		case scientific:
			short := strconv.FormatFloat(v, 'e', -1, bits)
			if long := strconv.FormatFloat(v, 'e', decimals, 64); len(long) < len(short) {
				short = long
			}
			mantissa, exponent, _ := strings.Cut(short, "e")
			if !strings.Contains(mantissa, ".") {
				mantissa += "."
			}
			out[i] = mantissa + "e" + exponent
			continue
		}
		text := strconv.FormatFloat(v, 'f', -1, bits)
		whole, frac, _ := strings.Cut(text, ".")
		if len(frac) > decimals {
			whole, frac, _ = strings.Cut(strconv.FormatFloat(v, 'f', decimals, 64), ".")
			frac = strings.TrimRight(frac, "0")
		}
		ints[i], fracs[i] = whole, frac
		width = max(width, len(frac))
	}
	for i := range out {
		if out[i] == "" {
			out[i] = ints[i] + "." + fracs[i] + strings.Repeat(" ", width-len(fracs[i]))
		}
	}
	return alignRight(out)
}

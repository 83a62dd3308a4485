package tutor

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// A quantity is a number with the powers of its units.
type quantity struct {
	value float64
	bytes, seconds,
	operations int
}

func (q quantity) sameUnit(r quantity) bool {
	return q.bytes == r.bytes && q.seconds == r.seconds && q.operations == r.operations
}

// pure reports whether it has no unit.
func (q quantity) pure() bool { return q.sameUnit(quantity{}) }

// counts are units of things that are counted. They are numbers without a unit.
var counts = strings.Fields("thread threads block blocks element elements sector sectors warp warps lane lanes bank banks launch launches bin bins " +
	"value values conflict conflicts times register registers step steps copy copies kernel kernels way ways barrier barriers word words row rows " +
	"addition additions pixel pixels")

// unit returns a unit by its name.
func unit(name string) (quantity, bool) {
	switch {
	case slices.Contains(counts, strings.ToLower(name)) || name == "x" || name == "×":
		return quantity{value: 1}, true
	case name == "%":
		return quantity{value: 0.01}, true
	case strings.EqualFold(name, "byte"), strings.EqualFold(name, "bytes"):
		return quantity{value: 1, bytes: 1}, true
	case name == "min":
		return quantity{value: 60, seconds: 1}, true
	case name == "Hz":
		return quantity{value: 1, seconds: -1}, true
	}
	for _, base := range []struct {
		name string
		quantity
	}{
		{"FLOP", quantity{value: 1, operations: 1}},
		{"FLOPS", quantity{value: 1, operations: 1, seconds: -1}},
		{"bit", quantity{value: 0.125, bytes: 1}},
		{"B", quantity{value: 1, bytes: 1}},
		{"s", quantity{value: 1, seconds: 1}},
	} {
		prefix, ok := strings.CutSuffix(name, base.name)
		if !ok {
			continue
		}
		if scale, ok := prefixes[prefix]; ok {
			q := base.quantity
			q.value *= scale
			return q, true
		}
	}
	return quantity{}, false
}

var prefixes = map[string]float64{
	"": 1, "n": 1e-9, "µ": 1e-6, "μ": 1e-6, "u": 1e-6, "m": 1e-3, "k": 1e3, "K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15,
	"Ki": 1 << 10, "Mi": 1 << 20, "Gi": 1 << 30, "Ti": 1 << 40,
}

// limits of expressions, so that one that was pasted by mistake takes no time.
const (
	maxExpression = 200
	maxDepth      = 40
)

// evaluate computes an expression such as 256*61 + 320, ceil(1000/256), 2^20 * 4 B or 8.4 MB / 3.1 ms. Division is that of real numbers.
func evaluate(text string) (quantity, error) {
	if len(text) > maxExpression {
		return quantity{}, fmt.Errorf("an expression of %d characters: at most %d", len(text), maxExpression)
	}
	if text != "" && !strings.ContainsFunc(text, unicode.IsDigit) {
		return quantity{}, fmt.Errorf("%q is no number", text)
	}
	p := &expression{text: []rune(text)}
	q, err := p.sum()
	if err == nil && p.peek() != 0 {
		err = fmt.Errorf("%q after the number", string(p.text[p.at:]))
	}
	if err == nil && (math.IsNaN(q.value) || math.IsInf(q.value, 0)) {
		err = errors.New("its value is not a number")
	}
	return q, err
}

// An expression is being parsed, by recursive descent.
type expression struct {
	text  []rune
	at    int
	depth int
}

// peek returns the next character that is no space, or 0.
func (p *expression) peek() rune {
	for p.at < len(p.text) && unicode.IsSpace(p.text[p.at]) {
		p.at++
	}
	if p.at == len(p.text) {
		return 0
	}
	return p.text[p.at]
}

// take reports whether the next characters are these, and takes them.
func (p *expression) take(s string) bool {
	p.peek()
	at := p.at
	for _, c := range s {
		if at == len(p.text) || p.text[at] != c {
			return false
		}
		at++
	}
	p.at = at
	return true
}

func (p *expression) sum() (quantity, error) {
	p.depth++
	defer func() { p.depth-- }()
	if p.depth > maxDepth {
		return quantity{}, fmt.Errorf("more than %d parentheses", maxDepth)
	}
	q, err := p.product()
	for err == nil {
		sign := 1.0
		switch {
		case p.take("+"):
		case p.take("-"), p.take("−"):
			sign = -1
		default:
			return q, nil
		}
		var r quantity
		if r, err = p.product(); err == nil && !q.sameUnit(r) {
			err = errors.New("it adds numbers of different units")
		}
		q.value += sign * r.value
	}
	return q, err
}

func (p *expression) product() (quantity, error) {
	q, err := p.power()
	for err == nil {
		var r quantity
		switch c := p.peek(); {
		case p.take("<<"):
			if r, err = p.power(); err == nil {
				q.value *= math.Pow(2, r.value)
			}
		case p.take("*"), p.take("×"), p.take("·"):
			if r, err = p.power(); err == nil {
				q = q.times(r, 1)
			}
		case p.take("/"), p.take("÷"):
			if r, err = p.power(); err == nil {
				if r.value == 0 {
					return q, errors.New("it divides by 0")
				}
				q = q.times(r, -1)
			}
		case isUnit(c): // after a parenthesis
			if r, err = p.unit(); err == nil {
				q = q.times(r, 1)
			}
		default:
			return q, nil
		}
	}
	return q, err
}

func isUnit(c rune) bool { return unicode.IsLetter(c) || c == '%' }

// times multiplies by a power, 1 or -1, of r.
func (q quantity) times(r quantity, power int) quantity {
	return quantity{q.value * math.Pow(r.value, float64(power)), q.bytes + power*r.bytes, q.seconds + power*r.seconds, q.operations + power*r.operations}
}

func (p *expression) power() (quantity, error) {
	negative := p.take("-") || p.take("−")
	q, err := p.operand()
	if err == nil && (p.take("^") || p.take("**")) {
		var r quantity
		switch r, err = p.power(); {
		case err != nil:
		case !q.pure() || !r.pure():
			err = errors.New("a power of a number with a unit")
		default:
			q.value = math.Pow(q.value, r.value)
		}
	}
	if negative {
		q.value = -q.value
	}
	return q, err
}

func (p *expression) operand() (quantity, error) {
	switch c := p.peek(); {
	case c == 0:
		return quantity{}, errors.New("a number is missing at the end")
	case p.take("("):
		q, err := p.sum()
		if err == nil && !p.take(")") {
			err = errors.New("a parenthesis is not closed")
		}
		return q, err
	case unicode.IsDigit(c) || c == '.':
		q, err := p.number()
		if err == nil && isUnit(p.peek()) {
			var r quantity
			if r, err = p.unit(); err == nil {
				q = q.times(r, 1)
			}
		}
		return q, err
	case unicode.IsLetter(c):
		return p.function()
	default:
		return quantity{}, fmt.Errorf("%q is no number", string(p.text[p.at:]))
	}
}

// number takes a number, whose digits may be in groups of three.
func (p *expression) number() (quantity, error) {
	var b strings.Builder
	digit := func(i int) bool { return i < len(p.text) && unicode.IsDigit(p.text[i]) }
	group := func(i int) bool { return digit(i) && digit(i+1) && digit(i+2) && !digit(i+3) }
	for p.at < len(p.text) {
		c := p.text[p.at]
		switch {
		case unicode.IsDigit(c) || c == '.':
			b.WriteRune(c)
		case (c == ',' || c == ' ' || c == '\'' || c == '\u202f') && group(p.at+1), c == '_' && digit(p.at+1):
		case (c == 'e' || c == 'E') && (digit(p.at+1) || p.at+1 < len(p.text) && strings.ContainsRune("+-", p.text[p.at+1]) && digit(p.at+2)):
			b.WriteRune(c)
			p.at++
			b.WriteRune(p.text[p.at])
		default:
			v, err := strconv.ParseFloat(b.String(), 64)
			return quantity{value: v}, err
		}
		p.at++
	}
	v, err := strconv.ParseFloat(b.String(), 64)
	if err != nil {
		err = fmt.Errorf("%q is no number", b.String())
	}
	return quantity{value: v}, err
}

func (p *expression) word() string {
	p.peek()
	begin := p.at
	for p.at < len(p.text) && (unicode.IsLetter(p.text[p.at]) || p.text[p.at] == '%' || p.at > begin && unicode.IsDigit(p.text[p.at])) {
		p.at++
	}
	return string(p.text[begin:p.at])
}

func (p *expression) unit() (quantity, error) {
	name := p.word()
	q, ok := unit(name)
	if !ok {
		return q, fmt.Errorf("%q is no unit that is known here", name)
	}
	return q, nil
}

var functions = map[string]func(float64) float64{
	"ceil": math.Ceil, "floor": math.Floor, "round": math.Round, "sqrt": math.Sqrt, "log2": math.Log2, "abs": math.Abs,
}

func (p *expression) function() (quantity, error) {
	name := p.word()
	if (name == "min" || name == "max") && p.peek() == '(' {
		return p.choice(name == "min")
	}
	f := functions[name]
	if f == nil || !p.take("(") {
		if q, ok := unit(name); ok {
			return q, nil
		}
		return quantity{}, fmt.Errorf("%q is no number", name)
	}
	q, err := p.sum()
	if err == nil && !p.take(")") {
		err = errors.New("a parenthesis is not closed")
	}
	q.value = f(q.value)
	return q, err
}

// choice takes the arguments of min or max. A comma between them has a space after it, since it may also divide the digits of a number.
func (p *expression) choice(smaller bool) (quantity, error) {
	p.take("(")
	best, err := p.sum()
	for err == nil && p.take(",") {
		var q quantity
		if q, err = p.sum(); err == nil && (q.value < best.value) == smaller {
			best = q
		}
	}
	if err == nil && !p.take(")") {
		err = errors.New("a parenthesis is not closed")
	}
	return best, err
}

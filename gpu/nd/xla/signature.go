package xla

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/gopherwarp/gopherwarp/gpu/nd"
)

// A Value is an argument or a result of a program.
type Value struct {
	Name  string // an argument's; results have none
	DType nd.DType
	Shape []int // -1 is a length that is not fixed
	text  string
}

// String returns the value as it is written in the program.
func (v Value) String() string {
	if v.Name == "" {
		return v.text
	}
	return v.Name + ": " + v.text
}

// elements are the types of elements by StableHLO's names. Signless integers count as signed.
var elements = map[string]nd.DType{
	"i1": nd.Bool,
	"i8": nd.Int8, "i16": nd.Int16, "i32": nd.Int32, "i64": nd.Int64,
	"si8": nd.Int8, "si16": nd.Int16, "si32": nd.Int32, "si64": nd.Int64,
	"ui8": nd.Uint8, "ui16": nd.Uint16, "ui32": nd.Uint32, "ui64": nd.Uint64,
	"f16": nd.F16, "bf16": nd.BF16, "f32": nd.F32, "f64": nd.F64,
	"complex<f32>": nd.C64, "complex<f64>": nd.C128,
}

// signature returns the arguments and results of the function main in the text of a program. For a program in binary form, which is not
// parsed here, known is false, and XLA itself compares arguments when it gets them.
func signature(program []byte) (in, out []Value, known bool, err error) {
	text := string(program)
	if !strings.Contains(text, "func.func") {
		return nil, nil, false, nil
	}
	at := strings.Index(text, "@main(")
	if at < 0 {
		return nil, nil, false, fmt.Errorf("the program has no function main")
	}
	s := scanner{text[at+len("@main("):]}
	for _, part := range s.list() {
		name, rest, ok := strings.Cut(part, ":")
		if !ok {
			return nil, nil, false, fmt.Errorf("cannot read the argument %q of main", part)
		}
		v, err := value(rest)
		if err != nil {
			return nil, nil, false, fmt.Errorf("argument %s of main: %w", strings.TrimSpace(name), err)
		}
		v.Name = strings.TrimPrefix(strings.TrimSpace(name), "%")
		in = append(in, v)
	}
	rest := strings.TrimSpace(s.text)
	after, ok := strings.CutPrefix(rest, "->")
	if !ok {
		return in, nil, true, nil
	}
	after = strings.TrimSpace(after)
	results := []string{after}
	if inner, ok := strings.CutPrefix(after, "("); ok {
		s = scanner{inner}
		results = s.list()
	}
	for i, part := range results {
		v, err := value(part)
		if err != nil {
			return nil, nil, false, fmt.Errorf("result %d of main: %w", i+1, err)
		}
		out = append(out, v)
	}
	return in, out, true, nil
}

// value parses a type, which attributes may follow.
func value(text string) (Value, error) {
	text = strings.TrimSpace(text)
	inner, ok := strings.CutPrefix(text, "tensor<")
	depth, end := 1, 0
	for ; ok && end < len(inner) && depth > 0; end++ {
		switch inner[end] {
		case '<':
			depth++
		case '>':
			depth--
		}
	}
	if !ok || depth > 0 {
		kind, _, _ := strings.Cut(text, " ")
		return Value{}, fmt.Errorf("it is a %s, and only tensors can be arrays", kind)
	}
	inner = inner[:end-1]
	v := Value{text: "tensor<" + inner + ">", Shape: []int{}}
	inner, _, _ = strings.Cut(inner, ",") // an encoding may follow
	for {
		dim, rest, ok := strings.Cut(inner, "x")
		n, err := strconv.Atoi(dim)
		if dim == "?" {
			n, err = -1, nil
		}
		if !ok || err != nil {
			break
		}
		v.Shape, inner = append(v.Shape, n), rest
	}
	if v.DType, ok = elements[strings.TrimSpace(inner)]; !ok {
		return Value{}, fmt.Errorf("there are no arrays of %s", v.text)
	}
	return v, nil
}

// scanner reads MLIR text.
type scanner struct{ text string }

// list reads to the parenthesis that closes a list, and past it, and splits the list at its commas.
func (s *scanner) list() []string {
	var parts []string
	depth, start, quoted := 0, 0, false
	for i := 0; i < len(s.text); i++ {
		c := s.text[i]
		switch {
		case quoted:
			if c == '\\' {
				i++
			} else if c == '"' {
				quoted = false
			}
		case c == '"':
			quoted = true
		case strings.IndexByte("([{<", c) >= 0:
			depth++
		case c == ')' && depth == 0:
			if part := strings.TrimSpace(s.text[start:i]); part != "" {
				parts = append(parts, part)
			}
			s.text = s.text[i+1:]
			return parts
		case c == '>' && i > 0 && s.text[i-1] == '-': // an arrow
		case strings.IndexByte(")]}>", c) >= 0:
			depth--
		case c == ',' && depth == 0:
			parts = append(parts, strings.TrimSpace(s.text[start:i]))
			start = i + 1
		}
	}
	s.text = ""
	return parts
}

// accepts reports whether an array of that shape may be passed for the value.
func (v Value) accepts(shape []int) bool {
	if len(shape) != len(v.Shape) {
		return false
	}
	for i, n := range v.Shape {
		if n >= 0 && n != shape[i] {
			return false
		}
	}
	return true
}

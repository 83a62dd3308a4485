package opcount

import (
	"errors"
	"fmt"
	"strings"
)

// Kind is a kind of operation, and the index of its counter.
type Kind int

// The kinds, by precision: single, double, and half, which includes bfloat16. A fused multiply-add is one operation here; a
// division, reciprocal or square root counts as a product.
const (
	FAdd Kind = iota
	FMul
	FFMA
	DAdd
	DMul
	DFMA
	HAdd
	HMul
	HFMA
	Kinds
)

// Symbol is the variable with the counters: Kinds unsigned numbers of 8 bytes.
const Symbol = "gopherwarp_operations"

// register is the prefix of the registers in which a function counts.
const register = "%gopherwarp_op"

// Program is PTX with counters.
type Program struct {
	Text string
	// Variables are the symbols of the program's own variables, including those in constant memory.
	Variables []string
	// Prints reports that kernels may print, which would appear twice if they ran twice.
	Prints bool
}

// Instrument adds counters to PTX that NVIDIA's compilers have generated.
func Instrument(ptx string) (*Program, error) {
	p := &Program{}
	var out strings.Builder
	var body []string // of the present function
	depth, inFunction, declared := 0, false, false
	for line := range strings.Lines(strings.TrimRight(ptx, "\x00")) {
		code, _, _ := strings.Cut(line, "//")
		words := strings.Fields(code)
		if depth == 0 && len(words) > 0 {
			switch {
			case words[0] == ".address_size":
				declared = true
				line = strings.TrimRight(line, "\n") + fmt.Sprintf("\n.visible .global .align 8 .b64 %s[%d];\n", Symbol, Kinds)
			case isFunction(words):
				inFunction = true
			}
			if name := variable(words); name != "" && !inFunction {
				p.Variables = append(p.Variables, name)
			}
		}
		before := depth
		depth += strings.Count(code, "{") - strings.Count(code, "}")
		switch {
		case !inFunction:
			out.WriteString(line)
		case before == 0 && depth == 0: // the head of a function, or a whole declaration
			out.WriteString(line)
			inFunction = !strings.Contains(code, ";")
		case before == 0:
			out.WriteString(line)
			body = nil
		case depth == 0:
			writeBody(&out, body)
			out.WriteString(line)
			inFunction = false
		default:
			p.Prints = p.Prints || strings.Contains(code, "vprintf")
			body = append(body, line)
		}
	}
	if depth != 0 {
		return nil, fmt.Errorf("invalid PTX: %d unclosed braces at its end", depth)
	}
	if !declared {
		return nil, errors.New("invalid PTX: no line with .address_size")
	}
	p.Text = out.String()
	return p, nil
}

// isFunction reports whether a line outside functions begins a kernel or another function.
func isFunction(words []string) bool {
	for _, w := range words {
		if w == ".entry" || w == ".func" {
			return true
		}
		if w[0] != '.' {
			return false
		}
	}
	return false
}

// variable returns the name that a line outside functions declares, such as
//
//	.visible .const .align 4 .b8 coef[16] = {…};
func variable(words []string) string {
	global := false
	for _, w := range words {
		switch {
		case w == ".extern":
			return ""
		case w == ".global" || w == ".const":
			global = true
		case w[0] != '.' && global && strings.Trim(w, "0123456789") != "": // not an alignment
			name, _, _ := strings.Cut(strings.TrimRight(w, ";"), "[")
			return name
		}
	}
	return ""
}

// writeBody writes the lines of a function with its counters.
func writeBody(out *strings.Builder, body []string) {
	var used [Kinds]bool
	lines := make([]string, len(body))
	for i, line := range body {
		lines[i] = count(line, &used)
	}
	fmt.Fprintf(out, "\t.reg .u64 %s<%d>;\n", register, Kinds)
	for k, is := range used {
		if is {
			fmt.Fprintf(out, "\tmov.u64 %s%d, 0;\n", register, k)
		}
	}
	for _, line := range lines {
		if guard, op := instruction(line); op == "exit" || op == "ret" || op == "ret.uni" {
			for k, is := range used {
				if is {
					fmt.Fprintf(out, "\t%sred.global.add.u64 [%s+%d], %s%d;\n", guard, Symbol, 8*k, register, k)
				}
			}
		}
		out.WriteString(line)
	}
}

// count appends the instructions that count the operations of a line, under the same condition.
func count(line string, used *[Kinds]bool) string {
	code, comment, commented := strings.Cut(line, "//")
	if !strings.Contains(code, ".f") && !strings.Contains(code, ".bf") {
		return line
	}
	var out strings.Builder
	for statement := range strings.SplitAfterSeq(code, ";") {
		out.WriteString(statement)
		if !strings.HasSuffix(statement, ";") {
			continue
		}
		guard, op := instruction(statement)
		if kind, n := operation(op); n > 0 {
			used[kind] = true
			fmt.Fprintf(&out, " %sadd.u64 %[2]s%[3]d, %[2]s%[3]d, %[4]d;", guard, register, kind, n)
		}
	}
	if commented {
		out.WriteString("//" + comment)
	}
	return out.String()
}

// instruction returns an instruction's condition ("@%p1 ") and operation ("add.f32").
func instruction(statement string) (guard, op string) {
	code, _, _ := strings.Cut(statement, "//")
	words := strings.Fields(strings.TrimLeft(code, "{ \t"))
	for len(words) > 0 && strings.HasSuffix(words[0], ":") { // a label
		words = words[1:]
	}
	if len(words) > 1 && words[0][0] == '@' {
		guard, words = words[0]+" ", words[1:]
	}
	if len(words) == 0 {
		return "", ""
	}
	return guard, strings.TrimRight(words[0], ";")
}

// operation returns the kind of an instruction and the number of operations that each thread does with it: 0 if it is none.
func operation(op string) (kind Kind, n int) {
	parts := strings.Split(op, ".")
	switch parts[0] {
	case "add", "sub":
		kind = FAdd
	case "mul", "div", "rcp", "sqrt":
		kind = FMul
	case "fma", "mad":
		kind = FFMA
	default:
		return 0, 0
	}
	switch parts[len(parts)-1] {
	case "f32":
		return kind, 1
	case "f32x2":
		return kind, 2
	case "f64":
		return kind + DAdd, 1
	case "f16", "bf16":
		return kind + HAdd, 1
	case "f16x2", "bf16x2":
		return kind + HAdd, 2
	}
	return 0, 0
}

package ptx

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A translator translates the instructions of an asm statement.
type translator struct {
	line     int
	count    int               // of the statement's operands
	locals   map[string]string // C++ names of the registers that it declares
	declared []string
	labels   map[string]string // C++ names of the labels that it has or jumps to
	placed   map[string]bool   // those that it has
}

// types are the C++ types of PTX's.
var types = map[string]string{
	"u8": "uint8_t", "s8": "int8_t", "b8": "uint8_t", "u16": "uint16_t", "s16": "int16_t", "b16": "uint16_t",
	"u32": "uint32_t", "s32": "int32_t", "b32": "uint32_t", "u64": "uint64_t", "s64": "int64_t", "b64": "uint64_t",
	"f32": "float", "f64": "double", "pred": "bool",
}

// An opcode is that of an instruction, in parts.
type opcode struct {
	text string
	base string
	mods []string
	kind string // the last type, or ""
}

func parseOpcode(text string) opcode {
	parts := strings.Split(text, ".")
	o := opcode{text: text, base: parts[0], mods: parts[1:]}
	for _, m := range o.mods {
		if types[m] != "" {
			o.kind = m
		}
	}
	return o
}

func (o opcode) has(mod string) bool { return slices.Contains(o.mods, mod) }

// hasOnly reports whether the parts of an opcode are types or among those words. What is not known may mean anything.
func (o opcode) hasOnly(words ...string) bool {
	return !slices.ContainsFunc(o.mods, func(m string) bool { return types[m] == "" && !slices.Contains(words, m) })
}

// cpp is the type of the operands, and unsigned the one in which their sums wrap around.
func (o opcode) cpp() string { return types[o.kind] }

func (o opcode) isFloat() bool { return strings.HasPrefix(o.kind, "f") }

func (o opcode) unsigned() string {
	if o.isFloat() {
		return o.cpp()
	}
	return "uint" + o.kind[1:] + "_t"
}

var (
	declaration = regexp.MustCompile(`^\.reg \.(\w+) (.*)$`)
	guard       = regexp.MustCompile(`^@(!?)([%\w]+) (.*)$`)
	label       = regexp.MustCompile(`^([a-zA-Z_$%][\w$%=]*) ?:(?:$|([^:].*)$)`)
)

func unknown(what string) error {
	return fmt.Errorf("%q is not among the instructions that it has: CUDA C++ has functions for most of them", what)
}

// statement translates a declaration or an instruction; several may stand in braces.
func (t *translator) statement(s string) (string, error) {
	s = strings.TrimSpace(s)
	if rest, ok := strings.CutPrefix(s, "{"); ok && !strings.Contains(rest, "}") {
		return t.statement(rest)
	}
	if rest, ok := strings.CutPrefix(s, "}"); ok {
		return t.statement(rest)
	}
	if s == "" {
		return "", nil
	}
	if m := declaration.FindStringSubmatch(s); m != nil {
		for name := range strings.SplitSeq(m[2], ",") {
			t.declare(strings.TrimSpace(name))
		}
		return "", nil
	}
	if m := label.FindStringSubmatch(s); m != nil {
		return t.placeLabel(m[1], m[2])
	}
	if m := guard.FindStringSubmatch(s); m != nil {
		code, err := t.statement(m[3])
		if err != nil {
			return "", err
		}
		p, err := t.value(m[1]+m[2], "bool")
		return " if (" + p + ") {" + code + " }", err
	}
	name, rest := s, ""
	if end := strings.IndexAny(s, " {"); end >= 0 {
		name, rest = s[:end], strings.TrimPrefix(s[end:], " ")
	}
	o := parseOpcode(name)
	code, err := t.instruction(o, split(rest))
	if err != nil {
		return "", err
	}
	return " " + code + ";", nil
}

// labelName returns the C++ name of a label.
func (t *translator) labelName(name string) string {
	if t.labels[name] == "" {
		t.labels[name] = "gw_label_" + strconv.Itoa(len(t.labels))
	}
	return t.labels[name]
}

// placeLabel translates a label and the statement after it.
func (t *translator) placeLabel(name, rest string) (string, error) {
	if t.placed[name] {
		return "", fmt.Errorf("the label %s stands there twice", name)
	}
	t.placed[name] = true
	code, err := t.statement(rest)
	return " " + t.labelName(name) + ":;" + code, err
}

// jump translates bra to a label of the same statement.
func (t *translator) jump(o opcode, args []string) (string, error) {
	if len(args) != 1 || !o.hasOnly("uni") {
		return "", unknown(o.text)
	}
	return "goto " + t.labelName(args[0]), nil
}

// localLabels declares the labels, since a function may have the same statement several times.
func (t *translator) localLabels() (string, error) {
	code := ""
	for _, name := range slices.Sorted(maps.Keys(t.labels)) {
		if !t.placed[name] {
			return "", fmt.Errorf("it has no label %s", name)
		}
		code += " __label__ " + t.labels[name] + ";"
	}
	return code, nil
}

var counted = regexp.MustCompile(`^(.*)<(\d+)>$`)

func (t *translator) declare(name string) {
	if m := counted.FindStringSubmatch(name); m != nil {
		n, _ := strconv.Atoi(m[2])
		for i := range min(n, 1024) {
			t.declare(m[1] + strconv.Itoa(i))
		}
		return
	}
	if t.locals[name] == "" {
		t.locals[name] = "gw_local_" + strconv.Itoa(len(t.locals))
		t.declared = append(t.declared, " ::gwptx::Reg "+t.locals[name]+";")
	}
}

// split cuts operands at the commas outside brackets.
func split(s string) []string {
	var out []string
	depth, from := 0, 0
	for i, r := range s {
		switch r {
		case '{', '[', '(':
			depth++
		case '}', ']', ')':
			depth--
		case ',':
			if depth == 0 {
				out = append(out, strings.TrimSpace(s[from:i]))
				from = i + 1
			}
		}
	}
	if rest := strings.TrimSpace(s[from:]); rest != "" {
		out = append(out, rest)
	}
	return out
}

// special are the registers with fixed names.
var special = map[string]string{
	"laneid": "::gwsim::lane()", "warpid": "::gwsim::warp()", "nwarpid": "::gwptx::warps()", "smid": "0", "nsmid": "1", "gridid": "0",
	"clock": "clock64()", "clock_hi": "(clock64() >> 32)", "clock64": "clock64()", "globaltimer": "__globaltimer<>()",
	"globaltimer_lo": "__globaltimer<>()", "globaltimer_hi": "(__globaltimer<>() >> 32)", "dynamic_smem_size": "::gwsim::dynamicShared",
	"lanemask_eq": "(1u << ::gwsim::lane())", "lanemask_lt": "((1u << ::gwsim::lane()) - 1)", "lanemask_le": "((2u << ::gwsim::lane()) - 1)",
	"lanemask_gt": "~((2u << ::gwsim::lane()) - 1)", "lanemask_ge": "~((1u << ::gwsim::lane()) - 1)",
}

var vectors = map[string]string{"tid": "threadIdx", "ntid": "blockDim", "ctaid": "blockIdx", "nctaid": "gridDim"}

// register returns the C++ name of a register, or "" if it is none.
func (t *translator) register(s string) string {
	if t.locals[s] != "" {
		return t.locals[s]
	}
	if n, err := strconv.Atoi(strings.TrimPrefix(s, "%")); err == nil && strings.HasPrefix(s, "%") && n < t.count {
		return fmt.Sprintf("gw_%d", n)
	}
	return ""
}

// value returns an expression for an operand that is read.
func (t *translator) value(s, cpp string) (string, error) {
	if p, ok := strings.CutPrefix(s, "!"); ok {
		v, err := t.value(p, "bool")
		return "!" + v, err
	}
	if r := t.register(s); r != "" {
		return r + ".get<" + cpp + ">()", nil
	}
	if name, ok := strings.CutPrefix(strings.Replace(s, "%%", "%", 1), "%"); ok {
		base, axis, _ := strings.Cut(name, ".")
		switch {
		case special[name] != "":
			return cpp + "(" + special[name] + ")", nil
		case vectors[base] != "" && (axis == "x" || axis == "y" || axis == "z"):
			return cpp + "(::" + vectors[base] + "." + axis + ")", nil
		}
		return "", fmt.Errorf("it has no register %s", s)
	}
	for prefix, function := range map[string]string{"0f": "__uint_as_float(0x", "0F": "__uint_as_float(0x", "0d": "__longlong_as_double(0x", "0D": "__longlong_as_double(0x"} {
		if digits, ok := strings.CutPrefix(s, prefix); ok && (len(digits) == 8 || len(digits) == 16) {
			return cpp + "(" + function + digits + "))", nil
		}
	}
	if _, err := strconv.ParseInt(strings.TrimSuffix(s, "U"), 0, 64); err == nil {
		return cpp + "(" + strings.TrimSuffix(s, "U") + "ll)", nil
	}
	if _, err := strconv.ParseUint(strings.TrimSuffix(s, "U"), 0, 64); err == nil {
		return cpp + "(" + strings.TrimSuffix(s, "U") + "ull)", nil
	}
	if _, err := strconv.ParseFloat(s, 64); err == nil {
		return cpp + "(" + s + ")", nil
	}
	return "", fmt.Errorf("%q is no operand that it knows", s)
}

// set returns a statement that stores a value in a register; _ stands for none.
func (t *translator) set(s, cpp, value string) (string, error) {
	if s == "_" {
		return "(void)(" + value + ")", nil
	}
	r := t.register(s)
	if r == "" {
		return "", fmt.Errorf("%q is no register", s)
	}
	return r + ".set<" + cpp + ">(" + value + ")", nil
}

// address returns an expression for a pointer.
func (t *translator) address(s, cpp string, shared bool) (string, error) {
	inner, ok := strings.CutPrefix(s, "[")
	inner, closed := strings.CutSuffix(inner, "]")
	if !ok || !closed {
		return "", fmt.Errorf("%q is no address", s)
	}
	base, offset := strings.TrimSpace(inner), "0"
	if i := strings.LastIndexAny(base, "+-"); i > 0 {
		base, offset = strings.TrimSpace(base[:i]), strings.ReplaceAll(base[i:], " ", "")
		offset = strings.TrimPrefix(offset, "+")
	}
	if _, err := strconv.ParseInt(offset, 0, 64); err != nil {
		return "", fmt.Errorf("%q is no address", s)
	}
	v, err := t.value(base, "uint64_t")
	function := "at"
	if shared {
		function = "atShared"
	}
	return fmt.Sprintf("::gwptx::%s<%s>(%s, %s)", function, cpp, v, offset), err
}

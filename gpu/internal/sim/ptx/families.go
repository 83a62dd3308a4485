package ptx

import (
	"fmt"
	"strings"
)

// formulas are instructions of which the result is a formula of their operands, which are $a, $b, $c and $d. $T is the
// instruction's type, and $U its unsigned one.
var formulas = map[string]string{
	"mov": "$a", "cvta": "$a", "not": "~$a", "cnot": "$a == 0", "neg": "-$a", "abs": "::gwptx::magnitude($a)",
	"and": "$a & $b", "or": "$a | $b", "xor": "$a ^ $b",
	"min": "::gwptx::least($a, $b)", "max": "::gwptx::most($a, $b)", "div": "$a / $b", "rem": "$a % $b",
	"sad": "$c + ($a < $b ? $b - $a : $a - $b)", "popc": "::gwptx::ones(uint64_t($a))", "brev": "::gwptx::reversed($a)",
	"clz": "::gwptx::zeros($a)", "bfind": "::gwptx::highest($a)", "bfe": "::gwptx::field($a, $x, $y)", "bfi": "::gwptx::inserted($a, $b, $z, $w)",
	"prmt": "__byte_perm(uint32_t($a), uint32_t($b), uint32_t($c))", "lop3": "::gwptx::logic($a, $b, $c, $d)",
	"selp": "$P ? $a : $b", "dp4a": "__dp4a($a, $b, $c)",
	"fma": "::gwptx::fused($a, $b, $c)", "sqrt": "::std::sqrt($a)", "rcp": "$T(1) / $a", "rsqrt": "$T(1) / ::std::sqrt($a)",
	"sin": "::std::sin($a)", "cos": "::std::cos($a)", "ex2": "::std::exp2($a)", "lg2": "::std::log2($a)", "tanh": "::std::tanh($a)",
	"copysign": "::std::copysign($b, $a)",
}

// nothing are instructions that are about caches and the like.
var nothing = map[string]bool{"prefetch": true, "prefetchu": true, "applypriority": true, "discard": true, "pmevent": true, "createpolicy": false}

// instruction translates an instruction.
func (t *translator) instruction(o opcode, args []string) (string, error) {
	if _, ok := o.half(); ok && halfArithmetic(o.base) {
		return t.halves(o, args)
	}
	switch o.base {
	case "membar", "fence":
		return "__threadfence()", nil
	case "trap", "brkpt":
		return "__trap()", nil
	case "nanosleep":
		return "__nanosleep(1)", nil
	case "bar", "barrier":
		return t.barrier(o, args)
	case "ld", "ldu":
		return t.load(o, args)
	case "st":
		return t.store(o, args)
	case "atom", "red":
		return t.atomic(o, args)
	case "cp":
		return t.copyAsync(o, args)
	case "shfl":
		return t.shuffle(o, args)
	case "vote", "match", "redux", "activemask", "elect":
		return t.warp(o, args)
	case "setp":
		return t.compare(o, args)
	case "isspacep":
		return t.space(o, args)
	case "cvt":
		if _, ok := o.half(); ok || o.has("tf32") {
			return t.convertHalf(o, args)
		}
		return t.convert(o, args)
	case "mma":
		return t.product(o, args)
	case "ldmatrix":
		return t.loadMatrix(o, args)
	case "stmatrix":
		return t.storeMatrix(o, args)
	case "bra":
		return t.jump(o, args)
	case "shl", "shr", "shf":
		return t.shift(o, args)
	case "add", "sub", "addc", "subc", "mul", "mad", "madc":
		return t.arithmetic(o, args)
	case "mov":
		if code, ok, err := t.pack(o, args); ok {
			return code, err
		}
	}
	if nothing[o.base] {
		return "(void)0", nil
	}
	if o.base == "cvta" {
		return t.convertAddress(o, args)
	}
	if strings.HasPrefix(o.text, "vabsdiff4.u32.u32.u32") && len(args) == 4 {
		formula := "__vabsdiffu4($a, $b)"
		if o.has("add") {
			formula = "__vsadu4($a, $b) + $c"
		}
		return t.formula(o, args, formula, "uint32_t")
	}
	formula := formulas[o.base]
	if formula == "" || o.kind == "" || len(args) < 2 {
		return "", unknown(o.text)
	}
	if !o.hasOnly("rn", "approx", "full", "ftz") || o.base == "dp4a" && o.mods[0] != o.mods[1] {
		return "", unknown(o.text)
	}
	result := o.cpp()
	switch o.base {
	case "popc", "clz", "bfind":
		result = "uint32_t"
	}
	return t.formula(o, args, formula, result)
}

// formula fills in the operands.
func (t *translator) formula(o opcode, args []string, formula, result string) (string, error) {
	var err error
	value := func(i int, cpp string) string {
		if i >= len(args) || err != nil {
			if err == nil {
				err = fmt.Errorf("%s has %d operands", o.text, len(args))
			}
			return ""
		}
		v := ""
		v, err = t.value(args[i], cpp)
		return v
	}
	names := []struct {
		name, cpp string
		index     int
	}{
		{"$a", o.cpp(), 1},
		{"$b", o.cpp(), 2},
		{"$c", o.cpp(), 3},
		{"$d", o.cpp(), 4},
		{"$x", "uint32_t", 2},
		{"$y", "uint32_t", 3},
		{"$z", "uint32_t", 3},
		{"$w", "uint32_t", 4},
		{"$P", "bool", 3},
	}
	for _, n := range names {
		if strings.Contains(formula, n.name) {
			formula = strings.ReplaceAll(formula, n.name, value(n.index, n.cpp))
		}
	}
	formula = strings.NewReplacer("$T", o.cpp(), "$U", o.unsigned()).Replace(formula)
	if err != nil {
		return "", err
	}
	return t.set(args[0], result, result+"("+formula+")")
}

// arithmetic translates sums and products, with a carry if the instruction has one.
func (t *translator) arithmetic(o opcode, args []string) (string, error) {
	if o.kind == "" || o.has("sat") && !o.isFloat() || o.has("hi") && o.has("cc") || !o.hasOnly("rn", "ftz", "sat", "cc", "lo", "hi", "wide") {
		return "", unknown(o.text)
	}
	if o.isFloat() {
		formula := map[string]string{"add": "$a + $b", "sub": "$a - $b", "mul": "$a * $b", "mad": "::gwptx::fused($a, $b, $c)"}[o.base]
		if o.has("sat") {
			formula = "::gwptx::saturated(" + formula + ")"
		}
		return t.formula(o, args, formula, o.cpp())
	}
	product := "$U($a) * $U($b)"
	switch {
	case o.has("hi"):
		product = "$U(::gwptx::high($a, $b))"
	case o.has("wide"):
		wide := map[string]string{"u16": "uint32_t", "s16": "int32_t", "u32": "uint64_t", "s32": "int64_t"}[o.kind]
		if wide == "" || o.has("cc") {
			return "", unknown(o.text)
		}
		formula := wide + "($a) * $b"
		if o.base == "mad" {
			v, err := t.value(args[len(args)-1], wide)
			if err != nil {
				return "", err
			}
			formula += " + " + v
		}
		return t.formula(o, args, formula, wide)
	}
	if o.has("cc") || strings.HasSuffix(o.base, "c") {
		function, first, second := "sum", "$U($a)", "$U($b)"
		switch strings.TrimSuffix(o.base, "c") {
		case "sub":
			function = "difference"
		case "mad":
			first, second = product, "$U($c)"
		}
		if o.base == "mul" {
			return "", unknown(o.text)
		}
		return t.formula(o, args, fmt.Sprintf("::gwptx::%s<$U>(%s, %s, %t, %t)", function, first, second, strings.HasSuffix(o.base, "c"), o.has("cc")), o.unsigned())
	}
	formula := map[string]string{"add": "$U($a) + $U($b)", "sub": "$U($a) - $U($b)", "mul": product, "mad": product + " + $U($c)"}[o.base]
	return t.formula(o, args, "$U("+formula+")", o.cpp())
}

func (t *translator) shift(o opcode, args []string) (string, error) {
	if o.kind == "" || !o.hasOnly("l", "r", "wrap", "clamp") {
		return "", unknown(o.text)
	}
	formula := ""
	switch {
	case o.base == "shf" && o.has("l") && o.has("wrap"):
		formula = "__funnelshift_l($a, $b, $y)"
	case o.base == "shf" && o.has("l"):
		formula = "__funnelshift_lc($a, $b, $y)"
	case o.base == "shf" && o.has("wrap"):
		formula = "__funnelshift_r($a, $b, $y)"
	case o.base == "shf":
		formula = "__funnelshift_rc($a, $b, $y)"
	default:
		formula = "::gwptx::" + o.base + "($a, $x)"
	}
	return t.formula(o, args, formula, o.cpp())
}

// compare translates setp, with a second result that is the opposite.
func (t *translator) compare(o opcode, args []string) (string, error) {
	signs := map[string]string{
		"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "lo": "<", "ls": "<=", "hi": ">", "hs": ">=",
	}
	if len(o.mods) == 0 || signs[o.mods[0]] == "" || o.kind == "" || len(args) < 3 || !o.hasOnly(o.mods[0], "and", "or", "xor", "ftz") {
		return "", unknown(o.text)
	}
	formula := "$a " + signs[o.mods[0]] + " $b"
	if o.isFloat() && o.mods[0] == "ne" { // false for what is no number
		formula = "$a < $b || $a > $b"
	}
	join := ""
	for name, sign := range map[string]string{"and": "&&", "or": "||", "xor": "!="} {
		if o.has(name) {
			join = " " + sign + " $P"
		}
	}
	first, second, two := strings.Cut(args[0], "|")
	code, err := t.formula(o, append([]string{first}, args[1:]...), "("+formula+")"+join, "bool")
	if two && err == nil {
		more := ""
		more, err = t.formula(o, append([]string{second}, args[1:]...), "!("+formula+")"+join, "bool")
		code += "; " + more
	}
	return code, err
}

// convert translates cvt between numbers.
func (t *translator) convert(o opcode, args []string) (string, error) {
	var kinds []string
	for _, m := range o.mods {
		if types[m] != "" {
			kinds = append(kinds, m)
		}
	}
	if len(kinds) != 2 || len(args) != 2 || !o.hasOnly("rn", "rni", "rzi", "rmi", "rpi", "sat", "ftz") {
		return "", unknown(o.text)
	}
	to, from := parseOpcode("cvt."+kinds[0]), parseOpcode("cvt."+kinds[1])
	v, err := t.value(args[1], from.cpp())
	if err != nil {
		return "", err
	}
	for name, function := range map[string]string{"rni": "nearbyint", "rzi": "trunc", "rmi": "floor", "rpi": "ceil"} {
		if o.has(name) {
			v = "::std::" + function + "(" + v + ")"
		}
	}
	switch {
	case from.isFloat() && !to.isFloat():
		v = "::gwptx::whole<" + to.cpp() + ">(" + v + ")"
	case o.has("sat") && to.isFloat():
		v = "::gwptx::saturated(" + to.cpp() + "(" + v + "))"
	case o.has("sat"):
		v = "::gwptx::clamped<" + to.cpp() + ">(" + v + ")"
	}
	return t.set(args[0], to.cpp(), to.cpp()+"("+v+")")
}

// pack translates moves between a register and the parts of one in braces.
func (t *translator) pack(o opcode, args []string) (string, bool, error) {
	if len(args) != 2 || !strings.HasPrefix(args[0]+args[1], "{") && !strings.HasPrefix(args[1], "{") {
		return "", false, nil
	}
	if types[o.kind] == "" {
		return "", true, unknown(o.text)
	}
	whole, list := args[0], args[1]
	apart := strings.HasPrefix(args[0], "{")
	if apart {
		whole, list = args[1], args[0]
	}
	parts := split(strings.Trim(list, "{} "))
	bits := map[string]int{"16": 16, "32": 32, "64": 64}[o.kind[1:]]
	if len(parts) == 0 || bits/len(parts) < 8 {
		return "", true, unknown(o.text)
	}
	each := fmt.Sprintf("uint%d_t", bits/len(parts))
	var code []string
	sum := ""
	for i, p := range parts {
		shift := i * bits / len(parts)
		if apart {
			v, err := t.value(whole, "uint64_t")
			if err != nil {
				return "", true, err
			}
			s, err := t.set(p, each, fmt.Sprintf("%s(%s >> %d)", each, v, shift))
			if err != nil {
				return "", true, err
			}
			code = append(code, s)
			continue
		}
		v, err := t.value(p, each)
		if err != nil {
			return "", true, err
		}
		sum += fmt.Sprintf(" | uint64_t(%s) << %d", v, shift)
	}
	if apart {
		return strings.Join(code, "; "), true, nil
	}
	s, err := t.set(whole, o.unsigned(), o.unsigned()+"("+strings.TrimPrefix(sum, " | ")+")")
	return s, true, err
}

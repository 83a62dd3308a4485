package ptx

import (
	"fmt"
	"strings"
)

// A halfType is a type of numbers of 16 bits, of which a register has one or two.
type halfType struct {
	format string
	count  int
}

var halfTypes = map[string]halfType{
	"f16": {"::gwptx::F16", 1}, "f16x2": {"::gwptx::F16", 2}, "bf16": {"::gwptx::BF16", 1}, "bf16x2": {"::gwptx::BF16", 2},
}

// halfOps are what instructions do to such numbers, with the number of their operands.
var halfOps = map[string]struct {
	function string
	operands int
}{
	"add": {"Sum", 2}, "sub": {"Difference", 2}, "mul": {"Product", 2}, "fma": {"FusedProduct", 3}, "min": {"Smaller", 2}, "max": {"Larger", 2},
	"ex2": {"Exponential", 1}, "tanh": {"Tangent", 1},
}

// halfArithmetic reports whether an instruction is arithmetic that such numbers have, or a comparison.
func halfArithmetic(base string) bool {
	_, ok := halfOps[base]
	return ok || base == "neg" || base == "abs" || base == "setp"
}

// half returns the type of numbers of 16 bits of an instruction, the last one if there are several.
func (o opcode) half() (string, bool) {
	for i := len(o.mods) - 1; i >= 0; i-- {
		if _, ok := halfTypes[o.mods[i]]; ok {
			return o.mods[i], true
		}
	}
	return "", false
}

// halves translates arithmetic with such numbers. Flushing of small numbers to zero is refused: it would change results.
func (t *translator) halves(o opcode, args []string) (string, error) {
	name, _ := o.half()
	h := halfTypes[name]
	op, known := halfOps[o.base]
	allowed := map[string]string{"add": "rn sat", "sub": "rn sat", "mul": "rn sat", "fma": "rn sat relu", "min": "NaN", "max": "NaN", "ex2": "approx", "tanh": "approx"}[o.base]
	switch o.base {
	case "neg", "abs":
		return t.halfSign(o, args, name)
	case "setp":
		return t.compareHalves(o, args, name)
	}
	if !known || len(args) != op.operands+1 || !o.hasOnly(append(strings.Fields(allowed), name)...) {
		return "", unknown(o.text)
	}
	function := "::gwptx::" + op.function
	for mod, wrapper := range map[string]string{"sat": "Saturated", "relu": "Relu", "NaN": "OrNaN"} {
		if o.has(mod) {
			function = "::gwptx::" + wrapper + "<" + function + ">"
		}
	}
	var values []string
	for _, a := range args[1:] {
		v, err := t.value(a, "uint32_t")
		if err != nil {
			return "", err
		}
		values = append(values, v)
	}
	return t.set(args[0], "uint32_t", fmt.Sprintf("::gwptx::halves<%s, %d, %s>(%s)", h.format, h.count, function, strings.Join(values, ", ")))
}

// halfSign translates neg and abs, which change the sign alone.
func (t *translator) halfSign(o opcode, args []string, name string) (string, error) {
	if len(args) != 2 || !o.hasOnly(name) {
		return "", unknown(o.text)
	}
	v, err := t.value(args[1], "uint32_t")
	if err != nil {
		return "", err
	}
	signs := map[int]string{1: "0x8000u", 2: "0x80008000u"}[halfTypes[name].count]
	if o.base == "neg" {
		return t.set(args[0], "uint32_t", v+" ^ "+signs)
	}
	return t.set(args[0], "uint32_t", v+" & ~"+signs)
}

// compareHalves translates setp, which has a result for each number.
func (t *translator) compareHalves(o opcode, args []string, name string) (string, error) {
	sign := map[string]string{"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}[o.mods[0]]
	h := halfTypes[name]
	if sign == "" || len(args) != 3 || !o.hasOnly(o.mods[0], name) {
		return "", unknown(o.text)
	}
	results := strings.Split(args[0], "|")
	if len(results) != h.count {
		return "", unknown(o.text)
	}
	var code []string
	for i, p := range results {
		var v [2]string
		for j := range v {
			bits, err := t.value(args[j+1], "uint32_t")
			if err != nil {
				return "", err
			}
			v[j] = fmt.Sprintf("::gwptx::half<%s>(%s, %d)", h.format, bits, i)
		}
		formula := v[0] + " " + sign + " " + v[1]
		if sign == "!=" { // false for what is no number
			formula = v[0] + " < " + v[1] + " || " + v[0] + " > " + v[1]
		}
		s, err := t.set(p, "bool", formula)
		if err != nil {
			return "", err
		}
		code = append(code, s)
	}
	return strings.Join(code, "; "), nil
}

// convertHalf translates cvt from and to numbers of 16 bits, and to those that tensor cores take of a float.
func (t *translator) convertHalf(o opcode, args []string) (string, error) {
	var kinds []string
	for _, m := range o.mods {
		if _, ok := halfTypes[m]; ok || types[m] != "" || m == "tf32" {
			kinds = append(kinds, m)
		}
	}
	if len(kinds) != 2 || len(args) < 2 {
		return "", unknown(o.text)
	}
	to, toHalf := halfTypes[kinds[0]]
	from, fromHalf := halfTypes[kinds[1]]
	function := "::gwptx::Same"
	if o.has("relu") {
		function = "::gwptx::Relu<::gwptx::Same>"
	}
	switch {
	case kinds[0] == "tf32" && kinds[1] == "f32" && len(args) == 2 && o.hasOnly("tf32", "rn", "rna"):
		v, err := t.value(args[1], "uint32_t")
		if err != nil {
			return "", err
		}
		return t.set(args[0], "uint32_t", fmt.Sprintf("::gwptx::toTF32<%t>(%s)", o.has("rn"), v))
	case toHalf && !fromHalf && to.count == len(args)-1 && (to.count == 1 || kinds[1] == "f32") && o.has("rn") && o.hasOnly("rn", "relu", kinds[0]):
		var parts []string
		for i := range to.count { // the last operand has the lower bits
			v, err := t.value(args[len(args)-1-i], types[kinds[1]])
			if err != nil {
				return "", err
			}
			parts = append(parts, fmt.Sprintf("::gwptx::toHalf<%s, %s>(double(%s)) << %d", to.format, function, v, 16*i))
		}
		return t.set(args[0], "uint32_t", strings.Join(parts, " | "))
	case fromHalf && !toHalf && from.count == 1 && len(args) == 2 && strings.HasPrefix(kinds[0], "f") && o.hasOnly(kinds[1]):
		v, err := t.value(args[1], "uint32_t")
		if err != nil {
			return "", err
		}
		return t.set(args[0], types[kinds[0]], fmt.Sprintf("%s(::gwptx::half<%s>(%s, 0))", types[kinds[0]], from.format, v))
	}
	return "", unknown(o.text)
}

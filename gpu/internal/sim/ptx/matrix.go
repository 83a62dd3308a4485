package ptx

import (
	"fmt"
	"slices"
	"strings"
)

// A factor is a type of elements that tensor cores multiply.
type factor struct {
	cpp    string
	bits   int
	shapes []string
	sums   []string // the types of the accumulators
}

var factors = map[string]factor{
	"f16":  {"::gwptx::Halves<::gwptx::F16>", 16, []string{"m16n8k8", "m16n8k16"}, []string{"f16", "f32"}},
	"bf16": {"::gwptx::Halves<::gwptx::BF16>", 16, []string{"m16n8k8", "m16n8k16"}, []string{"f32"}},
	"tf32": {"::gwptx::TF32", 32, []string{"m16n8k4", "m16n8k8"}, []string{"f32"}},
	"s8":   {"::gwptx::Bytes<int8_t>", 8, []string{"m8n8k16", "m16n8k16", "m16n8k32"}, []string{"s32"}},
	"u8":   {"::gwptx::Bytes<uint8_t>", 8, []string{"m8n8k16", "m16n8k16", "m16n8k32"}, []string{"s32"}},
	"f64":  {"::gwptx::Double", 32, []string{"m8n8k4"}, []string{"f64"}},
}

// A sum is a type of accumulators. An element of a double takes a register of its own, as 32 bits do.
type sum struct {
	cpp, immediate string
	bits           int
}

var sums = map[string]sum{
	"f16": {"::gwptx::HalfSum", "uint32_t", 16}, "f32": {"::gwptx::Single", "float", 32}, "s32": {"::gwptx::Integer", "int32_t", 32}, "f64": {"::gwptx::Double", "double", 32},
}

// bits returns an expression for the bits of a register or an immediate.
func (t *translator) bits(s, cpp string) (string, error) {
	if r := t.register(s); r != "" {
		return r + ".bits", nil
	}
	v, err := t.value(s, cpp)
	return "::gwptx::in(" + v + ").bits", err
}

// product translates mma.sync.
func (t *translator) product(o opcode, args []string) (string, error) {
	mods := slices.DeleteFunc(slices.Clone(o.mods), func(m string) bool { return m == "satfinite" })
	if len(mods) != 9 || len(args) != 4 || mods[0] != "sync" || mods[1] != "aligned" || mods[3] != "row" || mods[4] != "col" {
		return "", unknown(o.text)
	}
	a, okA := factors[mods[6]]
	b, okB := factors[mods[7]]
	d, c := sums[mods[5]], sums[mods[8]]
	if !okA || !okB || a.bits != b.bits || (mods[6] != mods[7] && a.bits != 8) || !slices.Contains(a.shapes, mods[2]) ||
		!slices.Contains(a.sums, mods[5]) || !slices.Contains(a.sums, mods[8]) || (o.has("satfinite") && mods[5] != "s32") {
		return "", unknown(o.text)
	}
	var m, k int
	if _, err := fmt.Sscanf(mods[2], "m%dn8k%d", &m, &k); err != nil {
		return "", unknown(o.text)
	}
	code := "{"
	for i, matrix := range []struct {
		name, immediate string
		registers       int
	}{
		{"d", "", m * 8 / 32 * d.bits / 32},
		{"a", "uint32_t", m * k / 32 * a.bits / 32},
		{"b", "uint32_t", k * 8 / 32 * b.bits / 32},
		{"c", c.immediate, m * 8 / 32 * c.bits / 32},
	} {
		list := elements(args[i])
		if len(list) != matrix.registers {
			return "", fmt.Errorf("%q takes %d registers for its matrix %s, not %d", o.text, matrix.registers, matrix.name, len(list))
		}
		if i == 0 {
			code += fmt.Sprintf(" uint64_t gw_d[%d];", len(list))
			continue
		}
		for j, r := range list {
			v, err := t.bits(r, matrix.immediate)
			if err != nil {
				return "", err
			}
			list[j] = v
		}
		code += fmt.Sprintf(" const uint64_t gw_%s[] = {%s};", matrix.name, strings.Join(list, ", "))
	}
	code += fmt.Sprintf(" ::gwptx::product<%s, %s, %s, %s, %d, %d>(gw_d, gw_a, gw_b, gw_c, %t, %d);", a.cpp, b.cpp, c.cpp, d.cpp, m, k, o.has("satfinite"), t.line)
	return t.setAll(code, args[0], "uint64_t", "gw_d")
}

// matrices returns how many matrices ldmatrix or stmatrix moves, whose registers are a list.
func matrices(o opcode, list []string) (int, error) {
	n := map[string]int{"x1": 1, "x2": 2, "x4": 4}
	count := 0
	for _, m := range o.mods {
		count += n[m]
	}
	if !o.has("sync") || !o.has("aligned") || !o.has("m8n8") || !o.has("b16") || count == 0 ||
		!o.hasOnly("sync", "aligned", "m8n8", "x1", "x2", "x4", "trans", "shared", "shared::cta") {
		return 0, unknown(o.text)
	}
	if len(list) != count {
		return 0, fmt.Errorf("%q takes %d registers, not %d", o.text, count, len(list))
	}
	return count, nil
}

// loadMatrix translates ldmatrix.
func (t *translator) loadMatrix(o opcode, args []string) (string, error) {
	if len(args) != 2 {
		return "", unknown(o.text)
	}
	count, err := matrices(o, elements(args[0]))
	if err != nil {
		return "", err
	}
	p, err := t.address(args[1], "const char", o.isShared())
	if err != nil {
		return "", err
	}
	code := fmt.Sprintf("{ uint32_t gw_d[%d]; ::gwptx::loadMatrices<%d, %t>(gw_d, %s, %d);", count, count, o.has("trans"), p, t.line)
	return t.setAll(code, args[0], "uint32_t", "gw_d")
}

// storeMatrix translates stmatrix.
func (t *translator) storeMatrix(o opcode, args []string) (string, error) {
	if len(args) != 2 {
		return "", unknown(o.text)
	}
	list := elements(args[1])
	count, err := matrices(o, list)
	if err != nil {
		return "", err
	}
	p, err := t.address(args[0], "char", o.isShared())
	if err != nil {
		return "", err
	}
	for i, r := range list {
		if list[i], err = t.bits(r, "uint32_t"); err != nil {
			return "", err
		}
	}
	return fmt.Sprintf("{ const uint64_t gw_d[] = {%s}; ::gwptx::storeMatrices<%d, %t>(%s, gw_d, %d); }", strings.Join(list, ", "), count, o.has("trans"), p, t.line), nil
}

// setAll ends a block by storing the elements of an array of C++ in registers.
func (t *translator) setAll(code, registers, cpp, array string) (string, error) {
	for i, r := range elements(registers) {
		s, err := t.set(r, cpp, fmt.Sprintf("%s[%d]", array, i))
		if err != nil {
			return "", err
		}
		code += " " + s + ";"
	}
	return code + " }", nil
}

package ptx

import (
	"fmt"
	"strings"
)

// elements returns the registers of an operand, which may be several in braces.
func elements(s string) []string {
	if strings.HasPrefix(s, "{") {
		return split(strings.Trim(s, "{} "))
	}
	return []string{s}
}

func (o opcode) isShared() bool {
	for _, m := range o.mods {
		if m == "shared" || strings.HasPrefix(m, "shared::") {
			return true
		}
	}
	return false
}

// width is the number of elements of a vector instruction.
func (o opcode) width() int {
	switch {
	case o.has("v2"):
		return 2
	case o.has("v4"):
		return 4
	}
	return 1
}

func (t *translator) load(o opcode, args []string) (string, error) {
	if len(args) < 2 || o.kind == "" || o.has("param") || o.has("local") || len(elements(args[0])) != o.width() {
		return "", unknown(o.text)
	}
	return t.access(o, args[1], elements(args[0]), func(r, place string) (string, error) { return t.set(r, o.cpp(), place) })
}

func (t *translator) store(o opcode, args []string) (string, error) {
	if len(args) < 2 || o.kind == "" || o.has("local") || o.has("async") || len(elements(args[1])) != o.width() {
		return "", unknown(o.text)
	}
	return t.access(o, args[0], elements(args[1]), func(r, place string) (string, error) {
		v, err := t.value(r, o.cpp())
		return place + " = " + v, err
	})
}

// access translates the accesses to the elements of a vector. An address is read before its register changes.
func (t *translator) access(o opcode, address string, registers []string, one func(r, place string) (string, error)) (string, error) {
	p, err := t.address(address, o.cpp(), o.isShared())
	if err != nil {
		return "", err
	}
	qualifier, before, after := "", "", ""
	if o.has("volatile") || o.has("relaxed") || o.has("acquire") || o.has("release") {
		qualifier = "volatile "
	}
	if o.has("release") {
		before = "__threadfence(); "
	}
	if o.has("acquire") {
		after = "; __threadfence()"
	}
	code := "{ " + before + qualifier + o.cpp() + " *gw_p = " + p
	for i, r := range registers {
		s, err := one(r, fmt.Sprintf("gw_p[%d]", i))
		if err != nil {
			return "", err
		}
		code += "; " + s
	}
	return code + after + "; }", nil
}

// atomic translates atom, and red, which has no result.
func (t *translator) atomic(o opcode, args []string) (string, error) {
	if o.base == "red" {
		args = append([]string{"_"}, args...)
	}
	if o.kind == "" || len(args) < 3 || !o.hasOnly("add", "min", "max", "inc", "dec", "and", "or", "xor", "exch", "cas", "relaxed", "acquire", "release", "acq_rel",
		"cta", "gpu", "sys", "global", "shared", "shared::cta") {
		return "", unknown(o.text)
	}
	cpp := map[string]string{"s32": "int", "u32": "unsigned", "b32": "unsigned", "u64": "unsigned long long", "b64": "unsigned long long", "s64": "long long", "f32": "float", "f64": "double"}[o.kind]
	function := ""
	for name, f := range map[string]string{"add": "Add", "min": "Min", "max": "Max", "inc": "Inc", "dec": "Dec", "and": "And", "or": "Or", "xor": "Xor", "exch": "Exch", "cas": "CAS"} {
		if o.has(name) {
			function = "atomic" + f
		}
	}
	if cpp == "" || function == "" || function == "atomicCAS" && len(args) < 4 {
		return "", unknown(o.text)
	}
	p, err := t.address(args[1], cpp, o.isShared())
	if err != nil {
		return "", err
	}
	call := function + "(" + p
	for _, a := range args[2:min(len(args), 3+strings.Count(function, "CAS"))] {
		v, err := t.value(a, cpp)
		if err != nil {
			return "", err
		}
		call += ", " + v
	}
	code, err := t.set(args[0], cpp, call+")")
	if o.has("release") || o.has("acq_rel") {
		code = "__threadfence(); " + code
	}
	if o.has("acquire") || o.has("acq_rel") {
		code += "; __threadfence()"
	}
	return code, err
}

// convertAddress translates cvta: addresses in shared memory have 32 bits.
func (t *translator) convertAddress(o opcode, args []string) (string, error) {
	if len(args) != 2 || o.kind == "" {
		return "", unknown(o.text)
	}
	v, err := t.value(args[0+1], o.cpp())
	if err != nil {
		return "", err
	}
	switch {
	case o.isShared() && o.has("to"):
		v = "::gwptx::toShared(" + v + ")"
	case o.isShared():
		v = "::gwptx::fromShared(" + v + ")"
	}
	return t.set(args[0], o.cpp(), o.cpp()+"("+v+")")
}

// space translates isspacep, whose result is a predicate.
func (t *translator) space(o opcode, args []string) (string, error) {
	name := ""
	for space, function := range map[string]string{"global": "Global", "local": "Local", "const": "Constant", "shared": "Shared", "shared::cta": "Shared"} {
		if o.hasOnly(space) {
			name = function
		}
	}
	if name == "" || len(args) != 2 {
		return "", unknown(o.text)
	}
	v, err := t.value(args[1], "uint64_t")
	if err != nil {
		return "", err
	}
	return t.set(args[0], "bool", "__is"+name+"(reinterpret_cast<const void *>("+v+")) != 0")
}

// copyAsync translates cp.async, which here has ended when it returns.
func (t *translator) copyAsync(o opcode, args []string) (string, error) {
	switch {
	case !o.has("async") || !o.hasOnly("async", "ca", "cg", "shared", "shared::cta", "global", "L2::64B", "L2::128B", "L2::256B", "commit_group", "wait_group", "wait_all"):
		return "", unknown(o.text)
	case o.has("commit_group"), o.has("wait_group"), o.has("wait_all"):
		return "(void)0", nil
	case len(args) < 3:
		return "", unknown(o.text)
	}
	to, err := t.address(args[0], "char", true)
	if err != nil {
		return "", err
	}
	from, err := t.address(args[1], "char", false)
	if err != nil {
		return "", err
	}
	n, err := t.value(args[2], "uint32_t")
	size := n
	if len(args) > 3 && err == nil {
		size, err = t.value(args[3], "uint32_t")
	}
	return fmt.Sprintf("::gwptx::copy(%s, %s, %s, %s)", to, from, n, size), err
}

func (t *translator) barrier(o opcode, args []string) (string, error) {
	if o.has("warp") && len(args) == 1 {
		v, err := t.value(args[0], "uint32_t")
		return "__syncwarp(" + v + ")", err
	}
	if (o.has("sync") || o.has("cluster")) && !o.has("cluster") && !o.has("warp") && len(args) == 1 && args[0] == "0" {
		return "__syncthreads()", nil
	}
	return "", fmt.Errorf("%q: of barriers it has number 0 for all threads of the block (bar.sync 0), and bar.warp.sync", o.text)
}

func (t *translator) shuffle(o opcode, args []string) (string, error) {
	function := ""
	for name, f := range map[string]string{"idx": "0", "up": "1", "down": "2", "bfly": "3"} {
		if o.has(name) {
			function = f
		}
	}
	if !o.has("sync") || function == "" || len(args) != 5 {
		return "", unknown(o.text)
	}
	var v [4]string
	for i := range v {
		var err error
		if v[i], err = t.value(args[i+1], "uint32_t"); err != nil {
			return "", err
		}
	}
	to, p, two := strings.Cut(args[0], "|")
	code, err := t.set(to, "uint32_t", "gw_s.value")
	if two && err == nil {
		more := ""
		more, err = t.set(p, "bool", "gw_s.inside")
		code += "; " + more
	}
	return fmt.Sprintf("{ auto gw_s = ::gwptx::shuffle<%s>(%s, %s, %s, %s, %d); %s; }", function, v[0], v[1], v[2], v[3], t.line, code), err
}

// warp translates votes and their relatives.
func (t *translator) warp(o opcode, args []string) (string, error) {
	if o.base == "activemask" && len(args) == 1 {
		return t.set(args[0], "uint32_t", fmt.Sprintf("__activemask(%d)", t.line))
	}
	if !o.has("sync") || len(args) != 3 {
		return "", unknown(o.text)
	}
	mask, err := t.value(args[2], "uint32_t")
	if err != nil {
		return "", err
	}
	kind, result := "bool", "bool"
	function := ""
	switch {
	case o.base == "vote" && o.has("ballot"):
		function, result = "__ballot_sync", "uint32_t"
	case o.base == "vote" && o.has("any"):
		function = "__any_sync"
	case o.base == "vote" && o.has("all"):
		function = "__all_sync"
	case o.base == "vote" && o.has("uni"):
		function = "__uni_sync"
	case o.base == "match" && o.has("any"):
		function, kind, result = "__match_any_sync", o.cpp(), "uint32_t"
	case o.base == "redux":
		for _, name := range []string{"add", "min", "max", "and", "or", "xor"} {
			if o.has(name) {
				function, kind, result = "__reduce_"+name+"_sync", o.cpp(), o.cpp()
			}
		}
	}
	if function == "" || kind == "" {
		return "", unknown(o.text)
	}
	v, err := t.value(args[1], kind)
	if err != nil {
		return "", err
	}
	return t.set(args[0], result, fmt.Sprintf("%s(%s(%s, %s, %d))", result, function, mask, v, t.line))
}

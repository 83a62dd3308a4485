package loopsplit

import (
	"fmt"
	"maps"
	"slices"

	"github.com/gopherwarp/gopherwarp/internal/cxx"
)

// An inlining puts the body of one function in place of one call.
type inlining struct {
	*rewriter
	call   *expr
	at     cxx.Token // of the call
	name   string
	suffix string
	with   map[string][]cxx.Token // what parameters and variables of the function become
	pre    []cxx.Token
}

// definition returns the function of a call if it has barriers or warp operations, and there is just one of its name.
func (r *rewriter) definition(e *expr) *function {
	if e.kind != callExpr || e.op != "(" {
		return nil
	}
	callee := e.list[0]
	ofTile := slices.ContainsFunc(e.list[1:], func(arg *expr) bool { return arg.kind == nameExpr && r.tiles[arg.name] != nil })
	if callee.kind != nameExpr || callee.qualifier != "" || !r.waiters[callee.name] && !ofTile {
		return nil
	}
	if defs := r.code.defs[callee.name]; len(defs) == 1 && len(r.code.macros[callee.name]) == 0 {
		return &defs[0]
	}
	return nil
}

// inline returns the statements of a called function, and its value.
func (r *rewriter) inline(call *expr) (pre, value []cxx.Token) {
	r.serial++
	in := &inlining{
		rewriter: r, call: call, at: r.toks[call.lo], name: call.list[0].name,
		suffix: fmt.Sprintf("_gw%d", r.serial), with: map[string][]cxx.Token{},
	}
	value, err := in.expand(r.definition(call))
	if err != nil {
		r.err = fmt.Errorf("line %d: %s: %w", in.at.Line, in.name, err)
	}
	return in.pre, value
}

func (in *inlining) expand(f *function) (value []cxx.Token, err error) {
	for _, toks := range [][]cxx.Token{f.decl, f.body} {
		if slices.ContainsFunc(toks, func(t cxx.Token) bool { return t.Unsure }) {
			return nil, fmt.Errorf("a part of it depends on a condition of the preprocessor that is not understood")
		}
	}
	generic, result := in.signature(f)
	if err := in.given(generic); err != nil {
		return nil, err
	}
	end := cxx.SkipGroup(f.decl, f.open)
	if err := in.parameters(f.decl[f.open+1:end-1], generic); err != nil {
		return nil, err
	}
	for _, g := range generic {
		if in.with[g] == nil {
			return nil, fmt.Errorf("it is not determined what its %s is", g)
		}
	}
	return in.body(f, result)
}

// signature returns the names of a function's template parameters and the type of its result.
func (in *inlining) signature(f *function) (generic []string, result []cxx.Token) {
	decl := joinOperators(f.decl[:f.open-1])
	for len(decl) > 1 && decl[0].Is("template") {
		end := cxx.SkipAngles(decl, 1)
		for _, part := range cxx.Split(decl[2 : end-1]) {
			if eq := cxx.TopLevel(part, "="); eq >= 0 {
				part = part[:eq]
			}
			if len(part) > 0 {
				generic = append(generic, part[len(part)-1].Text)
			}
		}
		decl = decl[end:]
	}
	for i := 0; i < len(decl); i++ {
		switch t := decl[i]; {
		case t.Is("static"), t.Is("inline"), t.Is("__device__"), t.Is("__host__"), t.Is("__forceinline__"), t.Is("__inline__"), t.Is("__noinline__"), t.Is("constexpr"):
		case t.Is("__attribute__"), t.Is("["):
			i = cxx.SkipGroup(decl, i+1) - 1
		default:
			result = append(result, t)
		}
	}
	return generic, result
}

// given records the template arguments that the call names.
func (in *inlining) given(generic []string) error {
	callee := in.call.list[0]
	if !callee.templated {
		return nil
	}
	open := callee.lo
	for !in.toks[open].Is("<") {
		open++
	}
	for i, arg := range cxx.Split(in.toks[open+1 : callee.hi-1]) {
		if i >= len(generic) || len(arg) == 0 {
			return fmt.Errorf("its template arguments are not understood")
		}
		if arg[0].Kind == cxx.Number || len(arg) > 1 && !cxx.IsBasicType(arg[0].Text) {
			arg = text(in.at, "($)", arg)
		}
		in.with[generic[i]] = arg
	}
	return nil
}

// parameters declares the parameters, with the arguments as their values.
func (in *inlining) parameters(params []cxx.Token, generic []string) error {
	var list [][]cxx.Token
	if len(params) > 0 && !(len(params) == 1 && params[0].Is("void")) {
		list = cxx.Split(params)
	}
	args := in.call.list[1:]
	if len(args) > len(list) {
		return fmt.Errorf("it has fewer parameters than the call has arguments")
	}
	for i, toks := range list {
		p := &parser{toks: joinOperators(toks), code: in.code, names: map[string]bool{}, groups: map[string]bool{}}
		vars := p.declaration(span{0, len(p.toks)})
		if len(vars) != 1 {
			return fmt.Errorf("a parameter is not understood")
		}
		v := vars[0]
		var arg []cxx.Token
		var from *expr
		switch {
		case i < len(args):
			from = args[i]
			arg = in.toks[from.lo:from.hi]
		case v.init.lo < v.init.hi:
			arg = p.toks[v.init.lo+1 : v.init.hi]
		default:
			return fmt.Errorf("the call lacks an argument")
		}
		if err := in.parameter(v, arg, from, generic); err != nil {
			return err
		}
	}
	return nil
}

func (in *inlining) parameter(v *variable, arg []cxx.Token, from *expr, generic []string) error {
	if len(v.dims) > 0 {
		if v.reference || len(cxx.Split(v.dims)) != 1 || cxx.SkipGroup(v.dims, 0) != len(v.dims) {
			return fmt.Errorf("the parameter %s is an array", v.name)
		}
		v.pointer = append(slices.Clone(v.pointer), text(in.at, "*")...)
	}
	var known *variable
	if from != nil && from.bare().kind == nameExpr && from.bare().qualifier == "" {
		known = in.types[from.bare().name]
	}
	if t := in.tiles[cxx.Join(arg)]; t != nil { // a group is used where it is
		in.with[v.name] = arg
		return in.deduceTile(v, t, generic)
	}
	if in.parser.groups[cxx.Join(arg)] && cxx.Has(v.spec, "thread_block") {
		in.with[v.name] = arg
		return nil
	}
	if v.reference && !cxx.Has(v.spec, "const") {
		if known == nil {
			return fmt.Errorf("the parameter %s is a reference", v.name)
		}
		in.with[v.name] = arg
		return in.deduce(v, known, generic)
	}
	spec, pointer := v.spec, v.pointer
	if v.reference {
		pointer = slices.DeleteFunc(slices.Clone(pointer), func(t cxx.Token) bool { return t.Is("&") || t.Is("&&") })
	}
	name := v.name + in.suffix
	open := slices.ContainsFunc(spec, func(t cxx.Token) bool { return slices.Contains(generic, t.Text) && in.with[t.Text] == nil })
	if open {
		bare := withoutConst(spec, true)
		switch {
		case known != nil && len(known.dims) == 0 && !known.reference && !cxx.Has(known.spec, "auto") && !cxx.Has(known.spec, "volatile"):
			if err := in.deduce(v, known, generic); err != nil {
				return err
			}
		case len(bare) == 1 && len(pointer) == 0:
			// The type of the value gets a name.
			name = in.rewriter.name(tileName)
			in.with[bare[0].Text] = text(in.at, "gw_t_"+name)
			spec = text(in.at, "auto")
		default:
			return fmt.Errorf("the type of its parameter %s is not determined", v.name)
		}
	}
	in.pre = append(in.pre, text(in.at, "$ $ "+name+" = ($);", in.replace(spec), in.replace(pointer), arg)...)
	in.with[v.name] = text(in.at, name)
	return nil
}

// deduce records the template parameter that the type of a parameter is, from the variable that is passed.
func (in *inlining) deduce(v, known *variable, generic []string) error {
	bare := withoutConst(v.spec, true)
	if len(bare) != 1 || !slices.Contains(generic, bare[0].Text) || in.with[bare[0].Text] != nil {
		if slices.ContainsFunc(bare, func(t cxx.Token) bool { return slices.Contains(generic, t.Text) && in.with[t.Text] == nil }) {
			return fmt.Errorf("the type of its parameter %s is not determined", v.name)
		}
		return nil
	}
	typ := slices.DeleteFunc(withoutConst(known.spec, true), func(t cxx.Token) bool {
		return t.Is("static") || t.Is("register") || t.Is("constexpr") || t.Is("__shared__") || t.Is("extern")
	})
	pointer := slices.DeleteFunc(withoutConst(known.pointer, true), func(t cxx.Token) bool { return t.Is("&") })
	if cxx.Has(v.pointer, "*") != cxx.Has(known.pointer, "*") && !(cxx.Has(v.pointer, "*") && len(known.dims) > 0) {
		if cxx.Has(v.pointer, "*") {
			return fmt.Errorf("the type of its parameter %s is not determined", v.name)
		}
		typ = append(typ, pointer...)
	} else if cxx.Has(known.spec, "const") && cxx.Has(v.pointer, "*") && !cxx.Has(v.spec, "const") {
		typ = append(text(in.at, "const"), typ...)
	}
	if cxx.Has(typ, "auto") || len(known.dims) > 1 && cxx.SkipGroup(known.dims, 0) != len(known.dims) {
		return fmt.Errorf("the type of its parameter %s is not determined", v.name)
	}
	in.with[bare[0].Text] = typ
	return nil
}

// body adds the function's statements, and returns the variable with its value.
func (in *inlining) body(f *function, result []cxx.Token) (value []cxx.Token, err error) {
	toks := joinOperators(f.body)
	p := &parser{toks: toks, code: in.code, names: map[string]bool{}, groups: map[string]bool{}}
	for name := range in.names {
		p.names[name] = true
	}
	list, err := p.statements()
	if err != nil {
		return nil, err
	}
	before := maps.Clone(in.with)
	in.locals(list)
	for name := range before {
		if cxx.Join(in.with[name]) != cxx.Join(before[name]) {
			return nil, fmt.Errorf("a variable in it is called as its parameter %s", name)
		}
	}
	if err := in.foreign(toks); err != nil {
		return nil, err
	}
	void := len(result) == 1 && result[0].Is("void")
	last := len(toks)
	if n := len(list); n > 0 && list[n-1].kind == returnNode {
		last = list[n-1].lo
		if (list[n-1].expr == nil) != void {
			return nil, fmt.Errorf("its return is not understood")
		}
	} else if !void {
		return nil, fmt.Errorf("it does not end with a return")
	}
	for i, t := range toks[:last] {
		if t.Is("return") {
			return nil, fmt.Errorf("it returns on line %d, before its end", toks[i].Line)
		}
	}
	in.pre = append(in.pre, in.replace(toks[:last])...)
	if void {
		return nil, nil
	}
	if cxx.Has(result, "&") {
		return nil, fmt.Errorf("it returns a reference")
	}
	end := list[len(list)-1]
	name := in.rewriter.name("gw_r")
	in.pre = append(in.pre, text(in.at, "$ "+name+" = $;", in.replace(result), in.replace(toks[end.expr.lo:end.expr.hi]))...)
	return text(in.at, name), nil
}

// locals gives the function's variables names of their own.
func (in *inlining) locals(list []*node) {
	for _, n := range list {
		n.walk(func(n *node) {
			for _, v := range n.vars {
				in.with[v.name] = text(in.at, v.name+in.suffix+"l")
			}
		})
	}
}

// foreign returns an error if a name in the body would mean something else in the kernel.
func (in *inlining) foreign(toks []cxx.Token) error {
	for i, t := range toks {
		for _, m := range in.code.expansion(t.Text) {
			if in.with[m.Text] != nil {
				return fmt.Errorf("the macro %s names its variable %s", t.Text, m.Text)
			}
		}
		if t.Kind != cxx.Ident || in.with[t.Text] != nil || i > 0 && (toks[i-1].Is(".") || toks[i-1].Is("->")) {
			continue
		}
		if _, ok := in.types[t.Text]; ok {
			return fmt.Errorf("the name %s in it is also one of the kernel's variables", t.Text)
		}
	}
	return nil
}

// replace returns tokens with the names of the function's variables and parameters replaced.
func (in *inlining) replace(toks []cxx.Token) []cxx.Token {
	out := make([]cxx.Token, 0, len(toks))
	for i, t := range toks {
		with := in.with[t.Text]
		if t.Kind != cxx.Ident || with == nil || i > 0 && (toks[i-1].Is(".") || toks[i-1].Is("->") || toks[i-1].Is("::")) {
			out = append(out, t)
			continue
		}
		for _, w := range with {
			w.Line, w.File = t.Line, t.File
			out = append(out, w)
		}
	}
	return out
}

package loopsplit

import "slices"

// A loop over the elements of an array by all threads of a grid,
//
//	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
//
// gives each thread elements that are far apart. If the threads of a block go through it together, they touch consecutive
// elements in each round, and only the first of them take part in the last one.

// strides reports whether a loop has this form. What its parts are is checked when variables are classified.
func (s *splitter) strides(n *node) bool {
	if n.kind != forNode || n.barrier || n.init == nil || n.init.kind != declNode || len(n.init.vars) != 1 || len(n.step) != 1 {
		return false
	}
	v, step := n.init.vars[0], n.step[0]
	if v.value == nil || v.reference || len(v.dims) > 0 || !isWide(v) || n.expr == nil || n.expr.kind != binaryExpr || n.expr.op != "<" {
		return false
	}
	if step == nil || step.kind != assignExpr || step.op != "+=" || !isNamed(step.list[0], v.name) || !isNamed(n.expr.list[0], v.name) {
		return false
	}
	if len(returns(n)) > 0 || leaves(n.body, false) || !s.startsRow(v.value) {
		return false
	}
	for _, e := range []*expr{n.expr.list[1], step.list[1]} {
		if names(e, v.name) || !s.same(e, s.uniformName) || s.loads(e) {
			return false
		}
	}
	for i := n.lo; i < n.hi; i++ {
		if t := s.toks[i]; t.Is("printf") || t.Is("assert") || t.Is("gwsim") || s.readers[t.Text] {
			return false // the order of output would be another than that of the threads
		}
	}
	x := &indexer{inner: map[string]bool{}}
	x.declares(n.body)
	return !x.inner[v.name] && !x.inner["threadIdx"] && s.onlyReads(n.body, v.name)
}

// loads reports whether an expression names what the runtime's variables may hide.
func (s *splitter) loads(e *expr) bool {
	found := false
	e.walk(func(x *expr) { found = found || x.kind == callExpr || len(x.macro) > 0 })
	return found
}

// isWide reports whether a variable is declared as an integer of 32 or 64 bits.
func isWide(v *variable) bool {
	wide := false
	for _, t := range v.spec {
		switch t.Text {
		case "int", "unsigned", "long", "size_t", "uint", "int32_t", "uint32_t", "int64_t", "uint64_t":
			wide = true
		default:
			return false
		}
	}
	return wide && len(v.pointer) == 0
}

func isNamed(e *expr, name string) bool {
	return e.kind == nameExpr && e.name == name && e.qualifier == "" && !e.templated && e.v == nil && len(e.macro) == 0
}

func names(e *expr, name string) bool {
	found := false
	e.walk(func(x *expr) { found = found || x.kind == nameExpr && x.name == name })
	return found
}

// startsRow reports whether an expression is threadIdx.x, or that and blockIdx.x * blockDim.x. What a launch can make of it is known.
func (s *splitter) startsRow(e *expr) bool {
	e = s.meaning(e)
	if e.kind == binaryExpr && e.op == "+" {
		a, b := s.meaning(e.list[0]), s.meaning(e.list[1])
		return isMember(a, "threadIdx") && s.isFirst(b) || isMember(b, "threadIdx") && s.isFirst(a)
	}
	return isMember(e, "threadIdx")
}

// isFirst reports whether an expression is the index of the block's first thread.
func (s *splitter) isFirst(e *expr) bool {
	if e.kind != binaryExpr || e.op != "*" {
		return false
	}
	a, b := s.meaning(e.list[0]), s.meaning(e.list[1])
	return isMember(a, "blockIdx") && isMember(b, "blockDim") || isMember(a, "blockDim") && isMember(b, "blockIdx")
}

// meaning returns an expression without parentheses, or the initial value of the variable that it names, if that never changes.
func (s *splitter) meaning(e *expr) *expr {
	for range 8 {
		e = e.bare()
		if e.kind != nameExpr || e.v == nil || e.v.value == nil || !(e.v.index || e.v.fixed) || e.v.atBlock || !isConstant(e.v) {
			break
		}
		e = e.v.value
		if e.kind == listExpr && len(e.list) == 1 {
			e = e.list[0]
		}
	}
	return e
}

// isConstant reports whether a variable is an integer of 32 or 64 bits, const or not.
func isConstant(v *variable) bool {
	c := *v
	c.spec = withoutConst(v.spec, true)
	return isWide(&c)
}

func isMember(e *expr, of string) bool {
	return e.kind == memberExpr && e.op == "." && e.name == "x" && e.list[0].kind == nameExpr && e.list[0].name == of && e.list[0].v == nil && e.list[0].qualifier == ""
}

// leaves reports whether a statement has a break of the loop around it.
func leaves(n *node, inner bool) bool {
	if n == nil {
		return false
	}
	switch n.kind {
	case breakNode:
		return !inner
	case continueNode:
		return false
	case forNode, rangeNode, whileNode, doNode, switchNode:
		inner = true
	}
	return slices.ContainsFunc(n.list, func(c *node) bool { return leaves(c, inner) }) || leaves(n.body, inner) || leaves(n.other, inner)
}

// onlyReads reports whether a statement certainly does not change the variable of that name, nor takes its address.
func (s *splitter) onlyReads(n *node, name string) bool {
	ok := true
	n.exprs(func(root *expr) {
		root.walk(func(e *expr) {
			switch e.kind {
			case nameExpr:
				// It is another variable that the name was found to be, or a macro has it.
				ok = ok && !(e.name == name && e.v != nil) && !slices.ContainsFunc(s.code.expansion(e.name), isAssignment)
			case assignExpr, suffixExpr:
				ok = ok && !names(e.list[0].bare(), name) || ok && e.list[0].bare().kind == indexExpr
			case prefixExpr:
				ok = ok && !((e.op == "++" || e.op == "--" || e.op == "&") && names(e.list[0], name) && e.list[0].bare().kind != indexExpr)
			case castExpr:
				ok = ok && !(e.reference && names(e, name))
			case opaqueExpr:
				ok = ok && !names(e, name)
			case callExpr:
				ok = ok && (!s.mayWrite(e.list[0]) || !slices.ContainsFunc(e.list[1:], func(arg *expr) bool { return isNamed(arg.bare(), name) }))
			}
		})
	})
	return ok && !n.bindsTo(name)
}

// bindsTo reports whether a reference in a statement may be one to the variable of that name.
func (n *node) bindsTo(name string) (found bool) {
	n.walk(func(n *node) {
		found = found || slices.ContainsFunc(n.vars, func(v *variable) bool { return v.reference && v.value != nil && names(v.value, name) })
	})
	return found
}

// stridesInRows reports whether a loop has the same rounds for all threads of a row, and nothing in it but a loop that strides:
//
//	for (int j = threadIdx.y; j < n; j += blockDim.y)
//		for (int i = threadIdx.x; i < n; i += blockDim.x)
func (s *splitter) stridesInRows(n *node) bool {
	if n.kind != forNode || n.barrier || n.init == nil || n.init.kind != declNode || len(n.init.vars) != 1 || len(n.step) != 1 || n.expr == nil {
		return false
	}
	v, step := n.init.vars[0], n.step[0]
	body := unblock(n.body)
	if v.value == nil || v.reference || v.atBlock || len(v.dims) > 0 || !isWide(v) || len(body) != 1 || !s.strides(body[0]) || step == nil {
		return false
	}
	ofRow := func(e *expr) bool {
		own := func(x *expr) bool { return x.name == v.name && isNamed(x, v.name) || s.rowName(x) }
		return s.same(e, own) && !s.loads(e) && !readsX(e)
	}
	switch step.kind {
	case assignExpr:
		if !ofRow(step.list[1]) {
			return false
		}
	case prefixExpr, suffixExpr:
		if step.op != "++" && step.op != "--" {
			return false
		}
	default:
		return false
	}
	inner := body[0]
	return isNamed(step.list[0], v.name) && ofRow(v.value) && ofRow(n.expr) && s.onlyReads(inner, v.name) && !names(v.value, v.name) &&
		!slices.ContainsFunc(inner.init.vars, func(of *variable) bool { return of.name == v.name })
}

// rowName reports whether the value of a name is the same for the threads of a row, if it is not read for its x.
func (s *splitter) rowName(e *expr) bool {
	if e.name == "threadIdx" && e.v == nil {
		return true
	}
	if e.v != nil && !e.v.uniform {
		return e.v.index && !readsX(s.meaning(e)) && s.same(s.meaning(e), s.uniformOrThread)
	}
	return s.uniformName(e)
}

func (s *splitter) uniformOrThread(e *expr) bool {
	return e.name == "threadIdx" && e.v == nil || s.uniformName(e)
}

// readsX reports whether an expression has the x of something, or threadIdx as a whole.
func readsX(e *expr) bool {
	found := false
	e.walk(func(x *expr) {
		found = found || x.kind == memberExpr && x.name == "x" && x.list[0].name == "threadIdx"
	})
	return found || e.kind == nameExpr && e.name == "threadIdx"
}

// stride adds such a loop, and one around it if that is not nil.
func (p *planner) stride(n, rows *node) {
	p.open = nil
	r := &region{stride: n, rows: rows}
	r.items = []item{{node: n.body}}
	if rows != nil {
		n = rows
	}
	n.exprs(func(e *expr) { e.variables(func(v *variable) { v.regions[r] = true }) })
	p.steps = append(p.steps, step{region: r})
}

// strideLoop writes the head of the loop, for the whole block.
func (w *printer) strideLoop(n *node) {
	v := n.init.vars[0]
	w.to(w.splitter.line(n))
	w.word("{ long long gw_i; { [[maybe_unused]] const uint3 threadIdx = {0, 0, 0};")
	w.recompute(v.value)
	w.variable(v)
	w.word("gw_i = (long long)(%s); }", v.name)
	limit, by := w.text(n.expr.list[1]), w.text(n.step[0].list[1])
	w.tokens(v.spec)
	w.word("gw_type = 0; const long long gw_limit = gwsim::lanes::limit(gw_type, %s), gw_by = (long long)(%s);", limit, by)
	w.word("for (; gw_i < gw_limit; gw_i += gw_by) {")
}

// rowsLoop writes the head of a loop around it, for each row of the block.
func (w *printer) rowsLoop(n *node) {
	w.to(w.splitter.line(n))
	w.word("GW_EACH_ROW { GW_ROW_BEGIN")
	list := []*expr{n.init.vars[0].value, n.expr}
	w.recompute(append(list, n.step...)...)
	w.source(span{n.lo, n.head.hi + 1})
	w.word("{")
}

// recompute declares the variables that expressions need and that each region computes again.
func (w *printer) recompute(list ...*expr) {
	needed := map[*variable]bool{}
	var need func(of *variable)
	need = func(of *variable) {
		if !needed[of] {
			needed[of] = true
			if of.storage == recomputed {
				of.value.variables(need)
			}
		}
	}
	for _, e := range list {
		e.variables(need)
	}
	for _, of := range w.vars {
		if needed[of] && of.storage == recomputed {
			w.variable(of)
		}
	}
}

// strideVariable declares the loop's variable for the thread at a place of the row.
func (w *printer) strideVariable(n *node, at string) {
	v := n.init.vars[0]
	w.word("[[maybe_unused]]")
	w.tokens(v.spec)
	w.word("%s = decltype(gw_type)(gw_i) + decltype(gw_type)(%s);", v.name, at)
}

package loopsplit

import (
	"slices"

	"github.com/gopherwarp/gopherwarp/internal/cxx"
)

// write records that a variable may be written to in a way that its changes do not cover.
func write(v *variable) { v.written = true }

// writes records the variables that an expression may write to.
func (s *splitter) writes(e *expr) {
	switch e.kind {
	case assignExpr:
		s.target(e.list[0])
		s.assign(e.list[0], e.list[1])
	case prefixExpr:
		if e.op == "++" || e.op == "--" || e.op == "&" {
			s.target(e.list[0])
		}
	case suffixExpr:
		s.target(e.list[0])
	case castExpr:
		if e.reference {
			s.target(e.list[1])
		}
	case callExpr:
		s.call(e)
	case opaqueExpr:
		e.variables(write)
		e.variables(func(v *variable) { v.holders = append(v.holders, nil) })
	}
	for _, c := range e.list {
		s.writes(c)
	}
}

// target records that the operand that an expression denotes is written to, or that its address is taken.
func (s *splitter) target(e *expr) {
	switch e.kind {
	case nameExpr, opaqueExpr:
		e.variables(write)
	case parenExpr, suffixExpr, assignExpr:
		s.target(e.list[0])
	case prefixExpr:
		if e.op == "*" {
			s.through(e.list[0])
		} else {
			s.target(e.list[0])
		}
	case castExpr:
		s.target(e.list[1])
	case condExpr:
		s.target(e.list[1])
		s.target(e.list[2])
	case binaryExpr:
		if e.op == "," {
			s.target(e.list[1])
		}
	case indexExpr:
		s.through(e.list[0])
	case memberExpr:
		if e.op == "." {
			s.target(e.list[0])
		} else {
			s.through(e.list[0])
		}
	case callExpr:
		if callee := e.list[0]; callee.kind == nameExpr && len(s.code.macros[callee.name]) > 0 {
			s.targetMacro(e)
		}
	}
}

// targetMacro records that the operand that a macro denotes is written to. The macro's body determines whether that may be an
// argument: for #define AT(i) data[i] it is not.
func (s *splitter) targetMacro(e *expr) {
	callee := e.list[0]
	p := &parser{toks: joinOperators(s.code.macros[callee.name]), code: s.code, names: map[string]bool{}, groups: map[string]bool{}}
	body := p.expression(span{0, len(p.toks)})
	argument := &variable{}
	nested := false
	body.walk(func(n *expr) {
		if n.kind != nameExpr {
			return
		}
		n.v = argument
		for _, v := range callee.macro {
			if v.name == n.name {
				n.v = v
			}
		}
		nested = nested || n.name != callee.name && len(s.code.macros[n.name]) > 0
	})
	if nested {
		e.variables(write)
		return
	}
	s.target(body)
	if !argument.written {
		return
	}
	for _, arg := range e.list[1:] {
		s.target(arg)
	}
}

// through records that the memory that an expression points to is written to. That does not change a pointer itself, but
// an object may contain a pointer to itself.
func (s *splitter) through(e *expr) {
	switch e.kind {
	case nameExpr:
		e.variables(func(v *variable) { v.written = v.written || !v.points })
	case parenExpr:
		s.through(e.list[0])
	case castExpr:
		s.through(e.list[1])
	case condExpr:
		s.through(e.list[1])
		s.through(e.list[2])
	case indexExpr:
		s.through(e.list[0])
	case memberExpr, opaqueExpr, callExpr:
		s.target(e)
	}
}

// call records what a call may write to.
func (s *splitter) call(e *expr) {
	callee, args := e.list[0], e.list[1:]
	if callee.kind == memberExpr && !s.code.reads(callee.name) {
		s.target(callee)
	}
	if !s.mayWrite(callee) {
		return
	}
	for _, arg := range args {
		s.target(arg)
	}
}

// mayWrite reports whether a call may write to its arguments: a call of a function that takes
// references, a macro with an assignment, a method, or some functions of the standard library.
func (s *splitter) mayWrite(callee *expr) bool {
	switch {
	case callee.kind == typeExpr:
		return false
	case callee.kind != nameExpr, callee.v != nil, callee.templated:
		return true
	case callee.qualifier == "std::" && standardWriter[callee.name]:
		return true
	}
	n := callee.name
	return s.code.reference[n] || s.code.assigns(n) || n == "swap" || s.code.classes[n]
}

// standardWriter are functions of the standard library that take an argument by reference.
var standardWriter = map[string]bool{"exchange": true, "tie": true, "ref": true, "move": true, "forward": true, "addressof": true}

// bindings records what the variables declared in a statement without barriers are bound to.
func (s *splitter) bindings(n *node) {
	n.walk(func(n *node) {
		for _, v := range n.vars {
			s.bind(v, nil)
		}
		if n.kind == rangeNode && n.expr != nil {
			n.expr.variables(write)
		}
	})
}

// bind records what a declared variable may refer to or point to. as is the variable that holds an address from then on, or
// nil for a variable whose scope ends with its statement.
func (s *splitter) bind(v, as *variable) {
	if v.value == nil {
		return
	}
	if v.reference {
		v.value.variables(write)
	}
	if as != nil && !v.isNumber() {
		s.hold(as, v.value)
	}
}

// isNumber reports whether a variable cannot hold an address.
func (v *variable) isNumber() bool {
	return !v.param && !v.points && !v.reference && len(v.spec) > 0 && !cxx.Has(v.spec, "auto") &&
		slices.ContainsFunc(v.spec, func(t cxx.Token) bool { return cxx.IsBasicType(t.Text) }) &&
		!cxx.Has(v.spec, "<")
}

// assign records that the left side may hold an address from the right side.
func (s *splitter) assign(left, right *expr) {
	left = left.bare()
	if left.kind == nameExpr && left.v != nil && len(left.macro) == 0 {
		s.hold(left.v, right)
		return
	}
	s.hold(nil, right)
}

// hold records v as a holder of the variables whose addresses the value of an expression may contain; v is nil for
// memory.
func (s *splitter) hold(v *variable, e *expr) {
	if v != nil && v.isNumber() {
		return
	}
	note := func(of *variable) { of.holders = append(of.holders, v) }
	switch e.kind {
	case nameExpr:
		s.holdRow(v, e, 0)
	case indexExpr:
		s.holdRow(v, e, 0)
	case prefixExpr:
		switch e.op {
		case "&":
			e.list[0].variables(note)
		case "*":
			s.holdRow(v, e, 0)
		}
	case castExpr:
		s.hold(v, e.list[1])
	case condExpr:
		s.hold(v, e.list[1])
		s.hold(v, e.list[2])
	case parenExpr, binaryExpr, assignExpr, suffixExpr:
		for _, c := range e.list {
			s.hold(v, c)
		}
	case callExpr, listExpr, memberExpr:
		if v == nil {
			return // a value is stored: a parameter of the call, or a field
		}
		if e.kind == memberExpr && e.list[0].v != nil && e.op == "." {
			note(e.list[0].v)
		}
		for _, c := range e.list {
			s.hold(v, c)
		}
	}
}

// holdRow records v for an array, or the subarray after that number of indices; an element is not an address.
func (s *splitter) holdRow(v *variable, e *expr, indices int) {
	switch e = e.bare(); {
	case e.kind == indexExpr, e.kind == prefixExpr && e.op == "*":
		s.holdRow(v, e.list[0], indices+1)
	case e.kind == binaryExpr && indices > 0:
		s.holdRow(v, e.list[0], indices)
		s.holdRow(v, e.list[1], indices)
	case e.kind == nameExpr:
		e.variables(func(of *variable) {
			switch rank := of.rank(); {
			case rank > indices:
				of.holders = append(of.holders, v)
			case indices == 0 && !of.isNumber():
				of.copies = append(of.copies, v)
			}
		})
	}
}

// rank returns the number of dimensions of an array, or 0 for other variables.
func (v *variable) rank() int {
	n := 0
	for i := 0; i < len(v.dims); i = cxx.SkipGroup(v.dims, i) {
		n++
	}
	return n
}

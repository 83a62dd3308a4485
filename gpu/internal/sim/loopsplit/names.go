package loopsplit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gopherwarp/gopherwarp/internal/cxx"
)

// A storage is the way a split kernel stores a variable.
type storage uint8

const (
	inRegion   storage = iota // an ordinary local of the only region that uses it
	inBlock                   // one for the whole block: all threads have the same value
	recomputed                // each region computes it again from threadIdx
	perThread                 // an array with an element for each thread
)

// A variable is a parameter, or a local declared where barriers are possible. Locals declared in
// statements without barriers are variables, too, but no name resolves to one.
type variable struct {
	name        string
	id          int
	param       bool
	spec        []cxx.Token // const unsigned int
	pointer     []cxx.Token // * const
	dims        []cxx.Token // [8][8]
	types       []*expr     // the names in the type
	init        span        // with the = or the brackets; empty if there is none
	value       *expr       // the initial value; nil if there is none
	atBlock     bool        // __shared__, constexpr, static: one for all threads by declaration
	reference   bool
	points      bool // a pointer: v[0] = 1 does not change it
	groupObject bool // a cooperative_groups::thread_block

	// changes are the right sides of statements of the form v = …, in code that all threads run
	// together; nil for v++.
	changes []change
	// inside is the number of branches and loops with barriers around its declaration.
	inside int
	// outermost reports whether it is declared in no block within the kernel's body.
	outermost bool
	// operand reports whether operations of warps use it, or give it its value.
	operand bool
	// updated reports whether there are such changes outside the head of a for loop.
	updated bool
	// written reports whether anything else may change it.
	written bool
	// holders are variables that may hold its address. nil is memory, or an unknown holder.
	holders []*variable
	// copies are variables that may hold its value, which may be an address. nil is as in holders.
	copies []*variable

	uniform, index bool
	// fixed reports whether it is uniform and does not change in its scope.
	fixed   bool
	storage storage
	regions map[*region]bool
}

func (v *variable) has(word string) bool { return cxx.Has(v.spec, word) || cxx.Has(v.pointer, word) }

// A change is an assignment to a variable, with the branches and loops around it that are within the variable's scope.
type change struct {
	value  *expr // nil for v++
	around []*node
}

// An env has the variables of a block, and the env around it.
type env struct {
	names map[string]*variable
	up    *env
}

func (e *env) find(name string) *variable {
	for ; e != nil; e = e.up {
		if v := e.names[name]; v != nil {
			return v
		}
	}
	return nil
}

func (e *env) inner() *env { return &env{names: map[string]*variable{}, up: e} }

// resolve resolves the names in an expression to variables.
func (s *splitter) resolve(root *expr, e *env) error {
	var err error
	writes := false
	root.walk(func(n *expr) {
		if n.kind != nameExpr {
			return
		}
		if n.qualifier == "" {
			n.v = e.find(n.name)
		}
		for _, m := range s.code.expansion(n.name) {
			switch {
			case m.Is("return"), m.Is("break"), m.Is("continue"), m.Is("case"), m.Is("else"):
				err = fmt.Errorf("line %d: the macro %s has a %s", s.toks[n.lo].Line, n.name, m.Text)
			case m.Kind == cxx.Ident && e.find(m.Text) != nil:
				n.macro = append(n.macro, e.find(m.Text))
			}
		}
		writes = writes || s.code.assigns(n.name)
	})
	if writes {
		root.variables(write) // it is not determined which ones the macro writes to
	}
	return err
}

// use resolves an expression and records what it writes.
func (s *splitter) use(e *expr, in *env) error {
	if e == nil {
		return nil
	}
	err := s.resolve(e, in)
	s.writes(e)
	return err
}

// collect collects the variables that are declared where barriers are possible, and records how
// they are used.
func (s *splitter) collect(list []*node, e *env) error {
	for _, n := range list {
		if err := s.collectOne(n, e); err != nil {
			return err
		}
	}
	return nil
}

func (s *splitter) collectOne(n *node, e *env) error {
	switch {
	case n.kind == barrierNode:
		return nil
	case n.kind == warpNode:
		return s.operation(n, e)
	case n.kind == declNode:
		return s.declare(n, e)
	case n.kind == exprNode:
		return s.change(n.expr, e, true)
	case !n.barrier:
		return s.passage(n, e)
	case n.kind == blockNode:
		return s.collect(n.list, e.inner())
	case n.kind == switchNode, n.kind == rangeNode:
		return fmt.Errorf("line %d: there is a barrier in a %s", s.line(n), s.toks[n.lo].Text)
	case n.kind != forNode && n.init != nil:
		return fmt.Errorf("line %d: the condition around a barrier declares a variable", s.line(n))
	}
	s.around = append(s.around, n)
	defer func() { s.around = s.around[:len(s.around)-1] }()
	inner := e.inner()
	if n.init != nil {
		if err := s.collectOne(n.init, inner); err != nil {
			return err
		}
	}
	if err := s.use(n.expr, inner); err != nil {
		return err
	}
	if v := n.truth(); v != nil {
		v.operand = true
	}
	for _, step := range n.step {
		if err := s.change(step, inner, false); err != nil {
			return err
		}
	}
	for _, sub := range []*node{n.body, n.other} {
		if sub == nil {
			continue
		}
		if err := s.collect(unblock(sub), inner.inner()); err != nil {
			return err
		}
	}
	return nil
}

// operation records an operation of warps.
func (s *splitter) operation(n *node, e *env) error {
	if err := s.use(n.expr, e); err != nil {
		return err
	}
	for _, arg := range n.expr.list[1:] {
		if arg.kind == nameExpr && arg.v != nil {
			arg.v.operand = true
		}
	}
	for _, v := range n.vars {
		v.operand = true
	}
	return s.declare(n, e)
}

// truth returns the variable that is the condition of a branch with operations of warps in it; nil if it is none.
func (n *node) truth() *variable {
	if n.kind != ifNode || n.whole || n.expr == nil {
		return nil
	}
	if e := n.expr.bare(); e.kind == nameExpr && e.v != nil && strings.HasPrefix(e.name, truthName) {
		return e.v
	}
	return nil
}

// unblock returns the statements of a loop's or branch's body.
func unblock(n *node) []*node {
	if n.kind == blockNode {
		return n.list
	}
	return []*node{n}
}

// passage records the effects of a statement without barriers.
func (s *splitter) passage(n *node, e *env) error {
	var first error
	n.exprs(func(x *expr) {
		if err := s.use(x, e); err != nil && first == nil {
			first = err
		}
	})
	s.bindings(n)
	return first
}

// declare adds the variables of a declaration that barriers may follow.
func (s *splitter) declare(n *node, e *env) error {
	for _, v := range n.vars {
		for _, x := range v.types {
			if err := s.resolve(x, e); err != nil {
				return err
			}
		}
		if err := s.use(v.value, e); err != nil {
			return err
		}
		s.bind(v, v)
		if e.find(v.name) != nil {
			return fmt.Errorf("two variables are called %s", v.name)
		}
		for _, t := range v.dims {
			// The dimensions may only contain constants.
			if d := e.find(t.Text); d != nil && !d.atBlock && !cxx.Has(d.spec, "const") {
				return fmt.Errorf("the size of %s is a variable", v.name)
			}
		}
		e.names[v.name] = v
		v.inside = len(s.around)
		v.outermost = e.up.up == nil
		v.operand = v.operand || strings.HasPrefix(v.name, tileName)
		s.add(v)
	}
	return nil
}

// change records the effects of an expression that is a statement, or a step of a loop. update reports whether
// variables computed from the changed one are no longer valid after it.
func (s *splitter) change(x *expr, e *env, update bool) error {
	if x == nil {
		return nil
	}
	if err := s.resolve(x, e); err != nil {
		return err
	}
	v, right, ok := changes(x)
	if !ok {
		s.writes(x)
		return nil
	}
	if right != nil {
		s.writes(right)
		s.hold(v, right)
	}
	v.changes = append(v.changes, change{right, slices.Clone(s.around[min(v.inside, len(s.around)):])})
	// A change in the head of a loop that declares the variable happens between two iterations.
	v.updated = v.updated || update || e.names[v.name] != v
	return nil
}

// changes returns the variable and the right side of `v = …`, `v += …`, `v++` and `++v`, where v is a plain variable.
func changes(x *expr) (v *variable, right *expr, ok bool) {
	switch {
	case x == nil:
	case x.kind == assignExpr:
		v, right = x.list[0].v, x.list[1]
	case (x.kind == prefixExpr || x.kind == suffixExpr) && (x.op == "++" || x.op == "--"):
		v = x.list[0].v
	}
	return v, right, v != nil
}

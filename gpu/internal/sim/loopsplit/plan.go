package loopsplit

import "fmt"

// A region is a part of the code without barriers.
type region struct{ items []item }

// An item is a statement, or one declared variable.
type item struct {
	node *node
	v    *variable
	// all reports whether all threads do the same to variables of the block. Each thread does it to
	// its own copies, and after the region the block does it once. Splitting the region there would
	// add a barrier that the source does not have; a correct kernel is not affected by that, but one
	// whose result depends on the order of threads is.
	all bool
}

// at returns the item's text, which for a variable is its initial value.
func (it item) at() span {
	if it.v != nil {
		return it.v.init
	}
	return it.node.span
}

// exprs calls f for each expression in the item.
func (it item) exprs(f func(*expr)) {
	switch {
	case it.node != nil:
		it.node.exprs(f)
	case it.v.value != nil:
		f(it.v.value)
	}
}

// A step is a part of the split function.
type step struct {
	region *region
	v      *variable // declared for the whole block
	code   *span     // run once for the block
	node   *node     // a loop or branch that all threads take together
	body   []step
	other  []step
}

// A planner arranges statements into steps.
type planner struct {
	*splitter
	steps []step
	open  *region // the last step's region, if items may be added to it
}

func (s *splitter) plan(list []*node) ([]step, error) {
	p := &planner{splitter: s}
	for _, n := range list {
		if err := p.statement(n); err != nil {
			return nil, err
		}
	}
	return p.steps, nil
}

func (p *planner) statement(n *node) error {
	switch {
	case n.kind == barrierNode:
		p.open = nil
	case n.kind == declNode:
		for _, v := range n.vars {
			p.declared(v)
		}
	case n.kind == wordsNode:
		p.before(step{code: &n.span})
	case p.uniformExit(n) || n.uniformChange():
		if p.open != nil {
			p.into(item{node: n, all: true})
		} else {
			p.steps = append(p.steps, step{code: &n.span})
		}
	case !n.barrier:
		if err := p.checkExits(n, 0, 0); err != nil {
			return err
		}
		p.into(item{node: n})
	default:
		return p.together(n)
	}
	return nil
}

// into adds an item to the open region, or to a new one.
func (p *planner) into(it item) {
	if p.open == nil {
		p.open = &region{}
		p.steps = append(p.steps, step{region: p.open})
	}
	r := p.open
	r.items = append(r.items, it)
	if it.v != nil {
		it.v.regions[r] = true
	}
	it.exprs(func(e *expr) { e.variables(func(v *variable) { v.regions[r] = true }) })
}

// before adds a step before the open region, or at the end if there is none.
func (p *planner) before(st step) {
	at := len(p.steps)
	if p.open != nil {
		at--
	}
	p.steps = append(p.steps[:at:at], append([]step{st}, p.steps[at:]...)...)
}

func (p *planner) declared(v *variable) {
	switch {
	case v.atBlock || v.fixed || v.groupObject:
		v.storage = inBlock
		p.before(step{v: v})
	case v.uniform:
		v.storage = inBlock
		if p.open != nil {
			p.into(item{v: v, all: true})
		} else {
			p.steps = append(p.steps, step{v: v})
		}
	case v.index:
		v.storage = recomputed
	default:
		p.into(item{v: v})
	}
}

// together adds a loop, branch or block with a barrier in it.
func (p *planner) together(n *node) error {
	p.open = nil
	if err := p.checkHead(n); err != nil {
		return err
	}
	st := step{node: n}
	body := n.list
	if n.kind != blockNode {
		body = unblock(n.body)
	}
	var err error
	if st.body, err = p.plan(body); err != nil {
		return err
	}
	if n.other != nil {
		if st.other, err = p.plan(unblock(n.other)); err != nil {
			return err
		}
	}
	p.steps = append(p.steps, st)
	return nil
}

// checkHead returns an error if threads may take different branches.
func (s *splitter) checkHead(n *node) error {
	if n.init != nil {
		for _, v := range n.init.vars {
			if !v.uniform {
				return fmt.Errorf("line %d: the variable %s of the loop around a barrier may differ among threads", s.line(n), v.name)
			}
			v.storage = inBlock
		}
	}
	changed := n.step
	if n.init != nil && n.init.kind == exprNode {
		changed = append(commaList(n.init.expr), changed...)
	}
	for _, e := range changed {
		if v, _, ok := changes(e); !ok || !v.uniform {
			return fmt.Errorf("line %d: the loop around a barrier may differ among threads", s.line(n))
		}
	}
	if !s.same(n.expr, s.uniformName) {
		return fmt.Errorf("line %d: threads may differ in the condition around a barrier", s.line(n))
	}
	return nil
}

// commaList returns the operands of comma operators.
func commaList(e *expr) []*expr {
	if e != nil && e.kind == binaryExpr && e.op == "," {
		return append(commaList(e.list[0]), e.list[1])
	}
	return []*expr{e}
}

// uniformChange reports whether the statement changes a variable that is the same for all threads.
func (n *node) uniformChange() bool {
	if n.kind != exprNode {
		return false
	}
	v, _, ok := changes(n.expr)
	return ok && v.uniform
}

// uniformExit reports whether all threads leave together at the statement.
func (s *splitter) uniformExit(n *node) bool {
	switch n.kind {
	case returnNode, breakNode, continueNode:
		return true
	case ifNode:
		if n.other != nil || n.init != nil || n.barrier || !s.same(n.expr, s.uniformName) {
			return false
		}
		body := unblock(n.body)
		return len(body) == 1 && body[0].kind != ifNode && s.uniformExit(body[0])
	}
	return false
}

// checkExits returns an error if single threads may leave a loop around barriers by break or continue. loops and switches
// are the numbers of those around n in the region.
func (s *splitter) checkExits(n *node, loops, switches int) error {
	if n == nil {
		return nil
	}
	switch n.kind {
	case forNode, rangeNode, whileNode, doNode:
		loops++
	case switchNode:
		switches++
	case breakNode, continueNode:
		if loops == 0 && (n.kind == continueNode || switches == 0) {
			return fmt.Errorf("line %d: single threads may leave the loop around a barrier here", s.line(n))
		}
	}
	for _, c := range append(n.list[:len(n.list):len(n.list)], n.body, n.other) {
		if err := s.checkExits(c, loops, switches); err != nil {
			return err
		}
	}
	return nil
}

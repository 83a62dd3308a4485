package loopsplit

import "fmt"

// A region is a part of the code without barriers.
type region struct {
	items []item
	after []item // changes of variables of the block after all else, which threads need no copies for
	on    string // the mask of the lanes that come; "" for all threads
	// stride is a loop that the threads go through together, of which the region is the body; nil for other regions.
	stride *node
	// rows is a loop around that one which the threads of a row go through together; nil if there is none.
	rows *node
}

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
	on     string // for an operation of warps: the mask of the lanes that come; "" for all threads
	// masks are those of the two sides of a branch that threads do not take together; "" if there is no such side.
	masks [2]string
}

// A planner arranges statements into steps.
type planner struct {
	*splitter
	steps []step
	open  *region // the last step's region, if items may be added to it
	on    string  // the mask of the lanes that come
	loops int     // loops of all lanes of the mask, around the statements
}

func (s *splitter) plan(list []*node, on string, loops int) ([]step, error) {
	p := &planner{splitter: s, on: on, loops: loops}
	for _, n := range list {
		if err := p.statement(n); err != nil {
			return nil, err
		}
	}
	return p.steps, nil
}

func (p *planner) statement(n *node) error {
	switch {
	case n.kind == barrierNode, n.kind == warpNode:
		return p.wait(n)
	case n.kind == declNode:
		for _, v := range n.vars {
			p.declared(v)
		}
	case n.kind == wordsNode:
		p.before(step{code: &n.span})
	case p.sharedExit(n):
		p.open = nil
		p.steps = append(p.steps, step{code: &n.span})
	case p.mayExit(n) || n.uniformChange():
		if p.open != nil {
			p.into(item{node: n, all: true})
		} else {
			p.steps = append(p.steps, step{code: &n.span})
		}
	case p.on == "" && p.strides(n):
		p.stride(n, nil)
	case p.on == "" && p.stridesInRows(n):
		p.stride(unblock(n.body)[0], n)
	case !n.barrier:
		if err := p.checkExits(n, 0, 0); err != nil {
			return err
		}
		alone := p.choosesFew(n)
		if alone {
			p.open = nil // so that what is before it can be vectorised, and the threads that it does not concern are passed over
		}
		p.into(item{node: n})
		if alone {
			p.open = nil
		}
	default:
		return p.together(n)
	}
	return nil
}

// wait adds a barrier or an operation of warps.
func (p *planner) wait(n *node) error {
	p.open = nil
	if p.on != "" && n.whole {
		return fmt.Errorf("line %d: %w", p.line(n), errDiffer)
	}
	if n.kind == barrierNode && p.on == "" {
		return nil
	}
	if n.kind == warpNode {
		if err := p.checkSame(n); err != nil {
			return err
		}
	}
	for _, v := range n.vars {
		v.storage = perThread
		if n.whole {
			v.storage = inBlock
		}
	}
	p.steps = append(p.steps, step{node: n, on: p.on})
	return nil
}

// checkSame returns an error if an operand of an operation that must be the same for all threads may differ.
func (p *planner) checkSame(n *node) error {
	op, _ := asWarpOp(n.expr)
	args := n.expr.list[1:]
	var same []*expr
	switch {
	case op.form == foldForm:
		same = []*expr{args[0], args[2]}
	case op.form == shuffleForm && len(args) == 4:
		same = args[3:]
	}
	for _, e := range same {
		differs := false
		e.variables(func(v *variable) { differs = differs || !v.uniform })
		if differs {
			return fmt.Errorf("line %d: %s may differ among threads in what must be the same for all", p.line(n), n.expr.list[0].name)
		}
	}
	return nil
}

// mayExit reports whether all threads leave together at a statement, and what they leave does not have others in it.
func (p *planner) mayExit(n *node) bool {
	return p.uniformExit(n, func(e *expr) bool { return p.same(e, p.uniformName) }) && p.leavesAll(n)
}

// sharedExit reports whether all threads leave together because of what is in shared memory.
func (p *planner) sharedExit(n *node) bool {
	return n.kind == ifNode && !p.same(n.expr, p.uniformName) && p.uniformExit(n, p.agreed) && p.leavesAll(n)
}

// leavesAll reports whether what all threads leave at a statement does not have others in it.
func (p *planner) leavesAll(n *node) bool {
	for n.kind == ifNode {
		n = unblock(n.body)[0]
	}
	return p.on == "" || n.kind != returnNode && p.loops > 0
}

// into adds an item to the open region, or to a new one.
func (p *planner) into(it item) {
	if p.open == nil {
		p.open = &region{on: p.on}
		p.steps = append(p.steps, step{region: p.open})
	}
	r := p.open
	r.items = append(r.items, it)
	if it.v != nil {
		it.v.regions[r] = true
	}
	it.exprs(func(e *expr) { e.variables(func(v *variable) { v.regions[r] = true }) })
}

// separate moves the changes of variables of the block at a region's end out of it.
func separate(steps []step) {
	for _, st := range steps {
		separate(st.body)
		separate(st.other)
		if st.region == nil || st.region.stride != nil {
			continue
		}
		r := st.region
		n := len(r.items)
		for n > 1 && r.items[n-1].all && r.items[n-1].node != nil && r.items[n-1].node.uniformChange() {
			n--
		}
		r.items, r.after = r.items[:n], r.items[n:]
	}
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
	if v := n.truth(); v != nil && !v.uniform {
		return p.apart(n)
	}
	if err := p.checkHead(n); err != nil {
		return err
	}
	st := step{node: n}
	body := n.list
	if n.kind != blockNode {
		body = unblock(n.body)
	}
	loops := p.loops
	if n.kind != blockNode && n.kind != ifNode {
		loops++
	}
	var err error
	if st.body, err = p.plan(body, p.on, loops); err != nil {
		return err
	}
	if n.other != nil {
		if st.other, err = p.plan(unblock(n.other), p.on, loops); err != nil {
			return err
		}
	}
	p.steps = append(p.steps, st)
	return nil
}

// apart adds a branch that some threads take, in which warps have operations.
func (p *planner) apart(n *node) error {
	if n.other != nil && n.body.barrier && n.other.barrier {
		return fmt.Errorf("line %d: threads may differ in the condition, and lanes of a warp may meet from both branches", p.line(n))
	}
	st := step{node: n, on: p.on}
	for i, side := range []*node{n.body, n.other} {
		if side == nil {
			continue
		}
		p.masks++
		st.masks[i] = fmt.Sprintf("gw_on_%d", p.masks)
		steps, err := p.plan(unblock(side), st.masks[i], 0)
		if err != nil {
			return err
		}
		if i == 0 {
			st.body = steps
		} else {
			st.other = steps
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
	if !s.agreed(n.expr) {
		return fmt.Errorf("line %d: %w", s.line(n), errDiffer)
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

// uniformExit reports whether all threads leave together at the statement. same reports whether a condition is the same for all.
func (s *splitter) uniformExit(n *node, same func(*expr) bool) bool {
	switch n.kind {
	case returnNode, breakNode, continueNode:
		return true
	case ifNode:
		if n.other != nil || n.init != nil || n.barrier || !same(n.expr) {
			return false
		}
		body := unblock(n.body)
		return len(body) == 1 && body[0].kind != ifNode && s.uniformExit(body[0], same)
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

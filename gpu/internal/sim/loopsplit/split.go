package loopsplit

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/gopherwarp/gopherwarp/internal/cudac"
	"github.com/gopherwarp/gopherwarp/internal/cxx"
)

// A Split is what became of a kernel with barriers: a function that runs a whole block,
// with a loop over the block's threads for every stretch of code between barriers. Where
// that could change what the kernel does, there is a reason instead.
//
// The text relies on macros of the one who compiles it: GW_EACH_THREAD begins a loop over
// the threads of the block, and keep(to, from) of namespace gwsim copies a value.
type Split struct {
	Kernel *cudac.Kernel
	Name   string // of the function; it has the kernel's parameters
	Text   string // of the function; "" if there is a Reason
	End    int    // the place in the source to put it, in bytes: after the kernel
	Reason string // why the kernel cannot be split
}

// Splits tries to split every kernel that has barriers. program is the name for line
// markers.
func Splits(f *cudac.File, program string) []Split {
	var out []Split
	var c *code
	for _, k := range f.Kernels {
		if !k.Defined || !hasBarrier(k.Definition().Body) {
			continue
		}
		if c == nil {
			c = &code{toks: f.Tokens(), macros: f.Macros()}
			c.survey()
		}
		sp := Split{Kernel: k, Name: "gwsim_split_" + k.Name, End: k.Definition().End}
		text, err := split(f, c, k, sp.Name, program)
		if err != nil {
			sp.Reason = err.Error()
		} else {
			sp.Text = text
		}
		out = append(out, sp)
	}
	return out
}

func hasBarrier(body []cxx.Token) bool {
	for _, t := range body {
		if t.Is("__syncthreads") || t.Is("sync") || t.Is("__syncwarp") {
			return true
		}
	}
	return false
}

// A region is a stretch of code without barriers.
type region struct{ items []item }

// An item is a statement, or one declared variable.
type item struct {
	node *node
	v    *variable
	// all: what all threads do alike to variables of the block. Each thread does it to
	// copies of its own, and after the region the block does it once. To cut the region in
	// two there would be a barrier that the source does not have, which a kernel that is
	// right does not notice, but one whose result depends on the order of threads does.
	all bool
}

// A step is a part of the split function, in order.
type step struct {
	region *region
	v      *variable // declared for the whole block
	code   *span     // run once for the block
	node   *node     // loops and branches that all threads take together
	body   []step
	other  []step
}

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

type splitter struct {
	code    *code
	kernel  *cudac.Kernel
	toks    []cxx.Token
	names   map[string]bool // template parameters
	groups  map[string]bool // variables that are the thread block
	lookers map[string]bool // functions that look at the thread
	// looking: all code may.
	looking bool

	ref   []*variable         // by token: what it names
	extra map[int][]*variable // by token: what the macro there names
	vars  []*variable
	decls map[*node][]*variable

	ended    bool // threads may end before others come to a barrier
	endLabel int
	out      *writer
}

func split(f *cudac.File, c *code, k *cudac.Kernel, name, program string) (string, error) {
	if f.IsSpecialised(k.Name) {
		return "", errors.New("the template has specialisations")
	}
	def := k.Definition()
	s := &splitter{
		code: c, kernel: k, toks: joinOperators(def.Body), names: map[string]bool{}, groups: map[string]bool{},
		extra: map[int][]*variable{}, decls: map[*node][]*variable{},
	}
	for _, tp := range k.Template {
		s.names[tp.Name] = true
	}
	s.ref = make([]*variable, len(s.toks))
	for _, t := range append(s.toks, def.Params...) {
		if t.Unsure {
			return "", errors.New("a part of it depends on a condition of the preprocessor that is not understood")
		}
	}
	s.findGroups()
	p := &statementParser{toks: s.toks, barrier: s.isBarrier}
	list, err := p.statements()
	if err == nil && p.pos < len(p.toks) {
		err = p.fail("a { is missing")
	}
	if err != nil {
		return "", err
	}
	if err := s.checkWaits(list); err != nil {
		return "", err
	}
	s.lookers, s.looking = s.code.reaching(looksAtThread)

	top := &env{names: map[string]*variable{}}
	for _, param := range k.Declared() {
		if param.Name != "" {
			v := &variable{name: param.Name, param: true, points: param.Kind == cudac.Pointer, regions: map[*region]bool{}}
			s.add(v)
			top.names[v.name] = v
		}
	}
	if err := s.collect(list, &env{names: map[string]*variable{}, up: top}); err != nil {
		return "", err
	}
	s.classify()
	steps, err := s.plan(list)
	if err != nil {
		return "", err
	}
	if err := s.place(); err != nil {
		return "", err
	}
	return s.write(name, program, steps), nil
}

func (s *splitter) add(v *variable) {
	v.id = len(s.vars)
	s.vars = append(s.vars, v)
}

// findGroups finds the variables that are initialised with this_thread_block().
func (s *splitter) findGroups() {
	for i, t := range s.toks {
		if !t.Is("this_thread_block") {
			continue
		}
		if k := i - 1; k > 0 && s.toks[k].Is("::") {
			i -= 2
		}
		if i >= 2 && s.toks[i-1].Is("=") && s.toks[i-2].Kind == cxx.Ident {
			s.groups[s.toks[i-2].Text] = true
		}
	}
}

func (s *splitter) text(at span) string {
	var b strings.Builder
	for _, t := range s.toks[at.lo:at.hi] {
		b.WriteString(t.Text)
	}
	return b.String()
}

// isBarrier tells whether a statement is nothing but a barrier of the whole block, or one
// of a warp that such a barrier may stand in for.
func (s *splitter) isBarrier(at span) bool {
	switch text := s.text(at); text {
	case "__syncthreads()", "__syncwarp()", "__syncwarp(0xffffffff)", "__syncwarp(0xFFFFFFFF)":
		return true
	default:
		if v, ok := strings.CutSuffix(text, ".sync()"); ok {
			return s.groups[v]
		}
		if ns, v, ok := strings.Cut(text, "::sync("); ok && s.code.groups[ns] {
			return s.groups[strings.TrimSuffix(v, ")")]
		}
		if v, ok := strings.CutPrefix(text, "sync("); ok && s.code.groups[""] {
			return s.groups[strings.TrimSuffix(v, ")")]
		}
		return text == "this_thread_block().sync()" || strings.HasSuffix(text, "::this_thread_block().sync()")
	}
}

// checkWaits looks for places where threads wait for each other, besides the barriers.
func (s *splitter) checkWaits(list []*node) error {
	known := map[int]bool{}
	var walk func(n *node)
	walk = func(n *node) {
		if n == nil || !n.barrier {
			return
		}
		if n.kind == barrierNode {
			for i := n.lo; i < n.hi; i++ {
				known[i] = true
			}
		}
		for _, c := range n.list {
			walk(c)
		}
		walk(n.body)
		walk(n.other)
	}
	for _, n := range list {
		walk(n)
	}
	waiters, always := s.code.reaching(waits)
	if always {
		return errors.New("an operator or a method in the source has a barrier")
	}
	for i, t := range s.toks {
		lambda := t.Is("[") && (i == 0 || !endsOperand(s.toks[i-1])) && !(i > 0 && s.toks[i-1].Is("[")) && !(i+1 < len(s.toks) && s.toks[i+1].Is("["))
		switch {
		case known[i]:
		case waits(t), t.Kind == cxx.Ident && waiters[t.Text]:
			return fmt.Errorf("line %d: %s stands where not all threads need to come, or is more than a barrier", t.Line, t.Text)
		case lambda:
			return fmt.Errorf("line %d: it has a lambda", t.Line)
		}
	}
	return nil
}

// resolve finds the variables that the code names.
func (s *splitter) resolve(at span, e *env) error {
	for i := at.lo; i < at.hi; i++ {
		t := s.toks[i]
		if t.Kind != cxx.Ident || i > 0 && (s.toks[i-1].Is(".") || s.toks[i-1].Is("->") || s.toks[i-1].Is("::")) {
			continue
		}
		s.ref[i] = e.find(t.Text)
		body := s.code.expansion(t.Text)
		writes := s.code.assigns(t.Text)
		for _, m := range body {
			switch {
			case m.Is("return"), m.Is("break"), m.Is("continue"), m.Is("case"), m.Is("else"):
				return fmt.Errorf("line %d: the macro %s has a %s", t.Line, t.Text, m.Text)
			case m.Kind == cxx.Ident && e.find(m.Text) != nil:
				v := e.find(m.Text)
				s.extra[i] = append(s.extra[i], v)
				v.written = v.written || writes
			}
		}
		for k := at.lo; k < at.hi && writes; k++ {
			// Which of the statement's variables the macro writes to is not looked into.
			if v := e.find(s.toks[k].Text); v != nil {
				v.written = true
			}
		}
	}
	return nil
}

// use resolves the code and notes what it writes.
func (s *splitter) use(at span, e *env) error {
	if err := s.resolve(at, e); err != nil {
		return err
	}
	s.noteWrites(at)
	return nil
}

func (s *splitter) declare(vars []*variable, e *env) error {
	for _, v := range vars {
		if err := s.use(v.init, e); err != nil {
			return err
		}
		for i := v.init.lo; i < v.init.hi && v.reference; i++ {
			s.writeTo(i)
		}
		if e.find(v.name) != nil {
			return fmt.Errorf("two variables are called %s", v.name)
		}
		v.groupObject = s.groups[v.name] && strings.HasSuffix(s.text(v.init), "this_thread_block()")
		if cxx.Has(v.dims, "]") {
			// The dimensions may only name constants, which resolve to no variable that changes.
			for _, t := range v.dims {
				if d := e.find(t.Text); d != nil && !d.atBlock && !cxx.Has(d.spec, "const") {
					return fmt.Errorf("the size of %s is a variable", v.name)
				}
			}
		}
		e.names[v.name] = v
		s.add(v)
	}
	return nil
}

// collect finds the variables that are declared where barriers may stand, and all that is
// done to them.
func (s *splitter) collect(list []*node, e *env) error {
	for _, n := range list {
		inner := &env{names: map[string]*variable{}, up: e}
		body := inner
		switch {
		case n.kind == barrierNode:
			continue
		case n.kind == simpleNode:
			if err := s.simple(n, span{n.lo, n.hi - 1}, e, true); err != nil {
				return err
			}
			continue
		case !n.barrier:
			if err := s.use(n.span, e); err != nil {
				return err
			}
			continue
		case n.kind == blockNode:
			if err := s.collect(n.list, inner); err != nil {
				return err
			}
			continue
		case n.kind == forNode:
			init, cond, inc, err := s.forHead(n)
			if err != nil {
				return err
			}
			if err := s.simple(n, init, inner, true); err != nil {
				return err
			}
			if err := s.use(cond, inner); err != nil {
				return err
			}
			for at := inc.lo; at < inc.hi; at++ {
				end := s.commaAfter(at, inc.hi)
				if err := s.simple(nil, span{at, end}, inner, false); err != nil {
					return err
				}
				at = end
			}
			body = &env{names: map[string]*variable{}, up: inner}
		case n.kind == switchNode:
			return fmt.Errorf("line %d: there is a barrier in a switch", s.toks[n.lo].Line)
		default:
			if err := s.use(n.head, e); err != nil {
				return err
			}
		}
		for _, sub := range []*node{n.body, n.other} {
			if sub != nil {
				if err := s.collect(unblock(sub), body); err != nil {
					return err
				}
				body = &env{names: map[string]*variable{}, up: e}
			}
		}
	}
	return nil
}

// unblock gives the statements of a loop's or branch's body.
func unblock(n *node) []*node {
	if n.kind == blockNode {
		return n.list
	}
	return []*node{n}
}

// simple collects from a declaration or an expression. update tells that a change here
// counts against variables that follow from others.
func (s *splitter) simple(n *node, at span, e *env, update bool) error {
	if at.lo < at.hi && (s.toks[at.lo].Is("using") || s.toks[at.lo].Is("typedef") || s.toks[at.lo].Is("static_assert")) {
		return s.use(at, e)
	}
	if n != nil {
		if vars := s.declaration(at); vars != nil {
			s.decls[n] = vars
			return s.declare(vars, e)
		}
	}
	if err := s.resolve(at, e); err != nil {
		return err
	}
	v, right, ok := s.change(at)
	if !ok {
		s.noteWrites(at)
		return nil
	}
	s.noteWrites(right)
	v.changes = append(v.changes, right)
	// In the head of a loop that declares the variable it changes between two rounds.
	v.updated = v.updated || update || e.names[v.name] != v
	return nil
}

// forHead cuts the head of a for loop at its semicolons.
func (s *splitter) forHead(n *node) (init, cond, inc span, err error) {
	var cuts []int
	for i := n.head.lo; i < n.head.hi; i++ {
		switch t := s.toks[i]; {
		case t.Is(";"):
			cuts = append(cuts, i)
		case t.Is("("), t.Is("["), t.Is("{"):
			i = cxx.SkipGroup(s.toks, i) - 1
		}
	}
	if len(cuts) != 2 {
		return init, cond, inc, fmt.Errorf("line %d: this loop is not understood", s.toks[n.lo].Line)
	}
	return span{n.head.lo, cuts[0]}, span{cuts[0] + 1, cuts[1]}, span{cuts[1] + 1, n.head.hi}, nil
}

// plan arranges the statements into steps.
func (s *splitter) plan(list []*node) ([]step, error) {
	var steps []step
	var open *region
	into := func(it item) {
		if open == nil {
			open = &region{}
			steps = append(steps, step{region: open})
		}
		open.items = append(open.items, it)
		s.note(it, open)
	}
	// before puts a step in front of the open region, if there is one.
	before := func(st step) {
		at := len(steps)
		if open != nil {
			at--
		}
		steps = append(steps[:at:at], append([]step{st}, steps[at:]...)...)
	}
	for _, n := range list {
		switch {
		case n.kind == barrierNode:
			open = nil
		case s.decls[n] != nil && n.kind == simpleNode:
			for _, v := range s.decls[n] {
				switch {
				case v.atBlock || v.fixed || v.groupObject:
					v.storage = inBlock
					before(step{v: v})
				case v.uniform:
					v.storage = inBlock
					if open != nil {
						into(item{v: v, all: true})
					} else {
						steps = append(steps, step{v: v})
					}
				case v.index:
					v.storage = recomputed
				default:
					into(item{v: v})
				}
			}
		case n.kind == simpleNode && (s.toks[n.lo].Is("using") || s.toks[n.lo].Is("typedef") || s.toks[n.lo].Is("static_assert")):
			before(step{code: &n.span})
		case s.uniformExit(n) || s.uniformChange(n):
			if open != nil {
				into(item{node: n, all: true})
			} else {
				steps = append(steps, step{code: &n.span})
			}
		case n.kind == simpleNode:
			into(item{node: n})
		case !n.barrier:
			if err := s.checkExits(n); err != nil {
				return nil, err
			}
			into(item{node: n})
		default:
			open = nil
			st := step{node: n}
			if err := s.checkHead(n); err != nil {
				return nil, err
			}
			var err error
			if n.kind == blockNode {
				st.body, err = s.plan(n.list)
			} else {
				st.body, err = s.plan(unblock(n.body))
			}
			if err == nil && n.other != nil {
				st.other, err = s.plan(unblock(n.other))
			}
			if err != nil {
				return nil, err
			}
			steps = append(steps, st)
		}
	}
	return steps, nil
}

// note records which variables a region uses.
func (s *splitter) note(it item, r *region) {
	at := span{}
	switch {
	case it.v != nil:
		at = it.v.init
		it.v.regions[r] = true
	default:
		at = it.node.span
	}
	for i := at.lo; i < at.hi; i++ {
		if v := s.ref[i]; v != nil {
			v.regions[r] = true
		}
		for _, v := range s.extra[i] {
			v.regions[r] = true
		}
	}
}

// checkHead makes sure that all threads take the same way.
func (s *splitter) checkHead(n *node) error {
	at := n.head
	switch n.kind {
	case blockNode:
		return nil
	case forNode:
		init, cond, inc, err := s.forHead(n)
		if err != nil {
			return err
		}
		for _, v := range s.decls[n] {
			if !v.uniform {
				return fmt.Errorf("line %d: the variable %s of the loop around a barrier may differ among threads", s.toks[n.lo].Line, v.name)
			}
			v.storage = inBlock
		}
		parts := []span{inc}
		if s.decls[n] == nil {
			parts = append(parts, init)
		}
		for _, part := range parts {
			for i := part.lo; i < part.hi; i++ {
				end := s.commaAfter(i, part.hi)
				if v, _, ok := s.change(span{i, end}); !ok || !v.uniform {
					return fmt.Errorf("line %d: the loop around a barrier may differ among threads", s.toks[n.lo].Line)
				}
				i = end
			}
		}
		at = cond
	case ifNode, whileNode, doNode:
		if vars := s.declaration(at); vars != nil {
			return fmt.Errorf("line %d: the condition around a barrier declares a variable", s.toks[n.lo].Line)
		}
	}
	if !s.same(at, s.uniformName) {
		return fmt.Errorf("line %d: threads may differ in the condition around a barrier", s.toks[n.lo].Line)
	}
	return nil
}

// uniformChange tells whether the statement changes a variable that is the same for all.
func (s *splitter) uniformChange(n *node) bool {
	if n.kind != simpleNode {
		return false
	}
	v, _, ok := s.change(span{n.lo, n.hi - 1})
	return ok && v.uniform
}

// uniformExit tells whether the statement makes all threads leave together.
func (s *splitter) uniformExit(n *node) bool {
	switch n.kind {
	case returnNode, breakNode, continueNode:
		return true
	case ifNode:
		return n.other == nil && !n.barrier && len(unblock(n.body)) == 1 && s.uniformExit(unblock(n.body)[0]) &&
			unblock(n.body)[0].kind != ifNode && s.same(n.head, s.uniformName)
	}
	return false
}

// checkExits refuses a break or continue of single threads out of a loop around barriers.
func (s *splitter) checkExits(n *node) error {
	var walk func(n *node, loops, switches int) error
	walk = func(n *node, loops, switches int) error {
		if n == nil {
			return nil
		}
		switch n.kind {
		case forNode, whileNode, doNode:
			loops++
		case switchNode:
			switches++
		case breakNode, continueNode:
			if loops == 0 && (n.kind == continueNode || switches == 0) {
				return fmt.Errorf("line %d: single threads may leave the loop around a barrier here", s.toks[n.lo].Line)
			}
		}
		for _, c := range append(n.list[:len(n.list):len(n.list)], n.body, n.other) {
			if err := walk(c, loops, switches); err != nil {
				return err
			}
		}
		return nil
	}
	return walk(n, 0, 0)
}

// place decides where the variables live that threads have to themselves.
func (s *splitter) place() error {
	for _, v := range s.vars {
		switch {
		case v.storage != inRegion || v.atBlock || v.uniform:
		case v.param, len(v.regions) > 1:
			v.storage = perThread
			if v.reference {
				return fmt.Errorf("the reference %s is used on both sides of a barrier", v.name)
			}
			if cxx.Has(v.spec, "auto") {
				return fmt.Errorf("the variable %s, which is auto, is used on both sides of a barrier", v.name)
			}
		}
	}
	return nil
}

// maxBlock is how many elements arrays of threads need.
func (s *splitter) maxBlock() string {
	if n, err := strconv.Atoi(s.kernel.LaunchBounds); err == nil && n > 0 && n < 1024 {
		return strconv.Itoa(n)
	}
	return "1024"
}

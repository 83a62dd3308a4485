package nd

import (
	"go/ast"
	"runtime"
	"slices"
	"strings"
)

// Grad returns the function whose result is the gradient of f at x: an array of x's shape with the derivative of f(x), which must be a
// single number, with respect to each element of x. It is computed in reverse mode: f is called once, and what it did is
// differentiated from its result back to x, in about the time that f takes two to four times.
//
//	loss := func(w *nd.Array[float64]) *nd.Array[float64] { return nd.MatMul(x, w).Sub(y).Square().Sum() }
//	w = w.Sub(nd.Grad(loss)(w).MulScalar(0.01))
//
// f may use arithmetic and the functions of package nd that are element-wise, reduce, index, join and reshape arrays, Cumsum, MatMul, Dot
// and what is made of them. Comparisons, Floor and their like have the derivative zero. Functions without a derivative here, such as FFT and
// Solve, panic with an *Error when f calls them with an array that depends on x; StopGradient makes an array that does not.
// Grad may be called in f, for derivatives of higher order.
func Grad[T Float](f func(x *Array[T]) *Array[T]) func(x *Array[T]) *Array[T] {
	both := ValueAndGrad(f)
	return func(x *Array[T]) *Array[T] {
		_, gradient := both(x)
		return gradient
	}
}

// ValueAndGrad returns the function whose results are f(x) and its gradient, as Grad has it.
func ValueAndGrad[T Float](f func(x *Array[T]) *Array[T]) func(x *Array[T]) (value, gradient *Array[T]) {
	return func(x *Array[T]) (value, gradient *Array[T]) {
		value, gradients := ValueAndGrads(func(params []*Array[T]) *Array[T] { return f(params[0]) })([]*Array[T]{x})
		return value, gradients[0]
	}
}

// ValueAndGrads returns ValueAndGrad for a function of several arrays, such as the weights of a network: the gradients are those with respect
// to each of them.
func ValueAndGrads[T Float](f func(params []*Array[T]) *Array[T]) func(params []*Array[T]) (value *Array[T], gradients []*Array[T]) {
	return func(params []*Array[T]) (*Array[T], []*Array[T]) {
		inside := make([]*Array[T], len(params))
		watched := make([]*history, len(params))
		for i, p := range params {
			n := nodeOf(p).check(grad).watched()
			inside[i], watched[i] = as[T](n), n.past
		}
		value := nodeOf(f(inside)).check(grad)
		if value.lay.size != 1 {
			fail(grad, "the function returned an array of shape %s, and only a single number has a gradient: call Sum or Mean at its end", shapeString(value.lay.shape))
		}
		gradients := make([]*Array[T], len(params))
		for i, g := range value.gradients(watched) {
			gradients[i] = as[T](g)
		}
		return as[T](value), gradients
	}
}

// StopGradient returns the array as a constant for Grad: what is computed from it does not depend on the parameters.
func StopGradient[T Elem](a *Array[T]) *Array[T] {
	return as[T](nodeOf(a).check("StopGradient").stopped())
}

func (n *node) stopped() *node {
	if n.shards != nil {
		return n.unwatched()
	}
	return n.plain()
}

// history is how an array was computed from arrays that depend on parameters of Grad. Arrays that do not have none.
type history struct {
	of    *node
	depth int // larger than those of the arguments
	from  []*history
	// back returns the gradients with respect to the arguments, in the order of from, for the gradient with respect to the array.
	back func(g *node) []*node
	kept []*kept
}

// watched returns a view of the array as a parameter.
func (n *node) watched() *node {
	p := n.unwatched()
	p.past = &history{of: p}
	if n.past != nil { // of a Grad outside of this one
		p.past.from, p.past.depth = []*history{n.past}, n.past.depth+1
		p.past.back = func(g *node) []*node { return []*node{g} }
	}
	return p
}

// plain computes the array and returns it, or a view of it if it has a history.
func (n *node) plain() *node {
	if n.past == nil {
		return n.computed()
	}
	return n.unwatched()
}

// unwatched returns a view of the array without its history; of a split array it is split, too.
func (n *node) unwatched() *node {
	p := new(node)
	if s := n.shards; s != nil {
		return p.spread(grad, s.mesh, s.axis, s.parts)
	}
	n.computed()
	p.view(n, n.lay, n.off)
	return p
}

// traced reports whether one of the arrays has a history.
func traced(list ...*node) bool {
	return slices.ContainsFunc(list, func(n *node) bool { return n != nil && n.past != nil })
}

// derive gives the result of a function its history. For each argument that has one, back has a function that returns the gradient with
// respect to it, for which the arrays in held are needed.
func (n *node) derive(held []*kept, args []*node, back ...func(g *node) *node) *node {
	h := &history{of: n, kept: held}
	var pulls []func(g *node) *node
	for i, a := range args {
		if traced(a) {
			h.from, pulls = append(h.from, a.past), append(pulls, back[i])
			h.depth = max(h.depth, a.past.depth+1)
		}
	}
	h.back = func(g *node) []*node {
		list := make([]*node, len(pulls))
		for i, pull := range pulls {
			list[i] = pull(g)
		}
		return list
	}
	n.past = h
	return n
}

// gradients returns the gradients of the array, which is a single number, with respect to the watched arrays.
func (n *node) gradients(watched []*history) []*node {
	list, alone := n.past.leading(watched)
	if alone {
		// What follows needs no history itself.
		for _, h := range list {
			h.of.past = nil
		}
	}
	sums := map[*history]*node{}
	if len(list) > 0 {
		sums[list[0]] = n.fullLike(1)
	}
	for _, h := range list {
		g := sums[h]
		if g == nil || h.back == nil || slices.Contains(watched, h) {
			continue
		}
		delete(sums, h)
		for i, part := range h.back(g) {
			from := h.from[i]
			if sums[from] != nil {
				part = sums[from].plus(part)
			}
			sums[from] = part
		}
		if alone {
			h.release()
		}
	}
	out := make([]*node, len(watched))
	for i, h := range watched {
		out[i] = sums[h]
		if out[i] == nil {
			out[i] = h.of.fullLike(0)
		}
	}
	return out
}

// leading returns the histories that lead to the result, the latest first, without what is before the watched ones. It also reports whether
// there are no other parameters than those.
func (h *history) leading(watched []*history) (list []*history, alone bool) {
	alone = true
	seen := map[*history]bool{}
	var visit func(h *history)
	visit = func(h *history) {
		if h == nil || seen[h] {
			return
		}
		seen[h] = true
		list = append(list, h)
		if slices.Contains(watched, h) {
			alone = alone && len(h.from) == 0
			return
		}
		alone = alone && len(h.from) > 0
		for _, f := range h.from {
			visit(f)
		}
	}
	visit(h)
	slices.SortStableFunc(list, func(a, b *history) int { return b.depth - a.depth })
	return list, alone
}

// release gives up what was kept.
func (h *history) release() {
	for _, k := range h.kept {
		k.release()
	}
	h.kept = nil
}

// kept is an array with its present contents, which a gradient needs later.
type kept struct {
	n *node
	v *version // nil for an expression without memory when it was kept
}

// keep keeps the array's contents also if Assign writes its memory.
func (a *node) keep() *kept {
	k := &kept{n: a}
	if a.eng == nil {
		return k
	}
	a.eng.mu.Lock()
	defer a.eng.mu.Unlock()
	if a.op == opLeaf {
		k.v = a.mem.now
		k.v.readers++
	} else {
		a.refs++
	}
	return k
}

// node returns the array as it was kept.
func (k *kept) node() *node {
	a := k.n
	if a.eng == nil {
		return a
	}
	a.eng.mu.Lock()
	defer a.eng.mu.Unlock()
	if a.op != opLeaf {
		return a
	}
	v := k.version()
	if a.mem.now == v {
		return a
	}
	v.shared = true
	old := new(node)
	old.view(a, a.lay, a.off)
	old.mem, old.past = &memory{now: v, open: a.mem.open}, a.past
	return old
}

// version returns the contents of an array that has memory.
func (k *kept) version() *version {
	if k.v != nil {
		return k.v
	}
	return &k.n.mem.first
}

func (k *kept) release() {
	a := k.n
	if a.eng == nil {
		return
	}
	a.eng.mu.Lock()
	defer a.eng.mu.Unlock()
	if a.op == opLeaf {
		k.version().release(a.mem)
	} else {
		a.refs--
	}
}

// withoutGradient panics if the array has a history: the function that called it has no derivative.
func (n *node) withoutGradient() {
	if n.past == nil {
		return
	}
	name := "this function"
	frames := runtime.CallersFrames(callers())
	for {
		f, more := frames.Next()
		path := strings.ReplaceAll(f.Function, "[...]", "")
		path = path[strings.LastIndex(path, "/")+1:]
		if !strings.HasPrefix(path, "nd.") {
			break
		}
		if called := path[strings.LastIndex(path, ".")+1:]; ast.IsExported(called) {
			name = called
		}
		if !more {
			break
		}
	}
	failGradient(name)
}

// failGradient panics for a function without a derivative.
func failGradient(name string) {
	fail(name, "it has no gradient here, and its operand depends on a parameter of Grad: leave it out, or give it StopGradient of the operand")
}

func callers() []uintptr {
	list := make([]uintptr, 32)
	return list[:runtime.Callers(3, list)]
}

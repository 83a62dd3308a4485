package loopsplit

import (
	"errors"
	"slices"

	"github.com/gopherwarp/gopherwarp/internal/cxx"
)

// errDiffer is the reason for not splitting a kernel with a barrier in a branch that some threads may not take.
var errDiffer = errors.New("threads may differ in the condition around a barrier")

// returning returns a kernel's body with its last branch around a barrier replaced: threads that would pass it do what is behind it and return,
// and what is in it follows. So a barrier in it is one that all threads that still run come to. It reports whether the body has such a branch, with
// no barrier behind it.
func (c *code) returning(body []cxx.Token) (out []cxx.Token, ok bool) {
	p := &parser{toks: joinOperators(body), code: c, names: map[string]bool{}, groups: map[string]bool{}}
	list, err := p.statements()
	if err != nil || p.pos < len(p.toks) {
		return nil, false
	}
	n, behind := c.lastWaiting(list, p.toks)
	if n == nil || n.kind != ifNode || n.init != nil || cxx.Has(p.toks[n.lo:n.head.lo], "constexpr") {
		return nil, false
	}
	rest := p.toks[behind.lo:behind.hi]
	if cxx.Has(rest, "__shared__") {
		return nil, false // a variable of the block cannot be in two places
	}
	at := p.toks[n.lo]
	instead := []cxx.Token{}
	if n.other != nil {
		instead = p.toks[n.other.lo:n.other.hi]
	}
	return slices.Concat(p.toks[:n.lo], text(at, "if (!($)) { $ $ return; }", p.toks[n.head.lo:n.head.hi], instead, rest), p.toks[n.body.lo:n.body.hi], p.toks[n.hi:]), true
}

// lastWaiting returns the last statement in which threads wait, and what is behind it; nil if there is none, or if it is in a block with
// something behind it, whose names may mean something else in the block. Blocks that are the last are looked into.
func (c *code) lastWaiting(list []*node, toks []cxx.Token) (last *node, behind span) {
	waiters, _ := c.reaching(c.waits)
	waits := func(n *node) bool {
		for i := n.lo; i < n.hi; i++ {
			if c.waits(toks, i) || toks[i].Kind == cxx.Ident && waiters[toks[i].Text] {
				return true
			}
		}
		return false
	}
	for i, n := range slices.Backward(list) {
		if !waits(n) {
			continue
		}
		switch {
		case n.kind != blockNode:
			return n, span{n.hi, list[len(list)-1].hi}
		case i == len(list)-1:
			return c.lastWaiting(n.list, toks)
		}
		return nil, span{}
	}
	return nil, span{}
}

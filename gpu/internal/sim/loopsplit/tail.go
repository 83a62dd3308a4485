package loopsplit

import (
	"errors"
	"slices"

	"github.com/gopherwarp/gopherwarp/internal/cxx"
)

// errDiffer is the reason for not splitting a kernel with a barrier in a branch that some threads may not take.
var errDiffer = errors.New("threads may differ in the condition around a barrier")

// returning returns a kernel's body with its last branch replaced: threads that would pass it return, and what is in it follows. So a barrier
// in it is one that all threads that still run come to. It reports whether the body ends with such a branch.
func (c *code) returning(body []cxx.Token) (out []cxx.Token, ok bool) {
	p := &parser{toks: joinOperators(body), code: c, names: map[string]bool{}, groups: map[string]bool{}}
	list, err := p.statements()
	if err != nil || p.pos < len(p.toks) {
		return nil, false
	}
	n := lastOf(list)
	if n == nil || n.kind != ifNode || n.init != nil || cxx.Has(p.toks[n.lo:n.head.lo], "constexpr") {
		return nil, false
	}
	at := p.toks[n.lo]
	instead := []cxx.Token{}
	if n.other != nil {
		instead = p.toks[n.other.lo:n.other.hi]
	}
	return slices.Concat(p.toks[:n.lo], text(at, "if (!($)) { $ return; }", p.toks[n.head.lo:n.head.hi], instead), p.toks[n.body.lo:n.body.hi], p.toks[n.hi:]), true
}

// lastOf returns the last statement, in blocks that are the last; nil if there is none.
func lastOf(list []*node) *node {
	if len(list) == 0 {
		return nil
	}
	if n := list[len(list)-1]; n.kind != blockNode {
		return n
	}
	return lastOf(list[len(list)-1].list)
}

package loopsplit

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/gopherwarp/gopherwarp/internal/cxx"
)

// A writer puts tokens on the lines that they have in the source.
type writer struct {
	strings.Builder
	program string // as a C string
	line    int
	last    cxx.Token
}

func (w *writer) to(line int) {
	switch {
	case line == w.line || line == 0:
	case line > w.line && line < w.line+8:
		w.WriteString(strings.Repeat("\n", line-w.line))
	default:
		w.marker(line)
	}
	if line != 0 {
		w.line = line
	}
}

// marker says where the next line comes from. The 3 makes it a line of a system header,
// for which there are no warnings: they have been given for the kernel itself.
func (w *writer) marker(line int) {
	fmt.Fprintf(w, "\n# %d %s 3\n", line, w.program)
	w.line = line
}

func (w *writer) tokens(toks []cxx.Token) {
	for _, t := range toks {
		w.to(t.Line)
		if !(w.last.Kind == cxx.String && t.Glued) {
			w.WriteByte(' ')
		}
		w.WriteString(t.Text)
		w.line += strings.Count(t.Text, "\n")
		w.last = t
	}
	w.last = cxx.Token{}
}

func (w *writer) word(format string, args ...any) {
	w.WriteByte(' ')
	fmt.Fprintf(w, format, args...)
	w.last = cxx.Token{}
}

// write makes the text of the split kernel.
func (s *splitter) write(name, program string, steps []step) string {
	s.out = &writer{program: strconv.Quote(program)}
	w := s.out
	w.marker(s.kernel.Line)
	w.tokens(s.kernel.Definition().Template)
	w.word("static inline void %s", name)
	w.tokens(s.kernel.Definition().Params)
	w.word("{ GW_SPLIT_BEGIN")
	for i := range steps {
		s.findEnds(&steps[i], i == len(steps)-1)
	}
	if s.ended {
		w.word("bool gw_ended[%s] = {}; unsigned gw_running = blockDim.x * blockDim.y * blockDim.z;", s.maxBlock())
	}
	for _, v := range s.vars {
		if v.param && v.storage == perThread {
			w.word("std::remove_cv_t<decltype(%s)> %s[%s]; GW_EACH_THREAD { %s[gw_row + gw_x] = %s; }", v.name, array(v), s.maxBlock(), array(v), v.name)
		}
	}
	s.writeSteps(steps)
	w.word("}\n")
	return w.String()
}

// findEnds finds out whether threads may end before the last step.
func (s *splitter) findEnds(st *step, last bool) {
	if st.region != nil && !last {
		for _, it := range st.region.items {
			if it.node != nil && !it.all && len(returns(it.node)) > 0 {
				s.ended = true
			}
		}
	}
	for i := range st.body {
		s.findEnds(&st.body[i], false)
	}
	for i := range st.other {
		s.findEnds(&st.other[i], false)
	}
}

// returns finds the return statements in a statement.
func returns(n *node) []span {
	if n == nil {
		return nil
	}
	if n.kind == returnNode {
		return []span{n.span}
	}
	var out []span
	for _, c := range n.list {
		out = append(out, returns(c)...)
	}
	return append(append(out, returns(n.body)...), returns(n.other)...)
}

func array(v *variable) string { return fmt.Sprintf("gw_%d_%s", v.id, v.name) }

func (s *splitter) writeSteps(steps []step) {
	w := s.out
	for _, st := range steps {
		switch {
		case st.region != nil:
			s.writeRegion(st.region)
		case st.v != nil:
			s.writeVariable(st.v)
		case st.code != nil:
			w.tokens(s.toks[st.code.lo:st.code.hi])
		default:
			n := st.node
			switch n.kind {
			case blockNode:
			case doNode:
				w.word("do")
			default:
				w.tokens(s.toks[n.lo : n.head.hi+1])
			}
			w.word("{")
			if s.ended {
				w.word("if (gw_running == 0) return;")
			}
			s.writeSteps(st.body)
			w.word("}")
			if n.kind == doNode {
				w.word("while (")
				w.tokens(s.toks[n.head.lo:n.head.hi])
				w.word(");")
			}
			if n.other != nil {
				w.word("else {")
				s.writeSteps(st.other)
				w.word("}")
			}
		}
	}
}

func (s *splitter) writeVariable(v *variable) {
	w := s.out
	w.tokens(v.spec)
	w.tokens(v.pointer)
	w.word("%s", v.name)
	w.tokens(v.dims)
	w.tokens(s.toks[v.init.lo:v.init.hi])
	w.word(";")
}

// writeRegion makes a loop over the threads.
func (s *splitter) writeRegion(r *region) {
	w := s.out
	var here, again []*variable
	needed := map[*variable]bool{}
	var need func(v *variable)
	need = func(v *variable) {
		if needed[v] {
			return
		}
		needed[v] = true
		for i := v.init.lo; i < v.init.hi && v.storage == recomputed; i++ {
			if s.ref[i] != nil {
				need(s.ref[i])
			}
		}
	}
	for _, v := range s.vars {
		if v.regions[r] {
			need(v)
		}
	}
	for _, it := range r.items {
		if it.v != nil && it.v.storage == perThread {
			w.tokens(withoutConst(it.v.spec, len(it.v.pointer) == 0))
			w.tokens(withoutConst(it.v.pointer, true))
			w.word("%s[%s]", array(it.v), s.maxBlock())
			w.tokens(it.v.dims)
			w.word(";")
		}
	}
	for _, v := range s.vars {
		switch {
		case !needed[v]:
		case v.storage == perThread:
			here = append(here, v)
		case v.storage == recomputed:
			again = append(again, v)
		}
	}
	// Copies of the block's variables for the threads to change.
	var copies []*variable
	declared := map[*variable]bool{}
	w.word("{")
	for _, it := range r.items {
		switch {
		case it.all && it.v != nil:
			declared[it.v] = true
		case it.all && s.uniformChange(it.node):
			if v, _, _ := s.change(span{it.node.lo, it.node.hi - 1}); !declared[v] {
				declared[v] = true
				copies = append(copies, v)
				w.word("const auto %s = %s;", array(v), v.name)
			}
		}
	}
	w.word("GW_EACH_THREAD { GW_THREAD_BEGIN")
	if s.ended {
		w.word("if (gw_ended[gw_row + gw_x]) continue;")
	}
	if s.looksAtThread(r) {
		w.word("::threadIdx = threadIdx;")
	}
	for _, v := range here {
		w.word("auto &%s = %s[gw_row + gw_x];", v.name, array(v))
	}
	for _, v := range copies {
		w.word("auto %s = %s;", v.name, array(v))
	}
	for _, v := range again {
		s.writeVariable(v)
	}
	w.word("{")
	s.endLabel++
	label := fmt.Sprintf("gw_end_%d", s.endLabel)
	jumps := false
	for _, it := range r.items {
		if it.v != nil {
			s.writeDeclared(it.v)
			continue
		}
		if it.all && !s.uniformChange(it.node) {
			if it.node.kind == ifNode {
				w.tokens(s.toks[it.node.lo : it.node.head.hi+1])
			}
			w.word("goto %s;", label)
			jumps = true
			continue
		}
		at := it.node.lo
		for _, ret := range returns(it.node) {
			w.tokens(s.toks[at:ret.lo])
			ending := ""
			if s.ended {
				ending = "gw_ended[gw_row + gw_x] = true; gw_running--; "
			}
			w.word("{ %sgoto %s; }", ending, label)
			at, jumps = ret.hi, true
		}
		w.tokens(s.toks[at:it.node.hi])
	}
	w.word("}")
	if jumps {
		w.word("%s:;", label)
	}
	w.word("} }")
	for _, it := range r.items {
		switch {
		case !it.all:
		case it.v != nil:
			s.writeVariable(it.v)
		default:
			w.tokens(s.toks[it.node.lo:it.node.hi])
		}
	}
}

// writeDeclared writes a declaration inside a region.
func (s *splitter) writeDeclared(v *variable) {
	w := s.out
	if v.storage != perThread {
		s.writeVariable(v)
		return
	}
	if v.init.lo == v.init.hi {
		return
	}
	w.word("{")
	w.tokens(v.spec)
	w.tokens(v.pointer)
	w.word("gw_value")
	w.tokens(v.dims)
	w.tokens(s.toks[v.init.lo:v.init.hi])
	w.word("; gwsim::keep(%s, gw_value); }", v.name)
}

// looksAtThread tells whether a region calls what reads the runtime's threadIdx.
func (s *splitter) looksAtThread(r *region) bool {
	if s.looking {
		return true
	}
	for _, it := range r.items {
		at := span{}
		if it.v != nil {
			at = it.v.init
		} else {
			at = it.node.span
		}
		for i := at.lo; i < at.hi; i++ {
			t := s.toks[i]
			if t.Kind == cxx.Ident && (looksAtThread(t) && !t.Is("threadIdx") || s.lookers[t.Text] || s.groups[t.Text]) ||
				t.Is("threadIdx") && i > 0 && (s.toks[i-1].Is("::") || s.toks[i-1].Is("&")) {
				return true
			}
		}
	}
	return false
}

// withoutConst leaves the const out of a type, so that an array of it can be filled.
func withoutConst(toks []cxx.Token, outermost bool) []cxx.Token {
	if !outermost {
		return toks
	}
	var out []cxx.Token
	for _, t := range toks {
		if !t.Is("const") && !t.Is("__restrict__") {
			out = append(out, t)
		}
	}
	return out
}

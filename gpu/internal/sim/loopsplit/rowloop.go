package loopsplit

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gopherwarp/gopherwarp/internal/cxx"
)

// rowLoop begins the loop over the threads of a region.
func (w *printer) rowLoop(p rows, r *region) {
	stride := r.stride
	w.instead = map[int]instead{}
	for _, e := range p.atomics {
		w.instead[e.lo] = instead{e.hi, "gwsim::lanes::" + e.name}
	}
	if !p.inPieces() && stride == nil {
		w.word("GW_EACH_THREAD { GW_THREAD_BEGIN")
		return
	}
	if r.rows == nil && stride == nil {
		if p.alike = w.hasAlike(p); p.alike {
			w.alike(p)
		}
	}
	if r.rows != nil {
		w.word("GW_EACH_PIECE_OF_ROW { GW_PIECE_BEGIN")
	} else {
		w.word("GW_EACH_PIECE { GW_PIECE_BEGIN")
	}
	if p.alike {
		w.word("const auto gw_alike = gw_from == 0 ? gw_alike_0 : gw_alike_from(gw_from); gw_count = gw_alike.whole;")
	}
	if stride != nil {
		w.strideVariable(stride, "gw_from")
	}
	for _, v := range p.needed {
		w.variable(v)
	}
	w.shorten(p, false)
	w.lines(p)
	w.word("const size_t gw_next = gw_from + gw_count; size_t gw_first = 0;")
	if p.alike {
		w.word("gw_first = gw_alike.first; gw_count = gw_alike.count < gw_count ? gw_alike.count : gw_count;")
	}
	w.bound(p, false)
	if stride != nil {
		w.word("gwsim::lanes::atMost(gw_count, gw_limit - gw_i - (long long)(gw_from));")
	}
	w.subscripts(p)
	if w.periods(p) {
		w.word("GW_SOME_OF_PIECE(gw_by) { GW_THREAD_OF_PIECE")
	} else {
		w.word("GW_EACH_OF_PIECE { GW_THREAD_OF_PIECE")
	}
	if stride != nil {
		w.strideVariable(stride, "gw_thread")
	}
}

// hasAlike reports whether some of what pieces and their bounds are made of is the same in all rows of a block, and some is not.
func (w *printer) hasAlike(p rows) bool {
	p.alike = true
	same, other := false, false
	note := func(is bool) { same, other = same || is, other || !is }
	for _, part := range p.parts {
		note(w.isAlike(p, part.at))
	}
	for _, t := range p.tests {
		note(w.isAlike(p, t.a, t.b))
	}
	return same && other
}

// isAlike reports whether expressions are computed for all rows together.
func (w *printer) isAlike(p rows, list ...*expr) bool {
	return p.alike && !slices.ContainsFunc(list, w.ofRow)
}

// alike computes, before the loop over the rows of a block, what is the same for all of them: where their first pieces end as far as no
// index in x wraps around, and the threads that bounds in x leave. For further pieces, of which there are none in practice, it is computed
// where they begin.
func (w *printer) alike(p rows) {
	w.word("const auto gw_alike_from = [&](size_t gw_from) __attribute__((always_inline)) {")
	w.word("[[maybe_unused]] const uint3 threadIdx = {unsigned(gw_from), 0, 0}; size_t gw_count = blockDim.x - gw_from, gw_first = 0;")
	for _, v := range p.needed {
		if !w.ofRow(v.value) {
			w.variable(v)
		}
	}
	w.shorten(p, true)
	w.word("const size_t gw_whole = gw_count;")
	w.bound(p, true)
	w.word("return gwsim::lanes::Alike{gw_whole, gw_first, gw_count}; }; const auto gw_alike_0 = gw_alike_from(0);")
}

// ofRow reports whether an expression that any thread may compute depends on the row.
func (w *printer) ofRow(e *expr) bool {
	found := false
	e.walk(func(e *expr) {
		switch {
		case e.kind == memberExpr && e.list[0].kind == nameExpr && e.list[0].name == "threadIdx":
			found = found || e.name != "x"
		case e.kind == nameExpr && e.v != nil && e.v.storage == recomputed:
			found = found || w.ofRow(e.v.value)
		case e.kind == nameExpr && e.v != nil && (e.v.param || e.v.storage == inBlock):
		case e.kind == nameExpr && e.name != "blockIdx" && e.name != "blockDim" && e.name != "gridDim" && e.name != "threadIdx":
			found = true // it may be a variable of the region
		}
	})
	return found
}

// shorten shortens a piece to threads for which no index wraps around, by those indices that are alike in all rows or the others.
func (w *printer) shorten(p rows, alike bool) {
	seen := map[string]bool{}
	for _, part := range p.parts {
		if text := w.text(part.at); w.isAlike(p, part.at) == alike && !seen[text] {
			seen[text] = true
			w.word("gwsim::lanes::shorten<%d>(gw_count, %s);", part.by, text)
		}
	}
	if !alike {
		for _, c := range p.cuts {
			w.word("gwsim::lanes::within<'%c'>(gw_count, %s, %s);", c.op[0], w.text(c.of), w.text(c.by))
		}
	}
	for _, t := range p.tests {
		if w.isAlike(p, t.a, t.b) == alike && !strings.HasPrefix(t.op, "still") && t.op != every {
			w.word("gwsim::lanes::shortenBoth(gw_count, %s, %s);", w.text(t.a), w.text(t.b))
		}
	}
}

// lines computes subscripts and their slopes for the first thread of a piece, which is shortened if one wraps around in it.
func (w *printer) lines(p rows) {
	names := map[string]string{}
	for _, l := range p.lines {
		text := w.text(l.at)
		types := ""
		for _, part := range l.parts {
			types += ", decltype(" + w.text(part.at) + ")"
		}
		types = "<decltype(" + text + ")" + types + ">"
		name := names[text]
		if name == "" {
			w.aliases++
			name = "gw_at_" + strconv.Itoa(w.aliases)
			names[text] = name
			w.word("[[maybe_unused]] const long long %s = (long long)(%s), %[1]s_by = %[3]s;", name, text, l.slope)
			for _, part := range l.parts {
				w.word("gwsim::lanes::fitPart%s(gw_count, %s, %s);", types, w.text(part.at), part.text)
			}
			w.word("gwsim::lanes::fit%s(gw_count, %s, %s_by);", types, text, name)
		}
		w.instead[l.at.lo] = instead{l.at.hi, fmt.Sprintf("gwsim::lanes::line%s(%s + gw_step * %[2]s_by, %s)", types, name, text)}
	}
}

// bound leaves the threads of a piece that a guard lets run.
func (w *printer) bound(p rows, alike bool) {
	for _, t := range p.tests {
		if w.isAlike(p, t.a, t.b) != alike {
			continue
		}
		a, b := w.text(t.a), w.text(t.b)
		if op, still := strings.CutPrefix(t.op, "still"); still {
			w.word("if (!((%s) %s (%s))) gw_count = 0;", a, op, b)
		}
		for _, f := range bounds[t.op] {
			w.word("gwsim::lanes::%s(gw_first, gw_count, %s, %s);", f, a, b)
		}
	}
}

// subscripts computes what grows by one from thread to thread for the first thread of a piece, and what is the same for all of them. Where a block
// has rows, the elements that the next block will write are fetched.
func (w *printer) subscripts(p rows) {
	names := map[string]string{}
	for _, i := range p.indices {
		text := w.text(i.at)
		if names[text] == "" {
			w.aliases++
			names[text] = "gw_at_" + strconv.Itoa(w.aliases)
			w.word("[[maybe_unused]] const long long %s = (long long)(%s);", names[text], text)
		}
		if i.into != nil {
			w.word("if (blockDim.y > 1) gwsim::lanes::ahead(%s, %s, gw_count);", w.text(i.into), names[text])
		}
		with := names[text] + " + gw_step"
		if i.by > 1 {
			with = fmt.Sprintf("%s * %d", with, i.by)
		}
		if i.sum != nil {
			with = fmt.Sprintf("gwsim::lanes::part<decltype(%s), %v>(%s, %s)", w.text(i.sum), i.positive, with, text)
		}
		w.instead[i.at.lo] = instead{i.at.hi, with}
	}
	for _, e := range p.still {
		w.aliases++
		name := "gw_at_" + strconv.Itoa(w.aliases)
		w.word("const auto %s = %s;", name, w.text(e))
		w.instead[e.lo] = instead{e.hi, name}
	}
}

// periods leaves one thread of each period, and reports whether there are periods.
func (w *printer) periods(p rows) bool {
	found := false
	for _, t := range p.tests {
		if t.op != every {
			continue
		}
		if !found {
			w.word("size_t gw_by = 1;")
			found = true
		}
		w.word("gwsim::lanes::every<'%c'>(gw_first, gw_by, %s, %s, %s);", t.period.op[0], w.text(t.a), w.text(t.period.by), w.text(t.b))
	}
	return found
}

// An instead is what stands for the tokens up to an index.
type instead struct {
	hi   int
	text string
}

// text returns the text of an expression.
func (w *printer) text(e *expr) string { return w.textOf(e) }

func (s *splitter) textOf(e *expr) string { return cxx.Join(s.toks[e.lo:e.hi]) }

package loopsplit

import "github.com/gopherwarp/gopherwarp/internal/cxx"

import "slices"

// A storage says where a split kernel keeps one of its variables.
type storage uint8

const (
	inRegion   storage = iota // an ordinary local of the only region that uses it
	inBlock                   // one for the whole block: all threads have the same value
	recomputed                // each region computes it anew from threadIdx
	perThread                 // an array with an element for each thread
)

// A variable is a parameter, or a local declared where barriers may stand.
type variable struct {
	name        string
	id          int
	param       bool
	spec        []cxx.Token // const unsigned int
	pointer     []cxx.Token // * const
	dims        []cxx.Token // [8][8]
	init        span        // with the = or the brackets; empty if there is none
	atBlock     bool        // __shared__, constexpr, static: one for all threads by declaration
	reference   bool
	points      bool // a pointer: v[0] = 1 does not change it
	groupObject bool // a cooperative_groups::thread_block

	// changes are the right sides of statements of the form v = …; in places that all
	// threads pass together.
	changes []span
	// updated: there are such changes other than in the head of a for loop.
	updated bool
	// written: something else may change it.
	written bool

	uniform, index bool
	// fixed: uniform, and of the same value from its declaration to the end of its scope.
	fixed   bool
	storage storage
	regions map[*region]bool
}

func (v *variable) has(word string) bool { return cxx.Has(v.spec, word) || cxx.Has(v.pointer, word) }

// declaration reads the declarators of a simple statement, or returns nil if it is none.
func (s *splitter) declaration(at span) []*variable {
	i, typed := at.lo, false
	for i < at.hi {
		t := s.toks[i]
		switch {
		case t.Is("alignas"), t.Is("__align__"), t.Is("__attribute__"):
			i = cxx.SkipGroup(s.toks, i+1)
			continue
		case t.Kind != cxx.Ident:
		case declWord[t.Text]:
			i++
			continue
		case cxx.IsBasicType(t.Text):
			typed = true
			i++
			continue
		case !typed:
			typed = true
			i = s.qualifiedEnd(i)
			continue
		}
		break
	}
	if !typed || i >= at.hi {
		return nil
	}
	spec := s.toks[at.lo:i]
	var vars []*variable
	for i < at.hi {
		v := &variable{spec: spec, regions: map[*region]bool{}}
		start := i
		for i < at.hi && (s.toks[i].Is("*") || s.toks[i].Is("&") || s.toks[i].Is("&&") || s.toks[i].Is("const") ||
			s.toks[i].Is("__restrict__") || s.toks[i].Is("volatile")) {
			v.reference = v.reference || s.toks[i].Is("&") || s.toks[i].Is("&&")
			i++
		}
		v.pointer = s.toks[start:i]
		v.points = cxx.Has(v.pointer, "*")
		if i >= at.hi || s.toks[i].Kind != cxx.Ident {
			return nil
		}
		v.name = s.toks[i].Text
		i++
		start = i
		for i < at.hi && s.toks[i].Is("[") {
			i = cxx.SkipGroup(s.toks, i)
		}
		v.dims = s.toks[start:i]
		start = i
		if i < at.hi && !s.toks[i].Is(",") {
			if !s.toks[i].Is("=") && !s.toks[i].Is("{") && !s.toks[i].Is("(") {
				return nil
			}
			i = s.commaAfter(i, at.hi)
		}
		v.init = span{start, i}
		for _, w := range []string{"__shared__", "constexpr", "static", "extern", "thread_local"} {
			v.atBlock = v.atBlock || cxx.Has(spec, w)
		}
		vars = append(vars, v)
		i++ // the comma
	}
	return vars
}

// declWord are the words of a declaration besides the type.
var declWord = map[string]bool{
	"const": true, "constexpr": true, "volatile": true, "static": true, "extern": true, "register": true, "inline": true,
	"typename": true, "struct": true, "class": true, "enum": true, "__shared__": true, "__restrict__": true, "thread_local": true,
}

// qualifiedEnd is the end of the name at i, with namespaces and template arguments.
func (s *splitter) qualifiedEnd(i int) int {
	for i++; i < len(s.toks); {
		switch {
		case s.toks[i].Is("<"):
			end := s.anglesEnd(i)
			if end < 0 {
				return i
			}
			i = end
		case s.toks[i].Is("::") && i+1 < len(s.toks) && s.toks[i+1].Kind == cxx.Ident:
			i += 2
		default:
			return i
		}
	}
	return i
}

// anglesEnd is where the template arguments that open at i end, or -1 if they are none.
func (s *splitter) anglesEnd(i int) int {
	depth := 0
	for ; i < len(s.toks); i++ {
		t := s.toks[i]
		switch {
		case t.Is("<"):
			depth++
		case t.Is(">"):
			depth--
		case t.Is(">>"):
			depth -= 2
		case t.Is("("):
			i = cxx.SkipGroup(s.toks, i) - 1
		case t.Is(";"), t.Is("{"), t.Is("}"), t.Is(")"), t.Is("="), t.Is("&&"), t.Is("||"), t.Is("?"):
			return -1
		}
		if depth <= 0 {
			return i + 1
		}
	}
	return -1
}

// commaAfter is the next comma outside brackets, or hi.
func (s *splitter) commaAfter(i, hi int) int {
	for i < hi {
		switch t := s.toks[i]; {
		case t.Is(","):
			return i
		case t.Is("("), t.Is("["), t.Is("{"):
			i = cxx.SkipGroup(s.toks, i)
		case t.Is("<") && i > 0 && s.toks[i-1].Kind == cxx.Ident:
			// foo<a, b>(c), but not a < b.
			if end := s.anglesEnd(i); end > 0 && end < hi && (s.toks[end].Is("(") || s.toks[end].Is("::") || s.toks[end].Is("{")) {
				i = end
			} else {
				i++
			}
		default:
			i++
		}
	}
	return hi
}

// change reads `v = …`, `v += …`, `v++` and `++v`, where v is a plain variable.
func (s *splitter) change(at span) (v *variable, right span, ok bool) {
	switch {
	case at.hi-at.lo < 2:
		return nil, span{}, false
	case s.ref[at.lo] != nil && isAssignment(s.toks[at.lo+1]):
		right = span{at.lo + 2, at.hi}
		step := s.toks[at.lo+1].Is("++") || s.toks[at.lo+1].Is("--")
		return s.ref[at.lo], right, step == (right.lo == right.hi)
	case at.hi-at.lo == 2 && (s.toks[at.lo].Is("++") || s.toks[at.lo].Is("--")) && s.ref[at.lo+1] != nil:
		return s.ref[at.lo+1], span{at.hi, at.hi}, true
	}
	return nil, span{}, false
}

// noteWrites marks the variables that the code may write to in ways that change does not
// cover.
func (s *splitter) noteWrites(at span) {
	var callees []string // of the parentheses that are open
	for i := at.lo; i < at.hi; i++ {
		t := s.toks[i]
		switch {
		case t.Is("("):
			callee := ""
			if i > at.lo && s.toks[i-1].Kind == cxx.Ident {
				callee = s.toks[i-1].Text
				if s.ref[i-1] != nil || i-2 >= at.lo && (s.toks[i-2].Is(".") || s.toks[i-2].Is("->")) {
					callee = "."
				}
			} else if i > at.lo && (s.toks[i-1].Is(">") || s.toks[i-1].Is(")") || s.toks[i-1].Is("]")) {
				callee = "." // a template's instance, or something that is called through a value
				if s.toks[i-1].Is(">") && s.castBefore(i) {
					callee = ""
				}
			}
			callees = append(callees, callee)
		case t.Is("[") || t.Is("{"):
			callees = append(callees, "")
		case t.Is(")") || t.Is("]") || t.Is("}"):
			if len(callees) > 0 {
				callees = callees[:len(callees)-1]
			}
		case t.Is("&") && i > at.lo && !endsOperand(s.toks[i-1]) || (t.Is("&") || t.Is("&&")) && i+2 < at.hi && s.toks[i+1].Kind == cxx.Ident && s.toks[i+2].Is("="):
			// An address, or a reference that is bound to something in this statement.
			if s.toks[i].Is("&") && i > at.lo && !endsOperand(s.toks[i-1]) {
				s.writeTo(i + 1)
				continue
			}
			for k := at.lo; k < at.hi; k++ {
				s.writeTo(k)
			}
		case s.ref[i] != nil:
			v := s.ref[i]
			end := s.postfixEnd(i)
			through := v.points && (end > i+1 && s.toks[i+1].Is("[") ||
				i > at.lo && s.toks[i-1].Is("*") && end < at.hi && !s.toks[end].Is("++") && !s.toks[end].Is("--"))
			if end < at.hi && isAssignment(s.toks[end]) && !through {
				v.written = true
			}
			if i > at.lo && (s.toks[i-1].Is("++") || s.toks[i-1].Is("--")) {
				v.written = true
			}
			if n := len(callees); n > 0 && i > at.lo && i+1 < at.hi && (s.toks[i-1].Is("(") || s.toks[i-1].Is(",")) && (s.toks[i+1].Is(")") || s.toks[i+1].Is(",")) && s.mayWrite(callees[n-1]) {
				v.written = true
			}
		}
	}
}

// castBefore tells whether the parenthesis at i follows static_cast<…> and its like.
func (s *splitter) castBefore(i int) bool {
	for k := i - 1; k >= 0 && !s.toks[k].Is(";"); k-- {
		if s.toks[k].Is("<") && k > 0 && s.anglesEnd(k) == i {
			switch s.toks[k-1].Text {
			case "static_cast", "reinterpret_cast", "const_cast":
				return true
			}
			return false
		}
	}
	return false
}

func (s *splitter) writeTo(i int) {
	for i < len(s.toks) && s.toks[i].Is("(") {
		i++
	}
	if i < len(s.toks) && s.ref[i] != nil {
		s.ref[i].written = true
	}
}

// postfixEnd is the end of v.x[3] and the like.
func (s *splitter) postfixEnd(i int) int {
	for i++; i < len(s.toks); {
		switch {
		case s.toks[i].Is("."):
			i += 2
		case s.toks[i].Is("["):
			i = cxx.SkipGroup(s.toks, i)
		default:
			return i
		}
	}
	return i
}

// mayWrite tells whether what is called may write to its arguments: a function that takes
// references, a macro with an assignment, a method, one of the standard library.
func (s *splitter) mayWrite(callee string) bool {
	return s.code.reference[callee] || s.code.assigns(callee) || callee == "." || callee == "swap" || s.code.classes[callee]
}

// plainFunction are words before a parenthesis that give a value and change nothing.
var plainFunction = map[string]bool{
	"sizeof": true, "if": true, "while": true, "for": true, "switch": true, "return": true, "alignof": true,
	"min": true, "max": true, "abs": true, "fminf": true, "fmaxf": true, "fmin": true, "fmax": true, "umin": true, "umax": true,
	"__popc": true, "__clz": true, "__ffs": true, "__brev": true, "__mul24": true, "__umul24": true,
	"ceilf": true, "floorf": true, "sqrtf": true, "log2f": true, "exp2f": true, "ceil": true, "floor": true, "sqrt": true,
}

// builtinNames are names of CUDA C++ whose values are the same for all threads of a block.
var builtinNames = map[string]bool{
	"blockIdx": true, "blockDim": true, "gridDim": true, "warpSize": true, "true": true, "false": true, "nullptr": true,
	"const": true, "static_cast": true, "size_t": true, "uint": true, "dim3": true, "sizeof": true, "typename": true,
	"int8_t": true, "uint8_t": true, "int16_t": true, "uint16_t": true, "int32_t": true, "uint32_t": true, "int64_t": true, "uint64_t": true,
}

// same tells whether an expression reads nothing but names that ok accepts, and writes
// and loads nothing.
func (s *splitter) same(at span, ok func(i int) bool) bool {
	for i := at.lo; i < at.hi; i++ {
		t := s.toks[i]
		switch {
		case t.Kind == cxx.String:
			return false
		case t.Kind == cxx.Ident:
			member := i > at.lo && s.toks[i-1].Is(".")
			if !member && !ok(i) {
				return false
			}
		case isAssignment(t), t.Is("["), t.Is("->"), t.Is(";"), t.Is("{"):
			return false
		case (t.Is("*") || t.Is("&")) && (i == at.lo || !endsOperand(s.toks[i-1])):
			return false
		case t.Is(".") && i+2 < at.hi && s.toks[i+2].Is("("):
			return false // a method
		}
	}
	return true
}

func (s *splitter) uniformName(i int) bool {
	if v := s.ref[i]; v != nil {
		return v.uniform
	}
	t := s.toks[i].Text
	return builtinNames[t] || cxx.IsBasicType(t) || plainFunction[t] || s.names[t] || s.code.constants[t]
}

func (s *splitter) indexName(i int) bool {
	if s.toks[i].Is("threadIdx") {
		return true
	}
	if v := s.ref[i]; v != nil {
		return v.index || v.fixed
	}
	return s.uniformName(i)
}

// value is the initial value without its = or brackets.
func (s *splitter) value(v *variable) span {
	at := v.init
	switch {
	case at.lo == at.hi:
	case s.toks[at.lo].Is("="):
		at.lo++
	default:
		at.lo++
		at.hi--
	}
	return at
}

// classify finds out which variables are the same for all threads, and which follow from
// the thread's index alone.
func (s *splitter) classify() {
	for _, v := range s.vars {
		scalar := len(v.dims) == 0 && !v.reference && !cxx.Has(v.spec, "volatile")
		// The name of a shared array is its address, which is the same for all.
		v.uniform = v.atBlock && (!v.has("__shared__") || len(v.dims) > 0) || scalar && !v.written && !v.atBlock && !v.groupObject
		v.index = scalar && !v.written && len(v.changes) == 0 && !v.param && !v.atBlock && !v.groupObject && v.init.lo < v.init.hi
	}
	s.settle(func(v *variable) bool {
		if !v.uniform || v.atBlock {
			return true
		}
		if !v.param && (v.init.lo < v.init.hi && !s.same(s.value(v), s.uniformName) || v.init.lo == v.init.hi && len(v.changes) == 0) {
			v.uniform = false
		}
		for _, c := range v.changes {
			v.uniform = v.uniform && s.same(c, s.uniformName)
		}
		return v.uniform
	})
	for _, v := range s.vars {
		v.fixed = v.uniform && !v.updated
	}
	s.settle(func(v *variable) bool {
		for i := v.init.lo; i < v.init.hi && v.fixed; i++ {
			v.fixed = s.ref[i] == nil || s.ref[i].fixed
		}
		return v.fixed
	})
	s.settle(func(v *variable) bool {
		v.index = v.index && s.same(s.value(v), s.indexName)
		return v.index
	})
}

// settle calls keep for all variables until nothing changes any more.
func (s *splitter) settle(keep func(*variable) bool) {
	kept := slices.Clone(s.vars)
	for {
		n := len(kept)
		kept = slices.DeleteFunc(kept, func(v *variable) bool { return !keep(v) })
		if len(kept) == n {
			return
		}
	}
}

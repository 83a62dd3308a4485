package loopsplit

import (
	"slices"
	"strings"

	"github.com/gopherwarp/gopherwarp/internal/cudac"
	"github.com/gopherwarp/gopherwarp/internal/cxx"
)

// code has the declarations of the source outside the kernel.
type code struct {
	toks   []cxx.Token
	macros map[string][]cxx.Token // bodies of macros with parameters, by name
	file   *cudac.File

	functions map[string][]cxx.Token // bodies of functions at namespace level, by name
	defs      map[string][]function  // their definitions
	reference map[string]bool        // functions that take an argument by reference
	unnamed   []cxx.Token            // bodies that run without being named: of classes, operators, of lambdas for devices, and what is called through a pointer
	constants map[string]bool        // names of values that no kernel can change
	classes   map[string]bool        // names of classes
	methods   map[string]bool        // method names; true if all methods of the name are const
	clusters  bool                   // blocks may reach each other's shared memory
	addresses bool                   // the place of shared memory may be asked for
	groups    map[string]bool        // aliases of namespace cooperative_groups; "" if a using directive names it
	aliases   map[string][]cxx.Token // what other names of types and namespaces stand for
	cub       bool                   // a using directive names namespace cub
	others    *Others                // nil if the file uses no device functions of others
}

// A function is a definition at namespace level.
type function struct {
	decl []cxx.Token // up to the brace, with template<…>
	open int         // the index of the parameters' parenthesis
	body []cxx.Token
}

// survey reads the declarations at namespace level.
func survey(f *cudac.File, others *Others) *code {
	c := &code{
		others: others,
		toks:   f.Tokens(), macros: f.Macros(), file: f, functions: map[string][]cxx.Token{}, defs: map[string][]function{}, reference: map[string]bool{},
		constants: map[string]bool{}, classes: map[string]bool{}, methods: map[string]bool{}, groups: map[string]bool{},
		aliases: map[string][]cxx.Token{},
	}
	c.read()
	c.indirect()
	c.clusters = slices.ContainsFunc(c.toks, func(t cxx.Token) bool {
		return t.Is("map_shared_rank") || t.Is("mapa") || t.Is("this_cluster") || t.Is("asm")
	})
	c.addresses = c.clusters || slices.ContainsFunc(c.toks, func(t cxx.Token) bool {
		return t.Is("gwptx") || strings.HasPrefix(t.Text, "__cvta_") || strings.HasPrefix(t.Text, "__is")
	})
	if others != nil {
		c.clusters = c.clusters || others.clusters
		c.addresses = c.addresses || others.addresses
	}
	return c
}

func (c *code) read() {
	start := 0
	for i := 0; i < len(c.toks); {
		switch t := c.toks[i]; {
		case t.Is("("), t.Is("["):
			i = cxx.SkipGroup(c.toks, i)
		case t.Is("{"):
			decl := c.toks[start:i]
			if opensNamespace(decl) {
				i++
			} else {
				end := cxx.SkipGroup(c.toks, i)
				c.body(decl, c.toks[i+1:max(i+1, end-1)])
				i = end
			}
			start = i
		case t.Is(";"), t.Is("}"):
			c.declaration(c.toks[start:i])
			i++
			start = i
		default:
			i++
		}
	}
}

// indirect adds to the unnamed bodies those of functions whose names stand elsewhere than in calls, such as template arguments, and of
// lambdas that kernels are given.
func (c *code) indirect() {
	added := map[string]bool{}
	look := func(toks []cxx.Token) {
		for i, t := range toks {
			switch {
			case t.Is("__device__") && i > 0 && (toks[i-1].Is("]") || toks[i-1].Is("__host__") && i > 1 && toks[i-2].Is("]")):
				c.unnamed = append(c.unnamed, lambdaBody(toks[i:])...)
			case t.Kind == cxx.Ident && !added[t.Text] && len(c.functions[t.Text]) > 0 && !called(toks, i):
				added[t.Text] = true
				for _, f := range c.defs[t.Text] {
					if forDevices(f.decl) {
						c.unnamed = append(c.unnamed, f.body...)
					}
				}
			case c.others != nil && !added[t.Text] && c.isElsewhere(t.Text) && !called(toks, i):
				added[t.Text] = true
				c.unnamed = append(c.unnamed, t)
			}
		}
	}
	look(c.toks)
	for _, body := range c.macros {
		look(body)
	}
}

// forDevices reports whether kernels may call a function: those of host code may wait for what they like. A name in capital letters may be a
// macro with the attribute.
func forDevices(decl []cxx.Token) bool {
	return slices.ContainsFunc(decl, func(t cxx.Token) bool {
		return t.Is("__device__") || t.Is("constexpr") || t.Kind == cxx.Ident && len(t.Text) > 1 && t.Text == strings.ToUpper(t.Text)
	})
}

// called reports whether the name at i is followed by arguments, or by template arguments and these.
func called(toks []cxx.Token, i int) bool {
	i++
	if i < len(toks) && toks[i].Is("<") {
		i = cxx.SkipAngles(toks, i)
	}
	return i < len(toks) && toks[i].Is("(")
}

// lambdaBody returns the first group in braces of the rest of a lambda.
func lambdaBody(toks []cxx.Token) []cxx.Token {
	for i := 0; i < len(toks) && !toks[i].Is(";"); {
		switch {
		case toks[i].Is("{"):
			return toks[i:cxx.SkipGroup(toks, i)]
		case toks[i].Is("("):
			i = cxx.SkipGroup(toks, i)
		default:
			i++
		}
	}
	return nil
}

func opensNamespace(decl []cxx.Token) bool {
	for len(decl) > 0 && decl[0].Is("inline") {
		decl = decl[1:]
	}
	return len(decl) > 0 && decl[0].Is("namespace") || len(decl) == 2 && decl[0].Is("extern") && decl[1].Text == `"C"`
}

// body records the body of a declaration.
func (c *code) body(decl, body []cxx.Token) {
	if cxx.Has(decl, "__global__") {
		return
	}
	if cxx.TopLevel(decl, "=") >= 0 {
		c.declaration(decl)
		return
	}
	if cxx.Has(decl, "enum") {
		for _, t := range body {
			c.constants[t.Text] = true
		}
		return
	}
	all := decl
	for len(decl) > 1 && decl[0].Is("template") && decl[1].Is("<") {
		decl = decl[cxx.SkipAngles(decl, 1):] // template <class T> declares no class
	}
	for i, t := range decl {
		if (t.Is("struct") || t.Is("class") || t.Is("union")) && i+1 < len(decl) {
			for _, name := range decl[i+1:] { // attributes may precede the name
				c.classes[name.Text] = true
			}
			c.members(body)
		}
	}
	open := cxx.TopLevel(decl, "(")
	if open < 1 || decl[open-1].Kind != cxx.Ident || cxx.Has(decl, "operator") || cxx.Has(decl, "struct") || cxx.Has(decl, "class") {
		c.unnamed = append(c.unnamed, withoutHost(body)...)
		return
	}
	name := decl[open-1].Text
	c.functions[name] = append(c.functions[name], body...)
	c.defs[name] = append(c.defs[name], function{decl: all, open: open + len(all) - len(decl), body: body})
	c.reference[name] = c.reference[name] || cxx.Has(decl[open:], "&")
}

// withoutHost returns the body of a class without the bodies of its methods that are for host code alone.
func withoutHost(body []cxx.Token) []cxx.Token {
	var out []cxx.Token
	start := 0
	for i := 0; i < len(body); {
		switch t := body[i]; {
		case t.Is("("):
			i = cxx.SkipGroup(body, i)
		case t.Is("{"):
			decl, end := body[start:i], cxx.SkipGroup(body, i)
			switch {
			case cxx.TopLevel(decl, "(") < 0 || cxx.TopLevel(decl, "=") >= 0:
				out = append(append(out, decl...), withoutHost(body[i+1:max(i+1, end-1)])...)
			case forDevices(decl):
				out = append(out, body[start:end]...)
			}
			i, start = end, end
		case t.Is(";"):
			i++
			out = append(out, body[start:i]...)
			start = i
		default:
			i++
		}
	}
	return append(out, body[start:]...)
}

// members records the methods of a class.
func (c *code) members(body []cxx.Token) {
	for i := 0; i+1 < len(body); i++ {
		switch {
		case body[i].Is("{"):
			i = cxx.SkipGroup(body, i) - 1
		case body[i].Kind == cxx.Ident && body[i+1].Is("("):
			end := cxx.SkipGroup(body, i+1)
			known, seen := c.methods[body[i].Text]
			c.methods[body[i].Text] = (known || !seen) && end < len(body) && body[end].Is("const")
			i = end - 1
		}
	}
}

// reads reports whether calling a method does not change its object.
func (c *code) reads(method string) bool { return c.methods[method] }

// declaration records a declaration without a body.
func (c *code) declaration(decl []cxx.Token) {
	switch {
	case len(decl) == 4 && decl[0].Is("namespace") && decl[3].Is("cooperative_groups"):
		c.groups[decl[1].Text] = true
	case len(decl) == 3 && decl[0].Is("using") && decl[2].Is("cooperative_groups"):
		c.groups[""] = true
	case cxx.Has(decl, "using") || len(decl) > 0 && (decl[0].Is("typedef") || decl[0].Is("namespace")):
		c.alias(decl)
	case cxx.Has(decl, "const") || cxx.Has(decl, "constexpr") || cxx.Has(decl, "__constant__"):
		if eq := cxx.TopLevel(decl, "="); eq >= 0 {
			decl = decl[:eq]
		}
		if !cxx.Has(decl, "*") && len(decl) > 0 && decl[len(decl)-1].Kind == cxx.Ident {
			c.constants[decl[len(decl)-1].Text] = true
		}
	case len(decl) > 2 && cxx.TopLevel(decl, "(") > 0:
		// A function defined elsewhere.
		if name := decl[cxx.TopLevel(decl, "(")-1]; name.Kind == cxx.Ident && !cxx.Has(decl, "__global__") && c.functions[name.Text] == nil {
			c.functions[name.Text] = []cxx.Token{}
		}
		if open := cxx.TopLevel(decl, "("); cxx.Has(decl[open:], "&") {
			c.reference[decl[open-1].Text] = true
		}
	}
}

// alias records another name of a type or a namespace.
func (c *code) alias(decl []cxx.Token) {
	name := decl[len(decl)-1]
	if eq := cxx.TopLevel(decl, "="); eq > 0 {
		name = decl[eq-1]
	}
	c.aliases[name.Text] = append(c.aliases[name.Text], decl...)
	c.cub = c.cub || name.Is("cub") && cxx.Has(decl, "namespace") && cxx.Has(decl, "using")
}

// expansion returns the tokens of a macro with parameters and of the macros that it uses.
func (c *code) expansion(name string) []cxx.Token {
	if len(c.macros[name]) == 0 {
		return nil
	}
	var out []cxx.Token
	seen := map[string]bool{}
	var expand func(name string)
	expand = func(name string) {
		if seen[name] {
			return
		}
		seen[name] = true
		for _, t := range c.macros[name] {
			out = append(out, t)
			expand(t.Text)
		}
	}
	expand(name)
	return joinOperators(out)
}

// assigns reports whether a macro writes to an operand, or takes its address.
func (c *code) assigns(macro string) bool {
	return slices.ContainsFunc(c.expansion(macro), func(t cxx.Token) bool {
		return isAssignment(t) || t.Is("&") || c.reference[t.Text]
	})
}

// reaching returns the names of functions, types and macros whose bodies contain a token that holds
// accepts, directly or through other names. always reports whether unnamed code contains one.
func (c *code) reaching(holds func(toks []cxx.Token, i int) bool) (names map[string]bool, always bool) {
	names = map[string]bool{}
	hit := func(body []cxx.Token) bool {
		for i, t := range body {
			if holds(body, i) || t.Kind == cxx.Ident && names[t.Text] {
				return true
			}
		}
		return false
	}
	for grown := true; grown; {
		grown = false
		for _, bodies := range []map[string][]cxx.Token{c.functions, c.macros, c.aliases} {
			for name, body := range bodies {
				if !names[name] && hit(body) {
					names[name], grown = true, true
				}
			}
		}
	}
	return names, hit(c.unnamed)
}

// waits reports whether a token can make a thread wait for others, or can hide such a wait.
func (c *code) waits(toks []cxx.Token, i int) bool {
	t := toks[i]
	if t.Kind != cxx.Ident {
		return false
	}
	switch t.Text {
	case "sync", "arrive", "wait", "barrier", "__activemask", "__nanosleep", "asm", "__asm__", "__asm", "goto", "this_grid",
		"this_cluster", "coalesced_threads", "tiled_partition", "thread_block_tile", "grid_group", "cluster_group",
		"coalesced_group", "labeled_partition", "binary_partition", "memcpy_async",
		"__shfl", "__shfl_up", "__shfl_down", "__shfl_xor", "__ballot", "__any", "__all", // of devices before 7.0
		"pipeline", "make_pipeline",
		"TempStorage": // of a class of CUB's, which a template parameter may be
		return true
	case "cuda", "cub", "thrust", "nvcuda", "wmma":
		// A namespace, rather than a function or variable of that name.
		return i+1 == len(toks) || toks[i+1].Is("::") || i > 0 && (toks[i-1].Is("namespace") || toks[i-1].Is("="))
	}
	return strings.HasPrefix(t.Text, "__sync") || strings.HasSuffix(t.Text, "_sync") || strings.HasPrefix(t.Text, "__cluster") || strings.HasPrefix(t.Text, "__barrier") ||
		strings.HasPrefix(t.Text, "barrier_") || strings.HasPrefix(t.Text, "arrive_") || strings.HasPrefix(t.Text, "wait_") ||
		c.cub && (strings.HasPrefix(t.Text, "Block") || strings.HasPrefix(t.Text, "Warp")) ||
		c.names(toks, i, func(o *Others) map[string]bool { return o.waits })
}

// readsThread reports whether a token outside the kernel's own text depends on the running thread.
func (c *code) readsThread(toks []cxx.Token, i int) bool {
	t := toks[i]
	switch t.Text {
	case "threadIdx", "printf", "assert", "__assertfail", "__trap", "this_thread_block", "thread_block", "thread_rank",
		"gwsim": // as in gwsim::lane(), for %laneid of assembly
		return t.Kind == cxx.Ident
	}
	return t.Kind == cxx.Ident && c.names(toks, i, func(o *Others) map[string]bool { return o.reads })
}

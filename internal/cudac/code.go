package cudac

import (
	"slices"
	"strings"
)

// code is what splitting a kernel must know of the rest of the source.
type code struct {
	toks   []token
	macros map[string][]token // with parameters, by name: their bodies

	functions map[string][]token // bodies of functions at namespace level, by name
	reference map[string]bool    // functions that take something by reference
	unnamed   []token            // bodies that are reached without being named: classes, operators
	constants map[string]bool    // names of values that no kernel can change
	classes   map[string]bool    // names of classes
	special   map[string]bool    // templates with specialisations of their own
	groups    map[string]bool    // names for namespace cooperative_groups, "" if it is opened
}

// A definition is a kernel's text.
type definition struct {
	template []token // template <...>, with the words
	params   []token // with the parentheses
	body     []token // without the braces
	begin    int     // where the text after the opening brace begins, in bytes
	end      int     // and that after the closing one
}

// definition takes the kernel apart whose body opens at pos; before are the tokens in
// front of __global__. It is empty if the body is never closed.
func (p *parser) definition(before, params []token, open int) definition {
	end := skipGroup(p.toks, open)
	if !p.toks[end-1].is("}") || end == open+1 {
		return definition{}
	}
	d := definition{params: params, body: p.toks[open+1 : end-1], begin: p.toks[open].end, end: p.toks[end-1].end}
	for i, t := range before {
		if t.is("template") && i+1 < len(before) && before[i+1].is("<") {
			d.template = append(d.template, before[i:skipAngles(before, i+1)]...)
		}
	}
	return d
}

// survey reads the declarations at namespace level.
func (c *code) survey() {
	c.functions = map[string][]token{}
	c.constants, c.classes, c.groups = map[string]bool{}, map[string]bool{}, map[string]bool{}
	c.reference = map[string]bool{}
	start := 0
	for i := 0; i < len(c.toks); {
		switch t := c.toks[i]; {
		case t.is("("), t.is("["):
			i = skipGroup(c.toks, i)
		case t.is("{"):
			decl := c.toks[start:i]
			if opensNamespace(decl) {
				i++
			} else {
				end := skipGroup(c.toks, i)
				c.body(decl, c.toks[i+1:max(i+1, end-1)])
				i = end
			}
			start = i
		case t.is(";"), t.is("}"):
			c.declaration(c.toks[start:i])
			i++
			start = i
		default:
			i++
		}
	}
}

func opensNamespace(decl []token) bool {
	for len(decl) > 0 && decl[0].is("inline") {
		decl = decl[1:]
	}
	return len(decl) > 0 && decl[0].is("namespace") || isExternC(decl) && len(decl) == 2
}

// body files what stands between the braces after decl.
func (c *code) body(decl, body []token) {
	if has(decl, "__global__") {
		return
	}
	if topLevel(decl, "=") >= 0 {
		c.declaration(decl)
		return
	}
	if has(decl, "enum") {
		for _, t := range body {
			c.constants[t.text] = true
		}
		return
	}
	for i, t := range decl {
		if (t.is("struct") || t.is("class") || t.is("union")) && i+1 < len(decl) {
			for _, name := range decl[i+1:] { // attributes may stand before the name
				c.classes[name.text] = true
			}
		}
	}
	open := topLevel(decl, "(")
	if open < 1 || decl[open-1].kind != tokIdent || has(decl, "operator") || has(decl, "struct") || has(decl, "class") {
		c.unnamed = append(c.unnamed, body...)
		return
	}
	name := decl[open-1].text
	c.functions[name] = append(c.functions[name], body...)
	c.reference[name] = c.reference[name] || has(decl[open:], "&")
}

// declaration looks at one without a body.
func (c *code) declaration(decl []token) {
	switch {
	case len(decl) == 4 && decl[0].is("namespace") && decl[3].is("cooperative_groups"):
		c.groups[decl[1].text] = true
	case len(decl) == 3 && decl[0].is("using") && decl[2].is("cooperative_groups"):
		c.groups[""] = true
	case has(decl, "const") || has(decl, "constexpr") || has(decl, "__constant__"):
		if eq := topLevel(decl, "="); eq >= 0 {
			decl = decl[:eq]
		}
		if !has(decl, "*") && len(decl) > 0 && decl[len(decl)-1].kind == tokIdent {
			c.constants[decl[len(decl)-1].text] = true
		}
	case len(decl) > 2 && topLevel(decl, "(") > 0:
		// A function that is defined elsewhere.
		if name := decl[topLevel(decl, "(")-1]; name.kind == tokIdent && !has(decl, "__global__") && c.functions[name.text] == nil {
			c.functions[name.text] = []token{}
		}
		if open := topLevel(decl, "("); has(decl[open:], "&") {
			c.reference[decl[open-1].text] = true
		}
	}
}

func (c *code) specialise(name string) {
	if c.special == nil {
		c.special = map[string]bool{}
	}
	c.special[name] = true
}

// expansion gives the tokens of a macro with parameters and of the macros in it.
func (c *code) expansion(name string) []token {
	var out []token
	seen := map[string]bool{}
	var expand func(name string)
	expand = func(name string) {
		if seen[name] {
			return
		}
		seen[name] = true
		for _, t := range c.macros[name] {
			out = append(out, t)
			expand(t.text)
		}
	}
	expand(name)
	return joinOperators(out)
}

// assigns tells whether a macro writes to something, or passes its address on.
func (c *code) assigns(macro string) bool {
	return slices.ContainsFunc(c.expansion(macro), func(t token) bool {
		return isAssignment(t) || t.is("&") || c.reference[t.text]
	})
}

// reaching returns the names of the functions and macros whose bodies have a token that
// holds, or name another one that does. always: code that is reached without a name does.
func (c *code) reaching(holds func(token) bool) (names map[string]bool, always bool) {
	names = map[string]bool{}
	hit := func(body []token) bool {
		for _, t := range body {
			if holds(t) || t.kind == tokIdent && names[t.text] {
				return true
			}
		}
		return false
	}
	for grown := true; grown; {
		grown = false
		for _, bodies := range []map[string][]token{c.functions, c.macros} {
			for name, body := range bodies {
				if !names[name] && hit(body) {
					names[name], grown = true, true
				}
			}
		}
	}
	return names, hit(c.unnamed)
}

// waits tells whether a token can make a thread wait for others, or hides what happens.
func waits(t token) bool {
	if t.kind != tokIdent {
		return false
	}
	switch t.text {
	case "sync", "arrive", "wait", "barrier", "__activemask", "__nanosleep", "asm", "__asm__", "__asm", "goto", "this_grid",
		"this_cluster", "coalesced_threads", "tiled_partition", "thread_block_tile", "grid_group", "cluster_group",
		"coalesced_group", "labeled_partition", "binary_partition", "memcpy_async",
		"cuda", "pipeline", "make_pipeline", "nvcuda", "wmma":
		return true
	}
	return strings.HasPrefix(t.text, "__sync") || strings.HasSuffix(t.text, "_sync") || strings.HasPrefix(t.text, "__cluster") ||
		strings.HasPrefix(t.text, "barrier_") || strings.HasPrefix(t.text, "arrive_") || strings.HasPrefix(t.text, "wait_")
}

// looksAtThread tells whether a token outside the kernel's own text depends on which thread runs.
func looksAtThread(t token) bool {
	switch t.text {
	case "threadIdx", "printf", "assert", "__trap", "this_thread_block", "thread_block", "thread_rank":
		return t.kind == tokIdent
	}
	return false
}

func has(toks []token, text string) bool {
	for _, t := range toks {
		if t.is(text) {
			return true
		}
	}
	return false
}

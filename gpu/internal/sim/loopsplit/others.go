package loopsplit

import (
	"slices"

	"github.com/gopherwarp/gopherwarp/internal/cudac"
	"github.com/gopherwarp/gopherwarp/internal/cxx"
)

// Others is what kernels need to know of device functions that stand in other files of a program, whose files use each other's.
type Others struct {
	waits, reads        map[string]bool // functions with barriers, and those that read the thread's index
	allWait, allRead    bool            // whether code that runs without being named does
	clusters, addresses bool            // as in code
}

// OthersOf reads the files of a program.
func OthersOf(files []*cudac.File) *Others {
	o := &Others{waits: map[string]bool{}, reads: map[string]bool{}}
	codes := make([]*code, len(files))
	for i, f := range files {
		codes[i] = survey(f, o)
		o.clusters = o.clusters || codes[i].clusters
		o.addresses = o.addresses || codes[i].addresses
	}
	for grown := true; grown; {
		grown = false
		for _, c := range codes {
			waiting, always := c.reaching(c.waits)
			grown = c.note(o.waits, waiting) || grown
			o.allWait = o.allWait || always
			reading, always := c.reaching(c.readsThread)
			grown = c.note(o.reads, reading) || grown
			o.allRead = o.allRead || always
		}
	}
	return o
}

// note adds to known those of the names that are functions for devices defined here. It reports whether there is a new one.
func (c *code) note(known, names map[string]bool) bool {
	n := len(known)
	for name := range names {
		if slices.ContainsFunc(c.defs[name], func(f function) bool { return forDevices(f.decl) }) {
			known[name] = true
		}
	}
	return len(known) > n
}

// isElsewhere reports whether a name is that of a function or a method that is declared here, but not defined.
func (c *code) isElsewhere(name string) bool {
	_, function := c.functions[name]
	_, method := c.methods[name]
	return (function || method) && len(c.defs[name]) == 0
}

// names reports whether the token at i is a function of another file, of those that list has.
func (c *code) names(toks []cxx.Token, i int, list func(*Others) map[string]bool) bool {
	name := toks[i].Text
	return c.others != nil && list(c.others)[name] && c.isElsewhere(name) && (c.functions[name] != nil || called(toks, i))
}

package loopsplit

import (
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
		codes[i] = survey(f, nil)
		codes[i].others = o
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

// note adds to known those of the names that are functions defined here. It reports whether there is a new one.
func (c *code) note(known, names map[string]bool) bool {
	n := len(known)
	for name := range names {
		if len(c.defs[name]) > 0 {
			known[name] = true
		}
	}
	return len(known) > n
}

// calls reports whether the token at i calls a function of another file, of those that names has.
func (c *code) calls(toks []cxx.Token, i int, names func(*Others) map[string]bool) bool {
	name := toks[i].Text
	return c.others != nil && len(c.defs[name]) == 0 && names(c.others)[name] && called(toks, i)
}

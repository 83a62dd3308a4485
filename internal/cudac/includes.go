package cudac

import (
	"strings"

	"github.com/gopherwarp/gopherwarp/internal/cxx"
	"github.com/gopherwarp/gopherwarp/internal/include"
)

// ParseFiles is like Parse for a source together with the files that it includes as #include "name", and
// those that the search includes before it. Headers in <angle brackets> are libraries', whose kernels
// are not launched by users.
//
// If an included file can't be read, only the source is parsed: the compiler reports the error.
func ParseFiles(src string, search include.Search, defines ...string) (*File, error) {
	f, err := parse(input{source: src, search: &search, defines: defines})
	if err != nil {
		return Parse(src, defines...)
	}
	return f, nil
}

// ParseProgram is ParseFiles for a whole program, whose parts may also stand in files that it includes as #include <name>, in
// the directories of the search.
func ParseProgram(src string, search include.Search, defines ...string) (*File, error) {
	f, err := parse(input{source: src, search: &search, angles: true, defines: defines})
	if err != nil {
		return Parse(src, defines...)
	}
	return f, nil
}

// maxIncluded is the maximum number of bytes read of included files.
const maxIncluded = 4 << 20

// includes are the files that a source includes, in order.
type includes struct {
	search include.Search
	seen   map[string]bool
	bytes  int
	angles bool // those in angle brackets, too
}

// includeFirst reads the files that come before the source.
func (p *preprocessor) includeFirst() {
	if p.files == nil {
		return
	}
	for _, name := range p.files.search.First {
		p.include(`"`+name+`"`, "")
	}
}

// include continues with the file that a directive in another one includes, the first time.
func (p *preprocessor) include(operand, from string) {
	if p.files == nil {
		return
	}
	path, text, ok := p.files.find(operand, from)
	if !ok || p.files.seen[path] || p.files.bytes+len(text) > maxIncluded {
		return
	}
	p.files.seen[path] = true
	p.files.bytes += len(text)
	toks, err := cxx.Lex(text)
	if err != nil {
		return
	}
	for i := range toks {
		toks[i].File = path
	}
	open := len(p.conds)
	p.text(toks)
	p.conds = p.conds[:min(open, len(p.conds))]
}

// find reads the file that the operand of a directive in another one means.
func (f *includes) find(operand, from string) (path, text string, ok bool) {
	switch {
	case strings.HasPrefix(operand, `"`):
		name, _, _ := strings.Cut(operand[1:], `"`)
		return f.search.Find(name, from)
	case f.angles && strings.HasPrefix(operand, "<"):
		name, _, _ := strings.Cut(operand[1:], ">")
		return f.search.FindLibrary(name)
	}
	return "", "", false
}

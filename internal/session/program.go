package session

import (
	"fmt"
	"go/types"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gopherwarp/gopherwarp/internal/cellruntime/cell"
	"github.com/gopherwarp/gopherwarp/internal/cellruntime/funcname"
)

// prefix makes a name exported for other packages. Packages ld and host remove it from what programs can see.
const prefix = funcname.Prefix

// mainPath is the import path of all cells for the type checker. Their different packages appear only in the emitted text.
const mainPath = "main"

// cellPath returns the import path of a cell's package.
func cellPath(number int) string { return funcname.CellPath + strconv.Itoa(number) }

// A program is the state of all declarations in cells. It is immutable: a cell that succeeds makes a new one.
type program struct {
	names   map[string]*entity
	homes   map[types.Object]home // where each package-level object is declared
	imports map[string]string     // package name → path, of imports in earlier cells
	dots    []string              // paths of dot imports in earlier cells
	lost    map[string]*loss      // names that were lost by a redefinition
	stale   map[*decl]bool        // declarations that were compiled with other flags than the next cell
	// composed are the composed types in cells, by their text.
	composed map[string]types.Type
}

// An entity is the meaning of a name.
type entity struct {
	obj  types.Object
	cell string // the cell that declared it, for messages
	decl *decl  // its declaration; nil for a variable
}

// A loss is the reason why a name was lost. If it has a decl, the name is restored when that compiles again; a method, whose
// name is T.m, when its part does.
type loss struct {
	cell, reason string
	decl         *decl
	method       *part
	// ended is the time when the session ended, if that is the reason; cell is then the one that declared the name, or "".
	ended string
}

// String returns the reason as part of an error message.
func (l *loss) String() string {
	switch {
	case l.ended == "":
		return fmt.Sprintf("it was dropped by %s: %s", l.cell, l.reason)
	case l.cell == "":
		return "it was lost when the session ended " + l.ended
	}
	return fmt.Sprintf("%s declared it, and it was lost when the session ended %s", l.cell, l.ended)
}

// A home is where an object is declared in the compiled packages.
type home struct {
	path string // import path
	name string // exported name there
}

// variable returns the variable's identification in the session process.
func (h home) variable() cell.Variable {
	number, ok := h.cell()
	if !ok {
		return cell.Variable{}
	}
	return cell.Variable{Cell: number, Name: h.name}
}

// cell returns the number of the cell in whose package h is.
func (h home) cell() (number int, ok bool) {
	digits, ok := strings.CutPrefix(h.path, strings.TrimSuffix(cellPath(0), "0"))
	if !ok {
		return 0, false
	}
	number, err := strconv.Atoi(digits)
	return number, err == nil
}

func newProgram() *program {
	return &program{names: map[string]*entity{}, homes: map[types.Object]home{}, imports: map[string]string{}, lost: map[string]*loss{}, composed: map[string]types.Type{}}
}

// ended returns the program after the session has ended: it is empty except for its losses. isUsual reports whether a
// package has that name without an import.
func (p *program) ended(when string, isUsual func(name string) bool) *program {
	left := newProgram()
	for name, l := range p.lost {
		if l.ended != "" {
			left.lost[name] = l
		}
	}
	for name := range p.imports {
		if !isUsual(name) {
			left.lost[name] = &loss{ended: when}
		}
	}
	for name, e := range p.names {
		left.lost[name] = &loss{cell: e.cell, ended: when}
	}
	return left
}

// hadEnded reports whether a name was lost because a session ended.
func (p *program) hadEnded(name string) bool { return p.lost[name] != nil && p.lost[name].ended != "" }

func (p *program) clone() *program {
	return &program{names: maps.Clone(p.names), homes: maps.Clone(p.homes), imports: maps.Clone(p.imports), dots: p.dots, lost: maps.Clone(p.lost), stale: p.stale, composed: p.composed}
}

// variables returns the names of the session's variables, sorted.
func (p *program) variables() []string {
	var names []string
	for name, e := range p.names {
		if _, ok := e.obj.(*types.Var); ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// storage returns the variables, sorted by name.
func (p *program) storage() []cell.Variable {
	var all []cell.Variable
	for _, name := range p.variables() {
		all = append(all, p.homes[p.names[name].obj].variable())
	}
	return all
}

// exported returns the exported form of name.
func exported(name string) string {
	if c, _ := utf8.DecodeRuneInString(name); unicode.IsUpper(c) || name == "_" {
		return name
	}
	return prefix + name
}

// symbol matches a name in a cell's package as tracebacks contain it.
var symbol = regexp.MustCompile(`\bmain/c\d+\.[\pL\pN_.*()]*`)

// demangled returns printed text with names from cells as the user wrote them.
func demangled(text string) string {
	if !strings.Contains(text, cellPath(0)[:len(cellPath(0))-1]) {
		return text
	}
	return symbol.ReplaceAllStringFunc(text, func(name string) string {
		return mainPath + strings.ReplaceAll(name[strings.IndexByte(name, '.'):], prefix, "")
	})
}

// fromCell reports whether obj was declared in a cell.
func fromCell(obj types.Object) bool {
	return obj.Pkg() != nil && obj.Pkg().Path() == mainPath
}

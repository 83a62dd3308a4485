package magics

import (
	"fmt"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"github.com/gopherwarp/gopherwarp/internal/session"
	"github.com/gopherwarp/gopherwarp/kernel"
)

// checkPackages are the packages that cells with checks use, by the names that must refer to them there.
var checkPackages = map[string]string{
	"verify": session.ModulePath + "/verify", "gpu": session.ModulePath + "/gpu", "nd": session.ModulePath + "/gpu/nd",
	"math": "math", "cmp": "cmp", "slices": "slices", "errors": "errors", "fmt": "fmt", "rand": "math/rand/v2", "time": "time",
}

// ownImport matches an import in a cell, with its other name if it has one.
var ownImport = regexp.MustCompile(`(?m)^\s*(?:import\s+)?(?:(\w+|\.)\s+)?"([^"\n]+)"\s*$`)

// refuseStrangers returns an error if a cell with checks uses names that an earlier cell has declared as something else: packages that
// checks use, or Go's predeclared names.
func (e *Engine) refuseStrangers(text string) error {
	k := e.session.Knowledge()
	if k == nil || !checks.MatchString(text) {
		return nil
	}
	refused := func(name, what string) error {
		cell := ""
		if of := k.Names[name].Cell; of != "" {
			cell = " since " + of
		}
		return &kernel.CellError{Name: "CheckFailed", Value: fmt.Sprintf("not graded here: %s means something else than %s%s. Rename what has taken the name, and run this again after a %%reset.", name, what, cell)}
	}
	own := ownImports(text)
	for name, path := range checkPackages {
		if !strings.Contains(text, name+".") || own[name] == path {
			continue
		}
		if k.Names[name].Object != nil || k.Imports[name] != "" && k.Imports[name] != path && !(name == "rand" && k.Imports[name] == "math/rand") {
			return refused(name, "the package "+path)
		}
	}
	mentioned := word.FindAllString(text, -1)
	for _, name := range append(types.Universe.Names(), "must") {
		if k.Names[name].Cell != "" && slices.Contains(mentioned, name) {
			return refused(name, "what Go declares")
		}
	}
	return nil
}

// ownImports returns the packages that a cell imports itself, by their names in it.
func ownImports(text string) map[string]string {
	own := map[string]string{}
	for _, m := range ownImport.FindAllStringSubmatch(text, -1) {
		name := m[1]
		if name == "" {
			name = m[2][strings.LastIndexByte(m[2], '/')+1:]
		}
		own[name] = m[2]
	}
	return own
}

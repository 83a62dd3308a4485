package magics

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/gopherwarp/gopherwarp/kernel"
)

// declares matches declarations at the beginning of a line of a cell, and the kernels of a CUDA C++ cell.
var declares = regexp.MustCompile(`(?m)^(?:func|var|const|type)\s+(\w+)|^(\w+)(?:\s*,\s*\w+)*\s*:?=[^=]|__global__[^;{(]*?(\w+)\s*\(`)

// bounds matches launch bounds, which are between a kernel's type and its name.
var bounds = regexp.MustCompile(`__launch_bounds__\s*\([^)]*\)`)

// word matches names, and checks the use of package verify.
var (
	word   = regexp.MustCompile(`[\pL_][\pL\pN_]*`)
	checks = regexp.MustCompile(`\bverify\s*\.`)
)

// declaredIn returns the names that a cell declares, as far as its text shows: it need not compile.
func declaredIn(code string) []string {
	var names []string
	for _, m := range declares.FindAllStringSubmatch(bounds.ReplaceAllString(code, ""), -1) {
		for _, name := range m[1:] {
			if name != "" {
				names = append(names, name)
			}
		}
	}
	return names
}

// note records the declarations of cells that did not compile: they still have their earlier meaning.
func (e *Engine) note(cell kernel.Cell, err error) {
	failed, _ := err.(*kernel.CellError)
	broken := failed != nil && (failed.Name == "CompileError" || strings.HasPrefix(strings.TrimSpace(cell.Code), "%%cuda"))
	if err != nil && !broken {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, name := range declaredIn(cell.Code) {
		if broken {
			e.outdated[name] = cellName(cell)
		} else {
			delete(e.outdated, name)
		}
	}
}

// refuseOutdated returns an error if a cell checks a name that a later cell declares again but which did not compile: it would check the
// earlier version.
func (e *Engine) refuseOutdated(text string) error {
	e.mu.Lock()
	outdated := maps.Clone(e.outdated)
	e.mu.Unlock()
	if len(outdated) == 0 || !checks.MatchString(text) {
		return nil
	}
	own := declaredIn(text)
	mentioned := word.FindAllString(text, -1)
	for _, name := range slices.Sorted(maps.Keys(outdated)) {
		if slices.Contains(own, name) {
			continue
		}
		for _, user := range e.session.Users(name) {
			if !slices.Contains(mentioned, user) || slices.Contains(own, user) {
				continue
			}
			return &kernel.CellError{Name: "CheckFailed", Value: fmt.Sprintf(
				"not graded here: %s declares %s, and did not compile. This would check the version before it. Mend that cell and run it first.", outdated[name], name)}
		}
	}
	return nil
}

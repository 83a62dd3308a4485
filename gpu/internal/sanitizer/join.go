package sanitizer

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// Join returns the findings of compute-sanitizer's tools and those of the simulator's check mode as one list. Findings of both of
// the same kind on the same line of a kernel are one: it has the simulator's message, which names variables, and the tool's name.
func Join(tools, simulator []backend.Finding) []backend.Finding {
	joined := slices.Clone(tools)
	left := slices.Clone(tools) // without those that the simulator has found, too
	for _, f := range simulator {
		at := slices.IndexFunc(left, func(o backend.Finding) bool { return same(&o, &f) })
		if at < 0 {
			joined = append(joined, f)
			continue
		}
		f.Tool, f.Warning = left[at].Tool, left[at].Warning && f.Warning
		joined[at], left[at] = f, backend.Finding{}
	}
	return joined
}

// same reports whether two findings are about the same kind of defect of the same line.
func same(a, b *backend.Finding) bool {
	return a.Kind == b.Kind && a.Line == b.Line && path.Base(a.Program) == path.Base(b.Program) && plainKernel(a.Kernel) == plainKernel(b.Kernel)
}

// plainKernel returns the name of a kernel without namespaces, parameters and a template's arguments, of a name in the source
// or of a symbol: "k" for lib::k<float>(int *) and for _ZN3lib1kIfEEvPi.
func plainKernel(name string) string {
	if rest, ok := strings.CutPrefix(name, "_Z"); ok {
		return lastIdentifier(strings.TrimPrefix(rest, "N"), name)
	}
	if end := strings.IndexAny(name, "<("); end >= 0 {
		name = name[:end]
	}
	name = name[strings.LastIndexByte(name, ' ')+1:] // behind the type of a template's result
	return name[strings.LastIndexByte(name, ':')+1:]
}

// lastIdentifier returns the last of the identifiers, each after its length, with which a mangled name begins, or otherwise
// the given name.
func lastIdentifier(mangled, otherwise string) string {
	last := otherwise
	for {
		digits := len(mangled) - len(strings.TrimLeft(mangled, "0123456789"))
		n, err := strconv.Atoi(mangled[:digits])
		if err != nil || n > len(mangled)-digits {
			return last
		}
		last, mangled = mangled[digits:digits+n], mangled[digits+n:]
	}
}

// FirstError returns the line of a message that says what is wrong: the first one of a compiler's errors, or the first line.
func FirstError(message string) string {
	lines := strings.Split(strings.TrimSpace(message), "\n")
	for _, line := range lines {
		if strings.Contains(line, "error:") {
			return strings.TrimSpace(line)
		}
	}
	return strings.TrimSpace(lines[0])
}

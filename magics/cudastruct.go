package magics

import (
	"fmt"
	"go/token"
	"go/types"
	"strings"

	"github.com/gopherwarp/gopherwarp/internal/cudac"
)

// structTypes writes Go types with the names and layouts of a program's structs, for kernels that take them by value.
type structTypes struct {
	text strings.Builder
	seen map[*cudac.Layout]bool
}

// declare writes the type, after those of its fields. Where C's alignment is stricter than Go's, fields fill the gaps. They have names,
// because types with blank fields in two cells would not be identical.
func (s *structTypes) declare(l *cudac.Layout) error {
	if l == nil || s.seen[l] {
		return nil
	}
	if types.Universe.Lookup(l.Name) != nil || !token.IsIdentifier(l.Name) {
		return fmt.Errorf("a struct that a kernel takes can't be called %s, which means something else in Go: rename it", l.Name)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "type %s struct {\n", l.Name)
	at, gaps := 0, 0
	gap := func(to int) {
		if to > at {
			gaps++
			fmt.Fprintf(&b, "\tpadding%d [%d]byte\n", gaps, to-at)
		}
	}
	for _, f := range l.Fields {
		if err := s.declare(f.Struct); err != nil {
			return err
		}
		gap(f.Offset)
		name := f.Name
		if !token.IsIdentifier(name) {
			name += "_" // a keyword of Go
		}
		dims := ""
		for _, n := range f.Dims {
			dims += fmt.Sprintf("[%d]", n)
		}
		fmt.Fprintf(&b, "\t%s %s%s\n", name, dims, goType(f.GoType))
		at = f.Offset + f.Size
	}
	gap(l.Size)
	b.WriteString("}\n")
	s.text.WriteString(b.String())
	s.seen[l] = true
	return nil
}

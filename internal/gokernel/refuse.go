package gokernel

import (
	"fmt"
	"go/token"
	"slices"
	"strings"
)

// An Error is the list of reasons why kernels cannot be translated.
type Error []Problem

// A Problem is something that a GPU cannot run.
type Problem struct {
	Pos     token.Position
	Message string // the reason, and what to do instead
}

func (e Error) Error() string {
	var lines []string
	for _, p := range e {
		lines = append(lines, fmt.Sprintf("%s: %s", p.Pos, p.Message))
	}
	return strings.Join(lines, "\n")
}

// refusal is the panic that ends the translation of one statement.
type refusal struct {
	pos     token.Pos
	message string
}

// refuse ends the translation of the statement.
func refuse(at interface{ Pos() token.Pos }, format string, args ...any) {
	panic(refusal{at.Pos(), fmt.Sprintf(format, args...)})
}

// attempt calls translate and records its refusal, so that the rest of the program is translated, too.
func (t *translation) attempt(translate func()) {
	defer func() {
		switch v := recover().(type) {
		case nil:
		case refusal:
			p := Problem{Pos: t.position(v.pos), Message: v.message}
			if !slices.Contains(t.problems, p) {
				t.problems = append(t.problems, p)
			}
		default:
			panic(v)
		}
	}()
	translate()
}

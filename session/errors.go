package session

import (
	"fmt"
	"go/token"
	"strings"
)

// A CompileError says why a cell was not run. It changed nothing.
type CompileError struct {
	Problems []Problem
}

// A Problem is one thing that is wrong with a cell.
type Problem struct {
	Pos     token.Position // in the cell; the zero position if there is none
	Message string
}

func (e *CompileError) Error() string {
	lines := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		lines[i] = p.String()
	}
	return strings.Join(lines, "\n")
}

func (p Problem) String() string {
	if !p.Pos.IsValid() {
		return p.Message
	}
	return fmt.Sprintf("%s: %s", p.Pos, p.Message)
}

func problem(pos token.Position, format string, args ...any) *CompileError {
	return &CompileError{Problems: []Problem{{pos, fmt.Sprintf(format, args...)}}}
}

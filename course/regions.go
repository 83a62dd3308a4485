package course

import (
	"fmt"
	"strings"
)

// The marks are nbgrader's.
const (
	beginSolution, endSolution = "BEGIN SOLUTION", "END SOLUTION"
	beginHidden, endHidden     = "BEGIN HIDDEN TESTS", "END HIDDEN TESTS"
)

// Stub replaces a solution, in Go and in CUDA C++. It is a comment, as nbgrader has one stub for a notebook, not one for
// each language of its cells.
const Stub = "// YOUR CODE HERE"

// WordsStub replaces an answer in words, as nbgrader's text_stub does.
const WordsStub = "YOUR ANSWER HERE"

// Released returns the source of the cell as a learner gets it: with stubs, without hidden tests and answers.
func (c *Cell) Released() (string, error) {
	if c.Words {
		return WordsStub, nil
	}
	if c.Question != nil {
		return "%answer " + c.ID + " ?", nil
	}
	text, err := cut(c.Source, beginSolution, endSolution, Stub)
	if err != nil {
		return "", err
	}
	return cut(text, beginHidden, endHidden, "")
}

// cut replaces the lines from one mark to another, including the marks, by a line, or removes them if by is empty.
func cut(source, begin, end, by string) (string, error) {
	var out []string
	inside := false
	for line := range strings.SplitSeq(source, "\n") {
		switch {
		case strings.Contains(line, begin):
			if inside {
				return "", fmt.Errorf("%s within %s", begin, begin)
			}
			inside = true
			if by != "" {
				out = append(out, indent(line)+by)
			}
		case strings.Contains(line, end):
			if !inside {
				return "", fmt.Errorf("%s without %s", end, begin)
			}
			inside = false
		case !inside:
			out = append(out, line)
		}
	}
	if inside {
		return "", fmt.Errorf("%s without %s", begin, end)
	}
	return strings.TrimRight(strings.Join(out, "\n"), "\n"), nil
}

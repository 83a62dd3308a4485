package course

import (
	"fmt"
	"slices"
	"strings"
)

// hunk is a range of lines of a solution, and the lines that replace it in an answer.
type hunk struct{ old, new []string }

// parseAnswer parses a wrong or right answer, whose info string is "#exercise: what it does".
func parseAnswer(kind, info string, body []string, line int) (*Answer, error) {
	exercise, name, ok := strings.Cut(strings.TrimPrefix(strings.TrimSpace(info), "#"), ":")
	w := &Answer{Exercise: exercise, Name: strings.TrimSpace(name), Line: line}
	if !ok || w.Name == "" {
		return nil, problemf(line, "write: %s #exercise: what it does", kind)
	}
	var replaced bool // whether the last line was a new one
	for i, text := range body {
		if reason, ok := strings.CutPrefix(text, "refused:"); ok {
			w.Refused = strings.TrimSpace(reason)
			continue
		}
		if reason, ok := strings.CutPrefix(text, "on a GPU:"); ok {
			w.OnGPU = strings.TrimSpace(reason)
			continue
		}
		switch {
		case strings.HasPrefix(text, "-") && w.whole == nil:
			if len(w.hunks) == 0 || replaced {
				w.hunks = append(w.hunks, hunk{})
			}
			h := &w.hunks[len(w.hunks)-1]
			h.old, replaced = append(h.old, unsigned(text)), false
		case strings.HasPrefix(text, "+") && len(w.hunks) > 0:
			h := &w.hunks[len(w.hunks)-1]
			h.new, replaced = append(h.new, unsigned(text)), true
		case strings.HasPrefix(text, "+"):
			w.whole = append(w.whole, unsigned(text))
		default:
			return nil, problemf(line+1+i, "%q: an answer has lines with - (of the solution) and + (in their place), or with + alone in place of all of it, and a wrong one a line refused: before", text)
		}
	}
	switch {
	case len(w.hunks) == 0 && w.whole == nil:
		return nil, problemf(line, "an answer needs lines with - and +, or with + alone")
	case kind == "wrong" && w.Refused == "":
		return nil, problemf(line, "a wrong answer needs a line refused: with a part of the message")
	case kind == "right" && w.Refused != "":
		return nil, problemf(line, "a right answer is not refused")
	}
	return w, nil
}

// unsigned returns a line without its sign, and the space after it.
func unsigned(line string) string { return strings.TrimPrefix(line[1:], " ") }

// apply returns the answer, made from the solution. Lines are compared without
// surrounding space; new ones are indented like those that they replace.
func (w *Answer) apply(solution string) (string, error) {
	lines := strings.Split(solution, "\n")
	if w.whole != nil {
		return replaceSolution(lines, w.whole)
	}
	for _, h := range w.hunks {
		at := -1
		for i := range lines {
			if !begins(lines[i:], h.old) {
				continue
			}
			if at >= 0 {
				return "", fmt.Errorf("%q is in the solution more than once: add a line next to it", strings.TrimSpace(h.old[0]))
			}
			at = i
		}
		if at < 0 {
			return "", fmt.Errorf("%q is not in the solution", strings.TrimSpace(h.old[0]))
		}
		// The first old line shows how much further the solution is indented than the answer.
		shift := indent(lines[at])[:max(0, len(indent(lines[at]))-len(indent(h.old[0])))]
		var put []string
		for _, line := range h.new {
			put = append(put, shift+line)
		}
		lines = append(lines[:at:at], append(put, lines[at+len(h.old):]...)...)
	}
	return strings.Join(lines, "\n"), nil
}

func begins(lines, with []string) bool {
	if len(lines) < len(with) {
		return false
	}
	for i, line := range with {
		if strings.TrimSpace(lines[i]) != strings.TrimSpace(line) {
			return false
		}
	}
	return true
}

func indent(line string) string { return line[:len(line)-len(strings.TrimLeft(line, " \t"))] }

// replaceSolution replaces the lines between the marks.
func replaceSolution(lines, put []string) (string, error) {
	marked := func(mark string) int {
		return slices.IndexFunc(lines, func(line string) bool { return strings.Contains(line, mark) })
	}
	begin, end := marked(beginSolution), marked(endSolution)
	if begin < 0 || end < begin {
		return "", fmt.Errorf("the exercise has no region from %q to %q", beginSolution, endSolution)
	}
	return strings.Join(slices.Concat(lines[:begin+1], put, lines[end:]), "\n"), nil
}

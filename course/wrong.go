package course

import (
	"fmt"
	"strings"
)

// hunk is lines of a solution, and what stands in their place in a wrong answer.
type hunk struct{ old, new []string }

// parseWrong reads a wrong answer, whose info string is "#exercise: what is wrong".
func parseWrong(info string, body []string, line int) (*Wrong, error) {
	exercise, name, ok := strings.Cut(strings.TrimPrefix(strings.TrimSpace(info), "#"), ":")
	w := &Wrong{Exercise: exercise, Name: strings.TrimSpace(name), Line: line}
	if !ok || w.Name == "" {
		return nil, problemf(line, "write: wrong #exercise: what is wrong")
	}
	var replaced bool // the last line was a new one
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
		case strings.HasPrefix(text, "-"):
			if len(w.hunks) == 0 || replaced {
				w.hunks = append(w.hunks, hunk{})
			}
			h := &w.hunks[len(w.hunks)-1]
			h.old, replaced = append(h.old, unsigned(text)), false
		case strings.HasPrefix(text, "+") && len(w.hunks) > 0:
			h := &w.hunks[len(w.hunks)-1]
			h.new, replaced = append(h.new, unsigned(text)), true
		default:
			return nil, problemf(line+1+i, "%q: a wrong answer has a line refused:, then lines with - (of the solution) and + (in their place)", text)
		}
	}
	if w.Refused == "" || len(w.hunks) == 0 {
		return nil, problemf(line, "a wrong answer needs a line refused: with a part of the message, and lines with - and +")
	}
	return w, nil
}

// unsigned is a line without its sign, and the space behind that.
func unsigned(line string) string { return strings.TrimPrefix(line[1:], " ") }

// apply makes the wrong answer of the solution. Lines are compared without the space around them; new
// ones are indented like those that they replace.
func (w *Wrong) apply(solution string) (string, error) {
	lines := strings.Split(solution, "\n")
	for _, h := range w.hunks {
		at := -1
		for i := range lines {
			if !begins(lines[i:], h.old) {
				continue
			}
			if at >= 0 {
				return "", fmt.Errorf("%q stands more than once in the solution: give another line with it", strings.TrimSpace(h.old[0]))
			}
			at = i
		}
		if at < 0 {
			return "", fmt.Errorf("%q is not in the solution", strings.TrimSpace(h.old[0]))
		}
		// The first old line tells how much further in the solution stands than the answer.
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

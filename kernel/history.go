package kernel

import "sync"

// history is what was run since the kernel started: session 1 of the protocol's history
// messages.
type history struct {
	mu    sync.Mutex
	cells []historyCell
}

type historyCell struct {
	line   int
	input  string
	output any // text of the result, or nil
}

type historyRequest struct {
	Output  bool   `json:"output"`
	Kind    string `json:"hist_access_type"` // "range", "tail" or "search"
	Session int    `json:"session"`
	Start   int    `json:"start"`
	Stop    *int   `json:"stop"`
	N       *int   `json:"n"`
	Pattern string `json:"pattern"`
	Unique  bool   `json:"unique"`
}

func (h *history) add(c historyCell) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.cells = append(h.cells, c)
}

// find returns the matching cells, oldest first, as the protocol's triples.
func (h *history) find(q historyRequest) [][3]any {
	h.mu.Lock()
	defer h.mu.Unlock()
	var found []historyCell
	switch q.Kind {
	case "tail":
		found = lastN(h.cells, q.N)
	case "search":
		found = lastN(h.search(q.Pattern, q.Unique), q.N)
	case "range":
		// 0 and 1 are this session; there is no memory of others.
		if q.Session == 0 || q.Session == 1 {
			for _, c := range h.cells {
				if c.line >= q.Start && (q.Stop == nil || c.line < *q.Stop) {
					found = append(found, c)
				}
			}
		}
	}
	triples := make([][3]any, len(found))
	for i, c := range found {
		triples[i] = [3]any{1, c.line, c.input}
		if q.Output {
			triples[i][2] = [2]any{c.input, c.output}
		}
	}
	return triples
}

// search returns cells whose text matches a glob pattern; of equal texts unique keeps the
// newest.
func (h *history) search(pattern string, unique bool) []historyCell {
	var found []historyCell
	newest := make(map[string]int)
	for i, c := range h.cells {
		newest[c.input] = i
	}
	for i, c := range h.cells {
		if globMatch(pattern, c.input) && (!unique || newest[c.input] == i) {
			found = append(found, c)
		}
	}
	return found
}

func lastN(cells []historyCell, n *int) []historyCell {
	if n == nil || *n < 0 || *n > len(cells) {
		return cells
	}
	return cells[len(cells)-*n:]
}

// globMatch matches * and ? against whole texts, line ends and slashes included.
func globMatch(pattern, text string) bool {
	p, t := []rune(pattern), []rune(text)
	star, mark := -1, 0 // where to go on after the last *
	i, j := 0, 0
	for j < len(t) {
		switch {
		case i < len(p) && p[i] == '*':
			star, mark = i, j
			i++
		case i < len(p) && (p[i] == '?' || p[i] == t[j]):
			i++
			j++
		case star >= 0:
			mark++
			i, j = star+1, mark
		default:
			return false
		}
	}
	for i < len(p) && p[i] == '*' {
		i++
	}
	return i == len(p)
}

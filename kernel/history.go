package kernel

import (
	"log/slog"
	"slices"
	"sync"
	"time"
)

const (
	// historyPatience is how long a request for history, or the shutdown of the kernel, waits for a slow disk or for a file that another
	// kernel has locked.
	historyPatience = 2 * time.Second
	// maxKeptInput is the maximum size of a cell that is stored on disk, in bytes. Larger ones were not typed.
	maxKeptInput = 1 << 20
	// maxKeptCells and maxKeptBytes limit what is stored on disk of earlier sessions; maxKeptCells also limits what is kept in memory of
	// this one.
	maxKeptCells = 20_000
	maxKeptBytes = 64 << 20
)

// history has the cells that were run: those of this session in memory, and those of earlier and other sessions in a file. Errors of the
// file are logged and affect only the cells in it.
type history struct {
	ready chan struct{} // closed when session and file are set
	dirty chan struct{} // holds a token when cells have to be written
	ended chan struct{} // closed by close
	done  chan struct{} // closed when the file is

	mu      sync.Mutex
	cells   []historyCell // of this session
	dropped int           // number of earlier cells that were removed from memory
	written int           // number of cells in the file, including the dropped ones
	session int           // this session's number
	file    *historyFile  // nil without one
}

type historyCell struct {
	session int
	line    int
	input   string
	output  any // text of the result, or nil
}

type historyRequest struct {
	Output  bool   `json:"output"`
	Kind    string `json:"hist_access_type"` // "range", "tail" or "search"
	Session int    `json:"session"`          // 0 is this one, -1 the one before it
	Start   int    `json:"start"`
	Stop    *int   `json:"stop"`
	N       *int   `json:"n"`
	Pattern string `json:"pattern"`
	Unique  bool   `json:"unique"`
}

// openHistory opens the history. It returns at once and opens the file in the background: a front end waits for the kernel's first reply,
// but seldom for history. If path is empty nothing is stored on disk.
func openHistory(path string, log *slog.Logger) *history {
	h := &history{
		ready: make(chan struct{}), dirty: make(chan struct{}, 1),
		ended: make(chan struct{}), done: make(chan struct{}), session: 1,
	}
	if path == "" {
		close(h.ready)
		close(h.done)
		return h
	}
	go h.keep(path, log)
	return h
}

// keep writes new cells to the file until close. While another program has the file locked it tries again.
func (h *history) keep(path string, log *slog.Logger) {
	defer close(h.done)
	ready := sync.OnceFunc(func() { close(h.ready) })
	defer ready()
	file, session, err := openHistoryFile(path, log)
	for isBusy(err) && !h.hasEnded() {
		log.Warn("the history is locked; trying again", "err", err)
		ready()
		file, session, err = openHistoryFile(path, log)
	}
	if err != nil {
		log.Warn("cells are not kept for later sessions", "err", err)
		return
	}
	defer file.close()
	h.mu.Lock()
	h.file, h.session = file, session
	h.mu.Unlock()
	ready()
	for last := false; !last; {
		select {
		case <-h.dirty:
		case <-h.ended:
			last = true
		}
		err := h.writeFresh(file)
		for isBusy(err) && !h.hasEnded() {
			log.Warn("the history is locked; trying again", "err", err)
			err = h.writeFresh(file)
		}
		if err != nil {
			log.Warn("cells are not kept for later sessions any more", "err", err)
			return
		}
	}
}

func (h *history) hasEnded() bool {
	select {
	case <-h.ended:
		return true
	default:
		return false
	}
}

// writeFresh writes the cells that are not in the file yet.
func (h *history) writeFresh(file *historyFile) error {
	h.mu.Lock()
	fresh := slices.Clone(h.cells[h.written-h.dropped:])
	upTo := h.written + len(fresh)
	h.mu.Unlock()
	if err := file.add(h.session, fresh); err != nil {
		return err
	}
	h.mu.Lock()
	h.written = max(upTo, h.dropped)
	h.mu.Unlock()
	return nil
}

// close waits until all cells are on disk, for at most historyPatience.
func (h *history) close() {
	close(h.ended)
	select {
	case <-h.done:
	case <-time.After(historyPatience):
	}
}

func (h *history) add(c historyCell) {
	h.mu.Lock()
	h.cells = append(h.cells, c)
	if len(h.cells) >= 2*maxKeptCells {
		h.cells = slices.Clone(h.cells[maxKeptCells:])
		h.dropped += maxKeptCells
		h.written = max(h.written, h.dropped) // a disk that is so far behind has lost them
	}
	h.mu.Unlock()
	select {
	case h.dirty <- struct{}{}:
	default:
	}
}

// find returns the matching cells, oldest session first and this one last, as the protocol's triples. With an error it returns those of
// this session.
func (h *history) find(q historyRequest) ([][3]any, error) {
	select {
	case <-h.ready:
	case <-time.After(historyPatience):
	}
	h.mu.Lock()
	v := historyView{slices.Clone(h.cells), h.session, h.file}
	h.mu.Unlock()
	for i := range v.own {
		v.own[i].session = v.session
	}
	var found []historyCell
	var err error
	switch q.Kind {
	case "tail":
		found, err = v.tail(q)
	case "search":
		found, err = v.search(q)
	case "range":
		found, err = v.lines(q)
	}
	triples := make([][3]any, len(found))
	for i, c := range found {
		triples[i] = [3]any{c.session, c.line, c.input}
		if q.Output {
			triples[i][2] = [2]any{c.input, c.output}
		}
	}
	return triples, err
}

// historyView is a snapshot of the history.
type historyView struct {
	own     []historyCell // of this session
	session int
	file    *historyFile // with other sessions; nil if there is none
}

// tail returns the last cells.
func (v historyView) tail(q historyRequest) (found []historyCell, err error) {
	if v.file != nil && (q.N == nil || *q.N > len(v.own)) {
		found, err = v.file.tail(v.session, q.N)
	}
	return limited(append(found, v.own...), q), err
}

// search returns the cells whose text matches a pattern.
func (v historyView) search(q historyRequest) (found []historyCell, err error) {
	if v.file != nil {
		found, err = v.file.search(v.session, q.Pattern)
	}
	for _, c := range v.own {
		if globMatch(q.Pattern, c.input) {
			found = append(found, c)
		}
	}
	return limited(found, q), err
}

// lines returns a range of the cells of one session. A number that is not positive counts back from this session.
func (v historyView) lines(q historyRequest) (found []historyCell, err error) {
	wanted := q.Session
	if wanted <= 0 {
		wanted += v.session
	}
	if wanted != v.session {
		if v.file == nil {
			return nil, nil
		}
		return v.file.lines(wanted, q.Start, q.Stop)
	}
	for _, c := range v.own {
		if c.line >= q.Start && (q.Stop == nil || c.line < *q.Stop) {
			found = append(found, c)
		}
	}
	return found, nil
}

// limited returns the last cells, up to the number that the request asks for, without duplicates if it asks for that.
func limited(cells []historyCell, q historyRequest) []historyCell {
	if q.Unique {
		cells = newest(cells)
	}
	return lastN(cells, q.N)
}

// newest returns the last of the cells with equal text.
func newest(cells []historyCell) []historyCell {
	last := make(map[string]int)
	for i, c := range cells {
		last[c.input] = i
	}
	var kept []historyCell
	for i, c := range cells {
		if last[c.input] == i {
			kept = append(kept, c)
		}
	}
	return kept
}

func lastN(cells []historyCell, n *int) []historyCell {
	if n == nil || *n < 0 || *n > len(cells) {
		return cells
	}
	return cells[len(cells)-*n:]
}

// globMatch reports whether a whole text matches a pattern, in which * and ? match any characters, including line ends and slashes.
func globMatch(pattern, text string) bool {
	p, t := []rune(pattern), []rune(text)
	star, mark := -1, 0 // where to continue after the last *
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

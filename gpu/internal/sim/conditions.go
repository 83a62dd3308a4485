package sim

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/gopherwarp/gopherwarp/internal/cudac"
	"github.com/gopherwarp/gopherwarp/internal/include"
)

// linesSeen are the lines of each file, "" for the source, in which the compiler finds anything that it does not omit.
type linesSeen map[string]map[int]bool

// any is the cudac.Seen of these lines.
func (s linesSeen) any(file string, first, last int) (seen, known bool) {
	lines, known := s[file]
	for n := first; n < last && !seen; n++ {
		seen = lines[n]
	}
	return seen, known
}

// A question is a source with conditions that only the compiler can decide.
type question struct {
	unit   *unit
	source string
	dir    string         // of the source, "" for one that has none
	search include.Search // for the files that it includes
	digest string         // of these files
	known  bool           // the digest stands for all of them
}

// hasKernels reports whether there may be kernels, also where a condition hides them from the parser.
func (q question) hasKernels() bool {
	found := strings.Contains(q.source, "__global__")
	for _, text := range q.search.Files(q.source) {
		found = found || strings.Contains(text, "__global__")
	}
	return found
}

// decide returns the file after asking the compiler about its conditions, if there is need: kernels that run as loops are written from
// what the file has, and must be what the compiler would have compiled.
func (t *toolchain) decide(file *cudac.File, q question) (*cudac.File, error) {
	if !file.Undecided || !q.hasKernels() {
		return file, nil
	}
	key := cacheKey(append([]string{"conditions of the preprocessor", q.source, q.dir, q.digest, q.unit.header().name, q.unit.cccl, q.unit.ccclVersion}, q.unit.options...)...)
	var seen linesSeen
	if prod, ok := t.cached(key); q.known && ok && json.Unmarshal(prod.object, &seen) == nil {
		return file.Decide(seen.any)
	}
	output, err := t.preprocess(q)
	if err != nil {
		return file, nil // the compiler will say what is wrong
	}
	seen = readLines(output, q.dir, file.Files)
	if data, err := json.Marshal(seen); err == nil && q.known {
		t.keep(key, product{object: data})
	}
	return file.Decide(seen.any)
}

// preprocess returns the source as the compiler's preprocessor leaves it, with the definitions of macros where they stand.
func (t *toolchain) preprocess(q question) (string, error) {
	dir := q.dir
	if dir == "" {
		empty, err := os.MkdirTemp("", "gopherwarp-sim-")
		if err != nil {
			return "", err
		}
		defer os.RemoveAll(empty)
		dir = empty
	}
	args := append([]string{"-E", "-dD", "-w"}, t.commonFlags()...)
	args = append(args, t.kernelFlags()...)
	args = append(args, t.headers(q.unit)...)
	args = append(args, "-include", t.headerText(q.unit.header()))
	args = append(args, q.unit.options...)
	// With -g, there would be a line that names the directory.
	return t.run(dir, []byte(q.source), append(args, "-g0", "-x", "c++", "-")...)
}

// readLines reads the output of a preprocessor that ran in that directory, with its source on standard input: the lines of the source
// and of the files.
//
// Of a file that is included more than once, the first time counts. A file with #line, whose lines are counted in another way, is left out.
func readLines(output, dir string, files map[string]bool) linesSeen {
	r := lineReader{dir: dir, seen: linesSeen{"": {}}, renamed: map[string]bool{}, open: []openFile{{first: true}}}
	for path := range files {
		r.seen[path] = nil
	}
	for text := range strings.Lines(output) {
		if m, ok := parseMarker(text); ok {
			r.marker(m)
			continue
		}
		if strings.TrimSpace(text) != "" {
			r.mark(r.line)
		}
		r.line++
	}
	for path, lines := range r.seen {
		if lines == nil || r.renamed[path] {
			delete(r.seen, path)
		}
	}
	return r.seen
}

type lineReader struct {
	dir     string
	seen    linesSeen       // nil for a file that was not read yet; other files are left out
	renamed map[string]bool // files with #line
	open    []openFile      // the source and what is being included
	line    int
}

type openFile struct {
	path  string
	first bool // it is one of the files, and was not included before
}

// mark records a line of the file that is being read.
func (r *lineReader) mark(line int) {
	top := r.open[len(r.open)-1]
	if lines := r.seen[top.path]; top.first && lines != nil {
		lines[line] = true
	}
}

// marker follows a line of the preprocessor's own.
func (r *lineReader) marker(m marker) {
	path := r.path(m.name)
	top := &r.open[len(r.open)-1]
	switch {
	case m.enters:
		r.mark(r.line) // where the #include stands
		lines, wanted := r.seen[path]
		r.open = append(r.open, openFile{path: path, first: wanted && lines == nil})
		if wanted && lines == nil {
			r.seen[path] = map[int]bool{}
		}
	case m.returns && len(r.open) > 1:
		r.open = r.open[:len(r.open)-1]
		r.open[len(r.open)-1].path = path
		r.mark(m.line - 1)
	case path != top.path && !isInternal(path) && !isInternal(top.path):
		r.renamed[top.path] = true
	default:
		top.path = path
	}
	r.line = m.line
}

// path returns the path of a file that a marker names.
func (r *lineReader) path(name string) string {
	switch {
	case name == "<stdin>":
		return ""
	case isInternal(name):
		return name
	case !filepath.IsAbs(name):
		return filepath.Join(r.dir, name)
	}
	return filepath.Clean(name)
}

// isInternal reports whether a name is of the preprocessor's own, as <command-line> is.
func isInternal(name string) bool { return strings.HasPrefix(name, "<") }

// A marker says that the next line is that of a file: # 12 "name" 1 3.
type marker struct {
	line            int
	name            string
	enters, returns bool
}

func parseMarker(text string) (m marker, ok bool) {
	text, ok = strings.CutPrefix(strings.TrimSpace(text), "# ")
	number, rest, found := strings.Cut(text, " ")
	line, err := strconv.Atoi(number)
	if !ok || !found || err != nil {
		return marker{}, false
	}
	quoted, err := strconv.QuotedPrefix(rest)
	if err != nil {
		return marker{}, false
	}
	m.line = line
	m.name, err = strconv.Unquote(quoted)
	for _, flag := range strings.Fields(rest[len(quoted):]) {
		m.enters = m.enters || flag == "1"
		m.returns = m.returns || flag == "2"
	}
	return m, err == nil
}

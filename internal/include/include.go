package include

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Search is a compiler's search path for included files.
type Search struct {
	Own   string   // the directory of the source, for #include "name"; "" if it has none
	Quote []string // more directories for #include "name", after that of the including file
	Dirs  []string // those of -I
	First []string // files that are included before the source
}

// maxFiles is the maximum number of files read for one source.
const maxFiles = 5000

// Digest returns equal digests for sources that include the same files with the same content. known is
// false if a macro makes the name of a file, or a file can't be read.
func (s Search) Digest(source string) (digest string, known bool) {
	w := s.walk(source)
	return strings.Join(w.digests, "\n"), w.known
}

// Files returns the contents of the included files, by path.
func (s Search) Files(source string) map[string]string { return s.walk(source).seen }

// Check returns a *RefusedError if the source with that name includes a file that no compiler should read: one that is not
// a regular file, whose reading may never end, or a file that is too large. It returns nil for files that don't
// exist, which the compiler reports.
func (s Search) Check(name, source string) error {
	w := s.walk(source)
	if w.refused == nil {
		return nil
	}
	w.refused.File = cmp.Or(w.refused.File, name)
	return w.refused
}

func (s Search) walk(source string) *walk {
	w := &walk{search: s, seen: map[string]string{}, known: true}
	for _, name := range s.First {
		w.open(s.candidates(name, true, s.Own), place{})
	}
	w.text(source, s.Own, "")
	return w
}

// Find reads the file that #include "name" refers to in the file from, or in the source if from is "".
func (s Search) Find(name, from string) (path, text string, ok bool) {
	dir := s.Own
	if from != "" {
		dir = filepath.Dir(from)
	}
	return find(s.candidates(name, true, dir))
}

// FindLibrary reads the file that #include <name> means.
func (s Search) FindLibrary(name string) (path, text string, ok bool) {
	return find(s.candidates(name, false, ""))
}

// find reads the first of the paths where there is a file.
func find(paths []string) (path, text string, ok bool) {
	for _, path := range paths {
		if info, err := os.Stat(path); err != nil || info.IsDir() {
			continue
		}
		text, err := read(path)
		return path, TextOf(text), err == nil
	}
	return "", "", false
}

// candidates returns the possible paths of a file that a file in directory dir includes.
func (s Search) candidates(name string, quoted bool, dir string) []string {
	if filepath.IsAbs(name) {
		return []string{name}
	}
	var paths []string
	if quoted && dir != "" {
		paths = append(paths, filepath.Join(dir, name))
	}
	if quoted {
		for _, d := range s.Quote {
			paths = append(paths, filepath.Join(d, name))
		}
	}
	for _, d := range s.Dirs {
		paths = append(paths, filepath.Join(d, name))
	}
	return paths
}

type walk struct {
	search  Search
	seen    map[string]string // the contents of the files
	digests []string          // path and digest
	known   bool
	refused *RefusedError // the first
}

// A place is the position of a directive: file is "" for the source, line is 0 for an option.
type place struct {
	file string
	line int
}

// text follows the directives of a text in that directory.
func (w *walk) text(text, dir, file string) {
	for d := range Directives(text) {
		if d.Name == "" {
			w.known = false
			return
		}
		w.open(w.search.candidates(d.Name, d.Quoted, dir), place{file: file, line: d.Line})
	}
}

// open reads the first of the paths that exists, and the files that it includes.
func (w *walk) open(paths []string, from place) {
	for _, path := range paths {
		if _, seen := w.seen[path]; seen {
			return
		}
		info, err := os.Stat(path)
		if err != nil || info.IsDir() {
			continue
		}
		if len(w.seen) == maxFiles {
			w.known = false
			return
		}
		text, err := read(path)
		if refused := new(RefusedError); errors.As(err, &refused) && w.refused == nil {
			refused.File, refused.Line = from.file, from.line
			w.refused = refused
		}
		if err != nil {
			w.known = false
			return
		}
		w.seen[path] = TextOf(text)
		sum := sha256.Sum256(text)
		w.digests = append(w.digests, fmt.Sprintf("%q %s", path, hex.EncodeToString(sum[:])))
		w.text(w.seen[path], filepath.Dir(path), path)
		return
	}
}

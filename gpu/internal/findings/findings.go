package findings

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// A Run is what check mode has found in one run of a program.
type Run struct {
	// File is the program's first file as it was named on the command line. Findings name it by its base name.
	File   string
	Report backend.Report
}

// Format returns the function that writes the format of a file's extension: .sarif or .sarif.json for SARIF, .xml for JUnit. It
// returns nil for other extensions.
func Format(file string) func(Run) ([]byte, error) {
	switch name := strings.ToLower(filepath.Base(file)); {
	case strings.HasSuffix(name, ".sarif"), strings.HasSuffix(name, ".sarif.json"):
		return SARIF
	case strings.HasSuffix(name, ".xml"):
		return JUnit
	}
	return nil
}

// file returns the path of the file with a finding, with slashes: relative to the working directory if it is in that. It returns "" if the
// file is unknown.
func (r Run) file(f backend.Finding) string {
	file := f.Program
	if file == "" || r.File == "-" {
		return file
	}
	if file == filepath.Base(r.File) {
		file = filepath.Clean(r.File)
	}
	if dir, err := os.Getwd(); err == nil && filepath.IsAbs(file) {
		if relative, err := filepath.Rel(dir, file); err == nil && filepath.IsLocal(relative) {
			file = relative
		}
	}
	return filepath.ToSlash(file)
}

// message returns what happens and where: the kernel, the first thread and the number of times.
func message(f backend.Finding) string {
	f.Program, f.Line = "", 0
	return strings.TrimPrefix(f.String(), ": ")
}

// id returns a kind in the form of an identifier, such as out-of-bounds.
func id(kind string) string { return strings.ReplaceAll(kind, " ", "-") }

// place returns where a finding is, such as "a.cu:5".
func (r Run) place(f backend.Finding) string {
	file := r.file(f)
	if f.Line == 0 {
		return file
	}
	return fmt.Sprintf("%s:%d", file, f.Line)
}

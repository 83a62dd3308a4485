package export

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// CheckDir returns an error if a program can't be written to dir: it is a file, or it has files and force is not set.
func CheckDir(dir string, force bool) error {
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("write the program: %w", err)
	case len(entries) > 0 && !force:
		return fmt.Errorf("%s is not empty: name another folder, or give --force to write over the files of a program there", dir)
	}
	return nil
}

// ModuleName returns a name for the module in dir: the directory's, as far as it may be in a module's path.
func ModuleName(dir string) string {
	abs, err := filepath.Abs(dir)
	if err != nil {
		abs = dir
	}
	name := strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z', '0' <= r && r <= '9', r == '-', r == '_':
			return r
		case 'A' <= r && r <= 'Z':
			return r + 'a' - 'A'
		}
		return '-'
	}, filepath.Base(abs))
	if name = strings.Trim(name, "-_"); name == "" {
		return "notebook"
	}
	return name
}

// Write writes the program's files. Those of an earlier export that the program no longer has are removed.
func (p *Program) Write(dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return fmt.Errorf("write the program: %w", err)
	}
	old, err := filepath.Glob(filepath.Join(dir, "cell*.cu"))
	if err != nil {
		return fmt.Errorf("look for files of an earlier export: %w", err)
	}
	old = append(old, filepath.Join(dir, "go.sum"))
	for _, file := range old {
		if p.Files[filepath.Base(file)] == nil {
			if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return fmt.Errorf("remove a file of an earlier export: %w", err)
			}
		}
	}
	for name, data := range p.Files {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
			return fmt.Errorf("write the program: %w", err)
		}
	}
	return nil
}

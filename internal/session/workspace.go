package session

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/version"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/mod/modfile"

	"github.com/gopherwarp/gopherwarp/internal/goroot"
)

// A notebook in a Go module, or in the directory of a go.work, can import the packages of that module or those modules, with
// their requirements and replacements, as a program in the same directory could. For that, the session's own module and
// theirs are combined in a workspace of the session. A go.work in the session's directory, where GoNB's notebooks make one, adds to it.

// workspace writes the session's go.work and returns its path, or "off" if the notebook is in no module.
func (m *modules) workspace(ctx context.Context) (string, error) {
	around, err := m.aroundNotebook(ctx)
	if err != nil {
		return "", err
	}
	file := filepath.Join(m.dir, "go.work")
	if err := m.readAdded(file); err != nil {
		return "", err
	}
	own, err := m.sessionWork(around)
	if err != nil || len(own.Use) < 2 { // only the session's own module
		return "off", err
	}
	m.work = modfile.Format(own.Syntax)
	if err := writeFile(file, m.work); err != nil {
		return "", fmt.Errorf("write the session's go.work: %w", err)
	}
	if around.Syntax.Name == "" {
		return file, nil
	}
	return file, m.copySums(around.Syntax.Name + ".sum")
}

// readAdded reads a go.work that the user has written in the session's directory, or changed or removed there.
func (m *modules) readAdded(file string) error {
	data, err := os.ReadFile(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		m.added, m.work = nil, nil
		return nil
	case err != nil:
		return fmt.Errorf("read the session's go.work: %w", err)
	case bytes.Equal(data, m.work):
		return nil
	}
	m.added, err = readWork(file)
	return err
}

// aroundNotebook returns the go.work that contains the notebook, with absolute paths. If there is none, it returns one
// without a file name that uses the notebook's module, if there is one.
func (m *modules) aroundNotebook(ctx context.Context) (*modfile.WorkFile, error) {
	var env struct{ GOMOD, GOWORK string }
	text, err := m.goCommand(ctx, m.home, m.env(), nil, "env", "-json", "GOMOD", "GOWORK")
	if err == nil {
		err = json.Unmarshal(text, &env)
	}
	if err != nil {
		return nil, fmt.Errorf("find the notebook's module: %w", err)
	}
	if env.GOWORK != "" && env.GOWORK != "off" {
		return readWork(env.GOWORK)
	}
	work := newWork()
	if env.GOMOD != "" && env.GOMOD != os.DevNull {
		work.AddNewUse(filepath.Dir(env.GOMOD), "")
	}
	return work, nil
}

func newWork() *modfile.WorkFile { return &modfile.WorkFile{Syntax: &modfile.FileSyntax{}} }

// readWork returns a go.work with absolute paths.
func readWork(file string) (*modfile.WorkFile, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("read the notebook's workspace: %w", err)
	}
	work, err := modfile.ParseWork(file, data, nil)
	if err != nil {
		return nil, fmt.Errorf("read the notebook's workspace: %w", err)
	}
	absolute := func(path string) string {
		if filepath.IsAbs(path) {
			return path
		}
		return filepath.Join(filepath.Dir(file), path)
	}
	for _, use := range work.Use {
		use.Path = absolute(use.Path)
	}
	for _, r := range work.Replace {
		if r.New.Version == "" {
			r.New.Path = absolute(r.New.Path)
		}
	}
	return work, nil
}

// sessionWork returns the session's go.work: its module, and the modules used around the notebook. This module is omitted,
// since its packages come from the session program only.
func (m *modules) sessionWork(around *modfile.WorkFile) (*modfile.WorkFile, error) {
	own, newest := newWork(), m.tools.language()
	own.AddNewUse(".", "")
	note := func(line *modfile.Go, file string) error {
		if line == nil {
			return nil
		}
		if err := m.checkGoLine(line.Version, file); err != nil {
			return err
		}
		if version.Compare("go"+line.Version, "go"+newest) > 0 {
			newest = line.Version
		}
		return nil
	}
	if err := note(around.Go, around.Syntax.Name); err != nil {
		return nil, err
	}
	uses, replaces := around.Use, around.Replace
	if m.added != nil {
		uses, replaces = slices.Concat(uses, m.added.Use), slices.Concat(replaces, m.added.Replace)
	}
	seen := map[string]bool{m.dir: true}
	for _, use := range uses {
		if seen[use.Path] {
			continue
		}
		seen[use.Path] = true
		file := filepath.Join(use.Path, "go.mod")
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("read the notebook's module: %w", err)
		}
		mod, err := modfile.ParseLax(file, data, nil)
		if err != nil {
			return nil, fmt.Errorf("read the notebook's module: %w", err)
		}
		if mod.Module != nil && mod.Module.Mod.Path == ModulePath {
			continue
		}
		if err := note(mod.Go, file); err != nil {
			return nil, err
		}
		own.AddNewUse(use.Path, "")
	}
	err := errors.Join(own.AddGoStmt(newest), own.AddReplace(ModulePath, "", m.tools.srcDir(), ""))
	for _, r := range replaces {
		if r.Old.Path != ModulePath {
			err = errors.Join(err, own.AddReplace(r.Old.Path, r.Old.Version, r.New.Path, r.New.Version))
		}
	}
	if err != nil {
		return nil, fmt.Errorf("make the session's go.work: %w", err)
	}
	return own, nil
}

// checkGoLine returns an error if a file requires a newer Go than the one that cells are compiled with.
func (m *modules) checkGoLine(goLine, file string) error {
	if version.Compare("go"+goLine, m.tools.bareVersion()) <= 0 {
		return nil
	}
	return fmt.Errorf("%s asks for Go %s by its go line, and cells are compiled by %s: write go %s there, or name a newer Go in %s",
		file, goLine, m.tools.bareVersion(), m.tools.language(), goroot.Env)
}

// copySums copies the checksums of the notebook's workspace, if it has any, to that of the session.
func (m *modules) copySums(from string) error {
	to := filepath.Join(m.dir, "go.work.sum")
	if _, err := os.Stat(to); err == nil {
		return nil
	}
	sums, err := os.ReadFile(from)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read the checksums of the notebook's workspace: %w", err)
	}
	return writeFile(to, sums)
}

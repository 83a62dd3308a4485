package session

import (
	"context"
	"encoding/json"
	"fmt"
	"go/version"
	"os"
	"path/filepath"
	"strings"

	"github.com/gopherwarp/gopherwarp/internal/goroot"
)

// A notebook that lies in a Go module, or in the folder of a go.work, sees what that module or
// those modules hold, with their requirements and replacements, as a program beside it would.
// For that the session's own module and theirs are put into a workspace of the session's.

// A workFile is a go.work, or the part of a go.mod that counts here.
type workFile struct {
	Go     string
	Module struct{ Path string }
	Use    []struct{ DiskPath string }

	Replace []struct {
		Old, New struct{ Path, Version string }
	}
}

// workspace writes the session's go.work and returns its path, or "off" if the notebook
// lies in no module.
func (m *modules) workspace(ctx context.Context) (string, error) {
	var env struct{ GOMOD, GOWORK string }
	text, err := m.goCommand(ctx, m.home, m.env(), nil, "env", "-json", "GOMOD", "GOWORK")
	if err != nil {
		return "", fmt.Errorf("look for the notebook's module: %w", err)
	}
	if err := json.Unmarshal(text, &env); err != nil {
		return "", fmt.Errorf("look for the notebook's module: %w", err)
	}
	var work workFile
	base := ""
	switch {
	case env.GOWORK != "" && env.GOWORK != "off":
		base = filepath.Dir(env.GOWORK)
		if err := m.readFile(ctx, &work, "work", env.GOWORK); err != nil {
			return "", err
		}
	case env.GOMOD != "" && env.GOMOD != os.DevNull:
		work.Use = append(work.Use, struct{ DiskPath string }{filepath.Dir(env.GOMOD)})
	}
	absolute := func(path string) string {
		if filepath.IsAbs(path) {
			return path
		}
		return filepath.Join(base, path)
	}
	newest := m.tools.language()
	note := func(goLine, file string) error {
		if version.Compare("go"+goLine, m.tools.bareVersion()) > 0 {
			return fmt.Errorf("%s asks for Go %s by its go line, and cells are compiled by %s: write go %s there, or name a newer Go in %s",
				file, goLine, m.tools.bareVersion(), m.tools.language(), goroot.Env)
		}
		if version.Compare("go"+goLine, "go"+newest) > 0 {
			newest = goLine
		}
		return nil
	}
	if err := note(work.Go, env.GOWORK); err != nil {
		return "", err
	}
	var uses []string
	for _, use := range work.Use {
		dir := absolute(use.DiskPath)
		var mod workFile
		if err := m.readFile(ctx, &mod, "mod", filepath.Join(dir, "go.mod")); err != nil {
			return "", err
		}
		if mod.Module.Path == ModulePath {
			continue // its packages come with the session program, and only from there
		}
		if err := note(mod.Go, filepath.Join(dir, "go.mod")); err != nil {
			return "", err
		}
		uses = append(uses, dir)
	}
	if len(uses) == 0 {
		return "off", nil
	}
	var b strings.Builder
	fmt.Fprintf(&b, "go %s\n\nuse .\n", newest)
	for _, dir := range uses {
		fmt.Fprintf(&b, "use %q\n", dir)
	}
	fmt.Fprintf(&b, "\nreplace %s => %q\n", ModulePath, m.tools.srcDir())
	for _, r := range work.Replace {
		if r.Old.Path == ModulePath {
			continue
		}
		to := r.New.Path
		if r.New.Version == "" {
			to = absolute(to)
		}
		fmt.Fprintf(&b, "replace %s %s => %q %s\n", r.Old.Path, r.Old.Version, to, r.New.Version)
	}
	file := filepath.Join(m.dir, "go.work")
	if err := writeFile(file, []byte(b.String())); err != nil {
		return "", fmt.Errorf("write the session's go.work: %w", err)
	}
	if base != "" {
		if err := m.copySums(filepath.Join(base, "go.work.sum")); err != nil {
			return "", err
		}
	}
	return file, nil
}

// readFile reads a go.mod or go.work.
func (m *modules) readFile(ctx context.Context, into *workFile, kind, file string) error {
	text, err := m.goCommand(ctx, m.home, append(m.env(), "GOWORK=off"), nil, kind, "edit", "-json", file)
	if err != nil {
		return fmt.Errorf("the notebook lies in a Go %s that can't be read: %w", map[string]string{"mod": "module", "work": "workspace"}[kind], err)
	}
	if err := json.Unmarshal(text, into); err != nil {
		return fmt.Errorf("read %s: %w", file, err)
	}
	return nil
}

// copySums gives the session's workspace the checksums of the notebook's.
func (m *modules) copySums(from string) error {
	to := filepath.Join(m.dir, "go.work.sum")
	if _, err := os.Stat(to); err == nil {
		return nil
	}
	sums, err := os.ReadFile(from)
	if err != nil {
		return nil // there need not be any
	}
	return writeFile(to, sums)
}

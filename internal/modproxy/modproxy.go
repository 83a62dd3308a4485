package modproxy

import (
	"archive/zip"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// A Module is one version of a module, with its files by name. Write adds a go.mod if there is
// none.
type Module struct {
	Path, Version string
	Files         map[string]string
}

// Write writes modules to the directory dir, so that GOPROXY=file://dir serves them.
func Write(dir string, modules ...Module) error {
	for _, m := range modules {
		if err := m.write(dir); err != nil {
			return fmt.Errorf("write %s@%s: %w", m.Path, m.Version, err)
		}
	}
	return nil
}

func (m Module) write(dir string) error {
	at := filepath.Join(dir, filepath.FromSlash(m.Path), "@v")
	if err := os.MkdirAll(at, 0o755); err != nil {
		return err
	}
	mod, ok := m.Files["go.mod"]
	if !ok {
		mod = "module " + m.Path + "\n\ngo 1.26\n"
	}
	var archive bytes.Buffer
	w := zip.NewWriter(&archive)
	for name, text := range m.Files {
		f, err := w.Create(m.Path + "@" + m.Version + "/" + name)
		if err != nil {
			return err
		}
		if _, err := f.Write([]byte(text)); err != nil {
			return err
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	for ext, data := range map[string][]byte{
		".info": fmt.Appendf(nil, `{"Version":%q,"Time":"2026-01-01T00:00:00Z"}`, m.Version),
		".mod":  []byte(mod),
		".zip":  archive.Bytes(),
	} {
		if err := os.WriteFile(filepath.Join(at, m.Version+ext), data, 0o644); err != nil {
			return err
		}
	}
	list := filepath.Join(at, "list")
	known, err := os.ReadFile(list)
	if err != nil && !os.IsNotExist(err) {
		return err
	}
	return os.WriteFile(list, []byte(strings.TrimLeft(string(known)+"\n"+m.Version+"\n", "\n")), 0o644)
}

// Env returns environment variables with which the go command finds the modules in dir and no others.
// It stores the modules that it fetches in cache.
func Env(dir, cache string) []string {
	return []string{
		"GOPROXY=file://" + dir, "GOSUMDB=off", "GOPRIVATE=", "GONOPROXY=", "GOWORK=",
		"GOMODCACHE=" + cache,
		"GOFLAGS=-modcacherw", // so that the cache can be removed
	}
}

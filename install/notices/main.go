// Command notices writes THIRD_PARTY_NOTICES: the licences of all modules that the packages here are built with, of Go, and of the packages
// in JupyterLab's extension.
//
//	go run ./install/notices > THIRD_PARTY_NOTICES
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

func main() {
	if err := write(os.Stdout, "."); err != nil {
		fmt.Fprintln(os.Stderr, "notices:", err)
		os.Exit(1)
	}
}

// A module is a dependency, with the directory of its sources.
type module struct{ path, version, dir string }

// licenceFile matches the names of files that must be distributed with a module.
var licenceFile = regexp.MustCompile(`(?i)^(licen[sc]e|notice|copying|patents|copyright)([.-].*)?$`)

// write writes the modules that the packages below dir import, each with the texts of its licence. Modules with the same
// texts are grouped. A module without any is an error.
func write(w io.Writer, dir string) error {
	found, err := modules(dir)
	if err != nil {
		return err
	}
	users := map[string][]string{} // by text
	for _, m := range found {
		text, err := texts(m.dir)
		if err != nil {
			return err
		}
		if text == "" {
			return fmt.Errorf("%s %s has no licence in %s", m.path, m.version, m.dir)
		}
		users[text] = append(users[text], strings.TrimSpace(m.path+" "+m.version))
	}
	scripts, err := scripts(filepath.Join(dir, "install/labextension/built/static/third-party-licenses.json"))
	if err != nil {
		return err
	}
	for _, s := range scripts {
		if s.Text == "" {
			return fmt.Errorf("%s %s in JupyterLab's extension has no licence", s.Name, s.Version)
		}
		text := strings.Trim(strings.ReplaceAll(s.Text, "\r\n", "\n"), "\n")
		users[text] = append(users[text], "npm: "+s.Name+" "+s.Version)
	}
	ordered := slices.SortedFunc(maps.Keys(users), func(a, b string) int { return slices.Compare(users[a], users[b]) })
	fmt.Fprint(w, "Programs of gopherwarp contain the modules below, each under the licence that follows it.\nThis file is written by install/notices.\n")
	for _, text := range ordered {
		fmt.Fprintf(w, "\n%s\n%s\n%[1]s\n\n%[3]s\n", strings.Repeat("=", 80), strings.Join(users[text], "\n"), text)
	}
	return nil
}

// A script is a package of npm that JupyterLab's extension contains.
type script struct {
	Name    string
	Version string `json:"versionInfo"`
	Text    string `json:"extractedText"`
}

// scripts returns the packages in the list that the extension's build has written.
func scripts(file string) ([]script, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("find the packages of JupyterLab's extension: %w", err)
	}
	var list struct{ Packages []script }
	if err := json.Unmarshal(data, &list); err != nil {
		return nil, fmt.Errorf("read %s: %w", file, err)
	}
	return list.Packages, nil
}

// modules returns the dependencies of the packages for Linux, by path, and Go itself.
func modules(dir string) ([]module, error) {
	cmd := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}}\t{{.Version}}\t{{.Dir}}{{end}}{{end}}", "./...")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOOS=linux")
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("list the modules: %w", err)
	}
	var found []module
	for _, line := range slices.Compact(slices.Sorted(strings.Lines(string(out)))) {
		if f := strings.Split(strings.TrimSpace(line), "\t"); len(f) == 3 {
			found = append(found, module{f[0], f[1], f[2]})
		}
	}
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("find Go's own licence: %w", err)
	}
	return append(found, module{path: "Go, its runtime and standard library", dir: strings.TrimSpace(string(goroot))}), nil
}

// texts returns the licence files of a directory, concatenated.
func texts(dir string) (string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", fmt.Errorf("find a licence: %w", err)
	}
	var all []string
	for _, e := range entries {
		if !e.Type().IsRegular() || !licenceFile.MatchString(e.Name()) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return "", fmt.Errorf("read a licence: %w", err)
		}
		text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
		all = append(all, strings.Trim(string(text), "\n"))
	}
	return strings.Join(all, "\n\n"), nil
}

// Command notices writes THIRD_PARTY_NOTICES: the licences of all modules that the packages here are built with, and of Go.
//
//	go run ./install/notices > THIRD_PARTY_NOTICES
package main

import (
	"bytes"
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
	ordered := slices.SortedFunc(maps.Keys(users), func(a, b string) int { return slices.Compare(users[a], users[b]) })
	fmt.Fprint(w, "Programs of gopherwarp contain the modules below, each under the licence that follows it.\nThis file is written by install/notices.\n")
	for _, text := range ordered {
		fmt.Fprintf(w, "\n%s\n%s\n%[1]s\n\n%[3]s\n", strings.Repeat("=", 80), strings.Join(users[text], "\n"), text)
	}
	return nil
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

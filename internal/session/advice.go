package session

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/gopherwarp/gopherwarp/internal/spelling"
)

// advice lists remedies for errors of the go command.
var advice = []struct {
	when *regexp.Regexp
	do   string
}{
	{regexp.MustCompile(`module lookup disabled by GOPROXY=off`), "GOPROXY=off leaves only modules that were downloaded before"},
	{
		regexp.MustCompile(`dial tcp|no such host|network is unreachable|i/o timeout|connection refused`),
		"The module's server was not reached: check the network, or set GOPROXY (%env GOPROXY=…) to one that can be",
	},
	{
		regexp.MustCompile(`terminal prompts disabled|could not read Username|Permission denied \(publickey|401 Unauthorized|403 Forbidden`),
		"For a private module set GOPRIVATE (%env GOPRIVATE=host/path) and put the password into ~/.netrc, as for go build",
	},
	{regexp.MustCompile(`SECURITY ERROR|checksum mismatch`), "Someone may have changed the module since it was published: go.sum, or the checksum database, has another one"},
	{regexp.MustCompile(`requires go >= |newer than|toolchain not available`), "Install that version of Go and restart the kernel, or %get an older version of the module"},
	{regexp.MustCompile(`(unknown|invalid) revision|no matching versions|\.info: (no such file|404)`), "%get PATH@latest takes the newest version; go list -m -versions PATH lists them"},
	{regexp.MustCompile(`unrecognized import path|malformed module path|404 Not Found|@v/list: no such file|cannot find module|Repository not found|repository .* not found`), "Check the spelling of the path"},
	{regexp.MustCompile(`C compiler .* not found|executable file not found`), "The package has C code: install gcc and what it needs"},
}

// otherPackage matches the error about a package that a version of a module does not have.
var otherPackage = regexp.MustCompile(`module (\S+)@\S+ found \((v[^,)]+).*does not contain package (\S+)`)

// explain returns an error of the go command with a remedy. what names the operation that
// failed; it may be empty.
func (m *modules) explain(err error, what string) error {
	msg := err.Error()
	msg = strings.TrimPrefix(msg, "go: ")
	for _, a := range advice {
		if a.when.MatchString(msg) {
			msg += "\n" + a.do + "."
			break
		}
	}
	if found := otherPackage.FindStringSubmatch(msg); found != nil {
		msg += "\nThe module is there, but has no such package" + m.nearPackage(found[1], found[2], found[3])
	}
	if what != "" {
		return &goError{fmt.Sprintf("%s: %s", what, msg), err}
	}
	return &goError{msg, err}
}

// A goError is an error of the go command, with a remedy.
type goError struct {
	text string
	err  error
}

func (e *goError) Error() string { return e.text }
func (e *goError) Unwrap() error { return e.err }

// nearPackage returns a hint at a package of the module with a similar path, or "". It
// downloads the module.
func (m *modules) nearPackage(module, version, name string) string {
	text, err := m.goCommand(context.Background(), m.dir, append(m.env(), "GOWORK=off"), nil, "mod", "download", "-json", module+"@"+version)
	var got struct{ Dir string }
	if err != nil || json.Unmarshal(text, &got) != nil {
		return ""
	}
	var known []string
	_ = filepath.WalkDir(got.Dir, func(file string, d fs.DirEntry, err error) error {
		dir := path.Join(module, strings.TrimPrefix(filepath.ToSlash(filepath.Dir(file)), filepath.ToSlash(got.Dir)))
		if err == nil && strings.HasSuffix(file, ".go") && !slices.Contains(known, dir) && !slices.Contains(strings.Split(dir, "/"), "internal") {
			known = append(known, dir)
		}
		return nil
	})
	if near := spelling.Nearest(name, known); near != "" {
		return ". Did you mean " + near + "?"
	}
	return ""
}

// nearStd returns a hint at a package of the standard library with a similar path, or "".
func (m *modules) nearStd(name string) string {
	near := spelling.Nearest(name, m.tools.std)
	if near == "" {
		i := slices.IndexFunc(m.tools.std, func(p string) bool { return path.Base(p) == path.Base(name) })
		if i < 0 {
			return ""
		}
		near = m.tools.std[i]
	}
	return ". Did you mean " + near + "?"
}

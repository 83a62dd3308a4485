//go:build linux

package main

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/internal/session"
)

// TestOptionalPackagesNameTheirModules compares the modules that cells fetch for these packages with their imports.
func TestOptionalPackagesNameTheirModules(t *testing.T) {
	for path, needed := range optional() {
		out, err := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{.Path}}{{end}}", path+"/...").CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", path, err, out)
		}
		modules := strings.Fields(string(out))
		slices.Sort(modules)
		modules = slices.DeleteFunc(slices.Compact(modules), func(m string) bool { return m == session.ModulePath })
		for _, m := range modules {
			if !slices.ContainsFunc(needed, func(n string) bool { return n == m || strings.HasPrefix(n, m+"/") }) {
				t.Errorf("%s imports packages of %s, which is not in its list", path, m)
			}
		}
		for _, n := range needed {
			if !slices.ContainsFunc(modules, func(m string) bool { return n == m || strings.HasPrefix(n, m+"/") }) {
				t.Errorf("%s imports nothing of %s, which is in its list", path, n)
			}
		}
	}
}

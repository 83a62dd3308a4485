package goroot

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// Command returns the path of the go command: the one on the PATH, or else one in the directories of Go's
// installers and common package managers. It is "" if there is none.
func Command() string {
	if path, err := exec.LookPath("go"); err == nil {
		return path
	}
	var places []string
	if root := os.Getenv("GOROOT"); root != "" {
		places = append(places, filepath.Join(root, "bin"))
	}
	places = append(places, "/usr/local/go/bin", "/usr/lib/go/bin", "/snap/bin")
	if home, err := os.UserHomeDir(); err == nil {
		places = append(places, filepath.Join(home, "go", "bin"), filepath.Join(home, ".local", "go", "bin"))
	}
	for _, dir := range places {
		if path, err := exec.LookPath(filepath.Join(dir, "go")); err == nil {
			return path
		}
	}
	return ""
}

// installed returns the directories on this machine that may contain a toolchain.
func (o Options) installed() []string {
	if o.places != nil {
		return o.places
	}
	patterns := []string{"/usr/local/go", "/usr/lib/go", "/usr/lib/go-*", filepath.Join(cacheDir(o.Cache), "go*")}
	if home, err := os.UserHomeDir(); err == nil {
		patterns = append(patterns, filepath.Join(home, "sdk", "go*"), filepath.Join(home, ".local", "go"))
	}
	suffix := "." + runtime.GOOS + "-" + runtime.GOARCH
	patterns = append(patterns, filepath.Join(moduleCache(), "golang.org", "toolchain@v0.0.1-go*"+suffix))
	var roots []string
	for _, p := range patterns {
		found, _ := filepath.Glob(p) // the patterns are well-formed
		roots = append(roots, found...)
	}
	return roots
}

func moduleCache() string {
	if dir := os.Getenv("GOMODCACHE"); dir != "" {
		return dir
	}
	if path, _, _ := strings.Cut(os.Getenv("GOPATH"), string(os.PathListSeparator)); path != "" {
		return filepath.Join(path, "pkg", "mod")
	}
	home, _ := os.UserHomeDir() // without one no toolchain is found
	return filepath.Join(home, "go", "pkg", "mod")
}

// Version returns the version of the toolchain in a directory, or "" if it is not a toolchain that can compile.
func Version(root string) string {
	// It may be for another architecture: on an emulated processor the compilers may be native.
	tools, _ := filepath.Glob(filepath.Join(root, "pkg", "tool", runtime.GOOS+"_*", "compile")) // the pattern is well-formed
	if len(tools) == 0 {
		return ""
	}
	for _, needed := range []string{filepath.Join(root, "bin", "go"), filepath.Join(root, "src", "runtime", "runtime.go"), tools[0]} {
		if info, err := os.Stat(needed); err != nil || !info.Mode().IsRegular() {
			return ""
		}
	}
	// The go command makes a toolchain's programs executable when it switches to it, not when it downloads it.
	if _, err := exec.LookPath(filepath.Join(root, "bin", "go")); err != nil {
		return ""
	}
	data, err := os.ReadFile(filepath.Join(root, "VERSION"))
	version, _, _ := strings.Cut(string(data), "\n")
	if err != nil || !strings.HasPrefix(version, "go") {
		return ""
	}
	return strings.TrimSpace(version)
}

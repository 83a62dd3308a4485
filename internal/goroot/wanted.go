package goroot

import (
	"os"
	"path/filepath"

	"golang.org/x/mod/modfile"
)

// A Wish is the go line of the module or workspace of a directory.
type Wish struct {
	File    string // the go.mod or go.work; "" if there is none that asks for a version
	Line    int
	Version string // "1.27.0"
}

// Wanted returns the go line that applies in a directory: that of the go.work around it, or else of the go.mod.
func Wanted(dir string) Wish {
	if dir == "" {
		dir, _ = os.Getwd() // without one no file is found
	}
	for _, name := range []string{"go.work", "go.mod"} {
		if name == "go.work" && os.Getenv("GOWORK") == "off" {
			continue
		}
		for at := dir; ; at = filepath.Dir(at) {
			file := filepath.Join(at, name)
			if data, err := os.ReadFile(file); err == nil {
				if w := goLine(file, data); w.Version != "" {
					return w
				}
				break
			}
			if at == filepath.Dir(at) {
				break
			}
		}
	}
	return Wish{}
}

func goLine(file string, data []byte) Wish {
	var line *modfile.Go
	if filepath.Base(file) == "go.work" {
		if work, err := modfile.ParseWork(file, data, nil); err == nil {
			line = work.Go
		}
	} else if mod, err := modfile.ParseLax(file, data, nil); err == nil {
		line = mod.Go
	}
	if line == nil {
		return Wish{}
	}
	return Wish{File: file, Line: line.Syntax.Start.Line, Version: line.Version}
}

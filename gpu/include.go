package gpu

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/internal/include"
)

// searchHere makes #include "name" find files in the current directory, which the compiling process need not share, and makes directories
// in the options absolute.
func searchHere(p *backend.Program) {
	here, err := os.Getwd()
	if err != nil {
		return // a directory that was removed has no files
	}
	p.Options = slices.Clone(p.Options)
	for i := range p.Options {
		o := strings.TrimSpace(p.Options[i])
		for _, name := range []string{"-I", "--include-path=", "--pre-include=", "-include="} {
			if path, ok := strings.CutPrefix(o, name); ok && path != "" && !filepath.IsAbs(path) {
				p.Options[i] = name + filepath.Join(here, path)
			}
		}
		if name := o; i+1 < len(p.Options) && slices.Contains([]string{"-I", "--include-path", "--pre-include", "-include"}, name) {
			if path := strings.TrimSpace(p.Options[i+1]); !filepath.IsAbs(path) {
				p.Options[i+1] = filepath.Join(here, path)
			}
		}
	}
	for d := range include.Directives(p.Source) {
		if d.Quoted {
			p.Options = append(p.Options, "-I"+here)
			return
		}
	}
}

package magics

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gopherwarp/gopherwarp/internal/cudac"
	"github.com/gopherwarp/gopherwarp/internal/include"
	"github.com/gopherwarp/gopherwarp/internal/session"
	"github.com/gopherwarp/gopherwarp/kernel"
)

// A Part is a part of a cell, for programs that are made of cells.
type Part struct {
	Magic string // the magic's name, without an alias; "" for Go
	Mark  string // the magic as it is written, such as %%time
	Args  string
	Line  int    // of the magic, from 1
	Col   int    // of Args, from 1
	Text  string // Go, or the cell below the magic, after as many empty lines as precede it
	Last  bool   // whether nothing follows in the cell
}

// Parts splits a cell into its parts in the order in which they run. earlier says what names mean in the cells before; it may be nil.
func Parts(text string, earlier scope) ([]Part, error) {
	e := &Engine{magics: all()}
	parts := split(text, func(line, before string) bool { return isGo(line, before, earlier) })
	slices.SortStableFunc(parts, func(a, b part) int { return cmp.Compare(e.late(a), e.late(b)) })
	var list []Part
	for i, p := range parts {
		made := Part{Args: p.args, Line: p.line, Col: p.col, Text: p.text, Last: i == len(parts)-1}
		if p.magic != "" {
			m, err := e.find(p.magic, p.cell)
			if err != nil {
				var failure *kernel.CellError
				if errors.As(err, &failure) {
					err = errors.New(failure.Value)
				}
				return nil, err
			}
			made.Magic, made.Mark = m.Name, "%"+p.magic
			if p.cell {
				made.Mark = "%" + made.Mark
			} else if m.Bare {
				made.Mark = p.magic
			}
		}
		list = append(list, made)
	}
	return list, nil
}

// Words splits the arguments of a magic as a shell does.
func Words(args string) ([]string, error) { return words(args) }

// A CUDASource is a %%cuda cell for a program.
type CUDASource struct {
	Whole    bool     // whether it has a main function, so that it is a program of its own
	Flags    []string // of the compiler
	Check    bool     // whether kernels are launched in check mode
	Go       []string // functions of Go cells that it calls
	Bindings string   // Go that declares the kernels
}

// ListCUDA returns the cell of a %%cuda. variable is the name of a Go string with the cell's text, module that of a variable for the compiled
// program, and file its name in errors. Included files are looked for in dir.
func ListCUDA(p Part, dir, variable, module, file string) (*CUDASource, error) {
	q, err := cudaOptions(p.Args)
	if err != nil {
		return nil, err
	}
	for _, name := range q.Include {
		at := name
		if !filepath.IsAbs(at) {
			at = filepath.Join(dir, at)
		}
		info, err := os.Stat(at)
		switch {
		case err != nil:
			return nil, fmt.Errorf("--include: %w", err)
		case info.IsDir():
			q.Flags = append(q.Flags, "-I"+name)
		default:
			q.Flags = append(q.Flags, "--pre-include="+name)
		}
	}
	search, defines, _ := include.FromOptions(q.Flags)
	search.Own = dir
	parsed, err := cudac.ParseFiles(p.Text, search, defines...)
	if err != nil {
		return nil, err
	}
	options := ""
	for _, flag := range q.Flags {
		options += fmt.Sprintf(", %q", flag)
	}
	if options != "" {
		options = ", gpu.WithFlags(" + strings.TrimPrefix(options, ", ") + ")"
	}
	if q.Check {
		options += ", gpu.WithCheck()"
	}
	from := source{
		begin:    compiling(variable, module, file, options),
		kernel:   kernelOf(module),
		template: func(name string) string { return fmt.Sprintf("%s.Template(%q)", module, name) },
	}
	c := &CUDASource{Whole: parsed.HasMain, Flags: q.Flags, Check: q.Check, Go: goNames(q.Go)}
	c.Bindings, _, err = bind(from, parsed)
	return c, err
}

// compiling returns the statements that compile the program in a variable.
func compiling(variable, module, file, options string) string {
	return fmt.Sprintf("var %s string\n%s := must(gpu.Compile(%[1]s, gpu.WithName(%[3]q)%s))\n", variable, module, file, options)
}

// kernelOf returns a function that returns the expression of a compiled program's kernel.
func kernelOf(module string) func(name string) string {
	return func(name string) string { return fmt.Sprintf("must(%s.Kernel(%q))", module, name) }
}

// ListGoKernels returns the CUDA program of the kernels that a part of a cell declares in Go, and the part's text with launchers in their
// place. The CUDA program is empty if there are no kernels. outline is that of the text, finder finds functions in CUDA C++, and the other arguments are those of ListCUDA.
func ListGoKernels(outline *session.Outline, finder CUDAFinder, text, variable, module, file string) (cuda, edited string, err error) {
	program, unit, err := translateKernels(outline, finder)
	if err != nil || unit == nil {
		return "", text, err
	}
	begin := strings.ReplaceAll(strings.TrimSuffix(compiling(variable, module, file, ""), "\n"), "\n", "; ")
	return unit.CUDA, withLaunchers(text, program, unit, begin, kernelOf(module)), nil
}

// GoFunctions returns functions of cells in Go as CUDA C++, for a %%cuda cell whose program is the named file. outline is that of no text.
func GoFunctions(outline *session.Outline, names []string, finder CUDAFinder, file string) (string, error) {
	text, err := functionsForCUDA(outline, names, finder)
	return beforeCell(text, file), err
}

package magics

import (
	"context"
	"fmt"
	"go/ast"
	"slices"
	"strings"

	"github.com/gopherwarp/gopherwarp/internal/gokernel"
	"github.com/gopherwarp/gopherwarp/internal/session"
	"github.com/gopherwarp/gopherwarp/kernel"
)

// A CUDAFinder returns the CUDA C++ of a function that is in Go, too. file is empty if the function's comment names none.
type CUDAFinder func(file, function string) (gokernel.CUDASource, error)

// FindCUDA returns a finder of functions in files, which are relative to dir, and in the texts of CUDA cells, the newest first.
func FindCUDA(dir string, cells []gokernel.CUDASource) CUDAFinder {
	files := gokernel.CUDAFiles(dir)
	return func(file, function string) (gokernel.CUDASource, error) {
		if file != "" {
			return files(file, function)
		}
		for _, c := range cells {
			if gokernel.DefinesInCUDA(c.Text, function) {
				return c, nil
			}
		}
		return gokernel.CUDASource{}, fmt.Errorf("no %%%%cuda cell has a __device__ function %s: write one, or the name of a file after %s", function, gokernel.CUDADirective)
	}
}

// cudaFinder is FindCUDA for the session.
func (e *Engine) cudaFinder(ctx context.Context, cell kernel.Cell, out kernel.Output) CUDAFinder {
	return func(file, function string) (gokernel.CUDASource, error) {
		c := &Call{Engine: e, Cell: cell, Out: out}
		return FindCUDA(c.surroundings(ctx).Dir, e.earlierCUDA())(file, function)
	}
}

// functionsForCUDA returns functions of cells in Go as CUDA C++.
func functionsForCUDA(outline *session.Outline, names []string, finder CUDAFinder) (string, error) {
	l := newKernelLoader(outline)
	for _, name := range names {
		known := l.byName[name]
		if known == nil || !isFunction(known) {
			return "", usageError("--go %s: no cell has a function %[1]s in Go", name)
		}
		if err := l.add(known); err != nil {
			return "", err
		}
	}
	program, err := l.program()
	if err != nil {
		return "", kernelError(err)
	}
	program.CUDA = finder
	var list []*ast.FuncDecl
	for _, name := range names {
		list = append(list, declared(program, name))
	}
	text, err := program.TranslateFunctions(list)
	if err != nil {
		return "", kernelError(err)
	}
	return text, nil
}

// goFunctions returns the CUDA C++ of the functions that --go names, before the first line of the cell, or "" if there are none.
func (c *Call) goFunctions(ctx context.Context, names []string, program string) (string, error) {
	if len(names) == 0 {
		return "", nil
	}
	outline, err := c.session.Outline(ctx, session.Source{Name: cellName(c.Cell)}, c.Out)
	if err != nil {
		return "", err
	}
	return GoFunctions(outline, names, c.cudaFinder(ctx, c.Cell, c.Out), program)
}

// beforeCell returns CUDA C++ that is to be before a cell, whose lines keep their numbers.
func beforeCell(text, program string) string {
	return fmt.Sprintf("%s#line 1 %q\n", text, program)
}

// goNames returns the functions that the values of --go name.
func goNames(values []string) []string {
	var names []string
	for _, v := range values {
		for name := range strings.SplitSeq(v, ",") {
			if name != "" && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

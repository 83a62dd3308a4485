package gokernel

import (
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"runtime"
)

// A Program is checked Go code with kernels.
type Program struct {
	Fset  *token.FileSet
	Files []*ast.File
	Types *types.Package
	Info  *types.Info
	// Short, if it is set, returns the name of a file for the CUDA program and for messages.
	Short func(file string) string
	// Import, if it is set, returns the source of a package whose functions kernels call (LoadImport).
	Import func(path string) (*Program, error)
	// CUDA, if it is set, returns the CUDA C++ of a function with the comment CUDADirective, whose file is empty if the comment has none.
	CUDA func(file, function string) (CUDASource, error)
}

func newProgram(fset *token.FileSet) *Program {
	return &Program{Fset: fset, Info: &types.Info{
		Types:      map[ast.Expr]types.TypeAndValue{},
		Defs:       map[*ast.Ident]types.Object{},
		Uses:       map[*ast.Ident]types.Object{},
		Implicits:  map[ast.Node]types.Object{},
		Instances:  map[*ast.Ident]types.Instance{},
		Selections: map[*ast.SelectorExpr]*types.Selection{},
	}}
}

// Load checks files as one package, whose imports are read by the importer.
func Load(fset *token.FileSet, files []*ast.File, importer types.Importer) (*Program, error) {
	p := newProgram(fset)
	p.Files = files
	var problems Error
	conf := types.Config{Importer: importer, Sizes: types.SizesFor("gc", runtime.GOARCH), Error: func(err error) {
		var e types.Error
		if errors.As(err, &e) && !e.Soft {
			problems = append(problems, Problem{fset.Position(e.Pos), e.Msg})
		}
	}}
	var err error
	p.Types, err = conf.Check(cmp.Or(packageName(files), "main"), fset, files, p.Info)
	if len(problems) > 0 {
		return nil, problems
	}
	var soft types.Error
	if err != nil && !(errors.As(err, &soft) && soft.Soft) {
		return nil, fmt.Errorf("check kernels: %w", err)
	}
	return p, nil
}

func packageName(files []*ast.File) string {
	if len(files) == 0 {
		return ""
	}
	return files[0].Name.Name
}

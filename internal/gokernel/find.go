package gokernel

import (
	"go/ast"
	"regexp"
	"slices"
	"strings"
)

// Directive is the comment before a function that makes it a kernel. The word nobounds after it omits the checks of indices.
const Directive = "//gpu:kernel"

var directive = regexp.MustCompile(`(?m)^//gpu:kernel(?:[ \t]|$)`)

// Mentioned reports whether a text may have kernels.
func Mentioned(text string) bool { return directive.MatchString(text) }

// directiveOf returns the comment that makes a function a kernel, or nil.
func directiveOf(d *ast.FuncDecl) *ast.Comment {
	if d.Doc == nil {
		return nil
	}
	for _, c := range d.Doc.List {
		if directive.MatchString(c.Text) {
			return c
		}
	}
	return nil
}

// Kernels lists the kernels of a file.
func Kernels(f *ast.File) []*ast.FuncDecl {
	var list []*ast.FuncDecl
	for _, d := range f.Decls {
		if d, ok := d.(*ast.FuncDecl); ok && directiveOf(d) != nil {
			list = append(list, d)
		}
	}
	return list
}

// options returns the words after the directive.
func options(d *ast.FuncDecl) []string {
	return strings.Fields(strings.TrimPrefix(directiveOf(d).Text, Directive))
}

func unchecked(d *ast.FuncDecl) bool { return slices.Contains(options(d), "nobounds") }

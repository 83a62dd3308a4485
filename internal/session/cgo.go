package session

import (
	"context"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unsafe"
)

// A cell with import "C" is compiled by the cgo tool, as in a package. The tool runs twice: on a file that only mentions the
// cell's C names, for their types in the check, and on the file that emit makes of the cell. C names are visible only in their
// own cell. Values of C types are kept like others: types and fields in the tool's output are renamed like those of cells.

// A cCode is the C code of a cell.
type cCode struct {
	preamble []string // lines, with line directives
	names    []cName
	dir      string // output directory of the cgo tool
	flags    *build.Package
	types    *ast.File // declarations of the C names
}

// A cName is a name X in C.X.
type cName struct {
	name string
	call bool // whether it is called, not used as a type or value
	pos  token.Position
}

const cgoPackage = "C"

// cPaths are the packages that the cgo tool's output imports.
var cPaths = []string{"runtime/cgo", "syscall"}

// readC returns the cell's C code, or nil if there is none.
func (p *parsed) readC() (*cCode, error) {
	var c *cCode
	for _, ch := range p.chunks {
		d, ok := ch.decl.(*ast.GenDecl)
		if !ok || d.Tok != token.IMPORT || !slices.ContainsFunc(d.Specs, isImportC) {
			continue
		}
		if c == nil {
			c = &cCode{}
		}
		c.readPreamble(ch)
	}
	if c == nil {
		return nil, nil
	}
	seen := map[string]bool{}
	for _, ch := range p.chunks {
		if i := strings.Index("\n"+ch.text, "\n//export "); i >= 0 {
			line, _ := advance(ch.line, ch.col, ch.text[:i])
			return nil, problem(token.Position{Filename: p.src.Name, Line: line, Column: 1}, "//export is not supported in cells: C code of a cell can't call Go")
		}
		calls := map[ast.Expr]bool{}
		ast.Inspect(ch.node(), func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				calls[ast.Unparen(n.Fun)] = true
			case *ast.SelectorExpr:
				if x, ok := n.X.(*ast.Ident); ok && x.Name == cgoPackage && !seen[fmt.Sprint(n.Sel.Name, calls[n])] {
					seen[fmt.Sprint(n.Sel.Name, calls[n])] = true
					c.names = append(c.names, cName{n.Sel.Name, calls[n], p.fset.Position(n.Pos())})
				}
			}
			return true
		})
	}
	return c, nil
}

func isImportC(spec ast.Spec) bool {
	s, ok := spec.(*ast.ImportSpec)
	return ok && s.Path.Value == strconv.Quote(cgoPackage)
}

// readPreamble adds the comment above import "C".
func (c *cCode) readPreamble(ch *chunk) {
	fset := token.NewFileSet()
	const before = "package main\n"
	f, err := parser.ParseFile(fset, "", before+ch.text, parser.ImportsOnly|parser.ParseComments)
	if err != nil {
		return // it was parsed before
	}
	for _, d := range f.Decls {
		d := d.(*ast.GenDecl)
		for _, spec := range d.Specs {
			doc := spec.(*ast.ImportSpec).Doc
			if doc == nil && len(d.Specs) == 1 {
				doc = d.Doc
			}
			if !isImportC(spec) || doc == nil {
				continue
			}
			for _, comment := range doc.List {
				line, _ := advance(ch.line, ch.col, ch.text[:fset.Position(comment.Pos()).Offset-len(before)])
				c.preamble = append(c.preamble, fmt.Sprintf("#line %d %q", line, ch.src.Name))
				c.preamble = append(c.preamble, strings.Split(strings.TrimSuffix(comment.Text[2:], "*/"), "\n")...)
			}
		}
	}
}

// importC returns the text of the import of C with its preamble.
func (c *cCode) importC() string {
	var b strings.Builder
	for _, line := range c.preamble {
		b.WriteString("//" + strings.TrimRight(line, "\r") + "\n")
	}
	return b.String() + "import \"C\"\n"
}

// prepareC determines the types of the cell's C names.
func (s *Session) prepareC(ctx context.Context, p *parsed) error {
	dir := s.cgoDir(s.number + 1)
	if err := os.RemoveAll(dir); err != nil { // of a cell that did not compile
		return fmt.Errorf("remove the directory of C code: %w", err)
	}
	c, err := p.readC()
	if c == nil || err != nil {
		return err
	}
	c.dir = dir
	notebook, err := filepath.Abs(s.config.Dir)
	if err != nil {
		return fmt.Errorf("find the directory of C headers: %w", err)
	}
	for i, line := range c.preamble {
		if strings.HasPrefix(strings.TrimSpace(line), "#cgo ") {
			c.preamble[i] = strings.ReplaceAll(line, "${SRCDIR}", notebook)
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "package main\n\n%s\nfunc _() {\n", c.importC())
	for _, n := range c.names {
		use := "_ = C." + n.name
		if n.call {
			use = "C." + n.name + "()"
		}
		fmt.Fprintf(&b, "/*line %s:%d:%d*/%s\n", n.pos.Filename, n.pos.Line, n.pos.Column, use)
	}
	b.WriteString("}\n")
	text := filepath.Join(c.dir, "names.go")
	if err := writeFile(text, []byte(b.String())); err != nil {
		return fmt.Errorf("write the cell's C names: %w", err)
	}
	if c.flags, err = build.ImportDir(c.dir, 0); err != nil {
		return &CompileError{Problems: []Problem{{Message: err.Error()}}}
	}
	if err := s.pkgConfig(ctx, c.flags); err != nil {
		return err
	}
	c.flags.CgoCFLAGS = append([]string{"-I" + notebook}, c.flags.CgoCFLAGS...)
	if err := s.cgo(ctx, c, mainPath, text); err != nil {
		return err
	}
	c.types, err = parser.ParseFile(p.fset, filepath.Join(c.dir, "_cgo_gotypes.go"), nil, parser.SkipObjectResolution)
	if err != nil {
		return fmt.Errorf("read the types of C names: %w", err)
	}
	p.cgo = c
	return nil
}

// cgoDir returns the directory of a cell's C code.
func (s *Session) cgoDir(number int) string {
	return filepath.Join(s.dir, "cells", fmt.Sprintf("c%d.cgo", number))
}

// goFiles returns the files that a cell was compiled from.
func (s *Session) goFiles(number int) []string {
	dir := s.cgoDir(number)
	if _, err := os.Stat(dir); err != nil {
		return []string{filepath.Join(s.dir, "cells", fmt.Sprintf("c%d.go", number))}
	}
	return []string{filepath.Join(dir, "_cgo_gotypes.go"), filepath.Join(dir, "cell.cgo1.go")}
}

// pkgConfig adds the flags that #cgo pkg-config lines request.
func (s *Session) pkgConfig(ctx context.Context, flags *build.Package) error {
	if len(flags.CgoPkgConfig) == 0 {
		return nil
	}
	for option, to := range map[string]*[]string{"--cflags": &flags.CgoCFLAGS, "--libs": &flags.CgoLDFLAGS} {
		out, err := s.tools.command(ctx, "", append(s.tools.tempEnv(), s.tools.config.Env...), "pkg-config", append([]string{option, "--"}, flags.CgoPkgConfig...)...)
		if err != nil {
			return &CompileError{Problems: []Problem{{Message: fmt.Sprintf("#cgo pkg-config: %v", err)}}}
		}
		*to = append(*to, strings.Fields(string(out))...)
	}
	return nil
}

func (c *cCode) cFlags() []string {
	// Hidden, since another cell's C code may have a func of the same name.
	flags := []string{"-I", c.dir, "-g", "-O2", "-fPIC", "-pthread", "-fvisibility=hidden"}
	return slices.Concat(flags, c.flags.CgoCPPFLAGS, c.flags.CgoCFLAGS)
}

// cgo runs the cgo tool on a file.
func (s *Session) cgo(ctx context.Context, c *cCode, path, file string) error {
	args := []string{"-objdir", c.dir, "-importpath", path}
	if len(c.flags.CgoLDFLAGS) > 0 {
		args = append(args, "-ldflags", strings.Join(c.flags.CgoLDFLAGS, " "))
	}
	args = append(append(append(args, "--"), c.cFlags()...), filepath.Base(file))
	env := append(s.tools.toolEnv(), "CC="+s.tools.env.CC)
	// With another working directory the tool puts this one before the names in line directives.
	_, err := s.tools.command(ctx, c.dir, env, filepath.Join(s.tools.env.GOTOOLDIR, "cgo"), args...)
	if err != nil && ctx.Err() == nil {
		return cError(err)
	}
	return err
}

// cError returns an error of the C compiler or the cgo tool as problems of the cell.
func cError(err error) error {
	all := compilerError(err)
	list := &CompileError{}
	for _, p := range all.Problems {
		message := strings.TrimPrefix(strings.TrimPrefix(p.Message, "fatal "), "error: ")
		if p.Pos.IsValid() && !strings.HasPrefix(message, "note: ") && !strings.HasPrefix(message, "warning: ") {
			p.Message = "C: " + message
			list.Problems = append(list.Problems, p)
		}
	}
	if len(list.Problems) == 0 {
		return all
	}
	return list
}

// useC makes a check resolve C.X by the declarations of the cgo tool. The field is not exported, since it is meant for
// go/packages and go vet, but it is stable.
func useC(conf *types.Config) {
	f := reflect.ValueOf(conf).Elem().FieldByName("go115UsesCgo")
	*(*bool)(unsafe.Pointer(f.UnsafeAddr())) = true
}

// fromC reports whether the cgo tool declared obj.
func (p *parsed) fromC(obj types.Object) bool {
	return p.cgo != nil && p.fset.File(obj.Pos()) == p.fset.File(p.cgo.types.Pos())
}

// usesC reports whether d mentions C names.
func (d *decl) usesC() bool {
	return slices.ContainsFunc(d.parts, func(q *part) bool { return q.imports[cgoPackage] != "" })
}

// isC reports whether sel is C.X.
func (e *emitter) isC(sel *ast.SelectorExpr) bool {
	id, ok := sel.X.(*ast.Ident)
	if !ok {
		return false
	}
	pkg, ok := e.info.Uses[id].(*types.PkgName)
	return ok && pkg.Imported().Path() == cgoPackage
}

// isVoid reports whether t is the type of calls of C functions that return nothing.
func isVoid(t types.Type) bool {
	named, ok := t.(*types.Named)
	return ok && named.Obj().Name() == "_Ctype_void"
}

// compileC translates the cell with the cgo tool and compiles its C code. It returns the object files; goFiles then returns
// the translated Go files.
func (s *Session) compileC(ctx context.Context, cell *emitted) (objects []string, err error) {
	c := cell.cgo
	text := filepath.Join(c.dir, "cell.go")
	if err := writeFile(text, []byte(cell.text)); err != nil {
		return nil, fmt.Errorf("write the cell: %w", err)
	}
	if err := s.cgo(ctx, c, cellPath(cell.number), text); err != nil {
		return nil, err
	}
	for _, file := range s.goFiles(cell.number) {
		if err := exportC(file, filepath.Base(file)[0] == '_'); err != nil {
			return nil, fmt.Errorf("translate C names: %w", err)
		}
	}
	for _, name := range []string{"_cgo_export", "cell.cgo2"} {
		object := filepath.Join(c.dir, name+".o")
		cc := append(strings.Fields(s.tools.env.CC), c.cFlags()...)
		cc = append(cc, "-c", "-o", object, filepath.Join(c.dir, name+".c"))
		if _, err := s.tools.command(ctx, "", append(s.tools.tempEnv(), s.tools.config.Env...), cc[0], cc[1:]...); err != nil {
			if ctx.Err() != nil {
				return nil, err
			}
			return nil, cError(err)
		}
		objects = append(objects, object)
	}
	return objects, nil
}

// exportC exports the C types in a file of the cgo tool, and with fields the fields of its structs, by a prefix
// of their names.
func exportC(path string, fields bool) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", data, parser.SkipObjectResolution|parser.ParseComments)
	if err != nil {
		return err
	}
	at := map[int]bool{}
	mark := func(id *ast.Ident) { at[fset.PositionFor(id.Pos(), false).Offset] = true }
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			if strings.HasPrefix(n.Name, "_Ctype_") {
				mark(n)
			}
		case *ast.StructType:
			for _, field := range n.Fields.List {
				for _, id := range field.Names {
					if fields && exported(id.Name) != id.Name {
						mark(id)
					}
				}
			}
		}
		return true
	})
	var b strings.Builder
	from := 0
	for _, offset := range slices.Sorted(maps.Keys(at)) {
		b.Write(data[from:offset])
		b.WriteString(prefix)
		from = offset
	}
	b.Write(data[from:])
	return os.WriteFile(path, []byte(b.String()), 0o644)
}

// addToArchive adds files to an archive of the compiler, for the linker.
func addToArchive(archive string, files []string) error {
	if len(files) == 0 {
		return nil
	}
	f, err := os.OpenFile(archive, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		// Names have 16 bytes at most, and members begin at even offsets.
		_, err = fmt.Fprintf(f, "%-16.16s%-12d%-6d%-6d%-8o%-10d`\n%s%s", filepath.Base(name), 0, 0, 0, 0o644, len(data), data, "\n"[:len(data)%2])
		if err != nil {
			return err
		}
	}
	return f.Close()
}

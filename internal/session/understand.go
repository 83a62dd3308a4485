package session

import (
	"context"
	"errors"
	"go/types"
	"regexp"
	"strconv"
)

// compile turns a cell into the text of a package, and says what the program is with it.
func (s *Session) compile(ctx context.Context, src Source, out Output) (*emitted, *program, error) {
	p, err := parse(src)
	if err != nil {
		return nil, nil, syntaxError(src, err)
	}
	s.config.CellLog.Info("split", "cell", src.Name, "parts", len(p.chunks))
	if ctx.Err() != nil { // parsing takes a while for megabytes, and checking more
		return nil, nil, ctx.Err()
	}
	own, err := s.ownImports(p)
	if err != nil {
		return nil, nil, err
	}
	if err := s.resolve(ctx, append(s.imported(p, own), CellImport), out); err != nil {
		if ctx.Err() != nil {
			return nil, nil, err
		}
		return nil, nil, p.importError(err)
	}
	if err := s.prepareC(ctx, p); err != nil {
		return nil, nil, err
	}
	c, err := s.check(ctx, p)
	if err != nil {
		return nil, nil, err
	}
	if ctx.Err() != nil {
		return nil, nil, ctx.Err()
	}
	s.number++
	cell, err := emit(c, s.number, s.isLoaded, s.debugger != nil)
	if err != nil {
		return nil, nil, err
	}
	return cell, s.grown(c, cell), nil
}

var undefined = regexp.MustCompile(`undefined: (\pL[\pL\pN_]*)$`)

// check type-checks the cell, adding imports: those of earlier cells, and packages that
// fit names that are not defined.
func (s *Session) check(ctx context.Context, p *parsed) (*checked, error) {
	own := p.importNames(s.importer)
	base := p.skipUnchanged(s.withPredeclared(), s.importsNow(own))
	selected := p.selected()
	added := map[string]string{}
	for name := range selected {
		if path, ok := base.imports[name]; ok && base.names[name] == nil {
			added[name] = path
		}
	}
	for name := range own {
		delete(added, name)
	}
	for {
		c, err := check(p, base, s.importer, added)
		var list *CompileError
		if !errors.As(err, &list) {
			return c, err
		}
		more := false
		for _, problem := range list.Problems {
			m := undefined.FindStringSubmatch(problem.Message)
			if m == nil || added[m[1]] != "" || selected[m[1]] == nil || base.hadEnded(m[1]) {
				continue
			}
			if path, ok := s.findImport(ctx, m[1], selected[m[1]]); ok {
				added[m[1]] = path
				more = true
			}
		}
		if !more {
			c.addHints(list, s.advice())
			return c, err
		}
	}
}

// predeclared is the cell of what no cell has declared.
const predeclared = "predeclared"

// withPredeclared is the program with the functions must and Display, unless cells have their own.
func (s *Session) withPredeclared() *program {
	base := s.program.clone()
	pkg, err := s.importer.Import(CellImport)
	if err != nil {
		return base
	}
	for name, in := range map[string]string{"must": "Must", "Display": "Display"} {
		if base.names[name] != nil {
			continue
		}
		original := pkg.Scope().Lookup(in).(*types.Func)
		f := types.NewFunc(original.Pos(), types.NewPackage(mainPath, "main"), name, original.Signature())
		base.names[name] = &entity{obj: f, cell: predeclared}
		base.homes[f] = home{CellImport, in}
	}
	return base
}

// grown is the program with what the cell declares.
func (s *Session) grown(c *checked, cell *emitted) *program {
	next := c.next()
	next.homes = cell.homes
	for _, spec := range c.imports {
		path, _ := strconv.Unquote(spec.Path.Value)
		if spec.Name != nil {
			if name := spec.Name.Name; name != "_" && name != "." {
				next.imports[name] = path
			}
		} else if pkg, err := s.importer.Import(path); err == nil {
			next.imports[pkg.Name()] = path
		}
	}
	return next
}

package session

import "context"

// translate returns the package of a cell, and the program after the cell.
func (s *Session) translate(ctx context.Context, src Source, out Output) (*emitted, *program, error) {
	p, err := parse(src)
	if err != nil {
		return nil, nil, syntaxError(src, err)
	}
	s.config.CellLog.Info("split", "cell", src.Name, "parts", len(p.chunks))
	if ctx.Err() != nil { // parsing megabytes takes long, and checking longer
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
	c, err := s.check(ctx, p, out)
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

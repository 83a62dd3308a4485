package export

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/gopherwarp/gopherwarp/internal/gokernel"
	"github.com/gopherwarp/gopherwarp/internal/nbformat"
	"github.com/gopherwarp/gopherwarp/internal/session"
)

// Options are the circumstances of an export.
type Options struct {
	Session  session.Config // of the session that checks the cells
	Notebook string         // the file's name, for the program's comment
	Dir      string         // of the notebook
	Module   string         // path of the program's module
	Version  string         // of this module, for go.mod
	Replace  string         // a directory with this module, or ""
	Progress io.Writer      // for what takes long
}

// A Program is the content of a program's directory.
type Program struct {
	Files map[string][]byte
	// Left are the cells and lines that are left out, and why.
	Left []string
	// Needs says whether the program imports packages of this module.
	Needs bool
}

// Notebook returns the program of a notebook.
func Notebook(ctx context.Context, nb *nbformat.Notebook, o Options) (program *Program, err error) {
	l, err := session.NewLister(ctx, o.Session, func(step string) { fmt.Fprintln(o.Progress, step, "…") })
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	t := &translation{Options: o, lister: l, program: &Program{Files: map[string][]byte{}}}
	if err := t.addCells(ctx, nb); err != nil {
		return nil, err
	}
	if err := t.write(); err != nil {
		return nil, err
	}
	return t.program, nil
}

// A translation is a program that is being made.
type translation struct {
	Options
	lister  *session.Lister
	program *Program
	cells   []*cell
	earlier []gokernel.CUDASource // the CUDA cells so far
	checks  bool                  // whether kernels are launched in check mode
	devices bool                  // whether the program uses package gpu
}

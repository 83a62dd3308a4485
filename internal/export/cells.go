package export

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/gopherwarp/gopherwarp/internal/gokernel"
	"github.com/gopherwarp/gopherwarp/internal/nbformat"
	"github.com/gopherwarp/gopherwarp/internal/session"
	"github.com/gopherwarp/gopherwarp/magics"
)

// A cell is a cell of the program.
type cell struct {
	number  int // its execution count when all cells are run
	mayFail bool
	parts   int      // how many parts the lister has of it
	left    []string // what is left out, and why
}

// mayFailTag is the tag of cells after whose failure the others run.
const mayFailTag = "raises-exception"

// addCells translates the cells that "gopherwarp run" would run.
func (t *translation) addCells(ctx context.Context, nb *nbformat.Notebook) error {
	code := 0
	for _, c := range nb.Cells {
		switch {
		case !c.IsCode() || strings.TrimSpace(c.Source()) == "":
		case c.HasTag("skip-execution"):
			t.program.Left = append(t.program.Left, "a cell that its tag skip-execution leaves out: "+firstLine(c.Source()))
		default:
			code++
			made := &cell{number: len(t.cells) + 1, mayFail: c.HasTag(mayFailTag)}
			t.cells = append(t.cells, made)
			if err := t.addCell(ctx, made, c.Source()); err != nil {
				return err
			}
		}
	}
	if code == 0 {
		return errors.New("the notebook has no code to export")
	}
	for _, c := range t.cells {
		if c.parts > 0 {
			return nil
		}
	}
	return errors.New("the notebook has no Go and no kernels to export: " + strings.Join(t.program.Left, "; "))
}

// addCell translates the parts of a cell.
func (t *translation) addCell(ctx context.Context, c *cell, text string) error {
	parts, err := magics.Parts(text, t.lister)
	if err != nil {
		return t.fails(c, err)
	}
	for _, p := range parts {
		src, err := t.translate(ctx, c, p)
		if err != nil {
			return t.fails(c, err)
		}
		if src.left != "" {
			c.left = append(c.left, src.left)
			t.program.Left = append(t.program.Left, fmt.Sprintf("cell %d: %s", c.number, src.left))
		}
		if src.text == "" {
			continue
		}
		if gokernel.Mentioned(src.text) {
			if src, err = t.goKernels(ctx, c, src); err != nil {
				return t.fails(c, err)
			}
		}
		err = t.lister.Add(ctx, session.Source{Name: cellName(c.number), Text: src.text, Made: src.made}, src.files, &progress{to: t.Progress})
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			return t.fails(c, err)
		}
		c.parts++
	}
	return nil
}

// fails handles a cell that can't be translated: a compiler would refuse it, or it has no meaning in a program. Only a cell whose tag says that it
// fails can be left out: those after it rely on the others.
func (t *translation) fails(c *cell, err error) error {
	if !c.mayFail {
		return fmt.Errorf("cell %d can't be exported: %s", c.number, message(err))
	}
	why := "the cell is left out, as its tag " + mayFailTag + " lets it fail: " + message(err)
	c.left = append(c.left, why)
	t.program.Left = append(t.program.Left, fmt.Sprintf("cell %d: %s", c.number, why))
	return nil
}

// message returns an error's first problem.
func message(err error) string {
	if compile, ok := errors.AsType[*session.CompileError](err); ok && len(compile.Problems) > 0 {
		return compile.Problems[0].String()
	}
	return err.Error()
}

func cellName(number int) string { return fmt.Sprintf("cell[%d]", number) }

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}

// progress is the output of checking cells, which prints only that modules are fetched.
type progress struct {
	session.Output
	to io.Writer
}

func (p *progress) Stream(_, text string) { fmt.Fprint(p.to, text) }

package export

import (
	"context"
	"fmt"
	"strings"

	"github.com/gopherwarp/gopherwarp/internal/session"
	"github.com/gopherwarp/gopherwarp/magics"
)

// cuda returns the Go that compiles a cell's kernels from a file of their own, and declares them.
func (t *translation) cuda(c *cell, p magics.Part) (source, error) {
	file := fmt.Sprintf("cell%d.cu", c.number)
	variable, module := fmt.Sprintf("cell%dSource", c.number), fmt.Sprintf("cell%dModule", c.number)
	made, err := magics.ListCUDA(p, t.Dir, variable, module, file)
	if err != nil {
		return source{}, err
	}
	if made.Whole {
		return source{left: p.Mark + " is left out: it is a program of its own, which gopherwarp program runs"}, nil
	}
	if made.Bindings == "" {
		return source{left: p.Mark + " is left out: it has no kernels"}, nil
	}
	t.checks = t.checks || made.Check
	// The first line, which was that of the magic, keeps the numbers of the others.
	text := strings.TrimLeft(p.Text, "\n")
	lines := strings.Count(p.Text, "\n") - strings.Count(text, "\n")
	t.program.Files[file] = []byte("// " + cellName(c.number) + " of " + t.Notebook + strings.Repeat("\n", max(lines, 1)) + strings.TrimRight(text, "\n") + "\n")
	return source{text: made.Bindings, made: true, files: map[string]string{variable: file}}, nil
}

// goKernels returns a part of a cell that has kernels in Go with their launchers, which find the CUDA program in a file of its own.
func (t *translation) goKernels(ctx context.Context, c *cell, src source) (source, error) {
	name := fmt.Sprintf("cell%d", c.number)
	if c.parts > 0 {
		name += fmt.Sprintf("Part%d", c.parts+1)
	}
	outline, err := t.lister.Outline(ctx, session.Source{Name: cellName(c.number), Text: src.text, Made: src.made}, &progress{to: t.Progress})
	if err != nil {
		return source{}, err
	}
	file, variable := name+".cu", name+"Source"
	cuda, text, err := magics.ListGoKernels(outline, src.text, variable, name+"Module", file)
	if err != nil || cuda == "" {
		return src, err
	}
	t.program.Files[file] = []byte("// The kernels in Go of " + cellName(c.number) + " of " + t.Notebook + ".\n" + cuda)
	src.text, src.files = text, map[string]string{variable: file}
	return src, nil
}

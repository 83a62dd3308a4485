package export

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gopherwarp/gopherwarp/internal/gokernel"
	"github.com/gopherwarp/gopherwarp/internal/session"
	"github.com/gopherwarp/gopherwarp/magics"
)

// cuda returns the Go that compiles a cell's kernels from a file of their own, and declares them.
func (t *translation) cuda(ctx context.Context, c *cell, p magics.Part) (source, error) {
	file := fmt.Sprintf("cell%d.cu", c.number)
	variable, module := fmt.Sprintf("cell%dSource", c.number), fmt.Sprintf("cell%dModule", c.number)
	made, err := magics.ListCUDA(p, t.Dir, variable, module, file)
	if err != nil {
		return source{}, err
	}
	earlier := t.finder()
	t.earlier = append(t.earlier, gokernel.CUDASource{Name: cellName(c.number) + ".cu", Text: p.Text})
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
	functions, err := t.goFunctions(ctx, c, made.Go, earlier, file)
	if err != nil {
		return source{}, err
	}
	t.program.Files[file] = []byte(functions + "// " + cellName(c.number) + " of " + t.Notebook + strings.Repeat("\n", max(lines, 1)) + strings.TrimRight(text, "\n") + "\n")
	return source{text: made.Bindings, made: true, files: map[string]string{variable: file}}, nil
}

// finder finds functions in CUDA C++, in files and in the cells so far.
func (t *translation) finder() magics.CUDAFinder {
	cells := slices.Clone(t.earlier)
	slices.Reverse(cells)
	return magics.FindCUDA(t.Dir, cells)
}

// goFunctions returns functions in Go as CUDA C++, which a CUDA cell calls.
func (t *translation) goFunctions(ctx context.Context, c *cell, names []string, finder magics.CUDAFinder, file string) (string, error) {
	if len(names) == 0 {
		return "", nil
	}
	outline, err := t.lister.Outline(ctx, session.Source{Name: cellName(c.number)}, &progress{to: t.Progress})
	if err != nil {
		return "", err
	}
	return magics.GoFunctions(outline, names, finder, file)
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
	cuda, text, err := magics.ListGoKernels(outline, t.finder(), src.text, variable, name+"Module", file)
	if err != nil || cuda == "" {
		return src, err
	}
	t.program.Files[file] = []byte("// The kernels in Go of " + cellName(c.number) + " of " + t.Notebook + ".\n" + cuda)
	src.text, src.files = text, map[string]string{variable: file}
	return src, nil
}

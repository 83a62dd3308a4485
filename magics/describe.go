package magics

import (
	"cmp"
	"context"
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/gopherwarp/gopherwarp/internal/completion"
	"github.com/gopherwarp/gopherwarp/internal/completion/cuda"
	"github.com/gopherwarp/gopherwarp/internal/gokernel"
	"github.com/gopherwarp/gopherwarp/internal/session"
	"github.com/gopherwarp/gopherwarp/kernel"
)

// Inspect describes the magic, CUDA's name or the Go name at the cursor.
func (e *Engine) Inspect(ctx context.Context, code string, cursor, detail int) (kernel.MIMEBundle, error) {
	d, ok := e.describe(ctx, code, byteOffset(code, cursor), detail > 0)
	if !ok {
		return nil, nil
	}
	if detail == 0 {
		d.Source = ""
	}
	return bundle(d), nil
}

func bundle(d completion.Description) kernel.MIMEBundle {
	return kernel.MIMEBundle{"text/plain": d.Plain(), "text/markdown": d.Markdown(), "text/html": d.HTML()}
}

func (e *Engine) describe(ctx context.Context, code string, offset int, whole bool) (completion.Description, bool) {
	s := e.spot(code, offset)
	switch {
	case s.language == "cuda":
		return cuda.Describe(s.text, offset, e.earlierTexts())
	case s.language == "go" && e.editor != nil:
		if d, ok := e.describeKernel(s); ok {
			return d, true
		}
		d, ok := e.editor.Describe(ctx, s.text, offset, whole)
		if ok && whole {
			d.Source = cmp.Or(e.sourceOfVariable(s), d.Source)
		}
		return d, ok
	case s.magic != nil:
		return s.magic.description(), true
	}
	return completion.Description{}, false
}

func (m *Magic) description() completion.Description {
	d := completion.Description{Signature: m.usage(), Doc: m.Summary}
	if len(m.Aliases) > 0 {
		d.Doc += "; also called " + strings.Join(m.Aliases, ", ")
	}
	return d
}

// describeKernel describes a kernel of a CUDA cell, and how it is launched.
func (e *Engine) describeKernel(s spot) (completion.Description, bool) {
	k := e.session.Knowledge()
	if k == nil {
		return completion.Description{}, false
	}
	known, name, _ := nameAt(k, s)
	cell, ok := strings.CutSuffix(known.Cell, kernelSuffix)
	if !ok {
		return completion.Description{}, false
	}
	e.mu.Lock()
	source := cudaBody(e.sources[cell])
	e.mu.Unlock()
	f, ok := cuda.Find(source, name)
	launch, args := launchOf(known.Object)
	if !ok || launch == "" {
		return completion.Description{}, false
	}
	d := f.Description()
	d.Signature += fmt.Sprintf("\n%s.Launch%s", name, launch)
	call := fmt.Sprintf("%s.Launch(%s)", name, strings.Join(append([]string{"gpu.For(n, 256)"}, args...), ", "))
	d.Doc = strings.TrimSpace(fmt.Sprintf("%s\n\nA kernel of %s. To launch it for n threads in blocks of 256:\n\n\t%s", d.Doc, cell, call))
	return d, true
}

// launchOf returns the signature of a kernel's Launch method, and the names of its parameters after the first.
func launchOf(obj types.Object) (signature string, args []string) {
	st, ok := obj.Type().Underlying().(*types.Struct)
	if !ok {
		return "", nil
	}
	for f := range st.Fields() {
		sig, ok := f.Type().(*types.Signature)
		if !ok || f.Name() != "Launch" {
			continue
		}
		for p := range sig.Params().Variables() {
			args = append(args, p.Name())
		}
		text := types.TypeString(sig, func(p *types.Package) string { return p.Name() })
		return strings.TrimPrefix(text, "func"), args[min(1, len(args)):]
	}
	return "", nil
}

// nameAt returns the cells' declaration of the name at the spot, or of the one that it is a member of.
func nameAt(k *session.Knowledge, s spot) (known session.Known, name string, member bool) {
	text, at := completion.NameAt(s.text, s.offset)
	if at < 0 {
		return session.Known{}, "", false
	}
	if base, ok := strings.CutSuffix(text[:at], "."); ok {
		member = true
		if text, at = completion.NameAt(base, len(base)); at < 0 {
			return session.Known{}, "", false
		}
	}
	name = text[at : at+completion.NameLength(text[at:])]
	return k.Names[name], name, member
}

// sourceOfVariable returns the statement that declares the variable at the spot, or "".
func (e *Engine) sourceOfVariable(s spot) string {
	k := e.session.Knowledge()
	if k == nil {
		return ""
	}
	known, name, member := nameAt(k, s)
	if _, ok := known.Object.(*types.Var); !ok || member {
		return ""
	}
	e.mu.Lock()
	cell := e.sources[known.Cell]
	e.mu.Unlock()
	return session.SourceOfVariable((&Call{Engine: e}).goText(cell), name)
}

// earlierCUDA returns the texts of the CUDA cells so far, the newest first.
func (e *Engine) earlierCUDA() []gokernel.CUDASource {
	e.mu.Lock()
	defer e.mu.Unlock()
	var cells []string
	for name, text := range e.sources {
		if strings.HasPrefix(strings.TrimSpace(text), "%%cuda") {
			cells = append(cells, name)
		}
	}
	// Of cell[9] and cell[10] the longer name is the newer.
	slices.SortFunc(cells, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), strings.Compare(b, a))
	})
	var list []gokernel.CUDASource
	for _, name := range cells {
		list = append(list, gokernel.CUDASource{Name: name + programSuffix, Text: keepLines(e.sources[name])})
	}
	return list
}

// earlierTexts returns the texts of the CUDA cells so far, the newest first.
func (e *Engine) earlierTexts() []string {
	var texts []string
	for _, c := range e.earlierCUDA() {
		texts = append(texts, c.Text)
	}
	return texts
}

// keepLines returns a CUDA cell with an empty line in the place of each up to the magic's.
func keepLines(text string) string {
	body := cudaBody(text)
	return strings.Repeat("\n", strings.Count(strings.TrimRight(text, " \t\r\n"), "\n")-strings.Count(body, "\n")) + body
}

// cudaBody returns a CUDA cell without its first line.
func cudaBody(text string) string {
	_, body, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return body
}

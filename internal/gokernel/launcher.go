package gokernel

import (
	"fmt"
	"go/token"
	"go/types"
	"strings"
)

// Launcher returns Go code, without line breaks, that declares a variable of the kernel's name: a struct with the compiled kernel, which the
// expression compiled is, and the functions Launch and Run. It sets all but Run. With package gpu under its own name.
func (k *Kernel) Launcher(compiled string) string {
	decl, set := k.launcher("call := " + k.Name + ".Begin(cfg)")
	return fmt.Sprintf("%s; %s.Kernel = %s; %s", decl, k.Name, compiled, set)
}

// launcher returns the declaration of the kernel's variable, and the statements that set Launch and CUDA. begin is what declares call in Launch.
func (k *Kernel) launcher(begin string) (decl, set string) {
	var params, host, passes strings.Builder
	for i, name := range k.parameters() {
		typ, pass := goParam(k.Params[i].Type, name, cellName)
		fmt.Fprintf(&params, ", %s %s", name, typ)
		fmt.Fprintf(&host, ", %s %s", name, typeName(k.Params[i].Type, cellName))
		fmt.Fprintf(&passes, "%s; ", pass)
	}
	decl = fmt.Sprintf("var %s struct { *gpu.Kernel; Launch func(cfg gpu.Launch%s) error; Run func(cfg gpu.Launch%s) error; CUDA func() string }",
		k.Name, params.String(), host.String())
	set = fmt.Sprintf("%[1]s.Launch = func(cfg gpu.Launch%[2]s) error { %[3]s; %[4]sreturn call.Do() }; %[1]s.CUDA = func() string { return %[5]q }",
		k.Name, params.String(), begin, passes.String(), k.Text)
	return decl, set
}

// cellName returns the name of a package in a cell.
func cellName(p *types.Package) string {
	if p.Path() == "main" {
		return ""
	}
	return p.Name()
}

// goParam returns the Go type of a launcher's parameter, and the statement that passes it.
func goParam(typ types.Type, name string, qualifier types.Qualifier) (param, pass string) {
	text := typeName(typ, qualifier)
	if view, elem, ok := viewOf(typ); ok {
		return "gpu." + view.param + "[" + typeName(elem, qualifier) + "]", "gpu." + view.pass + "(call, " + name + ")"
	}
	if dimensions, value, ok := textureOf(typ); ok {
		return "*gpu.Texture", fmt.Sprintf("gpu.PassTexture[%s](call, %s, %d)", typeName(value, qualifier), name, dimensions)
	}
	switch u := typ.Underlying().(type) {
	case *types.Slice:
		return "gpu.Ptr[" + typeName(u.Elem(), qualifier) + "]", "gpu.PassSlice(call, " + name + ")"
	case *types.Struct, *types.Array:
		return text, "gpu.PassBlock(call, " + name + ")"
	}
	basic := typ.Underlying().(*types.Basic)
	switch {
	case basic.Info()&types.IsBoolean != 0:
		return text, "call.Bool(" + name + ")"
	case basic.Kind() == types.Float32:
		return text, "call.Float32(" + name + ")"
	case basic.Kind() == types.Float64:
		return text, "call.Float64(" + name + ")"
	case basic.Info()&types.IsUnsigned != 0:
		return text, "call.Uint(uint(" + name + "))"
	}
	return text, "call.Int(int(" + name + "))"
}

// typeName returns a type as Go code. Numbers have their basic types.
func typeName(typ types.Type, qualifier types.Qualifier) string {
	if halfName(typ) != "" {
		return types.TypeString(typ, qualifier)
	}
	switch u := typ.Underlying().(type) {
	case *types.Slice:
		return "[]" + typeName(u.Elem(), qualifier)
	case *types.Basic:
		return u.String()
	}
	return types.TypeString(typ, qualifier)
}

// A Edit replaces a part of the user's text.
type Edit struct {
	Pos, End token.Pos
	Text     string
}

// Edits make a cell's text from a kernel: the directive becomes the launcher's declaration, and the function becomes the statement that
// sets Run. Lines stay where they are, and the body as it is.
func (k *Kernel) Edits(compiled string) []Edit {
	d, c := k.decl, directiveOf(k.decl)
	launch := "cfg"
	for taken := true; taken; {
		taken = false
		for _, p := range k.Params {
			if p.Name == launch {
				launch, taken = launch+"_", true
			}
		}
	}
	separator := ", "
	if d.Type.Params.NumFields() == 0 {
		separator = ""
	}
	return []Edit{
		{c.Pos(), c.End(), k.Launcher(compiled)},
		{d.Pos(), d.Type.Params.Opening + 1, fmt.Sprintf("%s.Run = func(%s gpu.Launch%s", k.Name, launch, separator)},
		{d.Type.Params.Closing, d.Body.Lbrace + 1, fmt.Sprintf(") error { return %s.Run(%t, func() {", launch, k.Together)},
		{d.Body.Rbrace, d.Body.Rbrace + 1, "}) }"},
	}
}

// PackageEdits are like Edits for a kernel at package level. source is the name of a *gpu.Source with the program of the kernels, which is
// compiled by the first launch.
func (k *Kernel) PackageEdits(source string) []Edit {
	decl, set := k.launcher(fmt.Sprintf("kernel, err := %s.Kernel(%q); if err != nil { return err }; call := kernel.Begin(cfg)", source, k.CName))
	edits := k.Edits("")
	run := RunPrefix + k.Name
	edits[0].Text = fmt.Sprintf("%s; func init() { %s; %s.Run = %s }", decl, set, k.Name, run)
	edits[1].Text = strings.Replace(edits[1].Text, k.Name+".Run = func(", "func "+run+"(", 1)
	return edits
}

// RunPrefix begins the name of the function that runs a kernel as plain Go, in the text that PackageEdits make.
const RunPrefix = "kernel_"

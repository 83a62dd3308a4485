package gokernel

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/format"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/tools/go/packages"
)

// GeneratedFile is the file that Generate writes beside the kernels of a package.
const GeneratedFile = "kernels_gpu.go"

// Generate writes the launchers of the kernels in packages, which patterns name as for the go command, relative to dir. It returns the files
// that it has written. A file that would not change is not written.
func Generate(dir string, patterns ...string) ([]string, error) {
	config := &packages.Config{Dir: dir, Mode: packages.LoadSyntax | packages.NeedModule, Overlay: map[string][]byte{}}
	// The launchers of earlier kernels must not matter, so the packages are read without them.
	found, err := packages.Load(&packages.Config{Dir: dir, Mode: packages.NeedName | packages.NeedFiles}, patterns...)
	if err != nil {
		return nil, fmt.Errorf("find packages: %w", err)
	}
	for _, p := range found {
		for _, file := range p.GoFiles {
			if filepath.Base(file) == GeneratedFile {
				config.Overlay[file] = []byte("package " + p.Name + "\n")
			}
		}
	}
	all, err := packages.Load(config, patterns...)
	if err != nil {
		return nil, fmt.Errorf("read packages: %w", err)
	}
	var written []string
	var failed []error
	for _, p := range all {
		file, err := generate(p)
		switch {
		case err != nil:
			failed = append(failed, err)
		case file != "":
			written = append(written, file)
		}
	}
	return written, errors.Join(failed...)
}

// generate writes the launchers of a package and returns their file, or "".
func generate(p *packages.Package) (string, error) {
	for _, e := range p.Errors {
		// Other errors are of the go command, which cannot compile calls of launchers that are not there yet.
		if e.Kind == packages.ParseError || len(p.Syntax) == 0 {
			return "", fmt.Errorf("read package %s: %w", p.PkgPath, e)
		}
	}
	var kernels []*ast.FuncDecl
	for _, f := range p.Syntax {
		kernels = append(kernels, Kernels(f)...)
	}
	arrays := arrayDecls(p)
	if len(kernels) == 0 && len(arrays) == 0 {
		return "", nil
	}
	made := map[string]bool{"kernelSource": true}
	for _, k := range kernels {
		for _, prefix := range []string{"launch", "run"} {
			made[named(prefix, k.Name.Name)] = true
		}
	}
	for _, e := range p.TypeErrors {
		// What calls a launcher does not compile before there is one.
		if name, ok := strings.CutPrefix(e.Msg, "undefined: "); ok && made[name] || e.Soft {
			continue
		}
		return "", Error{{Pos: e.Fset.Position(e.Pos), Message: e.Msg}}
	}
	program := &Program{Fset: p.Fset, Files: p.Syntax, Types: p.Types, Info: p.TypesInfo, Short: filepath.Base, Import: func(path string) (*Program, error) {
		return importFor(p, path)
	}, CUDA: CUDAFiles(p.Dir)}
	unit, err := program.Translate(kernels)
	if err != nil {
		return "", err
	}
	functions, err := program.arrayTexts(arrays)
	if err != nil {
		return "", err
	}
	text, err := unit.file(p.Name, p.PkgPath, functions)
	if err != nil {
		return "", fmt.Errorf("write the launchers of %s: %w", p.PkgPath, err)
	}
	path := filepath.Join(filepath.Dir(p.Fset.Position(append(kernels, arrays...)[0].Pos()).Filename), GeneratedFile)
	if before, err := os.ReadFile(path); err == nil && bytes.Equal(before, text) {
		return "", nil
	}
	if err := os.WriteFile(path, text, 0o666); err != nil {
		return "", fmt.Errorf("write launchers: %w", err)
	}
	return path, nil
}

// importFor returns the source of a package that p imports, or that one of its imports does.
func importFor(p *packages.Package, path string) (*Program, error) {
	config := &packages.Config{Dir: p.Dir, Mode: packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedDeps | packages.NeedExportFile}
	found, err := packages.Load(config, path)
	if err != nil {
		return nil, fmt.Errorf("find the source of package %s: %w", path, err)
	}
	if len(found) != 1 || len(found[0].GoFiles) == 0 {
		return nil, fmt.Errorf("package %s has no Go files", path)
	}
	exports := map[string]string{}
	packages.Visit(found, nil, func(p *packages.Package) { exports[p.PkgPath] = p.ExportFile })
	archives := importer.ForCompiler(p.Fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	return LoadImport(p.Fset, path, filepath.Dir(found[0].GoFiles[0]), archives)
}

// named returns the name of a launcher, which is exported if the kernel is.
func named(prefix, kernel string) string {
	r := []rune(kernel)
	if unicode.IsUpper(r[0]) {
		prefix = strings.ToUpper(prefix[:1]) + prefix[1:]
	}
	return prefix + string(unicode.ToUpper(r[0])) + string(r[1:])
}

// file returns the generated file, with the text for package nd's functions.
func (u *Unit) file(name, path, arrays string) ([]byte, error) {
	var b strings.Builder
	imports := map[string]string{} // name by path
	if len(u.Kernels) > 0 {
		imports[GPUPath] = "gpu"
	}
	if arrays != "" {
		imports[NDPath] = "nd"
	}
	qualifier := func(p *types.Package) string {
		if p.Path() == path {
			return ""
		}
		if imports[p.Path()] == "" {
			imports[p.Path()] = fmt.Sprintf("%s%d", p.Name(), len(imports)) // that no parameter has
		}
		return imports[p.Path()]
	}
	b.WriteString(arrays)
	for _, k := range u.Kernels {
		var params, host, passes, args strings.Builder
		for i, p := range k.parameters() {
			typ, pass := goParam(k.Params[i].Type, p, qualifier)
			fmt.Fprintf(&params, ", %s %s", p, typ)
			fmt.Fprintf(&host, ", %s %s", p, typeName(k.Params[i].Type, qualifier))
			fmt.Fprintf(&passes, "\t%s\n", pass)
			if i > 0 {
				args.WriteString(", ")
			}
			args.WriteString(p)
		}
		launch, run := named("launch", k.Name), named("run", k.Name)
		fmt.Fprintf(&b, "// %s launches %s on the current device. It does not wait for the kernel.\nfunc %[1]s(cfg gpu.Launch%[3]s) error {\n"+
			"\tkernel, err := kernelSource.Kernel(%[4]q)\n\tif err != nil {\n\t\treturn err\n\t}\n\tcall := kernel.Begin(cfg)\n%[5]s\treturn call.Do()\n}\n\n",
			launch, k.Name, params.String(), k.CName, passes.String())
		fmt.Fprintf(&b, "// %s runs %s as plain Go.\nfunc %[1]s(cfg gpu.Launch%[3]s) error {\n\treturn cfg.Run(%[4]t, func() { %[2]s(%[5]s) })\n}\n\n",
			run, k.Name, host.String(), k.Together, args.String())
	}
	if len(u.Kernels) > 0 {
		fmt.Fprintf(&b, "// kernelSource is the CUDA program of the kernels.\nvar kernelSource = gpu.NewSource(%q, %s)\n", path, rawString(u.CUDA))
	}
	var head strings.Builder
	fmt.Fprintf(&head, "// Code generated by gopherwarp kernels; DO NOT EDIT.\n\npackage %s\n\nimport (\n", name)
	for _, imported := range slices.Sorted(maps.Keys(imports)) {
		fmt.Fprintf(&head, "%s %q\n", imports[imported], imported)
	}
	return format.Source([]byte(head.String() + ")\n\n" + b.String()))
}

// rawString returns a text as a Go string literal with its line breaks.
func rawString(text string) string {
	return "`" + strings.ReplaceAll(text, "`", "` + \"`\" + `") + "`"
}

// parameters returns the names of the launcher's parameters, which are those of the kernel if possible.
func (k *Kernel) parameters() []string {
	used := []string{"cfg", "call", "gpu", "kernel", "err", "kernelSource", k.Name}
	var names []string
	for i, p := range k.Params {
		name := p.Name
		if slices.Contains(used, name) || name == "_" || name == "" || !token.IsIdentifier(name) {
			name = fmt.Sprintf("%s_%d", name, i)
		}
		used = append(used, name)
		names = append(names, name)
	}
	return names
}

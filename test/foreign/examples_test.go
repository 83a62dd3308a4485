package foreign_test

import (
	"bytes"
	"context"
	"fmt"
	"go/ast"
	"go/doc"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gopherwarp/gopherwarp/internal/session"
)

const (
	// examplesEnv selects the packages whose Examples run: "all", or paths separated by commas. By default they are
	// examplePackages.
	examplesEnv = "GOPHERWARP_EXAMPLES"
	// exampleLimit is the maximum time of a cell.
	exampleLimit = 2 * time.Minute
)

// examplePackages are the packages of the short tier: maps that are initialized by outlined functions, methods that are
// called by reflection only, registrations, and common packages.
var examplePackages = []string{"text/template", "encoding/xml", "go/types", "net/http", "reflect", "image", "errors"}

// An example is an Example function of the standard library.
type example struct {
	name      string // e.g. "strings.Builder"
	path, dir string // of the package
	program   string // the program that runs it
	want      string
	unordered bool
}

// TestExamples runs the Examples of the standard library, each as a cell and once more split into cells: see splitProgram.
// Their expected output is in their comments. A session runs those of one package, which its first cell imports without
// using it: if a linker omits parts of the package there, they are missing later.
func TestExamples(t *testing.T) {
	chosen := examplePackages
	switch env := os.Getenv(examplesEnv); {
	case env == "all" || env == "" && os.Getenv(allEnv) != "":
		chosen = nil
	case env != "":
		chosen = strings.Split(env, ",")
	}
	var counts [2]struct{ same, all atomic.Int32 }
	packages := examples(t, chosen)
	next := make(chan []example)
	go func() {
		defer close(next)
		for _, p := range packages {
			next <- p
		}
	}()
	t.Run("examples", func(t *testing.T) {
		for i := range runtime.NumCPU() {
			t.Run(fmt.Sprint(i), func(t *testing.T) {
				t.Parallel()
				for list := range next {
					for i, split := range []bool{false, true} {
						n := newNotebookIn(t, list[0].dir)
						if _, err := n.run(fmt.Sprintf("import _ %q", list[0].path)); err != nil {
							t.Errorf("import %s: %v", list[0].path, err)
							continue
						}
						for _, x := range list {
							counts[i].all.Add(1)
							if err := n.example(x, split); err == nil {
								counts[i].same.Add(1)
							} else if otherwise[x.name] == "" {
								t.Errorf("%s (split: %v): %v", x.name, split, err)
							}
						}
						n.Close()
					}
				}
			})
		}
	})
	for i, how := range []string{"whole", "split"} {
		t.Logf("%s: %d of %d print what they should", how, counts[i].same.Load(), counts[i].all.Load())
	}
}

// run runs a cell and returns what it printed.
func (n *notebook) run(text string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), exampleLimit)
	defer cancel()
	defer context.AfterFunc(ctx, n.Interrupt)()
	r := &recorder{}
	err := n.Run(ctx, session.Source{Name: "cell[1]", Text: text}, r)
	return r.stdout.String(), err
}

// example runs an example and compares what it prints.
func (n *notebook) example(x example, split bool) error {
	cells := []string{x.program}
	if split {
		var err error
		if cells, err = splitProgram(x.program); err != nil {
			return err
		}
		for i := range cells {
			cells[i] += "\n;" // no value is shown
		}
	}
	var stdout strings.Builder
	for i, text := range cells {
		out, err := n.run(text)
		stdout.WriteString(out)
		if err != nil {
			return fmt.Errorf("cell %d of %d: %w\n%s", i+1, len(cells), err, excerpt(text))
		}
	}
	got, want := strings.TrimSpace(stdout.String()), strings.TrimSpace(x.want)
	if x.unordered {
		got, want = strings.Join(slices.Sorted(strings.SplitSeq(got, "\n")), "\n"), strings.Join(slices.Sorted(strings.SplitSeq(want, "\n")), "\n")
	}
	if got != want {
		return differs(got, want)
	}
	return nil
}

// examples returns the examples with expected output, by package.
func examples(t *testing.T, paths []string) [][]example {
	t.Helper()
	if len(paths) == 0 {
		paths = []string{"std"}
	}
	out, err := exec.Command("go", append([]string{"list", "-f", "{{.ImportPath}}\t{{.Dir}}\t{{join .TestGoFiles \",\"}},{{join .XTestGoFiles \",\"}}"}, paths...)...).Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var all [][]example
	for line := range strings.Lines(string(out)) {
		fields := strings.Split(strings.TrimSpace(line), "\t")
		path, dir := fields[0], fields[1]
		if slices.Contains(strings.Split(path, "/"), "internal") || strings.HasPrefix(path, "vendor/") {
			continue
		}
		list := examplesIn(t, path, dir, strings.FieldsFunc(fields[2], func(r rune) bool { return r == ',' }))
		if len(list) > 0 {
			all = append(all, list)
		}
	}
	return all
}

func examplesIn(t *testing.T, path, dir string, names []string) []example {
	t.Helper()
	fset := token.NewFileSet()
	var files []*ast.File
	for _, name := range names {
		f, err := parser.ParseFile(fset, filepath.Join(dir, name), nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	var list []example
	for _, f := range files {
		for _, x := range doc.Examples(f) {
			if x.Output == "" && !x.EmptyOutput {
				continue
			}
			program, err := programOf(fset, f, x)
			if err == nil {
				elsewhere := func(other *ast.File) bool { return other.Name.Name != f.Name.Name }
				program, err = completed(fset, program, slices.DeleteFunc(slices.Clone(files), elsewhere))
			}
			if err != nil {
				t.Errorf("%s.%s: %v", path, x.Name, err)
				continue
			}
			name := path
			if x.Name != "" {
				name += "." + x.Name
			}
			list = append(list, example{name, path, dir, program, x.Output, x.Unordered})
		}
	}
	return list
}

// programOf returns the program that runs an example: that of package doc, or, if there is none, the file with the example
// in place of main.
func programOf(fset *token.FileSet, f *ast.File, x *doc.Example) (string, error) {
	var b bytes.Buffer
	if x.Play != nil {
		err := format.Node(&b, fset, x.Play)
		return b.String(), err
	}
	own := *f
	own.Comments, own.Decls = nil, nil
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		switch {
		case !ok || fn.Recv != nil || !isTest(fn.Name.Name):
			own.Decls = append(own.Decls, d)
		case fn.Body == x.Code:
			main := *fn
			main.Name = ast.NewIdent("main")
			own.Decls = append(own.Decls, &main)
		}
	}
	own.Name = ast.NewIdent("main")
	err := format.Node(&b, fset, &own)
	return b.String(), err
}

// completed returns a program with the declarations that it needs from other files of the package.
func completed(fset *token.FileSet, program string, files []*ast.File) (string, error) {
	for {
		f, err := parser.ParseFile(token.NewFileSet(), "program.go", program, 0)
		if err != nil {
			return "", err
		}
		known := map[string]bool{}
		for _, d := range f.Decls {
			for _, name := range declares(d) {
				known[name] = true
			}
		}
		unresolved := map[string]bool{}
		for _, id := range f.Unresolved {
			unresolved[id.Name] = true
		}
		added := false
		for _, other := range files {
			for _, d := range other.Decls {
				wanted := slices.ContainsFunc(declares(d), func(name string) bool { return unresolved[name] && !known[name] })
				if !wanted {
					continue
				}
				for _, name := range declares(d) {
					known[name] = true
				}
				var imports, decl strings.Builder
				for _, spec := range other.Imports {
					if strings.Contains(spec.Path.Value, "internal/") {
						continue
					}
					name := ""
					if spec.Name != nil {
						name = spec.Name.Name
					}
					fmt.Fprintf(&imports, "import %s %s\n", name, spec.Path.Value)
				}
				if err := format.Node(&decl, fset, d); err != nil {
					return "", err
				}
				clause, rest, _ := strings.Cut(program, "\n")
				program = clause + "\n\n" + imports.String() + rest + "\n" + decl.String() + "\n"
				added = true
			}
		}
		if !added {
			return program, nil
		}
	}
}

// declares returns the names in a declaration.
func declares(d ast.Decl) []string {
	var names []string
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil && !isTest(d.Name.Name) {
			names = append(names, d.Name.Name)
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				names = append(names, spec.Name.Name)
			case *ast.ValueSpec:
				for _, id := range spec.Names {
					names = append(names, id.Name)
				}
			}
		}
	}
	return names
}

func isTest(name string) bool {
	return slices.ContainsFunc([]string{"Test", "Benchmark", "Example", "Fuzz"}, func(prefix string) bool { return strings.HasPrefix(name, prefix) })
}

// otherwise are the examples with other output in a notebook, and why.
var otherwise = map[string]string{
	"crypto/hpke": ofPackage,

	"errors.AsType_custom_match": printsNames,
	"errors.As_custom_match":     printsNames,
	"log.Logger":                 printsNames,
	"log.Logger_Output":          printsNames,
	"log/slog._wrapping":         printsNames,
	"runtime.Frames":             printsNames,

	"time.Date":        inPacificTime,
	"time.Parse":       inPacificTime,
	"time.Time_Format": inPacificTime,

	"encoding/json.Unmarshal": "split: declares a type anew with which a constant of an earlier Example does not compile, which is an error of the cell",
	"flag.FlagSet":            "split: declares a variable main, which can't be one of a package",
	"flag.Func":               "split: a call that returns an error fails a cell",
	"flag.TextVar":            "split: a call that returns an error fails a cell",
	"runtime.AddCleanup":      "split: variables of main are variables of the session, so nothing is cleaned up",
}

const (
	ofPackage     = "is in the package itself and uses names that it does not export"
	printsNames   = "prints the name of its package, its file or its funcs"
	inPacificTime = "prints the local time of the place where it was written"
)

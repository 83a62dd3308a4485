package nd_test

import (
	"bytes"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"slices"
	"strings"
	"testing"
)

//go:generate go test -run TestParity -update

var update = flag.Bool("update", false, "write docs/parity.md anew")

// parityDoc is generated from testdata/cupy.txt and the sources.
const parityDoc = "../../docs/parity.md"

// TestParity compares docs/parity.md with the packages.
func TestParity(t *testing.T) {
	have := map[string]string{}
	for prefix, dir := range map[string]string{"": ".", "random.": "random", "images.": "images", "npy.": "npy", "arrowio.": "arrowio", "dlpack.": "dlpack", "xla.": "xla", "gpu.": "..", "prof.": "../prof"} {
		exported(t, dir, prefix, have)
	}
	list, err := os.ReadFile("testdata/cupy.txt")
	if err != nil {
		t.Fatal(err)
	}
	got := parity(t, string(list), have)
	if *update {
		if err := os.WriteFile(parityDoc, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if old, err := os.ReadFile(parityDoc); err != nil || !bytes.Equal(old, got) {
		t.Errorf("docs/parity.md is not what the sources have (%v): run go generate ./gpu/nd", err)
	}
}

// exported adds the exported names that a package declares, each as a func or a type; methods are Type.Name and, those of
// arrays, Name.
func exported(t *testing.T, dir, prefix string, have map[string]string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), dir+"/"+e.Name(), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				name := d.Name.Name
				of := receiver(d)
				switch {
				case !d.Name.IsExported():
				case of == "":
					have[prefix+name] = "func"
				case of == "Array", of == "node", of == "fields":
					have[name] = "func"
				case ast.IsExported(of):
					have[prefix+of+"."+name] = "func"
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					if s, ok := s.(*ast.TypeSpec); ok && s.Name.IsExported() && have[prefix+s.Name.Name] == "" {
						have[prefix+s.Name.Name] = "type"
					}
				}
			}
		}
	}
}

// receiver returns the name of a method's type.
func receiver(d *ast.FuncDecl) string {
	if d.Recv == nil {
		return ""
	}
	x := d.Recv.List[0].Type
	for {
		switch y := x.(type) {
		case *ast.StarExpr:
			x = y.X
		case *ast.IndexExpr:
			x = y.X
		case *ast.Ident:
			return y.Name
		default:
			return ""
		}
	}
}

// parity writes the table.
func parity(t *testing.T, list string, have map[string]string) []byte {
	t.Helper()
	const yes, differs, no = "have", "differs", "not"
	count := map[string]int{}
	used := map[string]bool{}
	var b bytes.Buffer
	for line := range strings.Lines(list) {
		line = strings.TrimSpace(line)
		if title, ok := strings.CutPrefix(line, "== "); ok {
			fmt.Fprintf(&b, "\n## %s\n\n| CuPy | here | |\n|---|---|---|\n", title)
			continue
		}
		if line == "" || line[0] == '#' {
			continue
		}
		entry, note, _ := strings.Cut(line, " ! ")
		theirs, ours, ok := strings.Cut(entry, " ")
		if !ok {
			t.Fatalf("testdata/cupy.txt: %q names nothing of ours: a minus says that there is nothing", line)
		}
		state, name := no, ""
		for candidate := range strings.SplitSeq(ours, "/") {
			if have[candidate] != "" {
				state, name = yes, "`"+candidate+"`"
				used[candidate] = true
				break
			}
		}
		if state == no {
			note = ""
		} else if note != "" {
			state = differs
		}
		count[state]++
		what := state
		if note != "" {
			what += ": " + note
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", theirs, name, what)
	}
	var only []string
	for name := range have {
		if !used[name] && !strings.HasPrefix(name, "gpu.") && !strings.HasPrefix(name, "prof.") {
			only = append(only, "`"+name+"`")
		}
	}
	slices.Sort(only)
	total := count[yes] + count[differs] + count[no]
	head := fmt.Sprintf(`# CuPy's names

What CuPy's API reference lists, and what package `+"`gpu/nd`"+` and the packages below it have for it. The table is made from the
sources; a test compares them. Of %d names %d are here (have), %d do the same in a way that is
somewhat different (differs), and %d are not.
`, total, count[yes], count[differs], count[no])
	tail := "\n## Only here\n\n" + strings.Join(only, ", ") + "\n"
	return append(append([]byte(head), b.Bytes()...), tail...)
}

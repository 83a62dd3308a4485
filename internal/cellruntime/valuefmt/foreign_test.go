package valuefmt_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// judge compares the output of valuefmt and fmt for each value of the tables of package fmt's own test, alone and as a part.
const judge = `
func main() {
	var values []any
	for _, t := range fmtTests {
		values = append(values, t.val)
	}
	for _, t := range panictests {
		values = append(values, t.in)
	}
	plain := func(v any) string {
		switch v := v.(type) {
		case string:
			return strconv.Quote(v)
		case Formatter:
			return Sprintf("%v", v)
		}
		return Sprintf("%+v", v)
	}
	n := 0
	for _, v := range values {
		for _, v := range []any{
			v, []any{v, 1}, map[string]any{"a": v}, [1]any{v}, struct{ A any }{v}, struct{ a any }{v}, &struct{ A, b any }{v, v},
			map[any]any{1: v, "s": v, 2.5: v}, []struct{ s []any }{{[]any{v}}}, reflect.ValueOf(v), []reflect.Value{reflect.ValueOf(v)},
		} {
			for _, pair := range [][2]string{{valuefmt.Text(v), plain(v)}, {valuefmt.Sprint(v), Sprint(v)}} {
				if n++; pair[0] != pair[1] {
					Printf("%T: %s, want %s\n", v, pair[0], pair[1])
				}
			}
		}
	}
	Println("compared", n)
}
`

// TestFmtTables formats values from the tables of fmt_test.go by both packages.
func TestFmtTables(t *testing.T) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	set := token.NewFileSet()
	tables, err := parser.ParseFile(set, filepath.Join(strings.TrimSpace(string(root)), "src/fmt/fmt_test.go"), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	tables.Name.Name = "main"
	tables.Decls = slices.DeleteFunc(tables.Decls, func(d ast.Decl) bool {
		f, ok := d.(*ast.FuncDecl)
		g, _ := d.(*ast.GenDecl)
		return ok && isTest(f.Name.Name) || g != nil && (g.Tok == token.IMPORT || declares(g, "mallocTest"))
	})
	var text bytes.Buffer
	if err := format.Node(&text, set, tables); err != nil {
		t.Fatal(err)
	}
	_, body, _ := strings.Cut(text.String(), "package main")
	imports := "package main\nimport (\n. \"fmt\"\n\"github.com/gopherwarp/gopherwarp/internal/cellruntime/valuefmt\"\n"
	for _, path := range []string{"bytes", "errors", "io", "math", "reflect", "runtime", "strconv", "strings", "testing", "time", "unicode", "unicode/utf8", "unsafe"} {
		if name := path + "."; strings.Contains(body+judge, name) {
			imports += fmt.Sprintf("%q\n", path)
		}
	}
	dir := t.TempDir()
	here, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	module := "github.com/gopherwarp/gopherwarp"
	for name, text := range map[string]string{
		"main.go": imports + ")\n" + body + judge,
		"go.mod":  fmt.Sprintf("module %[1]s/judge\n\ngo 1.26\n\nrequire %[1]s v0.0.0\n\nreplace %[1]s => %[2]q\n", module, here),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	run := exec.Command("go", "run", "-mod=mod", ".")
	run.Dir = dir
	run.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	out, err := run.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Logf("%s", out)
	if lines := strings.Split(strings.TrimSpace(string(out)), "\n"); len(lines) != 1 || !strings.HasPrefix(lines[0], "compared ") {
		t.Errorf("%s", out)
	}
}

// isTest reports whether a function is a test, which no table uses.
func isTest(name string) bool {
	return name != "TestFmtInterface" && (strings.HasPrefix(name, "Test") || strings.HasPrefix(name, "Benchmark"))
}

func declares(d *ast.GenDecl, name string) bool {
	v, ok := d.Specs[0].(*ast.ValueSpec)
	return ok && v.Names[0].Name == name
}

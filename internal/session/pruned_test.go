package session_test

import (
	"fmt"
	"strings"
	"testing"
)

// manyWords returns the source of a package with a map that is so large that the compiler initializes it in a separate
// function. A linker omits that function if nothing reads the map.
func manyWords(name, imports string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "package %s\n\n%s\ntype T int\n\nvar words = map[string]int{\n", name, imports)
	for i := range 40 {
		fmt.Fprintf(&b, "\t\"w%d\": %d,\n", i, i+1)
	}
	b.WriteString("}\n\nfunc Look(s string) int { return words[s] }\n")
	return b.String()
}

// TestMapsOfPackages reads maps of packages in another cell than the first one that mentions the package.
func TestMapsOfPackages(t *testing.T) {
	runTable(t, map[string][]step{
		"templates": {
			{cell: "func render(s string, d any) string { var b strings.Builder; template.Must(template.New(\"x\").Parse(s)).Execute(&b, d); return b.String() }"},
			{cell: `render("{{range .}}{{.}};{{end}}", []int{1, 2})`, result: `"1;2;"`},
		},
		"templates of pages": {
			{cell: "import \"html/template\"\nfunc page(s string, d any) (string, error) { t, err := template.New(\"p\").Parse(s); if err != nil { return \"\", err }; var b strings.Builder; err = t.Execute(&b, d); return b.String(), err }"},
			{cell: "page(`<a href=\"{{.}}\">{{.}}</a>`, \"<x>\")", result: "\"<a href=\\\"%3cx%3e\\\">&lt;x&gt;</a>\""},
		},
		"packages that were only imported": {
			{cell: "import (_ \"mime\"; _ \"go/doc\"; _ \"encoding/xml\"; _ \"archive/tar\"; _ \"net/http\")"},
			{cell: "http.StatusText(404)", result: `"Not Found"`},
			{cell: "mime.TypeByExtension(\".html\")", result: `"text/html; charset=utf-8"`},
			{cell: "doc.IsPredeclared(\"append\")", result: "true"},
		},
	})
	t.Run("packages of a module", func(t *testing.T) {
		t.Parallel()
		w := newModuleWorld(t)
		w.file("go.mod", "module example.test/home\n\ngo 1.26\n")
		w.file("kw/kw.go", manyWords("kw", "import \"example.test/home/kw/inner\"\n\nfunc Inner(s string) int { return inner.Look(s) }\n"))
		w.file("kw/inner/inner.go", manyWords("inner", ""))
		n := w.notebook("")
		n.gives("import \"example.test/home/kw\"\nvar t kw.T", "")
		n.gives(`kw.Look("w3")`, "4")
		n.gives(`kw.Inner("w4")`, "5")
	})
}

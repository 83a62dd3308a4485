package session_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestEmbed(t *testing.T) {
	n := newNotebook(t)
	for name, text := range map[string]string{
		"hello.txt": "hello", "two words.txt": "two", "web/index.html": "<p>", "web/.hidden": "h", "web/_draft": "d",
		"web/css/site.css": "p {}", "web/other/go.mod": "module other", "web/other/x": "x",
	} {
		path := filepath.Join(n.dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	const files = "var names []string\nfs.WalkDir(web, \".\", func(p string, d fs.DirEntry, err error) error { if !d.IsDir() { names = append(names, p) }; return err })\nnames"
	n.steps([]step{
		{cell: "//go:embed hello.txt\nvar hello string\n\nhello", result: `"hello"`},
		{cell: "import \"embed\"\n\nvar (\n\t//go:embed \"two words.txt\"\n\traw []byte\n\n\t//go:embed web\n\t//go:embed *.txt\n\tweb embed.FS\n\tlater = len(raw)\n)\nfmt.Println(string(raw), later, hello)", stdout: "two 3 hello\n"},
		{cell: files, result: "[hello.txt two words.txt web/css/site.css web/index.html]"},
		{cell: "//go:embed all:web/*\nvar web embed.FS", result: ""},
		{cell: files, result: "[web/.hidden web/_draft web/css/site.css web/index.html]"},
		{cell: "type page string\n//go:embed web/index.html\nvar p page"},
		{cell: "fmt.Printf(\"%T %s\", p, p)", stdout: "main.page <p>"},
		{cell: "\n//go:embed none.txt\nvar none string", err: "cell[8]:2:1: pattern none.txt: no matching files found (files are looked for in "},
		{cell: "//go:embed ../x\nvar none string", err: "invalid pattern syntax"},
		{cell: "//go:embed\nvar none string", err: "//go:embed needs patterns of files"},
		{cell: "//go:embed hello.txt\nvar none = \"x\"", err: "cell[11]:1:1: go:embed cannot apply to var with initializer"},
		{cell: "//go:embed hello.txt\nvar one, two string", err: "go:embed cannot apply to multiple vars"},
		{cell: "\n//go:embed hello.txt\nvar none int", err: "cell[13]:3:5: go:embed cannot apply to var of type int"},
		{cell: "var x int //go:embed hello.txt", err: "cell[14]:1:11: misplaced go:embed directive"},
		{cell: "import _ \"embed\"\nfunc f() {\n\t//go:embed hello.txt\n\tvar s string\n\t_ = s\n}", err: "cell[15]:3:4: go:embed cannot apply to var inside func"},
		{cell: "none", err: "undefined: none"},
	})
	// Changed files are read again, although the cell is the same.
	for _, text := range []string{"new", "newer"} {
		if err := os.WriteFile(filepath.Join(n.dir, "hello.txt"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if got := n.mustRun("//go:embed hello.txt\nvar hello string\n\nhello").result(); !strings.Contains(got, text) {
			t.Errorf("hello is %s, want %s", got, text)
		}
	}
}

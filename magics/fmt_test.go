package magics

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestFormatOfCells(t *testing.T) {
	e := &Engine{magics: all()}
	for name, tc := range map[string]struct{ cell, want string }{
		"magics and shell lines": {"%gpu   sim\nx:=1\n!ls  -l \\\n  -a\nfunc f( ){ }\n\n%time   f( )", "%gpu   sim\nx := 1\n!ls  -l \\\n  -a\nfunc f() {}\n\n%time   f( )"},
		"a cell magic of Go":     {"%%time\nfor i:=range 3{\n}", "%%time\nfor i := range 3 {\n}"},
		"a file of Go":           {"%%writefile x.go\npackage x\nvar  y=1", "%%writefile x.go\npackage x\n\nvar y = 1\n"},
		"no Go":                  {"%help", "%help"},
	} {
		t.Run(name, func(t *testing.T) {
			if got, err := e.format(t.Context(), tc.cell, ""); err != nil || got != tc.want {
				t.Errorf("%q, %v\nwant %q", got, err, tc.want)
			}
		})
	}
	for cell, want := range map[string]string{
		"x := 1\n%gpu\ny := (":    "FormatError: line 3",
		"%%bash\nls":              "only Go and CUDA C++ can be formatted, and not %%bash",
		"%%nothing\nx":            "there is no magic %%nothing",
		"%%writefile x.py\nx = 1": "not %%writefile",
	} {
		if got, err := e.format(t.Context(), cell, ""); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %q, %v, want %q", cell, got, err, want)
		}
	}
}

func TestFormatOfCUDA(t *testing.T) {
	const cell = "%%cuda --info\n__global__ void f( int *x ){\nif(x[0])x[0]=1;}\n"
	e := &Engine{magics: all()}
	t.Run("without clang-format", func(t *testing.T) {
		t.Setenv("PATH", t.TempDir())
		if got, err := e.format(t.Context(), cell, ""); err == nil || !strings.Contains(err.Error(), "clang-format, which is not installed here: pip install clang-format") {
			t.Errorf("%q, %v", got, err)
		}
	})
	if _, err := exec.LookPath("clang-format"); err != nil {
		t.Skip("SKIPPED: clang-format is not installed: pip install clang-format")
	}
	dir := t.TempDir()
	want := "%%cuda --info\n__global__ void f(int *x) {\n\tif (x[0])\n\t\tx[0] = 1;\n}\n"
	if got, err := e.format(t.Context(), cell, dir); err != nil || got != want {
		t.Errorf("%q, %v\nwant %q", got, err, want)
	}
	if err := os.WriteFile(filepath.Join(dir, ".clang-format"), []byte("BasedOnStyle: GNU\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := e.format(t.Context(), cell, dir); err != nil || !strings.Contains(got, "f (int *x)") {
		t.Errorf("with a style: %q, %v", got, err)
	}
}

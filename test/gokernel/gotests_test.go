package gokernel

import (
	"errors"
	"fmt"
	"go/ast"
	"go/types"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/internal/gokernel"
)

// goTests are some files of Go's directory test, with many functions that a GPU can run.
var goTests = []string{
	"codegen/bits.go", "codegen/condmove.go", "codegen/divmod.go", "codegen/multiply.go", "codegen/shift.go", "copy.go", "fixedbugs/issue43619.go", "func.go", "fuse.go",
	"ken/robfunc.go", "phiopt.go", "range.go", "torture.go", "zerodivide.go",
}

// notGoTests matches the files that are not compared: programs that do not compile as intended, that need more memory or time than a test has,
// or whose functions have lines of other files. In issue19671 a compiled program does not check the index of an array without elements.
var notGoTests = regexp.MustCompile(`^(char_lit1|fixedbugs/(bug050|bug385_(32|64)|issue18149|issue19671|issue22305|issue29504|issue42058b|issue49814|issue52697|issue58439))\.go$`)

// compiles matches the first line of a file that Go's compiler accepts.
var compiles = regexp.MustCompile(`^// (run|compile|asmcheck|errorcheck.* -)\b`)

// maxGoTest is the size of the largest file: larger ones were generated.
const maxGoTest = 50_000

// TestGoTests compares functions of the tests in Go's directory test as plain Go with those on the device. Functions without parameters and results,
// which panic if they find an error, must end.
func TestGoTests(t *testing.T) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(strings.TrimSpace(string(root)), "test")
	names, least := goTests, 280
	if os.Getenv(FilesEnv) == "all" {
		names, least = nil, 900
		err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			name, _ := filepath.Rel(dir, path)
			if strings.HasSuffix(name, ".go") && !notGoTests.MatchString(name) {
				names = append(names, name)
			}
			return err
		})
	} else {
		_, err = os.Stat(dir)
	}
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("SKIPPED: %s is not there: install Go from go.dev/dl, whose archives have it", dir)
	} else if err != nil {
		t.Fatal(err)
	}
	functions, calls := 0, 0
	for _, name := range names {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if !compiles.Match(text) || len(text) > maxGoTest {
			continue
		}
		t.Run(name, func(t *testing.T) {
			d := newDifferential(t, endings(t, withoutTests(t, strings.ReplaceAll(string(text), "func main()", "func testMain()"))))
			if d.keepTranslated(t); len(d.funcs) > 0 {
				f, c := d.check(t)
				functions, calls = functions+f, calls+c
			}
		})
	}
	t.Logf("%d functions, %d calls are equal", functions, calls)
	if functions < least {
		t.Errorf("%d functions were compared, want at least %d", functions, least)
	}
}

// endings returns the file with a function of a result for each function that has neither parameters nor results.
func endings(t *testing.T, source string) string {
	t.Helper()
	p, err := load(t, map[string]string{"source.go": source})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range p.Types.Scope().Names() {
		f, ok := p.Types.Scope().Lookup(name).(*types.Func)
		if ok && f.Signature().Results().Len() == 0 && f.Signature().Params().Len() == 0 && f.Signature().TypeParams() == nil && name != "main" && name != "init" {
			source += fmt.Sprintf("\nfunc %s_ends() bool {\n\t%[1]s()\n\treturn 1 == 1\n}\n", name)
		}
	}
	return source
}

// keepTranslated leaves the functions out that are refused.
func (d *differential) keepTranslated(t *testing.T) {
	t.Helper()
	p, err := load(t, map[string]string{"source.go": d.source})
	if err != nil {
		t.Fatal(err)
	}
	decls := map[string]*ast.FuncDecl{}
	for _, decl := range p.Files[0].Decls {
		if fd, ok := decl.(*ast.FuncDecl); ok && fd.Recv == nil {
			decls[fd.Name.Name] = fd
		}
	}
	d.funcs = slices.DeleteFunc(d.funcs, func(f *types.Func) bool {
		_, err := p.TranslateFunctions([]*ast.FuncDecl{decls[f.Name()]})
		var list gokernel.Error
		if err != nil && !errors.As(err, &list) {
			t.Fatal(err)
		}
		return err != nil
	})
}

package magics

import (
	"context"
	"fmt"
	"go/doc"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strings"

	"github.com/gopherwarp/gopherwarp/internal/cellruntime/prochost"
	"github.com/gopherwarp/gopherwarp/internal/session"
)

func testMagic() *Magic {
	return &Magic{
		Name: "test", Line: true, Late: true, Usage: "[-run REGEXP] [-bench REGEXP] [-v=false] [-race] [FLAGS OF go test]",
		Summary: "runs the Test, Fuzz (seeds only) and Example functions of its cell, or of all cells if its own has none; with -bench also Benchmark functions; with -race under the race detector, in a program of their own",
		Run:     runTest,
	}
}

// testFunctions are the types of functions that package testing runs.
var testFunctions = map[string]*regexp.Regexp{
	"Test":      regexp.MustCompile(`^func\((\pL[\pL\d]*|_)? ?\*testing\.T\)$`),
	"Benchmark": regexp.MustCompile(`^func\((\pL[\pL\d]*|_)? ?\*testing\.B\)$`),
	"Fuzz":      regexp.MustCompile(`^func\((\pL[\pL\d]*|_)? ?\*testing\.F\)$`),
	"Example":   regexp.MustCompile(`^func\(\)$`),
}

func runTest(ctx context.Context, c *Call) error {
	args, err := words(c.Args)
	if err != nil {
		return c.usageError("%v", err)
	}
	all := slices.DeleteFunc(c.session.Declared(), func(d session.Declared) bool { return testKind(d) == "" })
	own := slices.DeleteFunc(slices.Clone(all), func(d session.Declared) bool { return d.Cell != cellName(c.Cell) })
	if len(own) > 0 {
		all = own
	}
	if len(all) == 0 {
		return usageError("no cell has declared a test: write func TestName(t *testing.T), func BenchmarkName(b *testing.B), func FuzzName(f *testing.F), or func ExampleName() with a comment // Output: at its end")
	}
	if slices.ContainsFunc(args, isRaceFlag) {
		return runRaceTests(ctx, c, all, slices.DeleteFunc(args, isRaceFlag))
	}
	var functions strings.Builder
	for _, d := range all {
		if testKind(d) != "Example" {
			fmt.Fprintf(&functions, "%q, %[1]s, ", d.Name)
		} else if e := example(d.Source); e != nil && (e.Output != "" || e.EmptyOutput) {
			fmt.Fprintf(&functions, "%q, testingcell.InternalExample{Name: %[1]q, F: %[1]s, Output: %[2]q, Unordered: %[3]v}, ", d.Name, e.Output, e.Unordered)
		}
	}
	text := fmt.Sprintf("import testcell %q; import testingcell \"testing\"; testcell.Get[func([]interface{}, []string) error](%q)([]interface{}{%s}, %#v)",
		session.CellImport, prochost.TestKey, functions.String(), append([]string{"-test.v"}, args...))
	return c.runHere(ctx, text)
}

// example returns the comment with the expected output of an example function. One without that comment is only compiled.
func example(source string) *doc.Example {
	file, err := parser.ParseFile(token.NewFileSet(), "cell_test.go", "package p\n"+source, parser.ParseComments)
	if err != nil {
		return nil
	}
	for _, e := range doc.Examples(file) {
		return e
	}
	return nil
}

// testKind returns how package testing runs a declared function: "Test", "Benchmark", "Fuzz", "Example", or "" if it does not.
func testKind(d session.Declared) string {
	for kind, signature := range testFunctions {
		rest, ok := strings.CutPrefix(d.Name, kind)
		if ok && d.Kind == "func" && (rest == "" || !strings.ContainsAny(rest[:1], "abcdefghijklmnopqrstuvwxyz")) && signature.MatchString(d.Type) {
			return kind
		}
	}
	return ""
}

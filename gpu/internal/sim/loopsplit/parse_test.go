package loopsplit

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/internal/cudac"
	"github.com/gopherwarp/gopherwarp/internal/cxx"
)

// TestAllNames checks that no name of a variable is lost when a kernel is parsed, in all kernels of the corpus. GOPHERWARP_SOURCES
// is a directory of more.
func TestAllNames(t *testing.T) {
	dir := os.Getenv("GOPHERWARP_SOURCES")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "testdata", "kernels")
	}
	kernels := 0
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasPrefix(filepath.Ext(path), ".cu") && filepath.Ext(path) != ".h" {
			return err
		}
		source, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		f, err := cudac.Parse(string(source))
		if err != nil {
			return nil
		}
		for _, k := range f.Kernels {
			if lost, ok := lostNames(survey(f, nil), k); ok {
				kernels++
				if lost != "" {
					t.Errorf("%s: %s of kernel %s is lost", path, lost, k.Name)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if kernels < 100 {
		t.Errorf("only %d kernels are parsed", kernels)
	}
	t.Logf("%d kernels", kernels)
}

// lostNames returns the names of variables in a kernel's text that its nodes lack. ok reports whether the kernel was parsed.
func lostNames(c *code, k *cudac.Kernel) (lost string, ok bool) {
	p := &parser{toks: joinOperators(k.Definition().Body), code: c, names: map[string]bool{}, groups: map[string]bool{}}
	for _, param := range k.Declared() {
		p.names[param.Name] = true
	}
	list, err := p.statements()
	if err != nil || len(list) == 0 {
		return "", false
	}
	counts := map[string]int{}
	for i, t := range p.toks {
		if t.Kind == cxx.Ident && p.names[t.Text] && (i == 0 || !p.toks[i-1].Is(".") && !p.toks[i-1].Is("->") && !p.toks[i-1].Is("::")) {
			counts[t.Text]++
		}
	}
	var declared func(n *node)
	declared = func(n *node) {
		if n == nil {
			return
		}
		for _, v := range n.vars {
			counts[v.name]--
		}
		declared(n.init)
		for _, c := range append(n.list, n.body, n.other) {
			declared(c)
		}
	}
	for _, n := range list {
		declared(n)
		n.exprs(func(e *expr) {
			e.walk(func(e *expr) {
				if e.kind == nameExpr && e.qualifier == "" {
					counts[e.name]--
				}
			})
		})
	}
	for name, n := range counts {
		if n > 0 && name != "" {
			return name, true
		}
	}
	return "", true
}

// FuzzSplits splits any text. That must end, and a kernel that was split must have a text.
func FuzzSplits(f *testing.F) {
	for _, body := range []string{
		"x[0] = 1; __syncthreads(); x[1] = (int)-x[0];",
		"int v[2] = {1}, *p = v; if (a && b) for (int i = 0, j; i < 3; i++, ++j) { __syncthreads(); } else return;",
		"do { auto b = cg::this_thread_block(); b.sync(); } while (f<int>(a)->b[static_cast<T &>(c)] ? d : sizeof(int));",
		"switch (n) { case 1: break; default: (T)*p; } for (int i : v) ; M(int, +=) __syncthreads();",
	} {
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body string) {
		file, err := cudac.Parse("#define M(a, b) a b\nstruct s { int f() const { return 1; } };\n__global__ void k(int *x, int n) {" + body + "__syncthreads();}")
		if err != nil {
			return
		}
		for _, s := range Splits(file, "", "x.cu", nil) {
			if (s.Text == "") == (s.Reason == "") {
				t.Errorf("text %q, reason %q", s.Text, s.Reason)
			}
		}
	})
}

// BenchmarkSplits parses and splits the source of the corpus with the most split kernels.
func BenchmarkSplits(b *testing.B) {
	source, err := os.ReadFile(filepath.Join("..", "..", "..", "testdata", "kernels", "reduction.cu"))
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(source)))
	for b.Loop() {
		f, err := cudac.Parse(string(source))
		if err != nil {
			b.Fatal(err)
		}
		Splits(f, "", "reduction.cu", nil)
	}
}

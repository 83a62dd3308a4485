package session_test

import (
	"os"
	"path/filepath"
	"testing"
)

// Package hid exports values of types that other packages can't name, of which the standard library has few.
const hidden = `package hid

type hid struct{ N int }

func (h *hid) Add(n int) *hid { h.N += n; return h }
func (h hid) Both(xs ...string) (int, hid) { return len(xs), h }

type iface interface{ M() inner }
type inner struct{ V string }
type impl struct{}

func (impl) M() inner { return inner{"inner"} }

var calls int

func New() *hid                       { calls++; return &hid{calls} }
func Two(s string) (hid, error)       { return hid{len(s)}, nil }
func Map(ks ...string) map[string]hid { return map[string]hid{ks[0]: {1}} }
func Face() iface                     { return impl{} }
func Func() func(int) hid             { return func(n int) hid { return hid{n} } }

type Named struct{ Inner inner }

func (n Named) Get() inner   { return n.Inner }
func (n *Named) Ptr() *inner { return &n.Inner }
`

func TestTypesWithoutName(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/book\n\ngo 1.26\n", "hid/hid.go": hidden} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	newNotebookIn(t, dir).steps([]step{
		{cell: "import \"example.com/book/hid\"\nx := hid.New()\nx.N", result: "1"},
		{cell: "x.Add(5)\ny := x\ny.N", result: "6"},
		{cell: "func get() int { return x.N }\nz := x.Add(1)\nget() + z.N", result: "14"},
		{cell: "a, err := hid.Two(\"abc\")\nb := must(hid.Two(\"ab\"))\nvar n, h = a.Both(\"p\", \"q\")\nfmt.Println(a.N, b.N, n, h.N)", stdout: "3 2 2 3\n"},
		{cell: "m := hid.Map(\"k\", \"l\")\nm[\"k\"].N", result: "1"},
		{cell: "f := hid.Face()\nin := f.M()\nin.V", result: `"inner"`},
		{cell: "mk := hid.Func()\nmade := mk(4)\nmade.N", result: "4"},
		{cell: "named := hid.Named{}\ng := named.Get()\np := named.Ptr()\np.V = \"set\"\nq := hid.Named{}.Get()\nfmt.Println(g.V, named.Inner.V, q.V == \"\")", stdout: " set true\n"},
		{cell: "x := hid.New()\nfmt.Println(x.N, get())", stdout: "2 2\n"},
		{cell: "field := named.Inner", err: "field can't be kept for later cells: its type can't be named outside of its package, nor be inferred from such an expression. Give it an interface type (var field any = …)"},
	})
}

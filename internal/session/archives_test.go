package session_test

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/gopherwarp/gopherwarp"
	"github.com/gopherwarp/gopherwarp/internal/session"
)

// TestSlimArchives runs code that a plugin reaches in different ways, from packages that
// the session process has loaded, has loaded in part, or gets from an earlier cell.
func TestSlimArchives(t *testing.T) {
	runTable(t, map[string][]step{
		"methods by interface and reflection": {
			{cell: "var r io.Reader = strings.NewReader(\"abc\")\nb := must(io.ReadAll(r))\nstring(b)", result: `"abc"`},
			{cell: "reflect.ValueOf(&strings.Builder{}).MethodByName(\"Len\").Call(nil)[0].Int()", result: "0"},
			{cell: "reflect.TypeFor[*strings.Reader]().NumMethod() > 5", result: "true"},
			{cell: "var w io.StringWriter = &bytes.Buffer{}\nw.WriteString(\"four\")\nw.(fmt.Stringer).String()", result: `"four"`},
			{cell: "f := strings.Title\nf(\"a b\")", result: `"A B"`},
			{cell: "sort.Sort(sort.Reverse(sort.IntSlice([]int{1, 2})))"},
			{cell: "errors.Is(fmt.Errorf(\"x: %w\", fs.ErrNotExist), os.ErrNotExist)", result: "true"},
		},
		"variables of types that are loaded": {
			{cell: "type both struct { b bytes.Buffer; e error; t time.Time }\nvar b bytes.Buffer\nvar bs [3]strings.Builder\nvar two both\nvar list []fmt.Stringer"},
			{cell: "for i := range 1000 { fmt.Fprint(&b, i); bs[i%3].WriteByte('a'); two.b.WriteByte('b') }\ntwo.e = fmt.Errorf(\"late: %w\", io.EOF)\ntwo.t = time.Unix(1e9, 0).In(time.FixedZone(\"here\", 3600))\nlist = append(list, &b, &bs[1], two.t)"},
			{cell: "for range 5 { runtime.GC(); for range 10000 { _ = make([]byte, 1+rand.IntN(2000)) } }"},
			{cell: "fmt.Println(b.Len(), bs[2].Len(), two.b.Len(), two.e, two.t, len(list[0].String()), list[2])", stdout: "2890 333 1000 late: EOF 2001-09-09 02:46:40 +0100 here 2890 2001-09-09 02:46:40 +0100 here\n"},
			{cell: "reflect.DeepEqual(reflect.TypeOf(two).Field(0).Type, reflect.TypeFor[bytes.Buffer]())", result: "true"},
		},
		"functions that nothing has called before": {
			{cell: `strings.NewReplacer("a", "b", "c", "d").Replace("abc")`, result: `"bbd"`},
			{cell: `strings.NewReplacer("a", "1").Replace("aa")`, result: `"11"`},
			{cell: `strings.Map(func(r rune) rune { return r + 1 }, "HAL")`, result: `"IBM"`},
			{cell: `strings.Map(func(r rune) rune { return r - 1 }, "IBM")`, result: `"HAL"`},
			{cell: "v, ok := <-func() chan int { c := make(chan int, 1); c <- 4; return c }()\nfmt.Println(v, ok)", stdout: "4 true\n"},
			{cell: "time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC).AddDate(0, 1, 0).Format(time.RFC1123)", result: `"Mon, 02 Feb 2026 03:04:05 UTC"`},
		},
		"packages of earlier cells": {
			{cell: "import (\"text/tabwriter\"; \"container/heap\")\nvar out bytes.Buffer\ntw := tabwriter.NewWriter(&out, 0, 8, 1, ' ', 0)\nfmt.Fprintln(tw, \"a\\tb\")\ntw.Flush()\nout.String()", result: `"a b\n"`},
			{cell: "out.Reset()\ntw = tabwriter.NewWriter(&out, 4, 8, 2, '.', tabwriter.AlignRight)\nfmt.Fprintln(tw, \"x\\ty\\t\")\ntw.Flush()\nout.String()", result: `"...x...y\n"`},
			{cell: "type ints []int\nfunc (h ints) Len() int { return len(h) }\nfunc (h ints) Less(i, j int) bool { return h[i] < h[j] }\nfunc (h ints) Swap(i, j int) { h[i], h[j] = h[j], h[i] }\nfunc (h *ints) Push(x any) { *h = append(*h, x.(int)) }\nfunc (h *ints) Pop() any { o := *h; x := o[len(o)-1]; *h = o[:len(o)-1]; return x }"},
			{cell: "h := &ints{5, 2, 8}\nheap.Init(h)\nheap.Pop(h)", result: "2"},
			{cell: "heap.Push(h, 1)\nheap.Remove(h, 0)", result: "1"},
			{cell: "sort.Sort(h)\n*h", result: "[5 8]"},
		},
		"instances of generic types of earlier cells": {
			{cell: "type box[T any] struct{ v T }\nfunc (b *box[T]) get() T { return b.v }\nfunc (b *box[T]) String() string { return fmt.Sprint(\"box of \", b.v) }"},
			{cell: "b := &box[int]{3}\nvar held any = b"},
			{cell: "c := &box[int]{4}\n_, ok := held.(*box[int])\nfmt.Println(ok, c, c.get(), reflect.TypeOf(held) == reflect.TypeOf(c))", stdout: "true box of 4 4 true\n"},
			{cell: "fmt.Printf(\"%T %d %v\", c, reflect.TypeOf(c).NumMethod(), held.(fmt.Stringer))", stdout: "*main.box[int] 1 box of 3"},
			{cell: "d := &box[string]{\"x\"}\nreflect.ValueOf(d).MethodByName(\"String\").Call(nil)[0].String()", result: `"box of x"`},
			{cell: "var p atomic.Pointer[box[int]]\np.Store(c)\np.Load().get()", result: "4"},
			{cell: "var q atomic.Pointer[box[int]]\nfor range 3 { runtime.GC(); q.Store(&box[int]{5}) }\nq.Load().get() + p.Load().get()", result: "9"},
		},
		"generic functions": {
			{cell: "type pair struct { k string; v int }\nps := []pair{{\"b\", 2}, {\"a\", 1}}\nslices.SortFunc(ps, func(a, b pair) int { return strings.Compare(a.k, b.k) })\nps", result: "[{k:a v:1} {k:b v:2}]"},
			{cell: "slices.SortFunc(ps, func(a, b pair) int { return b.v - a.v })\nps[0].v", result: "2"},
			{cell: "slices.Sorted(maps.Keys(map[string]pair{\"z\": {}, \"y\": {}}))", result: "[y z]"},
			{cell: "var once sync.OnceValue[int]", err: "sync.OnceValue"},
			{cell: "once := sync.OnceValue(func() int { return 7 })\nonce() + once()", result: "14"},
		},
	})
}

// TestBundle runs cells that use net/http. Their plugins must not contain it, nor
// its dependencies.
func TestBundle(t *testing.T) {
	n := newNotebook(t)
	for _, s := range []step{
		{cell: "1 + 1", result: "2"},
		{cell: "sha256.Sum256([]byte(\"a\"))[0]", result: "202"}, // a part of a later package
		{cell: "http.StatusText(404)", result: `"Not Found"`},
		{cell: "server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, r.Method, r.Proto) }))"},
		{cell: "resp := must(server.Client().Get(server.URL))\nstring(must(io.ReadAll(resp.Body)))", result: `"GETHTTP/1.1"`},
		{cell: "server.Close()\n_, err := http.Get(\"http://\" + server.Listener.Addr().String())\nerrors.Is(err, syscall.ECONNREFUSED)", result: "true"},
		{cell: "req := must(http.NewRequest(\"GET\", \"/x\", nil))\nreq.AddCookie(&http.Cookie{Name: \"a\", Value: \"b\"})\nreq.SetBasicAuth(\"me\", \"it\")\nbytes.Count(must(httputil.DumpRequest(req, true)), []byte(\"\\n\"))", result: "4"},
		{cell: "mime.TypeByExtension(\".css\")", result: `"text/css; charset=utf-8"`},
		{cell: "hex.EncodeToString(elliptic.P256().Params().N.Bytes()[:4])", result: `"ffffffff"`},
	} {
		if got := n.mustRun(s.cell).result(); got != s.result {
			t.Errorf("%s\nresult %s, want %s", s.cell, got, s.result)
		}
	}
	plugins, err := filepath.Glob(filepath.Join(n.ModuleDir(), "cells", "*.so"))
	if err != nil || len(plugins) < 9 {
		t.Fatalf("the session has the plugins %v, %v", plugins, err)
	}
	for _, plugin := range plugins {
		if info, err := os.Stat(plugin); err != nil || info.Size() > 2<<20 {
			t.Errorf("%s has %d bytes, %v", filepath.Base(plugin), info.Size(), err)
		}
	}
}

// TestNewInterface runs a cell with an interface of its own that holds a type of a
// loaded package.
func TestNewInterface(t *testing.T) {
	t.Parallel()
	w := newModuleWorld(t)
	w.file("go.mod", "module example.test/home\n\ngo 1.26\n")
	w.file("left/left.go", "package left\n\nimport \"os\"\n\ntype named interface {\n\tName() string\n\tClose() error\n}\n\nvar all = map[string]named{\"in\": os.Stdin}\n\nfunc Of(name string) string { return all[name].Name() }\n")
	n := w.notebook("")
	n.gives("import \"example.test/home/left\"\nleft.Of(\"in\")", `"/dev/stdin"`)
	n.gives("name := left.Of(\"in\")\nlen(name)", "10")
}

// TestUnknownDriver uses a C compiler that does not print its linker's arguments. Cells
// are linked with it, and still call loaded code.
func TestUnknownDriver(t *testing.T) {
	t.Parallel()
	cc := filepath.Join(cacheDir(), "cc-silent-"+runtime.GOARCH) // the cache key of a toolchain contains its compiler's path
	script := "#!/bin/sh\n[ \"$1\" = -### ] && exit 1\nexec " + cmp.Or(os.Getenv("CC"), "gcc") + " \"$@\"\n"
	if err := os.WriteFile(cc, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	needSession(t)
	s, err := session.New(session.Config{Cache: cacheDir(), Sources: gopherwarp.Sources, Dir: t.TempDir(), Env: []string{"CC=" + cc}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	ctx, cancel := context.WithTimeout(t.Context(), 15*time.Minute) // on an emulated processor
	defer cancel()
	n := &notebook{t: t, Session: s}
	r := &recorder{}
	if err := n.Run(ctx, session.Source{Name: "cell[1]", Text: "fmt.Sprint(strings.ToUpper(\"called\"))"}, r); err != nil || r.result() != `"CALLED"` {
		t.Errorf("got %s, %v", r.result(), err)
	}
}

package e2e

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/kernel"
)

func TestShell(t *testing.T) {
	t.Parallel()
	n := open(t)
	for _, tc := range []struct{ cell, stdout string }{
		{"!echo hello | tr a-z A-Z", "HELLO\n"},
		{"x := 1\n!echo between\nfmt.Println(x)", "between\n1\n"},
		{"!echo one \\\n  two", "one two\n"},
		{"! x=3; echo $x", "3\n"},
		{"!*ls go.mod", "go.mod\n"},
		{"//gonb:!echo hidden", "hidden\n"},
		{"%%bash\nfor i in 1 2; do\n  echo $i\ndone", "1\n2\n"},
		{"%%sh -c 'echo $1' name one\n", "one\n"},
		{"%%script sed 's/a b/c/'\na b\nd", "c\nd\n"},
		{"%%script sort -r\n1\n2", "2\n1\n"},
		{"!sleep 60 & echo left behind", "left behind\n"},
		// Standard input is empty, and is not the script.
		{"!cat; read x || echo none", "none\n"},
		{"%%bash\nread x || echo none\necho rest", "none\nrest\n"},
		{"%%bash -x -o pipefail one two\nfalse | true || echo failed $0 $2", "failed bash two\n"},
		{"%%sh -- -e\necho $1", "-e\n"},
		{"%%bash -s one\necho $1", "one\n"},
		{"%%script head -c 3\n" + strings.Repeat("abc", 100_000), "abc"},
		{"%%script true\n" + strings.Repeat("abc", 100_000), ""},
		{"%%sh\n" + strings.Repeat(": no-op\n", 20_000) + "echo long", "long\n"},
	} {
		if got := n.cell(tc.cell).stdout; got != tc.stdout {
			t.Errorf("%.100s\nprinted %q, want %q", tc.cell, got, tc.stdout)
		}
	}
	for _, tc := range []struct{ cell, want string }{
		{"!exit 3", "exit status 3"},
		{"%%bash\necho before\nfalse", "exit status 1"},
		{"%%bash\nexit 300", "bash: exit status 44"},
		{"%%bash\n\nnosuchcommand\nexit $?", "bash: exit status 127"},
		{"%%bash -e\nfalse\necho not here", "exit status 1"},
		{"%%script sh -c 'exit 5'\nx", "sh: exit status 5"},
		{"%%script ./\nx", "permission denied"},
		{"%%script nosuchprogram\nx", "nosuchprogram was not found"},
		{"%%script\nx", "Usage: %%script PROGRAM"},
		{"%%bash 'open\nx", "no end"},
		{"!", "Usage: !COMMAND"},
		{"!kill -9 $$", "signal: killed"},
	} {
		n.fails(tc.cell, tc.want)
	}
	if got := n.cell("!echo problem >&2").stderr; got != "problem\n" {
		t.Errorf("standard error %q", got)
	}
}

// TestNot distinguishes Go's ! from the shell's.
func TestNot(t *testing.T) {
	t.Parallel()
	n := open(t)
	n.gives("ok := true\n!ok", "false")
	n.gives("!ok", "false")
	n.gives("!strings.HasPrefix(\"ab\", \"a\") && ok", "false")
	n.gives("!true", "false")
	n.run("func pwd() bool { return true }")
	n.gives("!pwd()", "false")
	if got := n.run("!pwd").stdout; !strings.HasPrefix(got, "/") {
		t.Errorf("!pwd prints %q although a function is no operand of !", got)
	}
	if got := n.run("!echo \"ok\"").stdout; got != "ok\n" {
		t.Errorf("printed %q", got)
	}
}

func TestInterruptedMagics(t *testing.T) {
	t.Parallel()
	n := open(t)
	n.run("kept := 1")
	started := filepath.Join(t.TempDir(), "started")
	for _, cell := range []string{
		"!touch " + started + "; sleep 600",
		"%%bash\ntrap '' INT\ntouch " + started + "\nwhile true; do sleep 0.1; done",
		"%%script sh\ntouch " + started + "\nsleep 600",
	} {
		n.interruptedAfter(started, cell)
		n.gives("kept", "1")
	}
}

// TestShellStreams checks that output is displayed while the program that prints
// it still runs.
func TestShellStreams(t *testing.T) {
	t.Parallel()
	n := open(t)
	fifo := filepath.Join(t.TempDir(), "go on")
	n.run("!mkfifo '" + fifo + "'")
	seen := ""
	_, err := n.Execute(t.Context(), kernel.ExecuteRequest{
		Code: "!echo first; read line < '" + fifo + "'; echo $line",
		OnOutput: func(m *kernel.Message) {
			var c struct{ Text string }
			if m.Header.Type == "stream" && m.DecodeContent(&c) == nil {
				if seen == "" {
					go func() { _ = os.WriteFile(fifo, []byte("second\n"), 0o600) }()
				}
				seen += c.Text
			}
		},
	})
	if err != nil || seen != "first\nsecond\n" {
		t.Errorf("saw %q, error %v", seen, err)
	}
}

func TestWritefile(t *testing.T) {
	t.Parallel()
	n := open(t)
	dir := t.TempDir()
	if got := n.run("%%writefile " + dir + "/a.txt\n").stdout; !strings.HasSuffix(got, "(0 bytes)\n") {
		t.Errorf("printed %q", got)
	}
	if got := n.run("%%writefile " + dir + "/one.txt\n\n").stdout; !strings.HasSuffix(got, "(1 byte)\n") {
		t.Errorf("printed %q", got)
	}
	n.run("%%writefile " + dir + "/a.txt\nfirst\n\n  %gpu is text here")
	n.run("os.Setenv(\"SOMEWHERE\", \"" + dir + "\")")
	n.run("%%writefile -a $SOMEWHERE/a.txt\nlast\n")
	got, err := os.ReadFile(filepath.Join(dir, "a.txt"))
	if want := "first\n\n  %gpu is text here\nlast\n"; err != nil || string(got) != want {
		t.Errorf("the file holds %q, want %q (%v)", got, want, err)
	}
	n.run("%%file relative.txt\nx")
	n.gives("string(must(os.ReadFile(\"relative.txt\")))", `"x\n"`)
	n.fails("%%writefile\nx", "Usage: %%writefile [-a] FILE")
	n.fails("%%writefile -b x\nx", "no option -b")
	n.fails("%%writefile a b\nx", "one file")
	n.fails("%%writefile "+dir+"/missing/file\nx", "no such file or directory: make the folder first: !mkdir -p \""+dir+"/missing\"")
	n.fails("%%writefile -a "+dir+"\nx", "is a directory")
	n.run("%%writefile -a new.txt\nfirst")
	n.run("%%writefile '$HOME & ~'\nname")
	n.gives("string(must(os.ReadFile(\"new.txt\")))", `"first\n"`)
	n.run("%%writefile empty.txt")
	n.gives("len(must(os.ReadFile(\"empty.txt\")))", "0")
}

func TestWho(t *testing.T) {
	t.Parallel()
	n := open(t)
	if got := n.run("%who").stdout; !strings.Contains(got, "no variables") {
		t.Errorf("%%who of an empty session prints %q", got)
	}
	n.run("type point struct{ x, y float64 }\nconst limit = 3\nfunc norm(p point) float64 { return math.Hypot(p.x, p.y) }")
	n.run("p := &point{3, 4}\nxs := make([]float32, 1000)\nb := gpu.Zeros[float32](1000)\nvar none error")
	n.run(saxpy)
	shown := n.run("%ls").shown
	for _, want := range []string{
		"p         *point                24 B", "xs        []float32             3.9 KiB", "1000 elements", "b         *gpu.Buffer[float32]  3.9 KiB",
		"none      error", "kernels: saxpy", "funcs: norm", "types: point", "consts: limit", "cell[4]", os.Getenv("GOPHERWARP_DEVICE"),
	} {
		if !strings.Contains(shown, want) {
			t.Errorf("%%ls shows\n%s\nwant %q in it", shown, want)
		}
	}
	n.fails("%who there", "Usage: %who")
}

func TestRemove(t *testing.T) {
	t.Parallel()
	n := open(t)
	n.run("x, y := 1, []int{2}\nfunc get() []int { return y }")
	n.fails("%rm x yy", "no cell has declared yy")
	n.gives("x", "1")
	n.run("%rm x y")
	n.fails("x", "undefined: x")
	n.gives("get()", "[]")
	n.run("x := \"new\"")
	n.gives("x", `"new"`)
	n.run("%remove get")
	n.fails("get()", "undefined: get")
	n.fails("%rm", "Usage: %rm")

	n.run("%reset")
	n.fails("x", "undefined: x")
	n.gives("1 + 1", "2")
	n.run(saxpy)
	n.fails("%reset all", "Usage: %reset")
}

func TestSurroundings(t *testing.T) {
	n := open(t)
	n.run("%env GW_ONE=1 and more")
	n.run("%env GW_TWO \"a=b c\"")
	n.gives(`os.Getenv("GW_ONE") + "," + os.Getenv("GW_TWO")`, `"1 and more,a=b c"`)
	if got := n.run("!echo $GW_ONE").stdout; got != "1 and more\n" {
		t.Errorf("a command sees %q", got)
	}
	if got := n.run("%env GW_TWO").stdout; got != "GW_TWO=a=b c\n" {
		t.Errorf("%%env prints %q", got)
	}
	if got := n.run("%env").stdout; !strings.Contains(got, "\nGW_ONE=1 and more\n") {
		t.Errorf("%%env prints %q", got)
	}
	n.run("%env GW_API_TOKEN=abc123")
	if got := n.run("%env").stdout; !strings.Contains(got, "\nGW_API_TOKEN=******** (%env GW_API_TOKEN shows it)\n") || strings.Contains(got, "abc123") {
		t.Errorf("%%env prints %q", got)
	}
	if got := n.run("%env GW_API_TOKEN").stdout; got != "GW_API_TOKEN=abc123\n" {
		t.Errorf("%%env GW_API_TOKEN prints %q", got)
	}
	n.fails("%env GW_NONE", "GW_NONE is not set")
	n.fails("%env =3", "Usage: %env")

	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	n.run("!mkdir '" + dir + "/a b'")
	n.run("%env GW_DIR=" + dir)
	if got := n.run("%cd \"$GW_DIR/a b\"").stdout; got != dir+"/a b\n" {
		t.Errorf("%%cd prints %q", got)
	}
	n.gives("must(os.Getwd())", `"`+dir+`/a b"`)
	n.run("%cd ..\n!pwd")
	n.fails("%cd nowhere", "no such file or directory")
	n.run("!touch file")
	n.fails("%cd file", "not a directory")
	n.fails("%cd 'a", "Usage: %cd")
	n.run("%env GW_EMPTY=")
	n.gives("os.LookupEnv(\"GW_EMPTY\")", `"", true`)
	n.fails("%env GW_\"X\" 3", "Usage: %env")
	// After a directory was removed, only the command that uses it fails.
	n.run("!mkdir gone\n%cd gone\n!rmdir ../gone")
	for _, cell := range []string{"!echo x", "%cd", "%cd ..", "%%bash\necho x", "%%writefile x\nx"} {
		n.fails(cell, "the session's folder was removed: go to another one with %cd FOLDER")
	}
	n.gives("1 + 1", "2")
	if o := n.run("%reset"); !strings.Contains(o.stdout, "was removed, so the session goes on in "+dir+".") {
		t.Errorf("%%reset prints %q", o.stdout)
	}
	n.gives("must(os.Getwd())", `"`+dir+`"`)
	n.fails("%cd a b", "Usage: %cd")
	// Both are kept when the session process is restarted.
	n.run("%reset")
	if got := n.run("%cd\n!echo $GW_ONE").stdout; got != dir+"\n1 and more\n" {
		t.Errorf("after %%reset %q", got)
	}
	n.run("os.Chdir(\"a b\")")
	if got := n.run("!pwd").stdout; got != dir+"/a b\n" {
		t.Errorf("a command runs in %q", got)
	}

	n.run("%args -n 3 \"two words\"")
	n.gives("n := flag.Int(\"n\", 0, \"\")\nflag.Parse()\n*n", "3")
	n.gives("flag.Arg(0)", `"two words"`)
}

func TestTime(t *testing.T) {
	t.Parallel()
	n := open(t)
	o := n.run("%time x := 6 * 7")
	if !strings.Contains(o.stdout, "took ") || !strings.Contains(o.stdout, "user ") {
		t.Errorf("printed %q", o.stdout)
	}
	if o = n.run("%time x"); o.result != "42" {
		t.Errorf("result %q", o.result)
	}
	if o = n.run("%%time\nfunc double(n int) int { return 2 * n }\ny := double(x)\ny"); o.result != "84" || !strings.Contains(o.stdout, "took ") {
		t.Errorf("result %q, printed %q", o.result, o.stdout)
	}
	if o = n.run("y"); o.stdout != "" {
		t.Errorf("the next cell prints %q", o.stdout)
	}
	if o = n.fails("y = 1\n%time os.Remove(\"no such file\")", "cell["); !strings.Contains(o.stdout, "took ") {
		t.Errorf("a failing cell prints %q", o.stdout)
	}
	n.fails("y = 1\n %time nowhere", ":2:8: undefined: nowhere")
	n.fails("%%time\n\nnowhere", ":3:1: undefined: nowhere")
	n.fails("%time", "Usage: %time STATEMENT")

	// The time includes the device's work, and a fault in it fails the cell.
	n.run(saxpy)
	n.run("v := gpu.Zeros[float32](1000)")
	if o = n.run("%time saxpy.Launch(gpu.For(1000, 256), 2, v, v, 1000)"); !strings.Contains(o.stdout, "took ") {
		t.Errorf("printed %q", o.stdout)
	}
	n.run("%%cuda\n__global__ void wild(int *p) { p[1ull << 36] = 1; }")
	n.fails("%time wild.Launch(gpu.For(1, 1), gpu.Zeros[int32](1))", "CUDA_ERROR_ILLEGAL_ADDRESS")
	n.fails("%%time\nx\n!sleep 1", "take the magic in line 3 out")
	n.fails("%%timeit\n%who", "take the magic in line 2 out")
	n.fails("%%time x\nx", "take \"x\" from its line")
}

func TestTimeit(t *testing.T) {
	t.Parallel()
	n := open(t)
	n.run("calls := 0\nfunc f() int { calls++; return calls }\nfunc g() {}\nfunc two() (int, error) { return 1, nil }\nn := 3")
	for _, cell := range []string{
		"%timeit f()", "%timeit -r 1 g()", "%timeit -n 9 two()", "%timeit -n 9 x := make([]int, n)", "%timeit -n 9 a, err := two()", "%timeit -n 9 n++",
		"%timeit -n 2 -r 2 math.Sqrt(float64(n))",
		"%%timeit -n 9\na := f()\nfor i := range 3 {\n\ta += i\n}",
		"%%timeit -r 1\nf()\n",
	} {
		if o := n.run(cell); !strings.Contains(o.stdout, "median ") || !strings.Contains(o.stdout, "allocation") || o.result != "" {
			t.Errorf("%s\nprinted %q, result %q", cell, o.stdout, o.result)
		}
	}
	n.run("calls = 0\n%timeit -n 5 -r 3 f()")
	n.gives("calls", "20")
	n.fails("%timeit os.Remove(\"no such file\")", "no such file")
	n.fails("%timeit -n 2 nowhere(1)", ":1:14: undefined: nowhere")
	n.fails("%%timeit\nf()\nnowhere(1)", ":3:1: undefined: nowhere")
	n.fails("%timeit -x f()", "Usage: %timeit [-n RUNS]")
	n.fails("%timeit", "Usage: %timeit")
	started := filepath.Join(t.TempDir(), "started")
	n.run("func mark() { os.WriteFile(" + strconv.Quote(started) + ", nil, 0o600) }")
	n.interruptedAfter(started, "%timeit -r 100000 mark()")
}

func TestTests(t *testing.T) {
	n := open(t)
	n.fails("%test", "no cell has declared a test")
	n.run("func double(n int) int { return 2 * n }")
	o := n.run("%test\nfunc TestDouble(t *testing.T) {\n\tif testing.Short() {\n\t\tt.Skip()\n\t}\n\tt.Run(\"three\", func(t *testing.T) { t.Parallel(); if double(3) != 6 { t.Error() } })\n}\nfunc TestOther(t *testing.T) {}\nfunc Testify(t *testing.T) { t.Error() }")
	for _, want := range []string{"--- PASS: TestDouble/three", "--- PASS: TestOther", "PASS\n"} {
		if !strings.Contains(o.stdout, want) {
			t.Errorf("printed %q, want %q in it", o.stdout, want)
		}
	}
	o = n.fails("func TestWrong(t *testing.T) { t.Error(double(3)) }\nfunc TestPanic(t *testing.T) {\n\tvar p *int\n\t*p = 1\n}\n%test", "TestsFailed: TestPanic, TestWrong failed")
	for _, want := range []string{"--- FAIL: TestWrong", ":1: 6", "--- FAIL: TestPanic", "\n    panic: runtime error", "nil pointer", ":4 in main.TestPanic"} {
		if !strings.Contains(o.stdout, want) {
			t.Errorf("printed %q, want %q in it", o.stdout, want)
		}
	}
	if o = n.run("%test -run Double -short -v=false"); o.stdout != "PASS\n" {
		t.Errorf("printed %q", o.stdout)
	}
	if o = n.run("func BenchmarkDouble(b *testing.B) { for b.Loop() { double(3) } }\n%test -bench=. -run=NONE -benchtime 10x"); !strings.Contains(o.stdout, "ns/op") || strings.Contains(o.stdout, "TestOther") {
		t.Errorf("printed %q", o.stdout)
	}
	// A cell with benchmarks only runs them, as in GoNB.
	if o = n.run("func BenchmarkOther(b *testing.B) { for b.Loop() {} }\n%test -benchtime 10x"); !strings.Contains(o.stdout, "BenchmarkOther") || !strings.Contains(o.stdout, "ns/op") || strings.Contains(o.stdout, "BenchmarkDouble") {
		t.Errorf("printed %q", o.stdout)
	}
	if o = n.run("func TestAnd(t *testing.T) {}\nfunc BenchmarkAnd(b *testing.B) { for b.Loop() {} }\n%test \"\""); strings.Contains(o.stdout, "ns/op") || !strings.Contains(o.stdout, "PASS: TestAnd") {
		t.Errorf("printed %q", o.stdout)
	}
	o = n.run(`func ExampleDouble() {
	fmt.Println(double(4))
	// Output: 8
}
func FuzzDouble(f *testing.F) {
	f.Add(2)
	f.Add(3)
	f.Fuzz(func(t *testing.T, n int) {
		if double(n)%2 != 0 {
			t.Error(n)
		}
	})
}
%test`)
	for _, want := range []string{"--- PASS: ExampleDouble", "--- PASS: FuzzDouble/seed#1", "PASS\n"} {
		if !strings.Contains(o.stdout, want) || strings.Contains(o.stdout, "TestOther") {
			t.Errorf("printed %q, want %q in it", o.stdout, want)
		}
	}
	o = n.fails(`func ExampleWrong() {
	fmt.Println(double(4))
	// Unordered output:
	// 9
}
func ExampleSilent() { fmt.Println("is only compiled") }
func FuzzOdd(f *testing.F) {
	f.Add(1)
	f.Fuzz(func(t *testing.T, n int) {
		if n%2 != 0 {
			panic("odd")
		}
	})
}
%test`, "TestsFailed: FuzzOdd, ExampleWrong failed")
	for _, want := range []string{"--- FAIL: ExampleWrong", "got:\n8\n\nwant (unordered):\n9", "--- FAIL: FuzzOdd/seed#0"} {
		if !strings.Contains(o.stdout, want) || strings.Contains(o.stdout, "is only") {
			t.Errorf("printed %q, want %q in it", o.stdout, want)
		}
	}
	if o = n.run("%test -v=false -run ^ExampleDouble$"); o.stdout != "PASS\n" {
		t.Errorf("printed %q", o.stdout)
	}
	n.fails("%test -run Nothing", "no test has a name that fits")
	n.fails("%test -nothing", "Usage: %test")
	n.fails("%test Double", "is not a flag")
	n.gives("flag.Lookup(\"test.v\") == nil", "true")
	started := filepath.Join(t.TempDir(), "started")
	n.interruptedAfter(started, "func TestForever(t *testing.T) { os.WriteFile("+strconv.Quote(started)+", nil, 0o600); for {} }\n%test")
	n.gives("double(1)", "2")
}

func TestSource(t *testing.T) {
	t.Parallel()
	n := open(t)
	n.run("%time y := 3\n// sum adds.\nfunc sum(a, b int) int {\n\treturn a + b\n}\ntype acc struct{ n int }\nx := 1; z := 2")
	n.run("%%time\nw := 4\nfunc (a acc) String() string { return \"\" }")
	n.run(saxpy)
	for name, want := range map[string]string{
		"sum":   "// sum adds.\nfunc sum(a, b int) int {\n\treturn a + b\n}",
		"acc":   "type acc struct{ n int }\n\nfunc (a acc) String() string { return \"\" }",
		"z":     "z := 2",
		"w":     "w := 4",
		"y":     "y := 3",
		"saxpy": strings.TrimSpace(saxpy),
	} {
		if got := n.run("%src " + name).shown; !strings.HasSuffix(got, want) || !strings.HasPrefix(got, "// cell[") {
			t.Errorf("%%src %s shows %q, want %q", name, got, want)
		}
	}
	n.fails("%src summ", "Did you mean sum?")
	n.fails("%src", "Usage: %src NAME")
}

func TestCapture(t *testing.T) {
	t.Parallel()
	n := open(t)
	file := filepath.Join(t.TempDir(), "out.txt")
	holds := func(want string) {
		t.Helper()
		if got, err := os.ReadFile(file); err != nil || string(got) != want {
			t.Errorf("the file holds %q, want %q (%v)", got, want, err)
		}
	}
	o := n.run("fmt.Println(0)\n%capture " + file + "\nfmt.Println(1)\n!echo 2\n3")
	if o.stdout != "0\n1\n2\n" || o.result != "3" {
		t.Errorf("printed %q, result %q", o.stdout, o.result)
	}
	holds("1\n2\n3\n")
	n.run("fmt.Println(4)")
	holds("1\n2\n3\n")
	if o = n.run("%%capture -a " + file + "\nfmt.Println(5)\n\"six\""); o.stdout != "" || o.result != "" {
		t.Errorf("printed %q, result %q", o.stdout, o.result)
	}
	holds("1\n2\n3\n5\n\"six\"\n")
	if o = n.run("%%capture\n%%bash\necho 7"); o.stdout != "" {
		t.Errorf("printed %q", o.stdout)
	}
	n.fails("%%capture\n\nnowhere", ":3:1: undefined: nowhere")
	n.fails("%capture", "Usage: %capture [-a] FILE")
	n.fails("%%capture missing/file\nfmt.Println(8)", "!mkdir -p")
	if o = n.fails("%%capture "+file+"\nfmt.Println(9)\npanic(\"ten\")", "ten"); o.stdout != "" {
		t.Errorf("printed %q", o.stdout)
	}
	holds("9\n")
	// The standard error of commands is captured, too.
	n.run("%%capture " + file + "\n%%bash\necho out\necho err >&2")
	if got, err := os.ReadFile(file); err != nil || len(got) != len("out\nerr\n") {
		t.Errorf("the file holds %q (%v)", got, err)
	}
}

// TestGoNB runs cells as in notebooks for GoNB.
func TestGoNB(t *testing.T) {
	t.Parallel()
	n := open(t)
	if got := n.run("%% --size=3 'a b'\nfmt.Println(len(os.Args[1:]))").stdout; got != "2\n" {
		t.Errorf("printed %q", got)
	}
	if got := n.run("%exec hello --size=4\nfunc hello() { fmt.Println(os.Args[1:]) }").stdout; got != "[--size=4]\n" {
		t.Errorf("printed %q", got)
	}
	if got := n.run("%main -x y\nfmt.Println(os.Args[1:])").stdout; got != "[-x y]\n" {
		t.Errorf("printed %q", got)
	}
	n.run("%goflags -tags=one,two")
	if got := n.run("%goflags\n!*go env GOFLAGS").stdout; got != "-tags=one,two\n-tags=one,two\n" {
		t.Errorf("printed %q", got)
	}
	n.run("%goflags \"\"")
	if got := n.run("%goflags").stdout; got != "" {
		t.Errorf("printed %q", got)
	}
	n.fails("%goflags -race", "the race detector must be in the whole program")
	n.fails("%goflags -gcflags=-p=x", "can't be set for the compiler")
	n.fails("%goflags -ldflags=-s", "can't be set")

	square := "func square(x int) *int { y := x * x; return &y }\n*square(3)"
	if o := n.run(square); o.stdout != "" || o.result != "9" {
		t.Errorf("printed %q, result %q", o.stdout, o.result)
	}
	n.run("%goflags -gcflags='-m -l'")
	if got := n.run("%goflags").stdout; got != "-gcflags='-m -l'\n" {
		t.Errorf("printed %q", got)
	}
	// The same text is compiled again, with the compiler's output.
	if o := n.run(square); !strings.Contains(o.stdout, ": moved to heap: y\n") || o.result != "9" {
		t.Errorf("printed %q, result %q", o.stdout, o.result)
	}
	n.run("%goflags \"\"")
	if o := n.run(square); o.stdout != "" || o.result != "9" {
		t.Errorf("printed %q, result %q", o.stdout, o.result)
	}
	n.fails("%exec", "Usage: %exec")
}

func TestRestore(t *testing.T) {
	t.Parallel()
	n := open(t)
	file := filepath.Join(t.TempDir(), "count")
	n.run("x := 1\nfmt.Println(x)")
	n.run("x++\n!echo once >> " + file)
	n.run("%env GW_KEPT=yes")
	n.run(saxpy)
	n.fails("x = 100\nnil.nowhere", "nowhere")
	if got := n.run("%restore").stdout; got != "nothing is lost\n" {
		t.Errorf("printed %q", got)
	}
	n.fails("syscall.Kill(os.Getpid(), syscall.SIGKILL)\ntime.Sleep(time.Minute)", "%restore")
	o := n.run("%restore")
	if o.stdout != "cell[1] …\ncell[2] …\ncell[3] …\ncell[4] …\ncell[5] …\n5 cells were run again\n" {
		t.Errorf("printed %q", o.stdout)
	}
	n.gives("x", "2")
	n.gives("os.Getenv(\"GW_KEPT\")", `"yes"`)
	n.run("v := gpu.Zeros[float32](32)\nsaxpy.Launch(gpu.For(32, 32), 1, v, v, 32)")
	if got, err := os.ReadFile(file); err != nil || string(got) != "once\n" {
		t.Errorf("the command ran again: %q, %v", got, err)
	}
	if got := n.run("%restore").stdout; got != "nothing is lost\n" {
		t.Errorf("printed %q", got)
	}
	n.run("%reset")
	if got := n.run("%restore").stdout; got != "nothing is lost\n" {
		t.Errorf("printed %q", got)
	}
}

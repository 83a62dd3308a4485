package session_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const preamble = `/*
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <errno.h>

typedef struct point { int x, y; double weight; struct point *next; char type; } point;
typedef int (*operation)(int);
enum color { red, green = 5 };
#define LIMIT 100
#define NAME "c"

static point make(int x, int y) { point p = {x, y, x * 0.5, 0, 'p'}; return p; }
static int sum(point *p) { return p->x + p->y; }
static int twice(int n) { if (n < 0) { errno = EINVAL; return -1; } return 2 * n; }
int thrice(int n) { return 3 * n; }
static int apply(operation f, int n) { return f(n); }
static void say(char *s) { printf("%s\n", s); fflush(stdout); }
int counter = 3;
*/
import "C"
`

func TestC(t *testing.T) {
	n := newNotebook(t)
	if err := os.WriteFile(filepath.Join(n.dir, "beside.h"), []byte("#define BESIDE 77\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	n.steps([]step{
		{cell: preamble + `
import "unsafe"

func double(n int) int { return int(C.twice(C.int(n))) }

func shout(s string) {
	c := C.CString(s + mark)
	defer C.free(unsafe.Pointer(c))
	C.say(c)
}

const mark = "!"

p := C.make(1, 2)
q := &p
var list []C.point
list = append(list, p)
fmt.Println(C.sum(&p), double(4), C.LIMIT, C.green, C.NAME, C.counter, C.sizeof_int, C.apply(C.operation(C.thrice), 4))`, stdout: "3 8 100 5 c 3 4 12\n"},
		{cell: `shout("from C")`, stdout: "from C!\n"},
		{cell: "p.x = 40\nq.y++\n" + `fmt.Printf("%T %+v %d %v", p, p, q.x, list[0].weight)`, stdout: "main._Ctype_struct_point {x:40 y:3 weight:0.5 next:<nil> _type:112 _:[0 0 0 0 0 0 0]} 40 0.5"},
		{cell: "r := p\nr.next = q\nlist = append(list, r)\nfunc first() int { return int(list[0].x) }\nlen(list) + first()", result: "3"},
		{cell: "double(double(5))", result: "20"},
		{cell: "C.twice(3)", err: `undefined: C (C names mean something only in a cell with import "C")`},
		{cell: "const mark = \"?\"", stdout: "shout (cell[1]) keeps the earlier mark: its C code is not compiled again\n"},
		{cell: `shout("again")`, stdout: "again!\n"},

		// A func of the same name in another cell's C code is another func.
		{cell: "// int number(void) { return 1; }\nimport \"C\"\nfunc one() int { return int(C.number()) }\none()", result: "1"},
		{cell: "// int number(void) { return 2; }\nimport \"C\"\nC.number()", result: "2"},
		{cell: "one()", result: "1"},
		{cell: "// int number(void) { return 3; }\nimport \"C\"\nfunc one() int { return int(C.number()) }\none()", result: "3"},

		{cell: "// #cgo LDFLAGS: -lm\n// #cgo CFLAGS: -DHALF=0.5\n// #include <math.h>\n// #include \"beside.h\"\n// static int fails(void);\nimport \"C\"\nfmt.Println(float64(C.cos(0))+C.HALF, C.BESIDE)", stdout: "1.5 77\n"},
		{cell: preamble + "for i := range 2 { _, err := C.twice(C.int(-i)); fmt.Println(err) }\nC.say(C.CString(\"last\"))", stdout: "<nil>\ninvalid argument\nlast\n"},

		{cell: "/*\n#include <stdio.h>\n\nstatic int bad(void) { return missing; }\n*/\nimport \"C\"\n\nC.bad()", err: "cell[15]:4:31: C: 'missing' undeclared (first use in this function)"},
		{cell: "import \"C\"\n\nx := C.nothing(3)", err: "cell[16]:3:6: C: could not determine what C.nothing refers to"},
		{cell: preamble + "\nC.sum(3)", err: "cell[17]:23:7: cannot use 3 (untyped int constant) as *_Ctype_struct_point value in argument to"},
		{cell: "// static int f(int n) { return n; }\nimport \"C\"\nvar y string = C.f(1)", err: "cell[18]:3:16: cannot use"},
		{cell: "import \"C\"\n\n//export f\nfunc f() {}", err: "cell[19]:3:1: //export is not supported in cells"},
		{cell: "#include <stdio.h>\nimport \"C\"", err: "illegal character"},
		{cell: "// typedef struct { int v; } box;\nimport \"C\"\ntype box C.box\nfunc (b box) get() int { return int(b.v) }\nb := box{v: 5}\nb.get()", result: "5"},
		{cell: "func (b box) other() int { return 1 }", err: "box is declared with C names in cell[21]"},
		{cell: "p.x + q.x + (b.v + 1)", err: "mismatched types"},
		{cell: "p.x + q.x", result: "80"},
	})

	for cell, want := range map[string]string{
		"import _ \"unsafe\"\nimport \"C\"\n\n//go:linkname Nothing runtime.nothing\nfunc Nothing() int64\n\nNothing()": "link the cell: there is no function runtime.nothing: write its body, or correct the name after //go:linkname",
		"import \"C\"\nfunc Bodyless() int64\n\nBodyless()":                                                             "link the cell: there is no function main.Bodyless: write its body",
		"// int absent(void);\nimport \"C\"\nC.absent()":                                                                "load the compiled cell: there is no C function or variable absent: define it, or name its library by #cgo LDFLAGS",
	} {
		if _, err := n.cell(cell); err == nil || !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), os.TempDir()) {
			t.Errorf("%s\nerror %v, want %q", cell, err, want)
		}
	}

	const wrong = "// static int f(void) { return 1; }\nimport \"C\"\n\nfunc wrong() { fmt.Printf(\"%d\", \"x\", C.f()) }"
	n.mustRun(wrong)
	name := fmt.Sprintf("cell[%d]", n.n)
	found, err := n.Vet(t.Context(), func(cell string) (string, bool) { return wrong, cell == name }, &recorder{})
	if err != nil || len(found) != 1 || found[0].Pos.String() != name+":4:33" {
		t.Errorf("vet says %v, error %v", found, err)
	}
}

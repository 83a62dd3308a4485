package foreign_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

const (
	// notebooksEnv is the number of random notebooks, and seedEnv the seed of the first one: the same seed gives the
	// same notebooks.
	notebooksEnv = "GOPHERWARP_NOTEBOOKS"
	seedEnv      = "GOPHERWARP_SEED"

	fewNotebooks, manyNotebooks = 25, 2000
	// judged is the number of notebooks that are compared with one Go program.
	judged = 25
)

// TestRandomNotebooks runs generated notebooks: declarations, redefinitions, statements that are split into cells at random,
// cells that are run again, and cells that do not compile. They are compared with a Go program in which each cell is a block
// in the scope of those before it, so it must print the same.
func TestRandomNotebooks(t *testing.T) {
	count, seed := fewNotebooks, 1
	if os.Getenv(allEnv) != "" {
		count = manyNotebooks
	}
	for env, v := range map[string]*int{notebooksEnv: &count, seedEnv: &seed} {
		if n, err := strconv.Atoi(os.Getenv(env)); err == nil {
			*v = n
		}
	}
	for first := seed; first < seed+count; first += judged {
		t.Run(fmt.Sprintf("seeds %d to %d", first, min(first+judged, seed+count)-1), func(t *testing.T) {
			t.Parallel()
			var books []*book
			for s := first; s < min(first+judged, seed+count); s++ {
				books = append(books, generate(uint64(s)))
			}
			want := judge(t, books)
			n := newNotebook(t)
			for i, b := range books {
				if err := n.Reset(t.Context(), &recorder{}); err != nil {
					t.Fatal(err)
				}
				var stdout strings.Builder
				for j, c := range b.cells {
					out, err := n.run(c.text)
					stdout.WriteString(noNotes(out))
					if (err != nil) != c.fails {
						t.Errorf("seed %d, cell %d: error %v\n%s", first+i, j+1, err, b)
					}
				}
				if got := stdout.String(); got != want[i] {
					t.Errorf("seed %d: %v\n%s", first+i, differs(got, want[i]), b)
				}
			}
		})
	}
}

// noNotes removes the session's notes on redefinitions. Lines of the program begin with a digit.
func noNotes(out string) string {
	var b strings.Builder
	for line := range strings.Lines(out) {
		if line[0] >= '0' && line[0] <= '9' {
			b.WriteString(line)
		}
	}
	return b.String()
}

// A book is a notebook and the equivalent program.
type book struct {
	*rand.Rand
	cells   []bookCell
	program strings.Builder // statements, with open blocks
	blocks  int
	decls   strings.Builder // of the program's top level
	seed    uint64

	vars   []variable
	funcs  []string // of two ints
	types  []string // struct{ a, b int } with a method sum
	serial int

	closure bool // whether the generated text is in a closure
}

type bookCell struct {
	text  string
	fails bool
}

type variable struct{ name, typ string }

func (b *book) String() string {
	var s strings.Builder
	for i, c := range b.cells {
		fmt.Fprintf(&s, "--- cell %d\n%s\n", i+1, c.text)
	}
	return s.String()
}

// generate returns the notebook of a seed.
func generate(seed uint64) *book {
	b := &book{Rand: rand.New(rand.NewPCG(seed, 2)), seed: seed}
	for range 4 + b.IntN(8) {
		switch b.IntN(8) {
		case 0:
			b.cells = append(b.cells, bookCell{b.broken(), true})
		case 1:
			b.declareFunc()
		case 2:
			b.declareType()
		default:
			b.statements()
		}
	}
	var last strings.Builder
	for _, v := range b.vars {
		last.WriteString(b.print(v) + "\n")
	}
	b.add(last.String(), last.String())
	return b
}

// add adds a cell and its part of the program.
func (b *book) add(cell, program string) {
	b.cells = append(b.cells, bookCell{text: cell})
	b.program.WriteString(program)
}

// broken returns a cell that does not compile. It must change nothing.
func (b *book) broken() string {
	declare := fmt.Sprintf("x%d := 1000\n", 1+b.IntN(b.serial+1))
	return declare + []string{"undefinedName()", "var s string = 3", "for {", "1 +", "x := := 2", "if true { notUsed := 1 }"}[b.IntN(6)]
}

func (b *book) declareFunc() {
	b.serial++
	name, calls := fmt.Sprintf("f%d", b.serial), len(b.funcs)
	again := calls > 0 && b.IntN(2) == 0
	if again {
		calls = b.IntN(calls)
		name = b.funcs[calls]
	}
	body := fmt.Sprintf("func(a, b int) int { return a*%d + b - %d }", b.IntN(7), b.IntN(9))
	if calls > 0 && b.IntN(2) == 0 { // an earlier one, which may be declared again
		body = fmt.Sprintf("func(a, b int) int { return %s(b, a%%30) + %d }", b.funcs[b.IntN(calls)], b.IntN(9))
	}
	cell := "func " + name + strings.TrimPrefix(body, "func")
	if again {
		b.add(cell, name+" = "+body+"\n")
		return
	}
	b.add(cell, "{\n"+name+" := "+body+"\n_ = "+name+"\n")
	b.blocks++
	b.funcs = append(b.funcs, name)
}

func (b *book) declareType() {
	name := fmt.Sprintf("t%d_%d", b.seed, len(b.types))
	text := fmt.Sprintf("type %s struct{ a, b int }\nfunc (v %[1]s) sum() int { return v.a + %d*v.b }\nfunc (v *%[1]s) set(n int) { v.a = n }\n", name, 1+b.IntN(5))
	b.add(text, "")
	b.decls.WriteString(text)
	b.types = append(b.types, name)
}

// statements adds some statements, split into cells at random, one of which may be run again.
func (b *book) statements() {
	var cell strings.Builder
	again := true
	end := func() {
		text := cell.String()
		if text == "" {
			return
		}
		b.add(text, text)
		if again && b.IntN(4) == 0 {
			b.add(text, text)
		}
		cell.Reset()
		again = true
	}
	for range 1 + b.IntN(6) {
		if len(b.vars) == 0 || b.IntN(3) == 0 {
			end()
			b.declaration()
			continue
		}
		cell.WriteString(b.statement())
		if b.IntN(3) == 0 {
			end()
		}
	}
	end()
}

// statement returns a random statement.
func (b *book) statement() string {
	v := b.vars[b.IntN(len(b.vars))]
	switch b.IntN(5) {
	case 0:
		return b.print(v) + "\n"
	case 1:
		return fmt.Sprintf("for i := range %d {\n\tif i%%2 == 0 {\n\t\t%s\n\t}\n}\n", 1+b.IntN(5), b.change(v, "i"))
	case 2:
		return fmt.Sprintf("func() {\n\tdefer func() { recover() }()\n\t%s\n\tpanic(1)\n}()\n", b.change(v, "3"))
	case 3:
		return fmt.Sprintf("if n := %s; n > 2 {\n\t%s\n} else {\n\t%s\n}\n", b.number(), b.change(v, "n"), b.change(v, "1"))
	}
	return b.change(v, b.number()) + "\n"
}

// callsFunc matches a call of a variable.
var callsFunc = regexp.MustCompile(`\bx\d+\(\)`)

// declaration declares a variable in a cell of its own, under a new name or that of another, which it may use. A variable of
// the same name and type is the same one; another begins a block of the program, which contains everything that follows.
func (b *book) declaration() {
	b.serial++
	name, old := fmt.Sprintf("x%d", b.serial), -1
	if len(b.vars) > 0 && b.IntN(2) == 0 {
		old = b.IntN(len(b.vars))
		name = b.vars[old].name
	}
	typ := []string{"int", "float64", "string", "[]int", "map[string]int", "any", "func() int"}[b.IntN(7)]
	if len(b.types) > 0 && b.IntN(4) == 0 {
		typ = b.types[b.IntN(len(b.types))]
	}
	value, v := b.value(typ), variable{name, typ}
	// A func that calls the earlier variable of its name refers to that variable.
	itself := regexp.MustCompile(`\b` + name + `\b`).MatchString(value)
	same := old >= 0 && b.vars[old].typ == typ && !(itself && typ == "func() int")
	if same && typ == "func() int" && callsFunc.MatchString(value) {
		value = fmt.Sprintf("func() int { return %d }", b.serial) // calling it would be a recursion
	}
	if same && (typ == "int" || typ == "string" || typ == "float64") {
		value = name + " + " + value // the earlier variable
	} else if old >= 0 && b.vars[old].typ == "int" && typ == "float64" {
		value = "float64(" + name + ") / 2"
	}
	text := fmt.Sprintf("%s := %s\n", name, value)
	if typ == "any" || b.IntN(3) == 0 {
		text = fmt.Sprintf("var %s %s = %s\n", name, typ, value)
	}
	show := b.print(v) + "\n"
	set := fmt.Sprintf("%s = %s\n", name, value) + show
	if same {
		b.add(text+show, set)
	} else {
		b.add(text+show, "{\n"+text+show)
		b.blocks++
	}
	if b.IntN(4) == 0 && (same || !itself) {
		b.add(text+show, set)
	}
	if old >= 0 {
		b.vars[old] = v
	} else {
		b.vars = append(b.vars, v)
	}
}

// number returns an int expression, with or without a variable.
func (b *book) number() string {
	var ints []string
	for _, v := range b.vars {
		switch {
		case v.typ == "int":
			ints = append(ints, v.name)
		case v.typ == "[]int":
			ints = append(ints, "len("+v.name+")")
		case v.typ == "func() int":
			ints = append(ints, v.name+"()")
		case v.typ[0] == 't':
			ints = append(ints, v.name+".sum()")
		}
	}
	n := strconv.Itoa(b.IntN(9))
	if len(ints) == 0 || b.IntN(3) == 0 {
		return n
	}
	x := ints[b.IntN(len(ints))]
	if !b.closure && len(b.funcs) > 0 && b.IntN(2) == 0 {
		return fmt.Sprintf("%s(%s%%50, %s)", b.funcs[b.IntN(len(b.funcs))], x, n)
	}
	return fmt.Sprintf("(%s%%100 + %s)", x, n)
}

func (b *book) value(typ string) string {
	switch typ {
	case "int":
		return b.number()
	case "float64":
		return fmt.Sprintf("float64(%s) / 4", b.number())
	case "string":
		return fmt.Sprintf("fmt.Sprint(%s, \"s\")", b.number())
	case "[]int":
		return fmt.Sprintf("[]int{%s, %s}", b.number(), b.number())
	case "map[string]int":
		return fmt.Sprintf("map[string]int{\"k\": %s}", b.number())
	case "any":
		return []string{b.value("int"), b.value("string"), b.value("[]int")}[b.IntN(3)]
	case "func() int":
		// Its code is not compiled again when a func is declared again.
		b.closure = true
		defer func() { b.closure = false }()
		return fmt.Sprintf("func() int { return %s }", b.number())
	}
	return fmt.Sprintf("%s{%s, %s}", typ, b.number(), b.number())
}

// change returns a statement that changes a variable, with an int.
func (b *book) change(v variable, n string) string {
	switch v.typ {
	case "int":
		return fmt.Sprintf("%s += %s", v.name, n)
	case "float64":
		return fmt.Sprintf("%s += float64(%s) / 8", v.name, n)
	case "string":
		return fmt.Sprintf("%s = fmt.Sprint(len(%s), %s)", v.name, v.name, n)
	case "[]int":
		return fmt.Sprintf("%s = append(%s, %s)", v.name, v.name, n)
	case "map[string]int":
		return fmt.Sprintf("%s[fmt.Sprint(%s)]++", v.name, n)
	case "any":
		return fmt.Sprintf("%s = []any{%s}", v.name, n)
	case "func() int":
		return fmt.Sprintf("_ = %s() + %s", v.name, n)
	}
	return fmt.Sprintf("%s.set(%s)", v.name, n)
}

func (b *book) print(v variable) string {
	if v.typ == "func() int" {
		return fmt.Sprintf("fmt.Println(%d, %s())", b.IntN(100), v.name)
	}
	return fmt.Sprintf("fmt.Printf(\"%d %%v %%T\\n\", %s, %[2]s)", b.IntN(100), v.name)
}

// judge runs the program of some notebooks and returns its output for each.
func judge(t *testing.T, books []*book) []string {
	t.Helper()
	var decls, main strings.Builder
	const mark = "----\n"
	for _, b := range books {
		decls.WriteString(b.decls.String())
		fmt.Fprintf(&main, "{\n%s\n%sfmt.Print(%q)\n}\n", b.program.String(), strings.Repeat("}\n", b.blocks), mark)
	}
	file := filepath.Join(t.TempDir(), "main.go")
	program := "package main\n\nimport \"fmt\"\n\n" + decls.String() + "\nfunc main() {\n" + main.String() + "}\n"
	if err := os.WriteFile(file, []byte(program), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "run", file)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("the program that judges: %v\n%s", err, &stderr)
	}
	return strings.Split(string(out), mark)
}

package gokernel

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
)

// A generator writes random functions of the language of kernels. Conversions of floats are explicit, so that no result depends on fused operations, and no
// function panics.
type generator struct {
	*rand.Rand
	b      strings.Builder
	indent int
	vars   []variable // in scope
	names  int
	funcs  []signature
	loops  []string // labels of the loops around
	calls  int      // calls that the function may still have
}

type variable struct {
	name, typ string
	fixed     bool // counts a loop
}

type signature struct {
	name   string
	params []string
	result string
	calls  bool // whether it calls others, so that no third function calls it: CUDA's compiler would take long
}

var (
	integerTypes = []string{"int8", "int16", "int32", "int64", "int", "uint8", "uint16", "uint32", "uint64", "uint"}
	floatTypes   = []string{"float32", "float64"}
)

func (g *generator) pick(list []string) string { return list[g.IntN(len(list))] }

func (g *generator) anyType() string {
	if g.IntN(6) == 0 {
		return g.pick(floatTypes)
	}
	return g.pick(integerTypes)
}

func (g *generator) line(format string, args ...any) {
	g.b.WriteString(strings.Repeat("\t", g.indent))
	fmt.Fprintf(&g.b, format+"\n", args...)
}

func (g *generator) name() string {
	g.names++
	return fmt.Sprintf("v%d", g.names)
}

func isFloatType(typ string) bool    { return strings.HasPrefix(typ, "float") }
func isUnsignedType(typ string) bool { return strings.HasPrefix(typ, "uint") }

// constant returns a constant of the type.
func (g *generator) constant(typ string) string {
	if isFloatType(typ) {
		return fmt.Sprintf("is(%s(%g))", typ, float64(g.IntN(2000)-1000)/16)
	}
	bits := 64
	if n, err := strconv.Atoi(strings.TrimLeft(typ, "uint")); err == nil {
		bits = n
	}
	v := g.Uint64() >> (64 - bits) >> g.IntN(bits)
	if isUnsignedType(typ) {
		return fmt.Sprintf("is(%s(%d))", typ, v)
	}
	return fmt.Sprintf("is(%s(%d))", typ, int64(v<<(64-bits))>>(64-bits))
}

// maxCalls bounds the calls of other functions in one.
const maxCalls = 3

// leaf returns a variable or a constant of the type.
func (g *generator) leaf(typ string) string {
	for range 4 {
		v := g.vars[g.IntN(len(g.vars))]
		switch {
		case v.typ == typ:
			return v.name
		case v.typ == "["+typ+"]":
			return fmt.Sprintf("%s[%s&7]", v.name, g.index())
		case strings.HasPrefix(v.typ, "[") || v.typ == "pack" || isFloatType(v.typ) && !isFloatType(typ):
		default:
			return typ + "(" + v.name + ")"
		}
	}
	return g.constant(typ)
}

func (g *generator) index() string {
	for range 5 {
		if v := g.vars[g.IntN(len(g.vars))]; !strings.HasPrefix(v.typ, "[") && v.typ != "pack" && !isFloatType(v.typ) {
			return v.name
		}
	}
	return strconv.Itoa(g.IntN(8))
}

// expr returns an expression of the type.
func (g *generator) expr(typ string, depth int) string {
	if depth <= 0 {
		return g.leaf(typ)
	}
	sub := func() string { return g.expr(typ, depth-1) }
	if isFloatType(typ) {
		switch g.IntN(8) {
		case 0:
			return "-" + g.leaf(typ)
		case 1:
			return fmt.Sprintf("min(%s, %s)", sub(), sub())
		case 2:
			return fmt.Sprintf("%s(%s / %s)", typ, sub(), g.constant(typ))
		case 3:
			return fmt.Sprintf("%s(math.Sqrt(float64(%s*%s)))", typ, g.leaf(typ), "1")
		}
		return fmt.Sprintf("%s(%s %s %s)", typ, sub(), g.pick([]string{"+", "-", "*"}), sub())
	}
	switch g.IntN(14) {
	case 0:
		return fmt.Sprintf("(%s << (%s & 127))", sub(), g.expr(g.pick([]string{"uint8", "uint", "uint32"}), depth-2))
	case 1:
		return fmt.Sprintf("(%s >> (%s & 127))", sub(), g.expr(g.pick([]string{"uint8", "uint64"}), depth-2))
	case 2:
		return fmt.Sprintf("(%s %s (%s | 1))", sub(), g.pick([]string{"/", "%"}), sub())
	case 3:
		return fmt.Sprintf("%s(%s)", typ, g.expr(g.pick(integerTypes), depth-1))
	case 4:
		return g.pick([]string{"-", "^"}) + "(" + sub() + ")"
	case 5:
		return fmt.Sprintf("%s(%s, %s)", g.pick([]string{"min", "max"}), sub(), sub())
	case 6:
		if len(g.funcs) > 0 && g.calls > 0 {
			g.calls--
			f := g.funcs[g.IntN(len(g.funcs))]
			if !isFloatType(f.result) && !f.calls {
				var args []string
				for _, p := range f.params {
					args = append(args, g.expr(p, 1))
				}
				return fmt.Sprintf("%s(%s(%s))", typ, f.name, strings.Join(args, ", "))
			}
		}
	case 7:
		return fmt.Sprintf("%s(bits.%s32(%s))", typ, g.pick([]string{"OnesCount", "LeadingZeros", "TrailingZeros", "Len"}), g.expr("uint32", depth-1))
	case 8:
		return fmt.Sprintf("(%s %s %s)", sub(), g.pick([]string{"/", "%"}), g.pick([]string{"3", "7", "10", "64"}))
	}
	return fmt.Sprintf("(%s %s %s)", sub(), g.pick([]string{"+", "-", "*", "&", "|", "^", "&^"}), sub())
}

func (g *generator) cond(depth int) string {
	if depth > 0 && g.IntN(3) == 0 {
		return fmt.Sprintf("(%s %s %s)", g.cond(depth-1), g.pick([]string{"&&", "||"}), g.cond(depth-1))
	}
	if g.IntN(6) == 0 {
		return "!(" + g.cond(depth-1) + ")"
	}
	typ := g.anyType()
	return fmt.Sprintf("%s %s %s", g.expr(typ, 1), g.pick([]string{"<", "<=", ">", ">=", "==", "!="}), g.expr(typ, 1))
}

// target returns a variable that can be set.
func (g *generator) target() variable {
	for {
		v := g.vars[g.IntN(len(g.vars))]
		switch {
		case v.fixed:
		case v.typ == "pack":
			return variable{name: v.name + ".a", typ: "int32"}
		case strings.HasPrefix(v.typ, "["):
			return variable{name: fmt.Sprintf("%s[%s&7]", v.name, g.index()), typ: strings.Trim(v.typ, "[]")}
		default:
			return v
		}
	}
}

// scope calls f, whose variables end with it.
func (g *generator) scope(f func()) {
	n := len(g.vars)
	g.indent++
	f()
	g.indent--
	g.vars = g.vars[:n]
}

func (g *generator) declare(typ string) {
	name := g.name()
	g.line("%s := %s", name, g.expr(typ, 2))
	g.line("_ = %s", name)
	g.vars = append(g.vars, variable{name: name, typ: typ})
}

func (g *generator) block(depth int) {
	for range 1 + g.IntN(3) {
		g.statement(depth)
	}
}

// statement writes a statement.
func (g *generator) statement(depth int) {
	switch n := g.IntN(16); {
	case n < 2:
		g.declare(g.anyType())
	case n < 5:
		v := g.target()
		g.line("%s = %s", v.name, g.expr(v.typ, 3))
	case n < 7:
		v := g.target()
		if isFloatType(v.typ) {
			g.line("%s %s= %s", v.name, g.pick([]string{"+", "-"}), g.expr(v.typ, 1))
			return
		}
		switch g.IntN(3) {
		case 0:
			g.line("%s %s= %s & 63", v.name, g.pick([]string{"<<", ">>"}), g.expr("uint", 1))
		case 1:
			g.line("%s%s", v.name, g.pick([]string{"++", "--"}))
		default:
			g.line("%s %s= %s", v.name, g.pick([]string{"+", "-", "*", "&", "|", "^", "&^"}), g.expr(v.typ, 2))
		}
	case n == 7:
		v, w := g.target(), g.target()
		g.line("%s, %s = %s, %s", v.name, w.name, g.expr(v.typ, 2), g.expr(w.typ, 2))
	case n == 8:
		name := g.name()
		typ := g.anyType()
		g.line("var %s [8]%s", name, typ)
		g.line("_ = %s", name)
		g.vars = append(g.vars, variable{name: name, typ: "[" + typ + "]"})
	case n == 9:
		name := g.name()
		g.line("%s := pack{%s, %s}", name, g.expr("int32", 1), g.expr("uint16", 1))
		g.vars = append(g.vars, variable{name: name, typ: "pack"})
		g.line("_ = %s", name)
		g.line("%s.add(%s)", name, g.expr("int32", 1))
	case n == 10 && depth > 0:
		name, param, typ := g.name(), g.name(), g.pick(integerTypes)
		g.line("%s := func(%s %s) %s {", name, param, typ, typ)
		loops := g.loops
		g.loops = nil
		g.scope(func() {
			g.vars = append(g.vars, variable{name: param, typ: typ})
			g.block(0)
			g.line("return %s", g.expr(typ, 2))
		})
		g.loops = loops
		g.line("}")
		g.declareValue(typ, name+"("+g.expr(typ, 1)+")")
	case depth <= 0:
		g.declare(g.anyType())
	case n < 12:
		g.line("if %s {", g.cond(1))
		g.scope(func() { g.block(depth - 1) })
		if g.IntN(2) == 0 {
			g.line("} else {")
			g.scope(func() { g.block(depth - 1) })
		}
		g.line("}")
	case n < 14:
		g.loop(depth)
	case n == 14:
		g.switchStmt(depth)
	default:
		if len(g.loops) > 0 {
			g.line("if %s {", g.cond(0))
			g.line("\t%s %s", g.pick([]string{"break", "continue"}), g.pick(g.loops))
			g.line("}")
		}
	}
}

func (g *generator) declareValue(typ, value string) {
	name := g.name()
	g.line("%s := %s", name, value)
	g.line("_ = %s", name)
	g.vars = append(g.vars, variable{name: name, typ: typ})
}

func (g *generator) loop(depth int) {
	label, i := "L"+g.name(), g.name()
	before := g.b.Len()
	g.line("%s:", label)
	labelEnd := g.b.Len()
	count := 1 + g.IntN(4)
	var header string
	switch g.IntN(4) {
	case 0:
		header = fmt.Sprintf("for %s := range %d {", i, count)
	case 1:
		header = fmt.Sprintf("for %s := %d; %[1]s > 0; %[1]s-- {", i, count)
	case 2:
		header = fmt.Sprintf("for %s := 0; %[1]s < %d && %s; %[1]s++ {", i, count, g.cond(0))
	default:
		header = fmt.Sprintf("for %s, %sv := range [...]int{3, 1, 2} {", i, i)
	}
	g.line("%s", header)
	g.loops = append(g.loops, label)
	g.scope(func() {
		g.line("_ = %s", i)
		g.vars = append(g.vars, variable{name: i, typ: "int", fixed: true})
		if strings.Contains(header, "v := range [") {
			g.line("_ = %sv", i)
			g.vars = append(g.vars, variable{name: i + "v", typ: "int"})
		}
		g.block(depth - 1)
	})
	g.loops = g.loops[:len(g.loops)-1]
	g.line("}")
	if text := g.b.String(); !strings.Contains(text[labelEnd:], label) { // Go refuses a label that is not used
		g.b.Reset()
		g.b.WriteString(text[:before] + text[labelEnd:])
	}
}

func (g *generator) switchStmt(depth int) {
	g.line("switch %s {", g.expr("int", 1)+" % 4")
	for k := range 3 {
		g.line("case %d:", k)
		g.scope(func() { g.block(depth - 1) })
		if g.IntN(3) == 0 {
			g.line("\tfallthrough")
		}
	}
	g.line("default:")
	g.scope(func() { g.block(depth - 1) })
	g.line("}")
}

// function writes a function.
func (g *generator) function(i int) {
	f := signature{name: fmt.Sprintf("f%d", i), result: g.anyType()}
	var params []string
	g.vars, g.calls, g.loops = nil, maxCalls, nil
	for range 2 + g.IntN(3) {
		p := variable{name: g.name(), typ: g.anyType()}
		f.params = append(f.params, p.typ)
		params = append(params, p.name+" "+p.typ)
		g.vars = append(g.vars, p)
	}
	g.line("func %s(%s) %s {", f.name, strings.Join(params, ", "), f.result)
	g.scope(func() {
		g.declare("int")
		for range 4 + g.IntN(6) {
			g.statement(3)
		}
		// All variables that are in scope count.
		sum := g.constant("uint64")
		for _, v := range g.vars {
			switch {
			case v.typ == "pack":
				sum += fmt.Sprintf("*31 + uint64(%s.a) + uint64(%[1]s.b)", v.name)
			case strings.HasPrefix(v.typ, "[float"):
				sum += fmt.Sprintf("*31 + math.Float64bits(math.Max(float64(%s[3]), 0))", v.name)
			case strings.HasPrefix(v.typ, "["):
				sum += fmt.Sprintf("*31 + uint64(%s[0]) + uint64(%[1]s[5])", v.name)
			case isFloatType(v.typ):
				sum += fmt.Sprintf("*31 + math.Float64bits(math.Max(float64(%s), 0))", v.name)
			default:
				sum += fmt.Sprintf("*31 + uint64(%s)", v.name)
			}
		}
		if isFloatType(f.result) {
			g.line("return %s(uint16(%s))", f.result, sum)
		} else {
			g.line("return %s(%s)", f.result, sum)
		}
	})
	g.line("}")
	f.calls = g.calls < maxCalls
	g.funcs = append(g.funcs, f)
}

const randomHead = `package main

import (
	"math"
	"math/bits"
)

` + randomRest

// randomRest is what random functions use.
const randomRest = `var _, _ = math.Pi, bits.UintSize

// is keeps Go from computing with constants, which must not overflow.
func is[T any](v T) T { return v }

type pack struct {
	a int32
	b uint16
}

func (p *pack) add(v int32) {
	p.a += v
	p.b ^= uint16(v)
}

`

// foundSeeds are seeds that found an error on a GPU: 2017 the low half of max.f64 (see lower in prelude.h).
var foundSeeds = []int{2017}

// Random functions return the same on the device and as plain Go. GOPHERWARP_GOKERNELS is their number, GOPHERWARP_SEED the first seed.
func TestRandom(t *testing.T) {
	number, seed := randomCount(t)
	const inFile = 30
	functions, calls := 0, 0
	run := func(seed, number int) {
		t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) {
			f, c := compareRandom(t, uint64(seed), number)
			functions, calls = functions+f, calls+c
		})
	}
	for _, seed := range foundSeeds {
		run(seed, inFile)
	}
	for ; number > 0; number, seed = number-inFile, seed+1 {
		run(seed, min(inFile, number))
	}
	t.Logf("%d functions, %d calls", functions, calls)
}

// FuzzRandom compares random functions for as long as it runs: make fuzz. They are few, since go test ends an input that takes ten seconds.
func FuzzRandom(f *testing.F) {
	f.Add(uint64(1))
	f.Fuzz(func(t *testing.T, seed uint64) { compareRandom(t, seed, 3) })
}

// compareRandom compares the random functions of a seed, and returns the number of functions and of calls.
func compareRandom(t *testing.T, seed uint64, number int) (functions, calls int) {
	t.Helper()
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 19))}
	g.b.WriteString(randomHead)
	for i := range number {
		g.function(i)
	}
	functions, calls = newDifferential(t, g.b.String()).check(t)
	if t.Failed() {
		t.Logf("%s", g.b.String())
	}
	return functions, calls
}

// randomCount returns the number of functions and the first seed.
func randomCount(t *testing.T) (number, seed int) {
	t.Helper()
	number, seed = 30, 1
	for name, v := range map[string]*int{"GOPHERWARP_GOKERNELS": &number, "GOPHERWARP_SEED": &seed} {
		if text := os.Getenv(name); text != "" {
			n, err := strconv.Atoi(text)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			*v = n
		}
	}
	return number, seed
}

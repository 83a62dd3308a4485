package gokernel

import (
	"fmt"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/internal/gokernel"
)

// The threads of a random kernel's blocks exchange values in shared memory, between barriers, by shuffles and by atomic sums. Each thread has an element
// of cells and four of out, which it changes through pointers and slices. At the end of each phase no thread reads or writes what another one does.

// blockHead begins a program with random kernels.
const blockHead = `package main

import (
	"math"
	"math/bits"

	"github.com/gopherwarp/gopherwarp/gpu"
)

` + randomRest + `
func mix(s []int32, p *pack, v *int32) int32 {
	for i := range s {
		s[i] += *v ^ int32(i)
	}
	p.add(*v)
	*v = p.a - int32(len(s))
	return p.a ^ s[0]
}

func others(tile *[64]int32, t int) int32 { return tile[(t+5)&63] - tile[(t^21)&63] }

`

// kernel writes a kernel.
func (g *generator) kernel(i int) {
	g.calls, g.loops = maxCalls, nil
	g.vars = []variable{{"t", "int", true}, {"b", "int", true}, {"i", "int", true}, {"x", "int32", false}}
	g.line("//gpu:kernel")
	g.line("func Kernel%d(in []int32, cells []pack, sums []int64, out []int32) {", i)
	g.scope(func() {
		g.line("tile := gpu.Shared[[64]int32]()")
		g.line("packs := gpu.Shared[[64]pack]()")
		g.line("t, b, i := gpu.ThreadIdx().X, gpu.BlockIdx().X, gpu.GlobalID()")
		g.line("own, cell, x := out[4*i:4*i+4], &cells[i], in[i]")
		g.line("tile[t], packs[t] = x, *cell")
		g.line("gpu.SyncThreads()")
		for range 4 + g.IntN(5) {
			g.phase(2)
		}
		g.line("own[3] ^= %s", g.expr("int32", 2))
		g.line("own[2] += %s", g.sum("int32"))
		g.line("_, _ = b, cell")
	})
	g.line("}")
	g.line("")
}

// sum returns an expression of all variables that are integers or packs.
func (g *generator) sum(typ string) string {
	sum := g.constant(typ)
	for _, v := range g.vars {
		switch {
		case v.typ == "pack":
			sum += fmt.Sprintf("*31 + %s(%s.a) + %[1]s(%[2]s.b)", typ, v.name)
		case strings.HasPrefix(v.typ, "[float"), isFloatType(v.typ):
		case strings.HasPrefix(v.typ, "["):
			sum += fmt.Sprintf("*31 + %s(%s[0]) + %[1]s(%[2]s[5])", typ, v.name)
		default:
			sum += fmt.Sprintf("*31 + %s(%s)", typ, v.name)
		}
	}
	return sum
}

// together writes statements that all threads of a block come to, with barriers around them.
func (g *generator) together(lines ...string) {
	for _, line := range lines {
		g.line("%s", line)
	}
	g.line("gpu.SyncThreads()")
}

// phase writes a part of a kernel that all threads of a block come to.
func (g *generator) phase(depth int) {
	number := func(mask int) string { return fmt.Sprintf("(%s)&%d", g.expr("int", 1), mask) }
	switch n := g.IntN(12); {
	case n == 0:
		g.declareValue("int32", "tile["+number(63)+"]")
		g.together()
		g.together("tile[t] = " + g.expr("int32", 2))
	case n == 1:
		name := g.name()
		g.line("%s := packs[%s]", name, number(63))
		g.together()
		g.together("packs[t].add("+name+".a)", "packs[t].b ^= "+g.expr("uint16", 1))
		g.vars = append(g.vars, variable{name: name, typ: "pack"})
	case n == 2:
		g.line("for s := %d; s > 0; s /= 2 {", 8<<g.IntN(3))
		g.together("\tif t < s {", "\t\ttile[t] "+g.pick([]string{"+", "^", "-"})+"= tile[t+s]", "\t}")
		g.line("}")
	case n == 3:
		g.declareValue("int32", "others(tile, t)")
		g.together()
		g.together("gpu.AtomicAdd(&tile[" + number(63) + "], " + g.expr("int32", 1) + ")")
	case n == 4:
		k := g.IntN(3)
		g.line("gpu.Atomic%s(&sums[%d+%s], int64(%s))", []string{"Add", "Max", "Min"}[k], 8*k, number(7), g.expr("int32", 2))
	case n == 5:
		v := g.expr("int32", 1)
		g.declareValue("int32", g.pick([]string{
			"gpu.Shuffle(" + v + ", " + number(31) + ")", fmt.Sprintf("gpu.ShuffleXor(%s, %d)", v, 1+g.IntN(31)), "gpu.WarpSum(" + v + ")", "gpu.WarpMax(" + v + ")",
			fmt.Sprintf("gpu.ShuffleDown(%s, %d)", v, g.IntN(32)), fmt.Sprintf("gpu.ShuffleUp(%s, %d)", v, g.IntN(32)), "int32(gpu.Ballot(" + g.cond(1) + "))",
		}))
	case n == 6 && depth > 0:
		k := g.name()
		g.line("for %s := range %d {", k, 1+g.IntN(3))
		g.scope(func() {
			g.line("_ = %s", k)
			g.vars = append(g.vars, variable{name: k, typ: "int", fixed: true})
			g.phase(depth - 1)
			g.phase(depth - 1)
		})
		g.line("}")
	case n == 7 && depth > 0:
		g.line("if b%%2 == %d {", g.IntN(2))
		g.scope(func() { g.phase(depth - 1) })
		g.line("} else {")
		g.scope(func() { g.phase(depth - 1) })
		g.line("}")
	case n < 10:
		g.memory()
	default:
		g.block(2)
	}
}

// memory writes statements that change what the thread alone has, through pointers and slices.
func (g *generator) memory() {
	name := g.name()
	low := g.IntN(3)
	high := low + 1 + g.IntN(4-low)
	switch g.IntN(6) {
	case 0:
		g.line("%s := &own[(%s)&3]", name, g.expr("int", 1))
		g.line("*%s %s= %s", name, g.pick([]string{"+", "^", "*"}), g.expr("int32", 2))
		g.vars = append(g.vars, variable{name: "(*" + name + ")", typ: "int32"})
	case 1:
		g.line("%s := own[%d:%d]", name, low, high)
		g.line("for k, e := range %s {", name)
		g.line("\t%s[k] = e ^ %s", name, g.expr("int32", 1))
		g.line("}")
	case 2:
		g.line("%s := cell", name)
		g.line("%s.a, %[1]s.b = %s, uint16(%[1]s.a)", name, g.expr("int32", 1))
		g.line("cell.add(%s)", g.expr("int32", 1))
	case 3:
		g.together(fmt.Sprintf("%s := mix(own[%d:%d], cell, &tile[t])", name, low, high), "_ = "+name)
		g.vars = append(g.vars, variable{name: name, typ: "int32"})
	case 4:
		g.line("%s := own", name)
		g.line("for len(%s) > %d {", name, low)
		g.line("\t%s[0] -= int32(len(%[1]s)) + %s", name, g.expr("int32", 1))
		g.line("\t%s = %[1]s[1:]", name)
		g.line("}")
	case 5:
		g.line("if copy(own[%d:%d], own[%d:]) > 2 {", low, high, g.IntN(4))
		g.line("\tclear(own[%s&3:])", g.index())
		g.line("}")
	}
}

// blockMain runs each kernel both ways. %d is the number of kernels.
const blockMain = `package main

import (
	"fmt"
	"slices"

	"github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/gpu/device"
)

const n = 192

type data struct {
	in    []int32
	cells []pack
	sums  []int64
	out   []int32
}

func fresh() data {
	d := data{make([]int32, n), make([]pack, n), make([]int64, 24), make([]int32, 4*n)}
	for i := range d.in {
		d.in[i] = int32(i*i*i*7919 - 1<<20)
		d.cells[i] = pack{int32(3 - i), uint16(i * 517)}
		d.out[4*i] = int32(i)
	}
	return d
}

func main() {
	device.Serve()
	for i, k := range kernels {
		a, b := fresh(), fresh()
		cfg := gpu.For(n, 64)
		if err := k.run(cfg, a.in, a.cells, a.sums, a.out); err != nil {
			fmt.Println("run", i, err)
		}
		if err := k.launch(cfg, gpu.In(b.in), gpu.InOut(b.cells), gpu.InOut(b.sums), gpu.InOut(b.out)); err != nil {
			fmt.Println("launch", i, err)
		}
		if !slices.Equal(a.out, b.out) || !slices.Equal(a.sums, b.sums) || !slices.Equal(a.cells, b.cells) {
			fmt.Printf("kernel %%d: plain Go gives %%v %%v, the device %%v %%v\n", i, a.out[:20], a.sums, b.out[:20], b.sums)
		}
	}
	fmt.Println(len(kernels), "kernels")
}

var kernels = []struct {
	run    func(gpu.Launch, []int32, []pack, []int64, []int32) error
	launch func(gpu.Launch, gpu.Ptr[int32], gpu.Ptr[pack], gpu.Ptr[int64], gpu.Ptr[int32]) error
}{%s}
`

// Random kernels give the same on the device and as plain Go. GOPHERWARP_GOKERNELS is ten times their number, GOPHERWARP_SEED the first seed.
func TestRandomBlocks(t *testing.T) {
	number, seed := randomCount(t)
	const inProgram = 20
	for number /= 10; number > 0; number, seed = number-inProgram, seed+1 {
		t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) { compareRandomBlocks(t, uint64(seed), min(inProgram, number)) })
	}
}

// FuzzRandomBlocks compares random kernels for as long as it runs: make fuzz.
func FuzzRandomBlocks(f *testing.F) {
	f.Add(uint64(1))
	f.Fuzz(func(t *testing.T, seed uint64) { compareRandomBlocks(t, seed, 5) })
}

// compareRandomBlocks compares the random kernels of a seed.
func compareRandomBlocks(t *testing.T, seed uint64, number int) {
	t.Helper()
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 20))}
	g.b.WriteString(blockHead)
	list := ""
	for i := range number {
		g.kernel(i)
		list += fmt.Sprintf("{RunKernel%d, LaunchKernel%[1]d}, ", i)
	}
	dir := module(t, map[string]string{"kernels.go": g.b.String(), "main.go": fmt.Sprintf(blockMain, list)})
	if _, err := gokernel.Generate(dir, "./..."); err != nil {
		t.Fatalf("%v\n%s", err, g.b.String())
	}
	run := exec.Command("go", "run", ".")
	run.Dir = dir
	out, err := run.CombinedOutput()
	if want := fmt.Sprintln(number, "kernels"); err != nil || string(out) != want {
		t.Errorf("error %v, output\n%s\nwant %s%s", err, out, want, g.b.String())
	}
}

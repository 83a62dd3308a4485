// Command asm writes the assembly code of package simd, for AVX2 and FMA, and for AVX-512 where that is much quicker. It is a module of its own,
// so that avo is no dependency of gopherwarp.
package main

import (
	"fmt"
	"strings"

	. "github.com/mmcloughlin/avo/build" //nolint:revive // avo's way of writing instructions
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// instructions are those that differ between the two precisions.
type instructions struct {
	of                 string // the type of an element
	suffix             string
	size               int // bytes of an element
	load               func(...Op)
	add, sub, mul, div func(...Op)
	low, high          func(...Op) // minimum, maximum
	root               func(...Op)
	compare            func(...Op)
	choose             func(xy, mxy, xy1, xy2 Op)
	fma                func(...Op)
	broadcast          func(...Op)
	wide               func() reg.VecVirtual
}

var (
	single = instructions{
		"float32", "32", 4, VMOVUPS, VADDPS, VSUBPS, VMULPS, VDIVPS, VMINPS, VMAXPS, VSQRTPS, VCMPPS, VBLENDVPS, VFMADD231PS, VBROADCASTSS, YMM,
	}
	double = instructions{
		"float64", "64", 8, VMOVUPD, VADDPD, VSUBPD, VMULPD, VDIVPD, VMINPD, VMAXPD, VSQRTPD, VCMPPD, VBLENDVPD, VFMADD231PD, VBROADCASTSD, YMM,
	}
)

func main() {
	ConstraintExpr("amd64")
	for _, i := range []instructions{single, double} {
		i.binary("Add", i.add)
		i.binary("Sub", i.sub)
		i.binary("Mul", i.mul)
		i.binary("Div", i.div)
		i.extreme("Maximum", 13) // GE_OS
		i.extreme("Minimum", 2)  // LE_OS
		i.sqrt()
		i.one()
		for _, t := range shapes {
			i.tile(t)
		}
		i.dotRows()
		i.addRows("AddRowsWide", 8)
		i.addRows("AddRows", 1)
		i.spread()
		i.sparseRows()
		i.highest("highest", i.high)
		i.highest("lowest", i.low)
	}
	integers()
	comparisons()
	above()
	conversions()
	lines()
	sum32()
	sumRows32()
	sum64()
	sumInt32()
	running()
	addWide32()
	range32()
	range64()
	firstPass()
	pass("FourierPass32", YMM, 8)
	pass("FourierSecond32", XMM, 4)
	partsAndJoined()
	realOut()
	realIn()
	exp32()
	c := doubles{}
	c.function("Log32", c.log)
	c.function("Erfc32", c.erfc)
	c.function("Sigmoid32", c.sigmoid)
	c.function("Tanh32", c.tanh)
	c.function("Sin32", c.sine(0))
	c.function("Cos32", c.sine(1))
	c.power()
	Generate()
}

// lanes is the number of elements of a vector.
func (i *instructions) lanes() int { return 32 / i.size }

// signature returns that of a function of pointers to elements and, last, numbers, one of which is n.
func (i *instructions) signature(pointers string, numbers ...string) string {
	return fmt.Sprintf("func(%s *%s, %s int)", pointers, i.of, strings.Join(append(numbers, "n"), ", "))
}

// loop writes a loop over elements: body is called with the number of vectors of a turn and the register of the index. n is a multiple of a
// vector.
func (i *instructions) loop(n reg.Register, name string, vectors int, body func(vectors int, at reg.Register)) {
	at := GP64()
	XORQ(at, at)
	step := vectors * i.lanes()
	left := GP64()
	Label(name + "_many")
	LEAQ(Mem{Base: at, Disp: step}, left)
	CMPQ(left, n)
	JG(LabelRef(name + "_one"))
	body(vectors, at)
	MOVQ(left, at)
	JMP(LabelRef(name + "_many"))
	Label(name + "_one")
	CMPQ(at, n)
	JGE(LabelRef(name + "_end"))
	body(1, at)
	ADDQ(Imm(uint64(i.lanes())), at)
	JMP(LabelRef(name + "_one"))
	Label(name + "_end")
}

// element returns the operand for vector k of a turn.
func (i *instructions) element(base, at reg.Register, k int) Mem {
	return Mem{Base: base, Index: at, Scale: uint8(i.size), Disp: k * 32}
}

func (i *instructions) binary(name string, op func(...Op)) {
	name += i.suffix
	TEXT(name, NOSPLIT, i.signature("out, a, b"))
	Pragma("noescape")
	Doc(name + " computes n elements, a multiple of a vector.")
	out, a, b, n := Load(Param("out"), GP64()), Load(Param("a"), GP64()), Load(Param("b"), GP64()), Load(Param("n"), GP64())
	i.loop(n, name, 4, func(vectors int, at reg.Register) {
		for k := range vectors {
			v := YMM()
			i.load(i.element(a, at, k), v)
			op(i.element(b, at, k), v, v)
			i.load(v, i.element(out, at, k))
		}
	})
	VZEROUPPER()
	RET()
}

// integers writes the operations of integers. Those of two's complement are the same with and without a sign.
func integers() {
	for _, i := range []instructions{
		{of: "int8", suffix: "Int8", size: 1, load: VMOVUPS, add: VPADDB, sub: VPSUBB},
		{of: "int32", suffix: "Int32", size: 4, load: VMOVUPS, add: VPADDD, sub: VPSUBD},
		{of: "int64", suffix: "Int64", size: 8, load: VMOVUPS, add: VPADDQ, sub: VPSUBQ},
	} {
		i.binary("Add", i.add)
		i.binary("Sub", i.sub)
		i.binary("And", VANDPS)
		i.binary("Or", VORPS)
		i.binary("Xor", VXORPS)
		if i.size == 4 {
			i.binary("Mul", VPMULLD)
			i.binary("Maximum", VPMAXSD)
			i.binary("Minimum", VPMINSD)
		}
	}
}

// extreme chooses a where the comparison with b holds or a is no number.
func (i *instructions) extreme(name string, predicate uint64) {
	name += i.suffix
	TEXT(name, NOSPLIT, i.signature("out, a, b"))
	Pragma("noescape")
	Doc(name + " computes n elements, a multiple of a vector.")
	out, a, b, n := Load(Param("out"), GP64()), Load(Param("a"), GP64()), Load(Param("b"), GP64()), Load(Param("n"), GP64())
	i.loop(n, name, 2, func(vectors int, at reg.Register) {
		for k := range vectors {
			x, y, m, nan := YMM(), YMM(), YMM(), YMM()
			i.load(i.element(a, at, k), x)
			i.load(i.element(b, at, k), y)
			i.compare(Imm(predicate), y, x, m)
			i.compare(Imm(3), x, x, nan) // UNORD
			VORPS(nan, m, m)
			i.choose(m, x, y, y)
			i.load(y, i.element(out, at, k))
		}
	})
	VZEROUPPER()
	RET()
}

func (i *instructions) sqrt() {
	name := "Sqrt" + i.suffix
	TEXT(name, NOSPLIT, i.signature("out, a"))
	Pragma("noescape")
	Doc(name + " computes n elements, a multiple of a vector.")
	out, a, n := Load(Param("out"), GP64()), Load(Param("a"), GP64()), Load(Param("n"), GP64())
	i.loop(n, name, 2, func(vectors int, at reg.Register) {
		for k := range vectors {
			v := YMM()
			i.root(i.element(a, at, k), v)
			i.load(v, i.element(out, at, k))
		}
	})
	VZEROUPPER()
	RET()
}

// zeros returns registers that are 0.
func zeros(n int) []reg.VecVirtual {
	list := make([]reg.VecVirtual, n)
	for k := range list {
		list[k] = cleared(YMM())
	}
	return list
}

// cleared sets a register to 0. AVX512F has no VXORPS.
func cleared(v reg.VecVirtual) reg.VecVirtual {
	if v.Size() == 64 {
		VPXORD(v, v, v)
	} else {
		VXORPS(v, v, v)
	}
	return v
}

// A shape is the size of a tile of a product of matrices: rows of some vectors.
type shape struct {
	name          string
	rows, vectors int
	vector        func() reg.VecVirtual
	bytes         int // of a vector
}

// The tile of AVX2 has as many sums as there are registers for them. Those of AVX-512 have a number of rows that most sizes are multiples of;
// tall ones are for what large ones leave of a row. Short ones are for the last rows of a product.
var shapes = []shape{{"Tile", 6, 2, YMM, 32}, {"ShortTile", 4, 2, YMM, 32}, {"TallTile", 8, 1, ZMM, 64}, {"LargeTile", 8, 2, ZMM, 64}}

// tile writes the function that multiplies packed rows and columns for a tile.
func (i *instructions) tile(t shape) {
	const strip, turns = 64, 4
	name, width := t.name+i.suffix, t.vectors*t.bytes
	TEXT(name, NOSPLIT, i.signature("c, a, b", "stride", "add"))
	Pragma("noescape")
	Doc(fmt.Sprintf("%s multiplies n packed columns of %d elements and n rows of %d bytes, packed in strips of 64, and adds the product", name, t.rows, width),
		fmt.Sprintf("to %d rows of c, which are stride bytes apart, or stores it there if add is 0.", t.rows))
	c, stride := Load(Param("c"), GP64()), Load(Param("stride"), GP64())
	a, b, n := Load(Param("a"), GP64()), Load(Param("b"), GP64()), Load(Param("n"), GP64())
	// The vectors of a line. The second one of a large tile is of the next strip, which begins where the first one ends.
	from := []Mem{{Base: b}, {Base: b, Disp: t.bytes}}
	if width > strip {
		next := GP64()
		MOVQ(n, next)
		SHLQ(Imm(6), next)
		from[1] = Mem{Base: b, Index: next, Scale: 1}
	}
	sums := make([][]reg.VecVirtual, t.rows)
	for r := range sums {
		for range t.vectors {
			sums[r] = append(sums[r], cleared(t.vector()))
		}
	}
	step := func(k int) {
		line := make([]reg.VecVirtual, t.vectors)
		for v := range line {
			line[v] = t.vector()
			i.load(from[v].Offset(strip*k), line[v])
		}
		for r := range sums {
			f := t.vector()
			i.broadcast(Mem{Base: a, Disp: (k*t.rows + r) * i.size}, f)
			for v := range line {
				i.fma(line[v], f, sums[r][v])
			}
		}
	}
	advance := func(k int) {
		ADDQ(U32(k*t.rows*i.size), a)
		ADDQ(U32(strip*k), b)
	}
	// The rows of c are in many pages, so nothing but this loads them early.
	ahead := GP64()
	MOVQ(c, ahead)
	for range t.rows {
		for at := 0; at < width; at += 64 {
			PREFETCHT0(Mem{Base: ahead, Disp: at})
		}
		ADDQ(stride, ahead)
	}
	SUBQ(Imm(turns), n)
	JL(LabelRef(name + "_few"))
	Label(name + "_many")
	for k := range turns {
		step(k)
	}
	advance(turns)
	SUBQ(Imm(turns), n)
	JGE(LabelRef(name + "_many"))
	Label(name + "_few")
	ADDQ(Imm(turns), n)
	JE(LabelRef(name + "_end"))
	Label(name + "_one")
	step(0)
	advance(1)
	DECQ(n)
	JNE(LabelRef(name + "_one"))
	Label(name + "_end")
	Load(Param("add"), n)
	TESTQ(n, n)
	JE(LabelRef(name + "_store"))
	line := GP64()
	MOVQ(c, line)
	for _, row := range sums {
		for v, sum := range row {
			i.add(Mem{Base: line, Disp: v * t.bytes}, sum, sum)
		}
		ADDQ(stride, line)
	}
	Label(name + "_store")
	for _, row := range sums {
		for v, sum := range row {
			i.load(sum, Mem{Base: c, Disp: v * t.bytes})
		}
		ADDQ(stride, c)
	}
	VZEROUPPER()
	RET()
}

// dotRows stores the products of rows and a vector, of four rows at a time: so each vector of x is loaded once for all of them. The sum of a row
// is added in the same order whether it is one of four or not.
func (i *instructions) dotRows() {
	name := "DotRows" + i.suffix
	TEXT(name, NOSPLIT, i.signature("out, a, x", "stride", "rows"))
	Pragma("noescape")
	Doc(name+" stores the products of x and rows of n elements, a multiple of a vector, that are stride bytes apart. There is at least one", "row.")
	out, a, x := Load(Param("out"), GP64()), Load(Param("a"), GP64()), Load(Param("x"), GP64())
	stride, rows, n := Load(Param("stride"), GP64()), Load(Param("rows"), GP64()), Load(Param("n"), GP64())
	bases := []reg.Register{a, GP64(), GP64(), GP64()}
	SUBQ(Imm(4), rows)
	JL(LabelRef(name + "_few"))
	Label(name + "_four")
	for k := 1; k < 4; k++ {
		LEAQ(Mem{Base: bases[k-1], Index: stride, Scale: 1}, bases[k])
	}
	sums := i.dotsOf(name+"_of_four", bases, x, n)
	if i.size == 4 {
		VHADDPS(sums[1], sums[0], sums[0])
		VHADDPS(sums[3], sums[2], sums[2])
		VHADDPS(sums[2], sums[0], sums[0])
		VMOVUPS(i.halves(sums[0]), Mem{Base: out})
	} else {
		VHADDPD(sums[1], sums[0], sums[0])
		VHADDPD(sums[3], sums[2], sums[2])
		VMOVUPD(i.halves(sums[0]), Mem{Base: out})
		VMOVUPD(i.halves(sums[2]), Mem{Base: out, Disp: 16})
	}
	ADDQ(Imm(uint64(4*i.size)), out)
	LEAQ(Mem{Base: bases[3], Index: stride, Scale: 1}, a)
	SUBQ(Imm(4), rows)
	JGE(LabelRef(name + "_four"))
	Label(name + "_few")
	ADDQ(Imm(4), rows)
	JE(LabelRef(name + "_end"))
	Label(name + "_row")
	sum := i.dotsOf(name+"_of_one", bases[:1], x, n)[0]
	if i.size == 4 {
		VHADDPS(sum, sum, sum)
		VHADDPS(sum, sum, sum)
		VMOVSS(i.halves(sum), Mem{Base: out})
	} else {
		VHADDPD(sum, sum, sum)
		VMOVSD(i.halves(sum), Mem{Base: out})
	}
	ADDQ(Imm(uint64(i.size)), out)
	ADDQ(stride, a)
	DECQ(rows)
	JNE(LabelRef(name + "_row"))
	Label(name + "_end")
	VZEROUPPER()
	RET()
}

// dotsOf writes the loop over the elements of some rows and returns the sums, of which a vector has parts.
func (i *instructions) dotsOf(name string, bases []reg.Register, x, n reg.Register) []reg.VecVirtual {
	even, odd := zeros(len(bases)), zeros(len(bases))
	i.loop(n, name, 2, func(vectors int, at reg.Register) {
		for k := range vectors {
			v := YMM()
			i.load(i.element(x, at, k), v)
			for r, base := range bases {
				i.fma(i.element(base, at, k), v, [][]reg.VecVirtual{even, odd}[k][r])
			}
		}
	})
	for r := range bases {
		i.add(odd[r], even[r], even[r])
	}
	return even
}

// halves adds the two halves of a vector.
func (i *instructions) halves(v reg.VecVirtual) reg.Register {
	high := XMM()
	VEXTRACTF128(Imm(1), v, high)
	i.add(high, v.AsX(), high)
	return high
}

// addRows adds multiples of rows, of which it takes so many vectors.
func (i *instructions) addRows(name string, vectors int) {
	name += i.suffix
	TEXT(name, NOSPLIT, i.signature("out, a, x", "stride"))
	Pragma("noescape")
	Doc(fmt.Sprintf("%s adds to %d elements of out those of n rows, which are stride bytes apart, each times an element of x. There is at least one", name, vectors*i.lanes()), "row.")
	out, a, x := Load(Param("out"), GP64()), Load(Param("a"), GP64()), Load(Param("x"), GP64())
	stride, n := Load(Param("stride"), GP64()), Load(Param("n"), GP64())
	sums := make([]reg.VecVirtual, vectors)
	for k := range sums {
		sums[k] = YMM()
		i.load(Mem{Base: out, Disp: 32 * k}, sums[k])
	}
	f := YMM()
	Label(name + "_row")
	i.broadcast(Mem{Base: x}, f)
	for k := range sums {
		i.fma(Mem{Base: a, Disp: 32 * k}, f, sums[k])
	}
	ADDQ(Imm(uint64(i.size)), x)
	ADDQ(stride, a)
	DECQ(n)
	JNE(LabelRef(name + "_row"))
	for k := range sums {
		i.load(sums[k], Mem{Base: out, Disp: 32 * k})
	}
	VZEROUPPER()
	RET()
}

// sum32 stores four partial sums, in float64, of float32s.
func sum32() {
	const name = "sum32"
	TEXT(name, NOSPLIT, "func(out *float64, a *float32, n int)")
	Pragma("noescape")
	Doc(name + " stores 4 partial sums of n float32s, a multiple of 8, as float64s.")
	out, a, n := Load(Param("out"), GP64()), Load(Param("a"), GP64()), Load(Param("n"), GP64())
	storeSum(out, partialSums32(a, n, name))
}

// partialSums32 adds n float32s, as float64s.
func partialSums32(a, n reg.Register, name string) []reg.VecVirtual {
	sums := zeros(4)
	single.loop(n, name, 2, func(vectors int, at reg.Register) {
		for k := range vectors {
			for h := range 2 {
				v := YMM()
				VCVTPS2PD(Mem{Base: a, Index: at, Scale: 4, Disp: k*32 + h*16}, v)
				VADDPD(v, sums[2*k+h], sums[2*k+h])
			}
		}
	})
	joinSums(sums)
	return sums
}

// sumRows32 adds the sums of rows to float64s, each of which is Sum's of that row.
func sumRows32() {
	const name = "SumRows32"
	TEXT(name, NOSPLIT, "func(out *float64, a *float32, rows, n int)")
	Pragma("noescape")
	Doc(name + " adds the sum of each row of n float32s, a multiple of 8, to a float64. There is at least one row.")
	out, a := Load(Param("out"), GP64()), Load(Param("a"), GP64())
	rows, n := Load(Param("rows"), GP64()), Load(Param("n"), GP64())
	Label(name + "_row")
	sums := partialSums32(a, n, name)
	high := XMM()
	VHADDPD(sums[0], sums[0], sums[0])
	VEXTRACTF128(Imm(1), sums[0], high)
	VADDSD(high, sums[0].AsX(), high)
	VADDSD(Mem{Base: out}, high, high)
	VMOVSD(high, Mem{Base: out})
	LEAQ(Mem{Base: a, Index: n, Scale: 4}, a)
	ADDQ(Imm(8), out)
	DECQ(rows)
	JNE(LabelRef(name + "_row"))
	VZEROUPPER()
	RET()
}

func sum64() {
	const name = "sum64"
	TEXT(name, NOSPLIT, double.signature("out, a"))
	Pragma("noescape")
	Doc(name + " stores 4 partial sums of n float64s, a multiple of 4.")
	out, a, n := Load(Param("out"), GP64()), Load(Param("a"), GP64()), Load(Param("n"), GP64())
	sums := zeros(4)
	double.loop(n, name, 4, func(vectors int, at reg.Register) {
		for k := range vectors {
			VADDPD(double.element(a, at, k), sums[k], sums[k])
		}
	})
	joinSums(sums)
	storeSum(out, sums)
}

// joinSums adds all to the first one.
func joinSums(sums []reg.VecVirtual) {
	VADDPD(sums[1], sums[0], sums[0])
	VADDPD(sums[3], sums[2], sums[2])
	VADDPD(sums[2], sums[0], sums[0])
}

func storeSum(out reg.Register, sums []reg.VecVirtual) {
	VMOVUPD(sums[0], Mem{Base: out})
	VZEROUPPER()
	RET()
}

// highest stores the extremes of each lane, and which lanes have met something that is no number.
func (i *instructions) highest(name string, op func(...Op)) {
	name += i.suffix
	TEXT(name, NOSPLIT, i.signature("out, a"))
	Pragma("noescape")
	Doc(fmt.Sprintf("%s stores the extreme of each lane of n numbers, a multiple of %d and at least that, and a mask of the lanes with one that is", name, i.lanes()), "no number.")
	out, a, n := Load(Param("out"), GP64()), Load(Param("a"), GP64()), Load(Param("n"), GP64())
	best := [2]reg.VecVirtual{YMM(), YMM()}
	nans := zeros(2)
	i.load(Mem{Base: a}, best[0])
	i.load(Mem{Base: a}, best[1])
	i.loop(n, name, 2, func(vectors int, at reg.Register) {
		for k := range vectors {
			v, m := YMM(), YMM()
			i.load(i.element(a, at, k), v)
			op(v, best[k], best[k])
			i.compare(Imm(3), v, v, m)
			VORPS(m, nans[k], nans[k])
		}
	})
	op(best[1], best[0], best[0])
	VORPS(nans[1], nans[0], nans[0])
	i.load(best[0], Mem{Base: out})
	i.load(nans[0], Mem{Base: out, Disp: 32})
	VZEROUPPER()
	RET()
}

// addWide32 adds float32s to float64s.
func addWide32() {
	const name = "AddWide32"
	TEXT(name, NOSPLIT, "func(out *float64, a *float32, n int)")
	Pragma("noescape")
	Doc(name + " adds n float32s, a multiple of 8, to float64s.")
	out, a, n := Load(Param("out"), GP64()), Load(Param("a"), GP64()), Load(Param("n"), GP64())
	single.loop(n, name, 2, func(vectors int, at reg.Register) {
		for k := range vectors {
			for h := range 2 {
				v := YMM()
				VCVTPS2PD(Mem{Base: a, Index: at, Scale: 4, Disp: k*32 + h*16}, v)
				VADDPD(Mem{Base: out, Index: at, Scale: 8, Disp: k*64 + h*32}, v, v)
				VMOVUPD(v, Mem{Base: out, Index: at, Scale: 8, Disp: k*64 + h*32})
			}
		}
	})
	VZEROUPPER()
	RET()
}

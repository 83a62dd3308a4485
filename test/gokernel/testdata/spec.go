// Functions of numbers with constructs of the Go specification. TestFunctions compares them as plain Go with those on the device.
package main

type (
	S struct {
		a, b int
		v    [4]int
	}
	U struct {
		a, b int
		v    [4]int
	}
)

func after(s *int, k int) int { *s = *s*10 + k; return *s }
func mark(s *int, k int) int  { *s = *s*10 + k; return k & 3 }
func setOrder(a int32) int {
	s := 0
	var x [4]int
	x[mark(&s, 1)] = after(&s, 2)
	return s*1000 + x[1]
}

func opOrder(a int32) int {
	s := 0
	var x [4]int
	x[mark(&s, 1)] += after(&s, 2)
	return s*1000 + x[1]
}

func structConv(a int32) int {
	s := S{int(a), 2, [4]int{1, 2, 3, 4}}
	u := U(s)
	w := struct {
		a, b int
		v    [4]int
	}(u)
	return u.a + w.b*3 + u.v[2]
}

func assignStruct(a int32) int {
	var u struct {
		a, b int
		v    [4]int
	}
	u = S{int(a), 2, [4]int{1, 2, 3, 4}}
	return u.a + u.b
}
func methodExpr(a int32) int { h := S2(a); return S.sum(S{int(a), 2, [4]int{}}) + (*S).inc(&h.s) }

type holder struct{ s S }

func S2(a int32) holder      { return holder{} }
func (s S) sum() int         { return s.a + s.b }
func (s *S) inc() int        { s.a++; return s.a }
func two(a int32) (int, int) { return int(a), 7 }
func add2(a, b int) int      { return a*3 + b }
func spread(a int32) int     { return add2(two(a)) }
func rangeAssign(a int32) int {
	var x [3]int
	var i int
	for i, x[i] = range [...]int{4, 5, 6} {
	}
	h := i
	for _, v := range &x {
		h = h*10 + v
	}
	for i = range x {
	}
	return h*10 + i + len(&x)
}

func ptrRange(a int32) int {
	x := [4]int{1, 2, 3, 4}
	p := &x
	h := 0
	for i, v := range p {
		p[3] = 9
		h = h*10 + v + i
	}
	for i := range p {
		h += i
	}
	return h + len(p) + cap(x)
}

func sliceOfPtr(a int32) int {
	x := [4]int{1, 2, 3, 4}
	p := &x
	y := p[1:3]
	y[0] = 8
	return x[1] + len(y)
}

func sliceToArray(a int32) int {
	x := [4]int{1, 2, 3, 4}
	y := x[:]
	z := [2]int(y[1:])
	z[0] = 5
	return z[0] + z[1] + x[1]
}

func closureMulti(a int32) int {
	f := func(b int) (int, int) { return b + 1, b + 2 }
	x, y := f(int(a))
	return x*10 + y
}

func passNamed(a int32) int {
	return apply(double, int(a)) + apply(func(b int) int { return b + int(a) }, 3)
}
func double(a int) int                 { return 2 * a }
func apply(f func(int) int, v int) int { return f(f(v)) }
func passVar(a int32) int {
	g := func(b int) int { return b * int(a) }
	return apply(g, 4) + explicit[int](3) + explicit2[int, int8](5, 6)
}
func explicit[T int | int8](v T) T          { return v + 1 }
func explicit2[T, V int | int8](v T, w V) T { return v + T(w) }
func untypedShift(a uint8) float64 {
	var f float64 = float64(uint32(1) << (a & 31))
	var i int64 = 1 << (a & 31)
	return f + float64(i)
}

func constIf(a int32) int {
	const debug = false
	const on = true
	if debug {
		return 1
	} else {
		a++
	}
	if on {
		a += 2
	}
	return int(a)
}
func minInt(a int32) int32    { const m int32 = -1 << 31; return a &^ m }
func pointerNil(a int32) bool { x := 3; p := &x; q := &x; return p == q && p != nil }
func cmpArrays(a int32) bool {
	x := [3]int32{1, a, 3}
	y := [3]int32{1, 2, 3}
	return x == y || x != [3]int32{}
}

func localTypes(a int32) int {
	type t struct{ a int }
	v := t{int(a)}
	{
		type t struct{ b int32 }
		w := t{3}
		return v.a + int(w.b)
	}
}

func switchTrue(a int32) int {
	switch true {
	case a > 3:
		return 1
	case a < -3:
		return 2
	}
	switch a := a; {
	case a == 0:
		return 4
	}
	return 3
}

func copyOverlap(a int32) int {
	x := [6]int{1, 2, 3, 4, 5, 6}
	copy(x[1:], x[:5])
	h := 0
	for _, v := range x {
		h = h*10 + v
	}
	copy(x[:5], x[1:])
	for _, v := range x {
		h = h*10 + v
	}
	return h
}

func copyText(a int32) int {
	var x [6]byte
	n := copy(x[:], "hello")
	return n + int(x[1]) + len("abc") + int("xyz"[a&1])
}

func strange(a int32) int { a_b, int_, long, class := 1, 2, 3, 4; return a_b + int_ + long + class }
func shadow(a int32) int  { len := func(x int) int { return x + 1 }; true := 5; return len(true) }
func compl(a int32) int   { x := [...]int{5: 2, 1, 0: 7}; return x[6] + x[0] + len(x) }
func nestedComp(a int32) int {
	x := [...][2]int{{1, 2}, {3, int(a)}}
	y := [...]S{{1, 2, [4]int{}}, {a: 3}}
	return x[1][1] + y[1].a
}
func ptrComp(a int32) int {
	x := [2]*int{}
	if x[0] == nil {
		return 1
	}
	return 2
}
func namedClosure(a int32) int {
	f := func(b int) (r int) {
		r = b
		if b > 2 {
			return
		}
		return r + 100
	}
	return f(int(a)) + f(1)
}

func swapFields(a int32) int {
	s := S{1, 2, [4]int{1, 2, 3, 4}}
	s.a, s.b = s.b, s.a
	s.v[0], s.v[s.a] = s.v[s.a], s.v[0]
	i := 0
	i, s.v[i] = 2, 77
	return s.a*10 + s.b + s.v[0]*100 + s.v[2] + i
}

type emb struct {
	*S
	k int
}

func embedded(a int32) int {
	s := S{a: 1}
	e := emb{&s, 3}
	e.inc()
	e.a += 5
	return s.a + e.sum() + e.k
}
func iifeMulti(a int32) int {
	x := func() int {
		if a > 0 {
			return 3
		}
		return 4
	}()
	return x
}
func gotoBack(a int32) int {
	i := 0
loop:
	if i < 5 {
		v := i * 2
		i += 1 + v/100
		goto loop
	}
	return i
}

func labelBlock(a int32) int {
	h := 0
L:
	for {
		h++
		if a > 0 {
			break L
		}
		h += 10
		break
	}
S:
	switch {
	case a > 1:
		for {
			h += 100
			break S
		}
	}
	return h
}

func rangeFuncLit(a int32) int {
	h := 0
	for i := range int8(5) {
		func() {
			h += int(i)
			if h > 3 {
				return
			}
			h++
		}()
	}
	return h
}
func bigConst(a int32) uint64 { const big = 1 << 100; return uint64(big>>60) + uint64(a) }
func runes(a int32) int32     { r := 'x'; r += a; return r }
func compare(a, b float64) int {
	if !(a < b) {
		return 1
	}
	if a != a {
		return 2
	}
	return 3
}
func negZero(a float64) float64 { z := 0.0; return 1 / (-z * a) }
func three(a int32) int {
	if x, y := two(a); x > y {
		return x
	} else if z := y - x; z > 4 {
		return z
	} else {
		return x + z
	}
}

func panicNumber(a int32) int32 {
	if a < 0 {
		panic(7)
	}
	return a
}
func lengthOfCall(a int32) int {
	s := 0
	n := len(arrayAfter(&s))
	for i := range arrayAfter(&s) {
		n += i
	}
	return n*1000 + s
}
func arrayAfter(s *int) [3]int { after(s, 4); return [3]int{} }
func arrayPointer(a int32) int {
	x := [5]int{1, 2, 3, 4, 5}
	p := (*[3]int)(x[2:])
	p[0] = int(a)
	return x[2] + len(p) + [2]int(x[:])[1]
}
func tooShort(a uint8) int { x := [4]int{1, 2, 3, 4}; return [2]int(x[a&3:])[0] }

type operation func(int) int

func namedFunction(a int32) int {
	var f operation = func(b int) int { return b + int(a) }
	return f(3)
}

func unnamedArgument(a int32) int {
	return identity(struct {
		b, c int
	}{int(a), 4}).b + len(identity([2][]int{}))
}

func identity[T any](v T) T { return v }

// Functions of numbers that use what is easily translated wrongly. TestFunctions compares them as plain Go with those on the device.
package main

import "math"

type cell struct {
	class, new int32
	float      float32
	grid       [2][3]int16
}

func (c *cell) bump(by int32) int32 { c.class += by; c.new++; return c.class }
func (c cell) total() int32         { return c.class + c.new + int32(c.grid[1][2]) }

type wrapper struct {
	*cell
	inner cell
	n     int
}

type stack[T any] struct {
	items [8]T
	n     int
}

func (s *stack[T]) push(v T) { s.items[s.n] = v; s.n++ }
func (s *stack[T]) pop() T   { s.n--; return s.items[s.n] }

const (
	red = iota + 3
	green
	blue uint8 = 'b'
)

func keywords(int32 int, auto, register int) int {
	new, class, this, namespace := auto+1, register*2, int32-3, 0
	for float := range 3 {
		namespace += float * new
	}
	template := func(delete int) int { return delete + class }
	return new + class*this + namespace + template(auto) + red*green + int(blue)
}

func shadows(x, y int32) int32 {
	if x := x + 1; x > y {
		x := x * 2
		y := y - x
		{
			x, z := y+x, x
			y += x - z
		}
		return x + y
	} else if y := x - 3; y > 0 {
		return y
	}
	x, z := y, x
	return x - z
}

func structs(a int32, b int16) int32 {
	c := cell{class: a, grid: [2][3]int16{{1, 2, 3}, {2: b}}}
	d := c
	d.bump(2)
	w := wrapper{cell: &d, inner: c}
	w.bump(3)
	w.inner.bump(5)
	w.cell.grid[0] = c.grid[1]
	list := [3]cell{1: c}
	list[2].bump(a)
	p := &list[1]
	p.bump(7)
	same := int32(0)
	if c == list[0] || w.inner != c {
		same = 100
	}
	if d.grid == c.grid {
		same += 1000
	}
	q := &w
	q.n = int(q.total())
	return c.total() + d.total()*3 + w.inner.total()*5 + list[2].class*7 + list[1].total() + same + int32(q.n) + w.class
}

func stacks(a int32, b uint8) int32 {
	var s stack[int32]
	s.push(a)
	s.push(a ^ 5)
	s.push(s.pop() + s.pop()*2)
	var t stack[uint8]
	t.push(b)
	t.push(b + 200)
	s.push(int32(t.pop()) - int32(t.pop()))
	return s.pop()*3 + s.pop()
}

func shifts(n uint8, a int32, b uint64) uint64 {
	x := 1 << (n & 31)
	y := b + 1<<(n&7)
	z := uint8(1 << (n & 7))
	var f float64 = 1 << 4
	w := int64(a)<<n | int64(a)>>n
	a <<= n
	b >>= n & 63
	return uint64(x) + y + uint64(z) + uint64(f) + uint64(w) + uint64(a) + b + uint64(int8(a)>>1) + (1<<63)>>n
}

func once(a int32) int32 {
	var list [4]int32
	calls := int32(0)
	next := func() int32 { calls++; return calls & 3 }
	list[next()]++
	list[next()] += a
	list[next()], list[next()] = a, next()
	list[0], list[1], calls = list[1]+1, list[0]-1, calls*10
	for i, v := range list {
		list[(i+1)&3] += v
	}
	copied := list
	copied[0] = 99
	return list[0] + list[1]*3 + list[2]*5 + list[3]*7 + calls + change(list) + list[2]
}

func change(list [4]int32) int32 { list[2] = 1000; return list[2] }

func slices(a int, b int16) int {
	var buffer [10]int16
	s := buffer[:]
	t := s[2:7]
	for i := range t {
		t[i] = b + int16(i)
	}
	n := copy(s[3:], t)
	n += copy(s, s[1:5]) * 10
	u := t[1:][1:3]
	u[0], u[1] = u[1], u[0]
	clear(s[8:])
	s = s[1:]
	sum := 0
	for i, v := range s {
		sum = sum*3 + int(v)*(i+1)
	}
	return sum + n + len(u)*a + len(s[2:]) + len(buffer) + len(&buffer)
}

func control(a, b int32) int32 {
	h := int32(0)
	i := int32(0)
	if a <= 3 {
		h += 7
	}
loop:
	if i < 4 {
		i++
		h += i * b
		goto loop
	}
	switch c := a & 7; {
	case c == 1, c == 2:
		h++
		fallthrough
	default:
		h += 10
		fallthrough
	case c > 5:
		h += 100
	case c == 4:
		switch b & 3 {
		case 0:
			break
		case 1:
			return h
		default:
			h *= 2
		}
		h -= 3
	}
rows:
	for r := range int32(5) {
		for c := int32(0); c < 5; c++ {
			switch r * c {
			case 4:
				continue rows
			case 6:
				break rows
			case 3:
				continue
			}
			h += r ^ c
		}
		h *= 3
	}
	for i := a & 3; ; i++ {
		if i > 5 {
			break
		}
		defer1 := i * 2
		h += defer1
	}
	return h
}

func results(a, b int32) int32 {
	pair := func(x int32) int32 { return x - b }
	q, r := split(a)
	q, s := split(q + pair(r))
	_, t := both(s)
	var u, v = 3, 2.5
	var (
		w    int16 = -7
		x, y       = w / 2, w % 4
	)
	return q*3 + r*5 + s*7 + t + int32(u) + int32(v*2) + int32(x) - int32(y)
}

func split(a int32) (high, low int32) {
	low = a & 15
	if a < 0 {
		return -1, low
	}
	high = a >> 4
	return
}

func both(a int32) (int32, int32) { return split(a + 1) }

func floats(a, b float64, c float32) float64 {
	zero := 0.0
	x := -zero
	m := math.Mod(a, 7) + float64(c)/3 + float64(float32(1)/3)
	if a < b || !(b < a) && c != c || a == b {
		m += 2
	}
	y := float64(a*b) - float64(b*a)
	if math.IsNaN(y) {
		y = 5
	}
	return m + math.Copysign(1, x) + y + math.Trunc(float64(c)) + max(2, float64(c), 1) + min(a, 3)
}

func logic(a, b int32) bool {
	calls := int32(0)
	count := func(v bool) bool { calls++; return v }
	x := count(a > 0) && count(b > 0) || count(a < b) && !count(a == b)
	y := a > 1 != (b > 1)
	for i := int32(0); count(i < 3) && count(i != b); i++ {
		calls += 10
	}
	return x == y || calls&1 == 0 && calls > 20
}

func wraps(a int8, b uint16) int {
	n := 0
	for i := a; i > 0; i++ {
		n++
	}
	for j := b; j != 0 && n < 1000; j -= 257 {
		n++
	}
	c := a
	c *= c
	c /= 3
	c--
	d := b * b / 7
	return n + int(c) + int(d) + int(-a) + int(^b) + int(a%7) + int(a/-1) + int(uint8(a)>>3)
}

func shorts(a, b int16) int64 {
	zero := b ^ b
	c, d, e := zero-a, ^a+1, a*(zero-1)
	f := int16(-(^(int32(b))))
	g := int16(0 - int64(a))
	return int64(c) + 3*int64(d) + 5*int64(e) + 7*int64(f) + 11*int64(g) + 13*int64(-b) + 17*int64((b-b)-(b^a))
}

type measured interface{ measure(scale int32) int32 }

type square struct{ side int32 }

func (s square) measure(scale int32) int32 { return s.side * s.side * scale }

type tally struct{ count int32 }

func (c *tally) measure(scale int32) int32 { c.count += scale; return c.count }

// framed has the method of the square in it.
type framed struct {
	width int32
	square
}

func measureTwice[T measured](v T, scale int32) int32 { return v.measure(scale) - v.measure(scale+1) }

func measurePointer[T any, P interface {
	*T
	measured
}](v *T, scale int32) int32 {
	return P(v).measure(scale) + P(v).measure(1)
}

func measureByName[T measured](v T, scale int32) int32 { return T.measure(v, scale) }

func constrainedMethods(a, b int32) int32 {
	c := tally{a}
	sum := measureTwice(square{a}, b) + measureTwice(framed{a, square{b}}, a)*3
	sum += measureTwice(&c, b) * 5
	sum += measurePointer(&c, b) * 7
	return sum + measureByName(square{b}, a)*11 + c.count
}

package gokernel

import "github.com/gopherwarp/gopherwarp/gpu"

// All statements: each kernel folds what it does to one number for a thread.

//gpu:kernel
func loops(in []int32, out []int) {
	i := gpu.GlobalID()
	if i >= len(out) {
		return
	}
	h := 0
	for j := range 5 {
		j := j * 2
		h += j
	}
	for j := range in {
		if j > 7 {
			break
		}
		h = h*3 + j
	}
	for j, v := range in[:4] {
		if v%2 == 0 {
			continue
		}
		h += j * int(v)
	}
	table := [...]int{3, 1, 4, 1, 5}
	for j, v := range table {
		table[4-j] = 9 // the loop has a copy
		h = h*5 + v
	}
	for j := range table {
		h += table[j]
	}
	for range 3 {
		h++
	}
	out[i] = h
}

//gpu:kernel
func moreLoops(in []int32, out []int) {
	i := gpu.GlobalID()
	if i >= len(out) {
		return
	}
	h := 0
	n := int(in[i])
	for n > 0 {
		n /= 2
		h += n
	}
	for j, k := 0, 10; j < k; j, k = j+1, k-2 {
		h = h*7 + j*k
	}
outer:
	for a := 0; a < 6; a++ {
		for b := 0; ; b++ {
			switch {
			case b > a:
				continue outer
			case a*b > 12:
				break outer
			case b == 2:
				//lint:ignore SA4011 it leaves the switch only, as Go says
				break
			default:
				h += a ^ b
			}
			h++
		}
	}
	for j := uint8(250); j >= 250; j++ { // ends by overflow
		h += int(j)
	}
	for j := range 3 {
		j += 5 // the loop is not changed
		h += j
	}
	k := 0
again:
	k++
	if k < 4 {
		goto again
	}
	{
		k := k + 1
		h += k
	}
	for cond := true; cond && less(k, 10); k++ {
		cond = k != 8
		h += k
	}
	out[i] = h + k
}

func less(a, b int) bool { return a < b }

//gpu:kernel
func switches(in []int32, out []int) {
	i := gpu.GlobalID()
	if i >= len(out) {
		return
	}
	h := 0
	switch v := in[i] % 7; v {
	case 0:
		h = 10
	case 1, 2:
		h = 20
		fallthrough
	case 3:
		h += 5
	case 4:
		if i%2 == 0 {
			break
		}
		h = 40
	default:
		h = 99
	}
	switch {
	case in[i] > 50 && i > 3:
		h *= 2
	case in[i] > 20:
		h *= 3
	}
	switch x := i; x {
	}
	switch {
	default:
		h++
	case less(h, 3):
		h--
	}
	if v := in[i]; v > 90 {
		h += 1000
	} else if w := v * 2; w > 100 {
		h += 2000 + int(w)
	} else {
		h -= int(w)
	}
	out[i] = h
}

// A vector is a struct with methods.
type vector struct{ X, Y, Z float32 }

func (v vector) add(w vector) vector       { return vector{v.X + w.X, v.Y + w.Y, v.Z + w.Z} }
func (v vector) dot(w vector) float32      { return v.X*w.X + v.Y*w.Y + v.Z*w.Z }
func (v *vector) scale(f float32)          { v.X *= f; v.Y *= f; v.Z *= f }
func divide(a, b int) (quotient, rest int) { return a / b, a % b }

func named(a int) (x, y int, ok bool) {
	x = a * 2
	if a > 5 {
		y, ok = x+1, true
		return
	}
	return a, a, false
}

type body struct {
	vector
	mass  float32
	trail [3]vector
	count int32
}

type pair[A, B any] struct {
	First  A
	Second B
}

func (p pair[A, B]) swapped() pair[B, A] { return pair[B, A]{p.Second, p.First} }

func largest[T int32 | float32](list []T, least T) T {
	for _, v := range list {
		if v > least {
			least = v
		}
	}
	return least
}

//gpu:kernel
func values(in []int32, out []float32) {
	i := gpu.GlobalID()
	if i >= len(out) {
		return
	}
	v := vector{1, float32(in[i]), 3}
	w := vector{Z: 2, X: float32(i)}
	p := &v
	p.scale(2)
	v.scale(0.5)
	p.X++
	s := v.add(w).add(vector{})
	b := body{vector: s, mass: 2}
	b.trail[1] = v
	b.trail[i%3].Y += 4
	b.scale(b.mass)
	b.count += in[i]
	c := b
	c.X = 100
	c.trail[0].Z = 8
	equal := float32(0)
	if b.vector == c.vector {
		equal = 1
	}
	if b.trail != c.trail {
		equal += 2
	}
	q, r := divide(int(in[i]), 7)
	x, y, ok := named(q)
	if ok {
		r += x + y
	}
	_, z, _ := named(r)
	x, y = y, x
	list := [4]int32{1, 2: 30}
	list[i%4], list[(i+1)%4] = list[(i+1)%4], in[i]
	t := pair[int32, float32]{list[0], 2.5}.swapped()
	square := func(a float32) float32 { return a * a }
	count := 0
	bump := func() { count += 3 }
	bump()
	bump()
	parts := b.parts()
	m := largest(list[:], -5) + int32(largest(parts[:], 0))
	out[i] = s.dot(c.vector) + equal + float32(q+r+x+z-y) + t.First + float32(t.Second) + square(b.Y) + float32(count) + float32(m) + float32(b.count) +
		func(a float32) float32 { return a + 1 }(w.X)
}

func (b *body) parts() [3]float32 { return [3]float32{b.X, b.Y, b.Z} }

// Calls in one expression happen in the order of the text.
//
//gpu:kernel
func order(out []int) {
	i := gpu.GlobalID()
	if i >= len(out)/2 {
		return
	}
	state := out[2*i : 2*i+1]
	state[0] = 1
	a := next(state)*100 + next(state)*10 + next(state)
	if a > 0 && next(state) > 3 || next(state) > 100 {
		a += next(state)
	}
	out[2*i+1] = a
}

func next(state []int) int {
	state[0] += 2
	return state[0]
}

package nd

import (
	"slices"
	"strings"
)

// Einsum evaluates the Einstein summation convention: expr has a letter for each axis of each operand and, after an arrow, for each axis
// of the result. Axes with the same letter are multiplied, and summed over if the letter is not in the result. An ellipsis stands for any
// number of leading axes, as in NumPy.
//
//	nd.Einsum("ij,jk->ik", a, b)       // a product of matrices
//	nd.Einsum("...ij,...jk->...ik", a, b)
//	nd.Einsum("ii->i", a)              // the diagonal
//	nd.Einsum("i,j->ij", x, y)         // the outer product
//
// Without an arrow the result has the letters that occur once, in alphabetical order. Operands are contracted two at a time, from left to
// right: by MatMul, or by an expression where MatMul would multiply single numbers.
func Einsum[T Number](expr string, operands ...*Array[T]) *Array[T] {
	terms, result := parseEinsum(expr, operands)
	for i := range terms {
		terms[i] = terms[i].diagonals(expr)
	}
	lens := map[label]int{}
	for _, t := range terms {
		for i, l := range t.labels {
			switch n, m := lens[l], nodeOf(t.array).lay.shape[i]; {
			case n == 0 && !has(lens, l), n == 1:
				lens[l] = m
			case m != 1 && m != n:
				fail("Einsum", "in %q, %s is %d long in one operand and %d in another", expr, l, n, m)
			}
		}
	}
	for _, l := range result {
		if !has(lens, l) {
			fail("Einsum", "%q has %s in the result, but in no operand", expr, l)
		}
	}
	acc := terms[0]
	for i, t := range terms[1:] {
		needed := slices.Clone(result)
		for _, later := range terms[i+2:] {
			needed = append(needed, later.labels...)
		}
		acc = contract(acc, t, needed)
	}
	acc = acc.sumTo(result)
	order := make([]int, len(result))
	for i, l := range result {
		order[i] = slices.Index(acc.labels, l)
	}
	if len(order) < 2 {
		return acc.array
	}
	return acc.array.Transpose(order...)
}

// label names an axis: a letter, or a negative number for one that an ellipsis stands for, counted from the end.
type label rune

func (l label) String() string {
	if l < 0 {
		return "an axis of ..."
	}
	return string(l)
}

func has(lens map[label]int, l label) bool {
	_, ok := lens[l]
	return ok
}

// term is an operand with the names of its axes.
type term[T Number] struct {
	array  *Array[T]
	labels []label
}

func parseEinsum[T Number](expr string, operands []*Array[T]) (terms []term[T], result []label) {
	const op = "Einsum"
	left, right, arrow := strings.Cut(strings.ReplaceAll(expr, " ", ""), "->")
	parts := strings.Split(left, ",")
	if len(parts) != len(operands) {
		fail(op, "%q names %d operands, %d are given", expr, len(parts), len(operands))
	}
	dots := 0 // the largest number of axes that they stand for
	for i, part := range parts {
		rank := nodeOf(operands[i]).check(op).lay.rank()
		letters := len(strings.Replace(part, "...", "", 1))
		if open := rank - letters; strings.Contains(part, "...") && open >= 0 {
			dots = max(dots, open)
		} else if open != 0 {
			fail(op, "%q names %d axes of operand %d, which has shape %s", expr, letters, i, shapeString(nodeOf(operands[i]).lay.shape))
		}
		terms = append(terms, term[T]{operands[i], parseLabels(expr, part, rank-letters)})
	}
	if arrow {
		result = parseLabels(expr, right, dots)
		for i, l := range result {
			if slices.Contains(result[:i], l) {
				fail(op, "%q has %s twice in the result", expr, l)
			}
		}
		return terms, result
	}
	count := map[label]int{}
	for _, t := range terms {
		for _, l := range t.labels {
			count[l]++
		}
	}
	for l, n := range count {
		if n == 1 || l < 0 {
			result = append(result, l)
		}
	}
	slices.Sort(result) // axes of an ellipsis come first, in order
	return terms, result
}

func parseLabels(expr, part string, dots int) (list []label) {
	for part != "" {
		if rest, ok := strings.CutPrefix(part, "..."); ok {
			for i := range dots {
				list = append(list, label(i-dots))
			}
			part = rest
			continue
		}
		c := part[0]
		if !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z') {
			fail("Einsum", "%q has the character %q: axes are letters, as in \"ij,jk->ik\"", expr, c)
		}
		list, part = append(list, label(c)), part[1:]
	}
	return list
}

// diagonals returns the term with each label once: where a label occurs twice, the diagonal of both axes is taken.
func (t term[T]) diagonals(expr string) term[T] {
	var out term[T]
	var lens []int
	axes := make([]int, len(t.labels))
	for i, l := range t.labels {
		n := nodeOf(t.array).lay.shape[i]
		axes[i] = slices.Index(out.labels, l)
		if axes[i] < 0 {
			axes[i] = len(out.labels)
			out.labels, lens = append(out.labels, l), append(lens, n)
		} else if lens[axes[i]] != n {
			fail("Einsum", "in %q, %s is %d long and %d in the same operand", expr, l, lens[axes[i]], n)
		}
	}
	out.array = t.array
	if len(out.labels) < len(t.labels) {
		out.array = as[T](nodeOf(t.array).alongAxes(axes, len(out.labels)))
	}
	return out
}

// alongAxes returns a view with count axes, where axis i of the array is axis axes[i]: of two that are the same one, the diagonal. An axis
// that is none of the array's has length 1.
func (n *node) alongAxes(axes []int, count int) *node {
	n.computed()
	shape, strides := slices.Repeat([]int{1}, count), make([]int, count)
	for i, axis := range axes {
		shape[axis] = n.lay.shape[i]
		strides[axis] += n.lay.strides[i]
	}
	return n.viewWith(strided(shape, strides), 0).deriveChoice(n, func(n *node) *node { return n.alongAxes(axes, count) })
}

// sumTo returns the term with its labels that are in the list, summed over the others.
func (t term[T]) sumTo(keep []label) term[T] {
	var axes []int
	var labels []label
	for i, l := range t.labels {
		if slices.Contains(keep, l) {
			labels = append(labels, l)
		} else {
			axes = append(axes, i)
		}
	}
	if len(axes) == 0 {
		return t
	}
	return term[T]{t.array.Sum(axes...), labels}
}

// without drops the axes of length 1 that are longer in the other term: they are broadcast.
func (t term[T]) without(other term[T]) term[T] {
	for i := len(t.labels) - 1; i >= 0; i-- {
		at := slices.Index(other.labels, t.labels[i])
		if at >= 0 && nodeOf(t.array).lay.shape[i] == 1 && nodeOf(other.array).lay.shape[at] != 1 {
			t = term[T]{t.array.Squeeze(i), slices.Delete(slices.Clone(t.labels), i, i+1)}
		}
	}
	return t
}

// contract multiplies two terms and sums over the labels that are not needed.
func contract[T Number](a, b term[T], needed []label) term[T] {
	a, b = a.without(b), b.without(a)
	a, b = a.sumTo(append(slices.Clone(b.labels), needed...)), b.sumTo(append(slices.Clone(a.labels), needed...))
	var both, summed, left, right []label
	for _, l := range a.labels {
		switch {
		case !slices.Contains(b.labels, l):
			left = append(left, l)
		case slices.Contains(needed, l):
			both = append(both, l)
		default:
			summed = append(summed, l)
		}
	}
	for _, l := range b.labels {
		if !slices.Contains(a.labels, l) {
			right = append(right, l)
		}
	}
	if len(summed) == 0 || len(left)+len(right) == 0 {
		// Products of single numbers are one expression, together with their sum.
		labels := slices.Concat(both, left, right)
		out := a.spread(append(labels, summed...)).Mul(b.spread(append(labels, summed...)))
		if len(summed) > 0 {
			out = out.Sum(axesOf("Einsum", nil, nodeOf(out).lay.rank())[len(labels):]...)
		}
		return term[T]{out, labels}
	}
	x := a.grouped(both, left, summed)
	y := b.grouped(both, summed, right)
	shape := append(a.lens(both), append(a.lens(left), b.lens(right)...)...)
	out := MatMul(x, y).Reshape(shape...)
	return term[T]{out, slices.Concat(both, left, right)}
}

func (t term[T]) lens(labels []label) []int {
	list := make([]int, 0, len(labels))
	for _, l := range labels {
		list = append(list, nodeOf(t.array).lay.shape[slices.Index(t.labels, l)])
	}
	return list
}

// spread returns the array with those axes in that order; those that it does not have get length 1.
func (t term[T]) spread(labels []label) *Array[T] {
	axes := make([]int, len(t.labels))
	for i, l := range t.labels {
		axes[i] = slices.Index(labels, l)
	}
	return as[T](nodeOf(t.array).alongAxes(axes, len(labels)))
}

// grouped returns the array with the axes of three lists, each list merged into one axis.
func (t term[T]) grouped(lists ...[]label) *Array[T] {
	var order, shape []int
	for _, list := range lists {
		shape = append(shape, product(t.lens(list)))
		for _, l := range list {
			order = append(order, slices.Index(t.labels, l))
		}
	}
	a := t.array
	if len(order) > 1 {
		a = a.Transpose(order...)
	}
	return a.Reshape(shape...)
}

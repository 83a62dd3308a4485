package arrays

import "unsafe"

// fn computes n elements of an operation: one loop over the operands.
type fn func(out, a, b, c pointer, n int)

type pointer = unsafe.Pointer

func copied[T any](out, a, _, _ pointer, n int) { copy(elements[T](out, n), elements[T](a, n)) }

func add[T number](out, a, b, _ pointer, n int) {
	o, x, y := elements[T](out, n), elements[T](a, n), elements[T](b, n)
	for i := range o {
		o[i] = x[i] + y[i]
	}
}

func sub[T number](out, a, b, _ pointer, n int) {
	o, x, y := elements[T](out, n), elements[T](a, n), elements[T](b, n)
	for i := range o {
		o[i] = x[i] - y[i]
	}
}

func mul[T number](out, a, b, _ pointer, n int) {
	o, x, y := elements[T](out, n), elements[T](a, n), elements[T](b, n)
	for i := range o {
		o[i] = x[i] * y[i]
	}
}

func square[T number](out, a, _, _ pointer, n int) {
	o, x := elements[T](out, n), elements[T](a, n)
	for i := range o {
		o[i] = x[i] * x[i]
	}
}

func negated[T number](out, a, _, _ pointer, n int) {
	o, x := elements[T](out, n), elements[T](a, n)
	for i := range o {
		o[i] = -x[i]
	}
}

func equal[T comparable](out, a, b, _ pointer, n int) {
	o, x, y := elements[bool](out, n), elements[T](a, n), elements[T](b, n)
	for i := range o {
		o[i] = x[i] == y[i]
	}
}

func notEqual[T comparable](out, a, b, _ pointer, n int) {
	o, x, y := elements[bool](out, n), elements[T](a, n), elements[T](b, n)
	for i := range o {
		o[i] = x[i] != y[i]
	}
}

func less[T number](out, a, b, _ pointer, n int) {
	o, x, y := elements[bool](out, n), elements[T](a, n), elements[T](b, n)
	for i := range o {
		o[i] = x[i] < y[i]
	}
}

func lessEqual[T number](out, a, b, _ pointer, n int) {
	o, x, y := elements[bool](out, n), elements[T](a, n), elements[T](b, n)
	for i := range o {
		o[i] = x[i] <= y[i]
	}
}

func greater[T number](out, a, b, c pointer, n int)      { less[T](out, b, a, c, n) }
func greaterEqual[T number](out, a, b, c pointer, n int) { lessEqual[T](out, b, a, c, n) }

func logicalNot[T number](out, a, _, _ pointer, n int) {
	o, x := elements[bool](out, n), elements[T](a, n)
	for i := range o {
		o[i] = x[i] == 0
	}
}

// where chooses between elements of any type of that size.
func where[T any](out, a, b, c pointer, n int) {
	o, m, x, y := elements[T](out, n), elements[bool](a, n), elements[T](b, n), elements[T](c, n)
	for i := range o {
		v := y[i]
		if m[i] {
			v = x[i]
		}
		o[i] = v
	}
}

// unary, binary and ternary return the loop that calls a function for each element, for operations that take longer than the call.
func unary[R, T any](f func(T) R) fn {
	return func(out, a, _, _ pointer, n int) {
		o, x := elements[R](out, n), elements[T](a, n)
		for i := range o {
			o[i] = f(x[i])
		}
	}
}

func binary[R, T, U any](f func(T, U) R) fn {
	return func(out, a, b, _ pointer, n int) {
		o, x, y := elements[R](out, n), elements[T](a, n), elements[U](b, n)
		for i := range o {
			o[i] = f(x[i], y[i])
		}
	}
}

func ternary[R, T any](f func(a, b, c T) R) fn {
	return func(out, a, b, c pointer, n int) {
		o, x, y, z := elements[R](out, n), elements[T](a, n), elements[T](b, n), elements[T](c, n)
		for i := range o {
			o[i] = f(x[i], y[i], z[i])
		}
	}
}

// common are the operations of all real numbers.
func common[T number]() map[string]fn {
	return map[string]fn{
		"Add": add[T], "Sub": sub[T], "Mul": mul[T], "Square": square[T], "Neg": negated[T],
		"Equal": equal[T], "NotEqual": notEqual[T], "Less": less[T], "LessEqual": lessEqual[T], "Greater": greater[T], "GreaterEqual": greaterEqual[T],
		"LogicalNot": logicalNot[T],
		"LogicalAnd": binary(func(a, b T) bool { return a != 0 && b != 0 }),
		"LogicalOr":  binary(func(a, b T) bool { return a != 0 || b != 0 }),
		"LogicalXor": binary(func(a, b T) bool { return (a != 0) != (b != 0) }),
	}
}

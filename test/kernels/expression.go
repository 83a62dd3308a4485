package kernels

import (
	"fmt"
	"strconv"
)

// A kind is a type of C++ that expressions have.
type kind int

const (
	u32 kind = iota
	i32
	u64
	f32
	f64
	kinds
)

// String returns the type in C++.
func (t kind) String() string {
	return [...]string{"unsigned", "int", "unsigned long long", "float", "double"}[t]
}

// number returns an expression of type unsigned that depends on one of type t.
func (t kind) number(expr string) string {
	switch t {
	case i32:
		return "(unsigned)(" + expr + ")"
	case u64:
		return "(unsigned)((" + expr + ") >> 7)"
	case f32, f64:
		return "bits(" + expr + ")"
	}
	return expr
}

// expr returns an expression of type t that any thread may evaluate anywhere. It has no effects.
func (w *writer) expr(t kind, depth int) string {
	if depth <= 0 || w.chance(5) {
		return w.leaf(t)
	}
	switch t {
	case i32:
		return w.signed(depth - 1)
	case u64:
		return w.long(depth - 1)
	case f32, f64:
		return w.floating(t, depth-1)
	}
	return w.unsigned(depth - 1)
}

// leaf returns a variable, an element of an array or a number.
func (w *writer) leaf(t kind) string {
	var list []string
	for _, v := range w.scope.vars {
		if v.t == t {
			list = append(list, v.name)
		}
	}
	for _, a := range w.arrays {
		if a.t == t {
			if read := w.read(a); read != "" {
				list = append(list, read, read)
			}
		}
	}
	if t == u32 {
		list = append(list, w.scope.same...)
		list = append(list, "in["+w.small(255)+"]", "table["+w.small(15)+"]")
		for _, a := range w.scope.local {
			list = append(list, a+"["+w.small(3)+"]")
		}
	}
	if len(list) > 0 && !w.chance(4) {
		return list[w.r.IntN(len(list))]
	}
	switch t {
	case i32:
		return strconv.Itoa(w.r.IntN(200) - 100)
	case u64:
		return strconv.FormatUint(w.r.Uint64(), 10) + "ull"
	case f32:
		return fmt.Sprintf("%d.%df", w.r.IntN(50), 25*w.r.IntN(4))
	case f64:
		return fmt.Sprintf("%d.%d", w.r.IntN(50), w.r.IntN(1000))
	}
	return strconv.Itoa(w.r.IntN(1000)) + "u"
}

// small returns an index from 0 to mask, which is a power of two less one.
func (w *writer) small(mask int) string {
	v := "tid"
	if len(w.scope.vars) > 0 {
		x := w.scope.vars[w.r.IntN(len(w.scope.vars))]
		v = x.t.number(x.name)
	}
	return fmt.Sprintf("(%s + %du) & %du", v, w.r.IntN(mask+1), mask)
}

func (w *writer) unsigned(depth int) string {
	x := func() string { return w.expr(u32, depth) }
	switch w.r.IntN(18) {
	case 0:
		return "(" + x() + " << (" + x() + " & 31u))"
	case 1:
		return "(" + x() + " >> (" + x() + " & 31u))"
	case 2:
		return "(" + x() + w.pick(" / ", " % ") + "(" + x() + " | 1u))"
	case 3:
		return "(" + x() + w.pick(" < ", " > ", " == ", " != ", " <= ") + x() + " ? " + x() + " : " + x() + ")"
	case 4:
		return "(unsigned)" + w.pick("__popc", "__ffs", "__clz", "__brev") + "(" + x() + ")"
	case 5:
		return w.pick("min", "max", "__umulhi", "larger<unsigned>") + "(" + x() + ", " + x() + ")"
	case 6:
		return "MIX(" + x() + ", " + x() + ")"
	case 7:
		return w.pick("collatz("+x()+")", fmt.Sprintf("digits(%s, %d)", x(), 1+w.r.IntN(8)), "times<7>("+x()+")", "pair("+x()+").sum()")
	case 8:
		t := kind(w.r.IntN(int(kinds)))
		return "(" + t.number(w.expr(t, depth)) + ")"
	case 9:
		t := kind(w.r.IntN(int(kinds)))
		return "(unsigned)(" + w.expr(t, depth) + w.pick(" < ", " >= ") + w.expr(t, depth) + ")"
	case 10:
		return w.pick("__funnelshift_l", "__byte_perm", "__usad") + "(" + x() + ", " + x() + ", " + x() + ")"
	case 11:
		return "(unsigned)(" + w.pick("unsigned char", "unsigned short", "short", "signed char") + ")(" + x() + ")"
	}
	return "(" + x() + w.pick(" + ", " - ", " * ", " ^ ", " & ", " | ") + x() + ")"
}

// signed returns an int. Sums and products are made of unsigned numbers, whose overflow is defined.
func (w *writer) signed(depth int) string {
	x := func() string { return w.expr(i32, depth) }
	switch w.r.IntN(8) {
	case 0:
		return "((int)(" + w.expr(u32, depth) + " & 65535u) - 32768)"
	case 1:
		return "(" + x() + " / ((" + x() + " & 7) + 1))"
	case 2:
		return "(" + x() + " >> (" + x() + " & 15))"
	case 3:
		return "abs(" + x() + " % 1000)"
	case 4:
		return w.pick("min", "max", "larger<int>") + "(" + x() + ", " + x() + ")"
	case 5:
		return "(int)(" + w.pick("bound("+w.expr(f32, depth)+")", "bound("+w.expr(f64, depth)+")") + ")"
	}
	return "(int)((unsigned)(" + x() + ")" + w.pick(" + ", " - ", " * ") + "(unsigned)(" + x() + "))"
}

func (w *writer) long(depth int) string {
	x := func() string { return w.expr(u64, depth) }
	switch w.r.IntN(7) {
	case 0:
		return "(unsigned long long)(" + w.expr(u32, depth) + ")"
	case 1:
		return "(" + x() + w.pick(" << ", " >> ") + "(" + w.expr(u32, depth) + " & 63u))"
	case 2:
		return "(unsigned long long)" + w.pick("__popcll", "__clzll") + "(" + x() + ")"
	case 3:
		return "__umul64hi(" + x() + ", " + x() + ")"
	case 4:
		return "(" + x() + w.pick(" / ", " % ") + "(" + x() + " | 1ull))"
	}
	return "(" + x() + w.pick(" + ", " - ", " * ", " ^ ", " & ", " | ") + x() + ")"
}

// floating returns a float or double that is not NaN: each operand is bounded, and no operation of bounded operands is invalid.
func (w *writer) floating(t kind, depth int) string {
	x := func() string { return "bound(" + w.expr(t, depth) + ")" }
	suffix, name := "", ""
	if t == f32 {
		suffix, name = "f", "f"
	}
	switch w.r.IntN(9) {
	case 0:
		return "(" + t.String() + ")(" + w.expr(u32, depth) + " & 4095u) * 0.25" + suffix
	case 1:
		return "(" + t.String() + ")(" + w.expr(i32, depth) + " % 5000)"
	case 2:
		return "(" + x() + " / (fabs" + name + "(" + x() + ") + 0.5" + suffix + "))"
	case 3:
		return "sqrt" + name + "(fabs" + name + "(" + x() + "))"
	case 4:
		return "fma" + name + "(" + x() + ", " + x() + ", " + x() + ")"
	case 5:
		return "(" + x() + w.pick(" < ", " >= ") + x() + " ? " + x() + " : " + x() + ")"
	case 6:
		return w.pick("floor", "trunc", "rint") + name + "(" + x() + ")"
	}
	return "(" + x() + w.pick(" + ", " - ", " * ") + x() + ")"
}

// sameExpr returns an unsigned expression that is the same for all threads of a block.
func (w *writer) sameExpr(depth int) string {
	if depth == 0 || w.chance(3) {
		switch w.r.IntN(4) {
		case 0:
			return strconv.Itoa(w.r.IntN(9)) + "u"
		case 1:
			return w.pick("blockIdx.x", "gridDim.x", "blockDim.x", "blockIdx.y")
		}
		return w.pick(w.scope.same...)
	}
	return "(" + w.sameExpr(depth-1) + w.pick(" + ", " * ", " ^ ", " - ") + w.sameExpr(depth-1) + ")"
}

package arrays

import (
	"slices"
	"unsafe"

	"github.com/gopherwarp/gopherwarp/gpu/internal/expression"
	"github.com/gopherwarp/gopherwarp/gpu/internal/sim/simd"
)

// folder folds values into accumulators, which kernels leave in memory for each other.
type folder interface {
	// size returns the number of bytes of an accumulator.
	size() int
	// reset makes n accumulators of no values.
	reset(acc pointer, n int)
	// rows folds count values for each of n accumulators. The first of each has number at.
	rows(acc, x pointer, n, count, at int)
	// across folds n values, one for each accumulator, count times, the first of which is value at of each.
	across(acc, x pointer, n, count, at int)
	// join folds an accumulator into another.
	join(acc, from pointer)
	// store stores the results of n accumulators of so many values in the result's held type.
	store(out, acc pointer, n, values int)
}

// newFolder returns the folder of values of type of, or nil.
func newFolder(f expression.Folding, of, acc, result expression.Type) folder {
	switch f {
	case expression.Sum, expression.Product, expression.Mean:
		return newSums(f, of, acc, result)
	case expression.Any, expression.All:
		if of != expression.Bool {
			return nil
		}
		return truths{f == expression.All}
	}
	switch of {
	case expression.Bool, expression.Uint8:
		return newExtremes[uint8](f, of, result)
	case expression.Int8:
		return newExtremes[int8](f, of, result)
	case expression.Int16:
		return newExtremes[int16](f, of, result)
	case expression.Int32:
		return newExtremes[int32](f, of, result)
	case expression.Int64:
		return newExtremes[int64](f, of, result)
	case expression.Uint16:
		return newExtremes[uint16](f, of, result)
	case expression.Uint32:
		return newExtremes[uint32](f, of, result)
	case expression.Uint64:
		return newExtremes[uint64](f, of, result)
	case expression.Float32:
		return newExtremes[float32](f, of, result)
	case expression.Float64:
		return newExtremes[float64](f, of, result)
	}
	return nil
}

// sums folds numbers of type X into a sum or, if product is set, a product of type A.
type sums[X, A number] struct {
	product bool
	mean    bool
	cast    fn // from A to the result
}

func newSums(f expression.Folding, of, acc, result expression.Type) folder {
	switch of {
	case expression.Bool, expression.Uint8:
		if acc == expression.Uint64 {
			return sumsOf[uint8, uint64](f, acc, result)
		}
		return sumsOf[uint8, int64](f, acc, result)
	case expression.Int8:
		return sumsOf[int8, int64](f, acc, result)
	case expression.Int16:
		return sumsOf[int16, int64](f, acc, result)
	case expression.Int32:
		return sumsOf[int32, int64](f, acc, result)
	case expression.Int64:
		return sumsOf[int64, int64](f, acc, result)
	case expression.Uint16:
		return sumsOf[uint16, uint64](f, acc, result)
	case expression.Uint32:
		return sumsOf[uint32, uint64](f, acc, result)
	case expression.Uint64:
		return sumsOf[uint64, uint64](f, acc, result)
	case expression.Float32:
		return sumsOf[float32, float64](f, acc, result)
	case expression.Float64:
		return sumsOf[float64, float64](f, acc, result)
	}
	return nil
}

func sumsOf[X, A number](f expression.Folding, acc, result expression.Type) folder {
	return sums[X, A]{f == expression.Product, f == expression.Mean, cast(result, acc)}
}

func (sums[X, A]) size() int { return 8 }

func (s sums[X, A]) reset(acc pointer, n int) {
	var none A
	if s.product {
		none = 1
	}
	fill(elements[A](acc, n), none)
}

func (s sums[X, A]) rows(acc, x pointer, n, count, _ int) {
	if count < shortRow && !s.product {
		s.shortRows(elements[A](acc, n), elements[X](x, n*count), count)
		return
	}
	if !s.product && sumRows(elements[A](acc, n), elements[X](x, n*count), count) {
		return
	}
	for k, a := range elements[A](acc, n) {
		v := elements[X](unsafe.Add(x, k*count*int(unsafe.Sizeof(X(0)))), count)
		if s.product {
			elements[A](acc, n)[k] = a * productOf[X, A](v)
		} else {
			elements[A](acc, n)[k] = a + sumOf[X, A](v)
		}
	}
}

// Rows of fewer values than shortRow are folded without calls: those would take longer.
const shortRow = 16

func (sums[X, A]) shortRows(acc []A, v []X, count int) {
	for k := range acc {
		row := v[k*count:][:count]
		sum := acc[k]
		for _, x := range row {
			sum += A(x)
		}
		acc[k] = sum
	}
}

// sumRows adds the sums of rows, unless there is no function for several.
func sumRows[X, A number](acc []A, v []X, count int) bool {
	wide, ok := any(acc).([]float64)
	x, single := any(v).([]float32)
	if !ok || !single || !simd.Has || count%8 != 0 || len(v) == 0 {
		return false
	}
	simd.SumRows32(&wide[0], &x[0], len(wide), count)
	return true
}

// sumOf has four partial sums, so that additions need not wait for each other.
func sumOf[X, A number](v []X) A {
	switch v := any(v).(type) {
	case []float32:
		return A(simd.Sum(v))
	case []float64:
		return A(simd.SumDouble(v))
	case []uint8:
		return A(sumOfBytes(v))
	}
	var a, b, c, d A
	for ; len(v) >= 4; v = v[4:] {
		a += A(v[0])
		b += A(v[1])
		c += A(v[2])
		d += A(v[3])
	}
	for _, x := range v {
		a += A(x)
	}
	return (a + b) + (c + d)
}

// sumOfBytes adds eight bytes at a time.
func sumOfBytes(v []uint8) (sum uint64) {
	const low = 0x00ff00ff00ff00ff
	for len(v) >= 8 {
		words := elements[uint64](pointer(&v[0]), min(len(v)/8, 128)) // so many sums of two bytes fit in 16 bits
		part := uint64(0)
		for _, w := range words {
			part += w&low + w>>8&low
		}
		sum += part&0xffff + part>>16&0xffff + part>>32&0xffff + part>>48
		v = v[8*len(words):]
	}
	for _, b := range v {
		sum += uint64(b)
	}
	return sum
}

func productOf[X, A number](v []X) A {
	a, b := A(1), A(1)
	for ; len(v) >= 2; v = v[2:] {
		a *= A(v[0])
		b *= A(v[1])
	}
	for _, x := range v {
		a *= A(x)
	}
	return a * b
}

func (s sums[X, A]) across(acc, x pointer, n, count, _ int) {
	a := elements[A](acc, n)
	for k := range count {
		v := elements[X](unsafe.Add(x, k*n*int(unsafe.Sizeof(X(0)))), n)
		if s.product {
			for i := range a {
				a[i] *= A(v[i])
			}
			continue
		}
		addAcross(a, v)
	}
}

// addAcross adds each value to an accumulator.
func addAcross[X, A number](a []A, v []X) {
	done := 0
	if wide, ok := any(a).([]float64); ok && simd.Has && len(a) >= 8 {
		switch v := any(v).(type) {
		case []float32:
			done = len(v) &^ 7
			simd.AddWide32(&wide[0], &v[0], done)
		case []float64:
			done = len(v) &^ 3
			simd.Add64(&wide[0], &wide[0], &v[0], done)
		}
	}
	for i := range a[done:] {
		a[done+i] += A(v[done+i])
	}
}

func (s sums[X, A]) join(acc, from pointer) {
	if s.product {
		*(*A)(acc) *= *(*A)(from)
	} else {
		*(*A)(acc) += *(*A)(from)
	}
}

func (s sums[X, A]) store(out, acc pointer, n, values int) {
	if s.mean {
		list := elements[A](acc, n)
		for i, v := range list {
			list[i] = A(float64(v) / float64(values))
		}
	}
	s.cast(out, acc, nil, nil, n)
}

// truths folds bools into whether any or all are true.
type truths struct{ all bool }

func (truths) size() int                  { return 1 }
func (t truths) reset(acc pointer, n int) { fill(elements[bool](acc, n), t.all) }

func (t truths) rows(acc, x pointer, n, count, _ int) {
	for k := range n {
		if t.decided(elements[uint8](unsafe.Add(x, k*count), count)) {
			elements[bool](acc, n)[k] = !t.all
		}
	}
}

// decided reports whether one of the bools is not as all others must be. It compares eight at a time.
func (t truths) decided(v []uint8) bool {
	same := uint64(0)
	if t.all {
		same = 0x0101010101010101
	}
	for ; len(v) >= 8; v = v[8:] {
		if *(*[8]uint8)(v) != *(*[8]uint8)(unsafe.Pointer(&same)) {
			return true
		}
	}
	return slices.ContainsFunc(v, func(b uint8) bool { return b != uint8(same) })
}

func (t truths) across(acc, x pointer, n, count, _ int) {
	a := elements[bool](acc, n)
	for k := range count {
		for i, v := range elements[bool](unsafe.Add(x, k*n), n) {
			if v != t.all {
				a[i] = v
			}
		}
	}
}

func (t truths) join(acc, from pointer) { t.rows(acc, from, 1, 1, 0) }

func (truths) store(out, acc pointer, n, _ int) { copied[bool](out, acc, nil, nil, n) }

// extremes folds numbers into the largest or, if least is set, the smallest one, or into its index. NaN is replaced by nothing.
type extremes[T number] struct {
	least, index bool
	cast         fn // from T to the result
}

// extreme is an accumulator of extremes. It is empty if at is negative.
type extreme[T number] struct {
	v  T
	at int64
}

// found is an extreme as kernels leave it if the index does not matter.
type found[T number] struct {
	v    T
	some bool
}

func newExtremes[T number](f expression.Folding, of, result expression.Type) folder {
	e := extremes[T]{least: f == expression.Minimum || f == expression.Argmin, index: f == expression.Argmin || f == expression.Argmax}
	if e.index {
		e.cast = cast(result, expression.Int64)
		return indexed[T]{e}
	}
	e.cast = cast(result, of)
	return e
}

// first returns the first extreme of v and its index, which is -1 if v is empty.
func (e extremes[T]) first(v []T) (best T, at int) {
	if best, ok := e.vectored(v); ok {
		return best, slices.Index(v, best)
	}
	at = -1
	for i, x := range v {
		if at < 0 || e.replaces(x, best) {
			best, at = x, i
			if x != x {
				return best, at
			}
		}
	}
	return best, at
}

// replaces reports whether x counts more than a.
func (e extremes[T]) replaces(x, a T) bool {
	if e.least {
		return x < a || x != x && a == a
	}
	return x > a || x != x && a == a
}

func (extremes[T]) size() int { return int(unsafe.Sizeof(found[T]{})) }

func (extremes[T]) reset(acc pointer, n int) { fill(elements[found[T]](acc, n), found[T]{}) }

// best returns the extreme of some values.
func (e extremes[T]) best(v []T) T {
	if best, ok := e.vectored(v); ok {
		return best
	}
	if e.least {
		return lowest(v)
	}
	return highest(v)
}

// vectored returns the extreme of numbers of a type for which there are vectors, unless there are few or one is no number.
func (e extremes[T]) vectored(v []T) (best T, ok bool) {
	if len(v) < 8 {
		return best, false
	}
	switch v := any(v).(type) {
	case []float32:
		found, nan := simd.Extreme(v, e.least)
		return T(found), !nan
	case []float64:
		found, nan := simd.ExtremeDouble(v, e.least)
		return T(found), !nan
	case []int32:
		low, high := simd.Range32(v)
		return e.of(T(low), T(high)), true
	case []int64:
		low, high := simd.Range64(v)
		return e.of(T(low), T(high)), true
	}
	return best, false
}

// of returns the one of the smallest and the largest value that is asked for.
func (e extremes[T]) of(low, high T) T {
	if e.least {
		return low
	}
	return high
}

// lowest and highest return NaN if there is one. They have several results at a time, so that comparisons need not wait for each other.
func lowest[T number](v []T) T {
	a, b, c, d := v[0], v[0], v[0], v[0]
	for ; len(v) >= 4; v = v[4:] {
		a, b, c, d = min(a, v[0]), min(b, v[1]), min(c, v[2]), min(d, v[3])
	}
	for _, x := range v {
		a = min(a, x)
	}
	return min(a, b, c, d)
}

func highest[T number](v []T) T {
	a, b, c, d := v[0], v[0], v[0], v[0]
	for ; len(v) >= 4; v = v[4:] {
		a, b, c, d = max(a, v[0]), max(b, v[1]), max(c, v[2]), max(d, v[3])
	}
	for _, x := range v {
		a = max(a, x)
	}
	return max(a, b, c, d)
}

func (e extremes[T]) rows(acc, x pointer, n, count, _ int) {
	if count == 0 {
		return
	}
	a := elements[found[T]](acc, n)
	for k := range a {
		v := elements[T](unsafe.Add(x, k*count*int(unsafe.Sizeof(T(0)))), count)
		best := e.best(v)
		if !a[k].some || e.replaces(best, a[k].v) {
			a[k] = found[T]{best, true}
		}
	}
}

func (e extremes[T]) across(acc, x pointer, n, count, _ int) {
	a := elements[found[T]](acc, n)
	for k := range count {
		v := elements[T](unsafe.Add(x, k*n*int(unsafe.Sizeof(T(0)))), n)
		switch {
		case !a[0].some: // nor is there any in the others
			for i := range a {
				a[i] = found[T]{v[i], true}
			}
		case e.least:
			for i := range a {
				a[i].v = min(a[i].v, v[i])
			}
		default:
			for i := range a {
				a[i].v = max(a[i].v, v[i])
			}
		}
	}
}

func (e extremes[T]) join(acc, from pointer) {
	a, b := (*found[T])(acc), (*found[T])(from)
	if b.some && (!a.some || e.replaces(b.v, a.v)) {
		*a = *b
	}
}

func (e extremes[T]) store(out, acc pointer, n, _ int) {
	a, v := elements[found[T]](acc, n), elements[T](acc, n)
	for i := range a {
		v[i] = a[i].v // in place: it is not larger
	}
	e.cast(out, acc, nil, nil, n)
}

// indexed folds numbers into the index of the extreme. Of equal ones the first counts.
type indexed[T number] struct{ extremes[T] }

func (indexed[T]) size() int { return int(unsafe.Sizeof(extreme[T]{})) }

func (indexed[T]) reset(acc pointer, n int) { fill(elements[extreme[T]](acc, n), extreme[T]{at: -1}) }

// put replaces an accumulator if the value counts more.
func (e indexed[T]) put(a *extreme[T], v T, at int64) {
	if a.at < 0 || e.replaces(v, a.v) || at < a.at && (v == a.v || v != v && a.v != a.v) {
		*a = extreme[T]{v, at}
	}
}

func (e indexed[T]) rows(acc, x pointer, n, count, at int) {
	a := elements[extreme[T]](acc, n)
	for k := range a {
		list := elements[T](unsafe.Add(x, k*count*int(unsafe.Sizeof(T(0)))), count)
		if best, ok := e.vectored(list); ok && a[k].at >= 0 && a[k].at < int64(at) && !e.replaces(best, a[k].v) {
			continue // without looking for its place
		}
		if v, i := e.first(list); i >= 0 {
			e.put(&a[k], v, int64(at+i))
		}
	}
}

func (e indexed[T]) across(acc, x pointer, n, count, at int) {
	a := elements[extreme[T]](acc, n)
	for k := range count {
		for i, v := range elements[T](unsafe.Add(x, k*n*int(unsafe.Sizeof(T(0)))), n) {
			e.put(&a[i], v, int64(at+k))
		}
	}
}

func (e indexed[T]) join(acc, from pointer) {
	if b := (*extreme[T])(from); b.at >= 0 {
		e.put((*extreme[T])(acc), b.v, b.at)
	}
}

func (e indexed[T]) store(out, acc pointer, n, _ int) {
	a, v := elements[extreme[T]](acc, n), elements[int64](acc, n)
	for i := range a {
		v[i] = a[i].at
	}
	e.cast(out, acc, nil, nil, n)
}

// maxAccumulator is the largest size of an accumulator.
const maxAccumulator = 16

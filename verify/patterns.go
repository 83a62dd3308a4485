package verify

import "math"

// owned reports whether thread i of the launch owns element i.
func (o *observation) owned() bool { return o.shared == "" && !o.input && o.table.columns == 0 }

func (o *observation) rows() int { return o.n / o.table.columns }

// rightOnly reports whether, in a table that needs several blocks, the elements within are right and the others unwritten.
func (o *observation) rightOnly(within func(row, column int) bool) bool {
	t := o.table
	if t.blockX == 0 || o.count == 0 || o.left != o.count {
		return false
	}
	some := false
	for i, w := range o.wrong {
		// An unwritten byte may be right by chance, since poison is a valid number.
		if in := within(i/t.columns, i%t.columns); in && w || !in && !o.poison[i] {
			return false
		} else if in {
			some = true
		}
	}
	return some
}

// swapped reports whether nearly all elements of a table are at their indices in the transposed one.
func (o *observation) swapped() bool {
	const few = 4
	columns := o.table.columns
	if columns < 2 || o.n < 2*columns || o.count < few {
		return false
	}
	rows, misses := o.rows(), 0
	for row := range rows {
		for column := range columns {
			if !near(o.got[column*rows+row], o.want[row*columns+column]) {
				misses++
			}
		}
	}
	return misses*20 <= o.n
}

// upSwept reports whether exactly those sums are right whose number of terms is a power of two.
func (o *observation) upSwept() bool {
	if o.count == 0 || o.n < 4 {
		return false
	}
	for i, w := range o.wrong {
		if power := (i+1)&i == 0; power == w && o.want[i] != 0 {
			return false
		}
	}
	return true
}

// restarts reports whether the sums start again from zero at each multiple of size.
func (o *observation) restarts(size int) bool {
	if o.count == 0 || o.n <= size {
		return false
	}
	for i := size; i < o.n; i++ {
		before := o.want[i/size*size-1]
		if !near(o.got[i], o.want[i]-before) {
			// A block of an exclusive scan begins with the term that the one before omits.
			return o.exclusivelyRestarts(size)
		}
	}
	return true
}

// exclusivelyRestarts is like restarts but for scans that omit the element itself.
func (o *observation) exclusivelyRestarts(size int) bool {
	for i, got := range o.got {
		if !near(got, o.want[i]-o.want[i/size*size]) {
			return false
		}
	}
	return true
}

// doubled reports whether all wrong elements are twice the right value.
func (o *observation) doubled() bool {
	for i, w := range o.wrong {
		if w && (o.want[i] == 0 || !near(o.got[i], 2*o.want[i])) {
			return false
		}
	}
	return o.count > 0
}

// onlyMissing reports whether the elements before border are right and the others unwritten.
func (o *observation) onlyMissing(border int) bool {
	if border <= 0 || border >= o.n || o.count == 0 || o.left != o.count {
		return false
	}
	for i, w := range o.wrong {
		// An unwritten byte may be right by chance, since poison is a valid number.
		if missing := i >= border; missing && !o.poison[i] || !missing && w {
			return false
		}
	}
	return true
}

// shifted reports whether nearly all wrong elements have the right value of the element by indices further on. A few may be at an edge.
func (o *observation) shifted(by int) bool {
	const few = 4
	hits := 0
	for i, w := range o.wrong {
		if j := i + by; w && j >= 0 && j < o.n && near(o.got[i], o.want[j]) {
			hits++
		}
	}
	return hits >= few && hits >= o.count-2
}

// near reports whether a result is close to the exact value of another element.
func near(got, want float64) bool {
	d := got - want
	return max(d, -d) <= 1e-5*max(want, -want, 1)
}

// low reports whether all wrong elements are counts below the right ones.
func (o *observation) low() bool {
	for i, w := range o.wrong {
		if w && (o.got[i] < 0 || o.got[i] >= o.want[i]) {
			return false
		}
	}
	return o.count > 0
}

// up returns the number of parts of that size that cover n.
func up(n, size int) int { return (n + size - 1) / size }

// writtenBy reports whether exactly the elements at the threads' indices, as returned by index, are written, and not all.
func (o *observation) writtenBy(index func(block, thread, blocks, size int) int) bool {
	if !o.owned() || o.block == 0 || o.n <= o.block || o.count == 0 || o.left != o.count {
		return false
	}
	blocks := up(o.n, o.block)
	reached := make([]bool, o.n)
	for b := range blocks {
		for t := range o.block {
			if i := index(b, t, blocks, o.block); i >= 0 && i < o.n {
				reached[i] = true
			}
		}
	}
	for i, r := range reached {
		if r && o.wrong[i] || !r && !o.poison[i] {
			return false
		}
	}
	return true
}

// fixedStep returns the number of elements between the beginnings of consecutive blocks if it is not the size of a block; otherwise 0.
func (o *observation) fixedStep() int {
	for step := 2; step <= 1024; step *= 2 {
		if step != o.block && o.writtenBy(func(block, thread, _, _ int) int { return block*step + thread }) {
			return step
		}
	}
	return 0
}

// isTotal reports whether the only element is a wrong sum of known terms.
func (o *observation) isTotal() bool { return o.parts != nil && o.count == 1 && o.n == 1 }

// equals reports whether a total is equal to a number, except for rounding errors.
func (o *observation) equals(total float64) bool {
	terms := float64(len(o.parts) - 1)
	return math.Abs(o.got[0]-total) <= 0x1p-23*(2+math.Sqrt(terms))*max(math.Abs(total), math.Sqrt(terms))
}

// firstTerms returns the number of terms if a wrong total is the sum of those of the first blocks; otherwise 0.
func (o *observation) firstTerms() int {
	if !o.isTotal() {
		return 0
	}
	for terms := o.block; terms < len(o.parts)-1; terms += o.block {
		if o.equals(o.parts[terms]) {
			return terms
		}
	}
	return 0
}

// overlapping reports whether each block has added all terms from its first on.
func (o *observation) overlapping() bool {
	if !o.isTotal() {
		return false
	}
	all := o.parts[len(o.parts)-1]
	sum := all
	for begin := o.block; begin < len(o.parts)-1; begin += o.block {
		if sum += all - o.parts[begin]; o.equals(sum) {
			return true
		}
	}
	return false
}

// multiple reports whether a wrong total is a small multiple of the right one.
func (o *observation) multiple() bool {
	if !o.isTotal() || math.Abs(o.want[0]) < 1 {
		return false
	}
	times := math.Round(o.got[0] / o.want[0])
	return times >= 2 && times <= 1<<20 && math.Abs(o.got[0]-times*o.want[0]) <= 1e-4*math.Abs(o.got[0])
}

// uniform reports whether all elements are the same though they should not be.
func (o *observation) uniform() bool {
	differs := false
	for i, v := range o.got {
		if v != o.got[0] {
			return false
		}
		differs = differs || o.want[i] != o.want[0]
	}
	return differs
}

// cut reports whether all elements are integers close to the right values, most of which are not integers.
func (o *observation) cut() bool {
	if !o.float || o.n == 0 {
		return false
	}
	whole := 0
	for i, v := range o.got {
		if v != math.Trunc(v) || math.Abs(v-o.want[i]) > 1 && o.parts == nil {
			return false
		}
		if o.want[i] == math.Trunc(o.want[i]) {
			whole++
		}
	}
	return 2*whole < o.n
}

// oneOff reports whether wrong integers are off by one, and some are right.
func (o *observation) oneOff() bool {
	if o.float || o.shared != "" || o.count == o.n {
		return false
	}
	for i, w := range o.wrong {
		if w && math.Abs(o.got[i]-o.want[i]) != 1 {
			return false
		}
	}
	return o.count > 0
}

// unsteady reports whether runs with the same inputs left different values, by more than the order in which terms are added explains.
func unsteady(runs []*observation) bool {
	for _, o := range runs[1:] {
		if (o == nil) != (runs[0] == nil) {
			return true
		}
		if o == nil {
			continue
		}
		for i, w := range o.wrong {
			// Poison is NaN in some types, which is not equal to itself.
			if w && !o.alike(i, runs[0]) && !(o.poison[i] && runs[0].poison[i]) {
				return true
			}
		}
	}
	return false
}

// alike reports whether two runs left the same value, except for rounding errors.
func (o *observation) alike(i int, first *observation) bool {
	a, b := o.got[i], first.got[i]
	if !o.float || a == b {
		return a == b
	}
	return math.Abs(a-b) <= 1e-4*max(math.Abs(a), math.Abs(b), 1, math.Sqrt(float64(len(o.parts))))
}

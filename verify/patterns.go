package verify

import "math"

// owned says that thread i of the launch owns element i.
func (o *observation) owned() bool { return o.shared == "" && !o.input && o.table.columns == 0 }

func (o *observation) rows() int { return o.n / o.table.columns }

// rightOnly says that of a table that needs several blocks the elements within are right and the others
// unwritten.
func (o *observation) rightOnly(within func(row, column int) bool) bool {
	t := o.table
	if t.blockX == 0 || o.count == 0 || o.left != o.count {
		return false
	}
	some := false
	for i, w := range o.wrong {
		// A byte that nobody has written may be right by chance, as poison is a number like others.
		if in := within(i/t.columns, i%t.columns); in && w || !in && !o.poison[i] {
			return false
		} else if in {
			some = true
		}
	}
	return some
}

// swapped says that nearly all elements of a table stand where they would stand in the
// transposed one.
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

// upSwept says that exactly those sums are right that have a power of two of terms.
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

// restarts says that the sums begin anew at each multiple of size.
func (o *observation) restarts(size int) bool {
	if o.count == 0 || o.n <= size {
		return false
	}
	for i := size; i < o.n; i++ {
		before := o.want[i/size*size-1]
		if !near(o.got[i], o.want[i]-before) {
			// An exclusive scan's block begins with what the one before left out.
			return o.exclusivelyRestarts(size)
		}
	}
	return true
}

// exclusivelyRestarts is restarts for scans that leave out the element itself.
func (o *observation) exclusivelyRestarts(size int) bool {
	for i, got := range o.got {
		if !near(got, o.want[i]-o.want[i/size*size]) {
			return false
		}
	}
	return true
}

// doubled says that all wrong elements are twice the right value.
func (o *observation) doubled() bool {
	for i, w := range o.wrong {
		if w && (o.want[i] == 0 || !near(o.got[i], 2*o.want[i])) {
			return false
		}
	}
	return o.count > 0
}

// onlyMissing says that elements before the border are right and the others unwritten.
func (o *observation) onlyMissing(border int) bool {
	if border <= 0 || border >= o.n || o.count == 0 || o.left != o.count {
		return false
	}
	for i, w := range o.wrong {
		// A byte that nobody has written may be right by chance, as poison is a number like others.
		if missing := i >= border; missing && !o.poison[i] || !missing && w {
			return false
		}
	}
	return true
}

// shifted says that nearly all wrong elements hold what belongs by places further on. Few
// may lie at an edge.
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

// near compares a result with the exact value of another element.
func near(got, want float64) bool {
	d := got - want
	return max(d, -d) <= 1e-5*max(want, -want, 1)
}

// low says that all wrong elements are counts below the right ones.
func (o *observation) low() bool {
	for i, w := range o.wrong {
		if w && (o.got[i] < 0 || o.got[i] >= o.want[i]) {
			return false
		}
	}
	return o.count > 0
}

// up is how many parts of that size cover n.
func up(n, size int) int { return (n + size - 1) / size }

// writtenBy says that exactly those elements are written that an index of the threads leads to, and not all.
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

// fixedStep is a number of elements that each block seems to begin after the one before, and that is
// not the size of a block; or 0.
func (o *observation) fixedStep() int {
	for step := 2; step <= 1024; step *= 2 {
		if step != o.block && o.writtenBy(func(block, thread, _, _ int) int { return block*step + thread }) {
			return step
		}
	}
	return 0
}

// isTotal says that the only element is a wrong sum of known terms.
func (o *observation) isTotal() bool { return o.parts != nil && o.count == 1 && o.n == 1 }

// equals says that a total is a number but for rounding.
func (o *observation) equals(total float64) bool {
	terms := float64(len(o.parts) - 1)
	return math.Abs(o.got[0]-total) <= 0x1p-23*(2+math.Sqrt(terms))*max(math.Abs(total), math.Sqrt(terms))
}

// firstTerms is how many whole blocks' terms a wrong total is the sum of, in terms; or 0.
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

// overlapping says that each block has added all terms from its first on.
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

// multiple says that a wrong total is a small multiple of the right one.
func (o *observation) multiple() bool {
	if !o.isTotal() || math.Abs(o.want[0]) < 1 {
		return false
	}
	times := math.Round(o.got[0] / o.want[0])
	return times >= 2 && times <= 1<<20 && math.Abs(o.got[0]-times*o.want[0]) <= 1e-4*math.Abs(o.got[0])
}

// uniform says that all elements are the same, which they should not be.
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

// cut says that all elements are whole numbers, near those that they should be, most of which are not.
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

// oneOff says that integers are off by one where they are wrong, and right elsewhere.
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

// unsteady says that runs with the same inputs left different values: more than the order in which terms are
// added explains.
func unsteady(runs []*observation) bool {
	for _, o := range runs[1:] {
		if (o == nil) != (runs[0] == nil) {
			return true
		}
		if o == nil {
			continue
		}
		for i, w := range o.wrong {
			// Poison is NaN in some types, which does not equal itself.
			if w && !o.alike(i, runs[0]) && !(o.poison[i] && runs[0].poison[i]) {
				return true
			}
		}
	}
	return false
}

// alike says that two runs left the same, but for rounding.
func (o *observation) alike(i int, first *observation) bool {
	a, b := o.got[i], first.got[i]
	if !o.float || a == b {
		return a == b
	}
	return math.Abs(a-b) <= 1e-4*max(math.Abs(a), math.Abs(b), 1, math.Sqrt(float64(len(o.parts))))
}

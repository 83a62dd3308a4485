package verify

import (
	"slices"

	"github.com/gopherwarp/gopherwarp/gpu"
)

// A Reason is what a wrong result suggests about the kernel.
type Reason string

// The reasons that a check can give.
const (
	Fault          Reason = "the launch or the device failed"
	GuardAfter     Reason = "written past the end"
	GuardBefore    Reason = "written before the start"
	InputChanged   Reason = "an input was overwritten"
	Unsteady       Reason = "the result differs between runs"
	SecondLaunch   Reason = "only the first launch is right"
	Hangs          Reason = "the kernel does not end"
	Race           Reason = "threads race"
	Uninitialised  Reason = "values were read that nobody has written"
	OutOfBounds    Reason = "an address out of bounds"
	Barrier        Reason = "not all threads come to the barrier"
	Defect         Reason = "check mode found a defect"
	NotWritten     Reason = "nothing was written"
	FirstBlockOnly Reason = "only the first block's elements are right"
	TailMissing    Reason = "the elements after the last full block are missing"
	LastMissing    Reason = "the last element is missing"
	Accumulated    Reason = "added to what was there before"
	OffByOne       Reason = "each element is its neighbour's value"
	Transposed     Reason = "rows and columns are swapped"
	Doubled        Reason = "each element is twice what it should be"
	UpSweepOnly    Reason = "only elements 0, 1, 3, 7, 15, … are right"
	ScanShifted    Reason = "an inclusive scan and an exclusive one are mixed up"
	BlocksApart    Reason = "each block begins at zero"
	PartOfTotal    Reason = "the total has only some of the terms"
	TooLow         Reason = "counts are too low"
	WrongValues    Reason = "wrong values"
)

// maxExamples is how many wrong elements are named.
const maxExamples = 5

// observation is what a wrong array looks like.
type observation struct {
	n, block int
	input    bool
	shared   string // what elements are called if no thread owns one
	table    table
	scan     bool
	parts    []float64 // the sum of the first terms, for each number of terms, if this is a total
	float    bool

	got, want     []float64
	wrong, poison []bool // by element; wrong is nil if all are right
	count         int    // wrong elements
	left          int    // wrong elements that still hold poison
	accumulated   int    // wrong elements that are poison plus the right value
	before, after int    // elements of the guard zones that were written
	examples      []Mismatch
}

// signature is a pattern in a wrong array, and what it suggests.
type signature struct {
	reason Reason
	match  func(o *observation) bool
	hint   string
}

// signatures is tried from top to bottom. The last one always matches.
var signatures = []signature{
	{
		InputChanged, func(o *observation) bool { return o.input && o.count > 0 },
		"The kernel wrote to an array that it should only read. Are the arguments of Launch in the order of the kernel's parameters?",
	},
	{
		GuardAfter, func(o *observation) bool { return o.after > 0 },
		"A thread wrote at an index past the last element. The last block may have more threads than elements are left: does the kernel say `if (i < n)`?",
	},
	{
		GuardBefore, func(o *observation) bool { return o.before > 0 },
		"A thread wrote at a negative index. What is subtracted from the index?",
	},
	{
		Accumulated, func(o *observation) bool { return o.accumulated > 0 && o.accumulated+o.left == o.count },
		"The kernel added to memory that nobody had set. Set the output to zero before the launch: Fill(0), or gpu.Zeros for a new buffer.",
	},
	{
		NotWritten, func(o *observation) bool { return o.count == o.n && o.left == o.n },
		"Was the kernel launched, with this array as its output, and in the order of the kernel's parameters?",
	},
	{
		FirstBlockOnly, func(o *observation) bool {
			return o.owned() && o.n > o.block && o.onlyMissing(o.block)
		},
		"All blocks worked on the same elements. threadIdx.x counts within a block: the index of the whole grid is blockIdx.x * blockDim.x + threadIdx.x.",
	},
	{
		LastMissing, func(o *observation) bool { return o.owned() && o.n > 1 && o.onlyMissing(o.n-1) },
		"The condition stops one element early: it must be `i < n`.",
	},
	{
		TailMissing, func(o *observation) bool {
			return o.owned() && o.n > o.block && o.onlyMissing(o.n/o.block*o.block)
		},
		"Too few blocks were launched: n / block rounds down. gpu.For(n, block) rounds up.",
	},
	{
		FirstBlockOnly, func(o *observation) bool {
			return o.rightOnly(func(row, column int) bool { return row < o.table.blockY && column < o.table.blockX })
		},
		"All blocks worked on the same elements. threadIdx counts within a block: the column is blockIdx.x * blockDim.x + threadIdx.x, and the row the same with y.",
	},
	{
		TailMissing, func(o *observation) bool {
			t := o.table
			return o.rightOnly(func(row, column int) bool {
				return row < o.rows()/t.blockY*t.blockY && column < t.columns/t.blockX*t.blockX
			})
		},
		"Too few blocks were launched: width / block rounds down. gpu.For2D(width, height, bx, by) rounds up.",
	},
	{
		Transposed, func(o *observation) bool { return o.swapped() },
		"The element of row r and column c stands where that of row c and column r belongs. x counts columns and y counts rows: element (row, column) of a table is at row * width + column, with its own width.",
	},
	{
		UpSweepOnly, func(o *observation) bool { return o.scan && o.upSwept() },
		"The sums go up a tree, and the way down is missing: after the up-sweep only the elements whose number of terms is a power of two are complete.",
	},
	{
		BlocksApart, func(o *observation) bool { return o.scan && (o.restarts(o.block) || o.restarts(2*o.block)) },
		"Each block scans its own part as if nothing came before. Add to each block the total of all blocks before it.",
	},
	{
		ScanShifted, func(o *observation) bool { return o.scan && (o.shifted(1) || o.shifted(-1)) },
		"An inclusive scan counts the element itself, an exclusive one only those before it. They differ by one place.",
	},
	{
		PartOfTotal, func(o *observation) bool { return o.partOfTotal() },
		"What the first block adds up is not all: each block has a sum of its own, and these must be added as well, by a second launch or by atomicAdd.",
	},
	{
		OffByOne, func(o *observation) bool { return o.owned() && (o.shifted(1) || o.shifted(-1)) },
		"Look for a + 1 or - 1 in the index, and for where counting starts.",
	},
	{
		Doubled, func(o *observation) bool { return o.doubled() },
		"Something was added two times: by two threads, by two launches, or since two arguments of the launch are the same array.",
	},
	{
		TooLow, func(o *observation) bool { return o.shared != "" && !o.float && o.low() },
		"Some were not counted. Threads that add to the same element at the same time lose updates without atomicAdd; a missing __syncthreads() and elements that no thread looks at have the same effect.",
	},
	{
		WrongValues, func(*observation) bool { return true },
		"Elements were written, but the formula or the index is not right. Work the first one out by hand.",
	},
}

// What to do about failures that no single array shows.
const (
	faultHint   = "If an address was illegal: is there an `if (i < n)`, and are the arguments in the order of the kernel's parameters?"
	refusedHint = "The launch was refused. gpu.For(n, block) makes a launch for any n, also 0."
)

// unsteadyHint is for arrays that several runs leave different. No single observation
// shows that.
const unsteadyHint = "Same inputs, another result: threads race. Two threads write to the same element, or one reads what another has not written yet. Use atomicAdd, or __syncthreads() between writing and reading shared memory. Nor may a result depend on which thread comes first."

// What else single arrays do not show.
const (
	secondLaunchHint = "A second launch on the same memory gives something else: it begins with what the first one left. Set what the kernel adds to, or counts in, before each launch."
	hangHint         = "It was stopped. Does each loop come to an end, also for threads without an element? A __syncthreads() within an if must be reached by all threads of the block or by none."
)

const barrierHint = "All threads of a block must come to the same __syncthreads(): none may stand in an `if` that only some threads enter, nor behind a `return` that only some take."

// defects are kinds of what check mode finds, and what they suggest.
var defects = map[string]struct {
	reason Reason
	hint   string
}{
	gpu.DivergentBarrier: {Barrier, barrierHint},
	gpu.EarlyExit:        {Barrier, barrierHint},
	gpu.Deadlock:         {Barrier, barrierHint},
	gpu.Race:             {Race, "Two threads use the same element, one of them writes, and nothing says who comes first: __syncthreads() orders the threads of a block, an atomic function makes one step of reading and writing."},
	gpu.Uninitialised: {
		Uninitialised, "Shared memory, and memory from gpu.Alloc, hold anything at first: set each element before it is read, also those at the edge of the last block.",
	},
	gpu.OutOfBounds: {OutOfBounds, "A thread went beyond the ends of an array. Threads without an element of their own must not read, either: does the kernel say `if (i < n)`?"},
}

// explainDefects says what the findings of check mode suggest. An address out of bounds comes first, and
// a race last: two threads often meet where one of them should not be.
func explainDefects(found []gpu.Finding) (Reason, string) {
	for _, kind := range []string{gpu.OutOfBounds, gpu.DivergentBarrier, gpu.EarlyExit, gpu.Deadlock, gpu.Uninitialised, gpu.Race} {
		if slices.ContainsFunc(found, func(f gpu.Finding) bool { return f.Kind == kind }) {
			d := defects[kind]
			return d.reason, d.hint
		}
	}
	return Defect, "Another GPU or another run may show it in the result."
}

// floatLeftHint is added where memory left as NaN may also have been added to.
const floatLeftHint = " (Adding to NaN gives NaN: if the kernel adds to its output, set that to zero first.)"

// diagnose finds the first signature that matches.
func diagnose(o *observation) (Reason, string) {
	for _, s := range signatures {
		if s.match(o) {
			if s.reason == NotWritten && o.float {
				return s.reason, s.hint + floatLeftHint
			}
			return s.reason, s.hint
		}
	}
	panic("verify: no signature matches") // the last one does
}

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

// partOfTotal says that a total is the sum of some of the first terms.
func (o *observation) partOfTotal() bool {
	if o.parts == nil || o.count != 1 || o.n != 1 {
		return false
	}
	for terms := o.block; terms < len(o.parts)-1; terms += o.block {
		if near(o.got[0], o.parts[terms]) {
			return true
		}
	}
	return false
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

// unsteady says that runs with the same inputs left different values.
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
			if w && o.got[i] != runs[0].got[i] && !(o.poison[i] && runs[0].poison[i]) {
				return true
			}
		}
	}
	return false
}

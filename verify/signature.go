package verify

import (
	"slices"
	"strings"

	"github.com/gopherwarp/gopherwarp/gpu/check"
)

// A Reason is the likely cause of a wrong result.
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
	NotOnDevice    Reason = "the result does not come from a kernel"
	FinishedInGo   Reason = "Go has done a part of the work"
	IndexProduct   Reason = "the index is a product"
	WrongStep      Reason = "blocks begin at the wrong places"
	WrongAxis      Reason = "x and y are mixed up"
	FirstThreads   Reason = "only the first element of each block is written"
	SomeUnwritten  Reason = "some elements were never written"
	OneEach        Reason = "the total has one number of each thread"
	EachBlockAll   Reason = "every block adds the same numbers"
	CountedOften   Reason = "each number is counted several times"
	CutToWhole     Reason = "the values are cut off to whole numbers"
	OneOff         Reason = "some elements are off by one"
	AllTheSame     Reason = "all elements are the same"
	Copied         Reason = "an input was copied as it is"
	SharedElement  Reason = "several threads work on one element"
	LeftEarly      Reason = "threads return before a barrier"
	WrongValues    Reason = "wrong values"
)

// maxExamples is the maximum number of wrong elements in a message.
const maxExamples = 5

// observation describes a wrong array.
type observation struct {
	n, block int
	length   int // of the result of a function
	input    bool
	shared   string // the name of an element if no thread owns one
	table    table
	scan     bool
	parts    []float64 // the prefix sums of the terms, if this is a total
	float    bool

	got, want     []float64
	wrong, poison []bool // by element; wrong is nil if all are right
	count         int    // wrong elements
	left          int    // wrong elements that still hold poison
	leftover      int    // those of them with what Function leaves in the memory of gpu.Alloc
	accumulated   int    // wrong elements that are poison plus the right value
	idle          bool   // all elements are the same without the kernels
	copied        bool   // all elements are those of an input
	restGiven     bool   // the elements from the first wrong one on are those of an input
	added         bool   // all elements are poison although a kernel has written
	before, after int    // elements of the guard zones that were written
	examples      []Mismatch
}

// signature is a pattern in a wrong array, and its likely cause.
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
		Accumulated, func(o *observation) bool { return o.added },
		"The kernel adds to the array what it computes, and nobody has set that before: not a number plus something is not a number. If the kernel should add, set the output to zero before the launch: Fill(0). Else write = in place of +=.",
	},
	{
		NotWritten, func(o *observation) bool { return o.idle },
		"All is as it was before the launch. Does the kernel store its result, in this array, and is there a thread that comes to that line?",
	},
	{
		Accumulated, func(o *observation) bool { return o.accumulated > 0 && o.accumulated+o.left == o.count },
		"The kernel added to memory that nobody had set. Set the output to zero before the launch: Fill(0), or gpu.Zeros for a new buffer. (A number that was read past the end of an input has the same effect.)",
	},
	{
		NotWritten, func(o *observation) bool { return o.count == o.n && o.left == o.n },
		"Was the kernel launched, with this array as its output, and in the order of the kernel's parameters?",
	},
	{
		FirstBlockOnly, func(o *observation) bool {
			return o.owned() && o.n > o.block && o.onlyMissing(o.block)
		},
		"All blocks worked on the same elements. threadIdx.x counts within a block: the index of the whole grid is blockIdx.x * blockDim.x + threadIdx.x, in an int: a smaller type begins anew at 256.",
	},
	{
		IndexProduct, func(o *observation) bool {
			return o.writtenBy(func(block, thread, _, _ int) int { return block * thread })
		},
		"Thread t of block b should have element b * blockDim.x + t: the number of its block times the size of a block, plus its own number.",
	},
	{
		WrongStep, func(o *observation) bool {
			return o.writtenBy(func(block, thread, blocks, _ int) int { return block*blocks + thread })
		},
		"Blocks begin gridDim.x elements apart, which is the number of blocks. A block has blockDim.x elements: the index is blockIdx.x * blockDim.x + threadIdx.x.",
	},
	{
		WrongStep, func(o *observation) bool { return o.fixedStep() > 0 },
		"Blocks begin a fixed number of elements apart, which is not the number of threads in a block. Nothing in a kernel should know that: blockDim.x has it.",
	},
	{
		FirstThreads, func(o *observation) bool {
			return o.writtenBy(func(block, _, _, size int) int { return block * size })
		},
		"All threads of a block work on its first element: threadIdx.x is missing in the index.",
	},
	{
		FirstThreads, func(o *observation) bool {
			return o.writtenBy(func(block, _, _, _ int) int { return block })
		},
		"There is one element for each block: the index is blockIdx.x * blockDim.x + threadIdx.x.",
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
		WrongAxis, func(o *observation) bool {
			t := o.table
			return o.rightOnly(func(row, column int) bool {
				return row < up(t.columns, t.blockX)*t.blockX && column < up(o.rows(), t.blockY)*t.blockY
			})
		},
		"The grid is as wide as the table in x, and as high in y. So x counts columns and y counts rows: column = blockIdx.x * blockDim.x + threadIdx.x, row the same with y.",
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
		PartOfTotal, func(o *observation) bool { return o.firstTerms() == o.block },
		"What the first block adds up is not all: each block has a sum of its own, and these must be added as well, by a second launch or by atomicAdd.",
	},
	{
		OneEach, func(o *observation) bool { return o.firstTerms() > 0 },
		"These are the first numbers, one for each thread, and there are fewer threads than numbers. Let each go on in steps of all threads: i += gridDim.x * blockDim.x.",
	},
	{
		EachBlockAll, func(o *observation) bool { return o.overlapping() },
		"The steps are blockDim.x long, so each block goes through all that comes after its first number. The threads of the grid together take a step of gridDim.x * blockDim.x.",
	},
	{
		CountedOften, func(o *observation) bool { return o.multiple() },
		"The total is a multiple of the right one: several threads add the same sum. Where a block has one sum, one thread adds it: if (threadIdx.x == 0).",
	},
	{
		OffByOne, func(o *observation) bool { return o.owned() && (o.shifted(1) || o.shifted(-1)) },
		"Look for a + 1 or - 1 in the index, and for where counting starts.",
	},
	{
		Doubled, func(o *observation) bool { return o.doubled() },
		"There is a factor of 2 too much in the formula, or something was added twice: by two threads, by two launches, or since two arguments of the launch are the same array.",
	},
	{
		TooLow, func(o *observation) bool { return o.shared != "" && !o.float && o.low() },
		"Some were not counted. Threads that add to the same element at the same time lose updates without atomicAdd; a missing __syncthreads() and elements that no thread looks at have the same effect.",
	},
	{
		Copied, func(o *observation) bool { return o.copied },
		"What was given came back. Is something computed between reading and writing, and is it the result that is written?",
	},
	{
		SomeUnwritten, func(o *observation) bool { return o.left > 0 && 10*o.left >= o.count },
		"Which ones are they? No thread had them as its element: look at the index, at the conditions, at where threads return, and at how many threads there are.",
	},
	{
		AllTheSame, func(o *observation) bool { return o.count > 2 && o.uniform() },
		"Each thread writes the same, whatever its element is. Is the formula there, and does it use the index of the element? (An int holds 0 for each number between -1 and 1, and a byte no number above 255.)",
	},
	{
		CutToWhole, func(o *observation) bool { return o.cut() },
		"Somewhere on the way a number was kept in an integer, which has no places behind the point: a variable of type int, or a division of integers.",
	},
	{
		OneOff, func(o *observation) bool { return o.oneOff() },
		"Numbers that end in between were rounded another way than they should be: cut off, or to the nearest? Floating-point factors such as 0.299f are not exact, integers are.",
	},
	{
		WrongValues, func(*observation) bool { return true },
		"The elements are there, and their values are wrong: the formula, or what it reads, is not right. Work the first one out by hand.",
	},
}

// Hints for failures that no single array shows.
const (
	faultHint   = "If an address was illegal: is there an `if (i < n)`, and are the arguments in the order of the kernel's parameters?"
	refusedHint = "The launch was refused. gpu.For(n, block) makes a launch for any n, also 0."
)

// unsteadyHint is for arrays with different contents after several runs. No single observation shows that.
const unsteadyHint = "Same inputs, another result: threads race. Two threads write to the same element, or one reads what another has not written yet. Use atomicAdd, or __syncthreads() between writing and reading shared memory. Nor may a result depend on which thread comes first."

// Hints for other failures that no single array shows.
const (
	secondLaunchHint = "A second launch on the same memory gives something else: it begins with what the first one left. Set what the kernel adds to, or counts in, before each launch."
	hangHint         = "It was stopped. Does each loop come to an end, also for threads without an element? A __syncthreads() within an if must be reached by all threads of the block or by none."
)

const earlyHint = "Some threads return before a __syncthreads() that the others come to, and don't do their part of the work before it and after it. Let all threads of a block stay to the end: put what only some may do into an if."

const unsetHint = "Same inputs, another result, and check mode has found no threads that race. A variable of the kernel has no value before it is set, as in float sum; instead of float sum = 0; and what an atomic function returns depends on which thread comes first."

const sharedHint = "Each thread has an element of its own, and here two have the same: the index must depend on blockIdx and threadIdx, of y as well if the grid has rows, and each coordinate be compared with its own size. The line below names the two threads. An atomic function would only hide that."

const barrierHint = "All threads of a block must come to the same __syncthreads(): none may stand in an `if` that only some threads enter, nor behind a `return` that only some take."

// defects are kinds of check mode's findings, and their likely causes.
var defects = map[string]struct {
	reason Reason
	hint   string
}{
	check.DivergentBarrier: {Barrier, barrierHint},
	check.EarlyExit:        {Barrier, barrierHint},
	check.Deadlock:         {Barrier, barrierHint},
	check.Race:             {Race, "Two threads use the same element, one of them writes, and nothing says who comes first: __syncthreads() orders the threads of a block, an atomic function makes one step of reading and writing."},
	check.Uninitialised: {
		Uninitialised, "Shared memory, and memory from gpu.Alloc, hold anything at first: set each element before it is read, also those at the edge of the last block.",
	},
	check.InactiveLane: {
		Defect, "A shuffle gives a lane the value of another one only while that one takes part: no thread may return before, and the last warp of a block must be full. Let lanes without an element take part with a value that changes nothing.",
	},
	check.OutOfBounds: {OutOfBounds, "A thread went beyond the ends of an array. Threads without an element of their own must not read, either: does the kernel say `if (i < n)`, or in Go `if i < len(x)`?"},
}

// explainDefects returns the likely cause of check mode's findings. An address out of bounds has the highest priority and a race the
// lowest: threads often race because one of them is where it should not be.
func explainDefects(found []check.Finding) (Reason, string) {
	if slices.ContainsFunc(found, endsByIndex) {
		d := defects[check.OutOfBounds]
		return d.reason, d.hint
	}
	for _, kind := range []string{check.OutOfBounds, check.DivergentBarrier, check.EarlyExit, check.Deadlock, check.Uninitialised, check.InactiveLane, check.Race} {
		at := slices.IndexFunc(found, func(f check.Finding) bool { return f.Kind == kind })
		if at < 0 {
			continue
		}
		if kind == check.Deadlock && !slices.ContainsFunc(found, waitsAtBarrier) {
			return Hangs, hangHint
		}
		d := defects[kind]
		return d.reason, d.hint
	}
	return Defect, "Another GPU or another run may show it in the result."
}

// waitsAtBarrier reports whether threads wait for others at a known line, and not in a loop. Kernels that were stopped when their time was
// over have no line.
func waitsAtBarrier(f check.Finding) bool {
	return f.Kind == check.Deadlock && f.Line > 0 && !strings.Contains(f.Message, " a loop ")
}

// endsByIndex reports whether an index has ended a kernel in Go.
func endsByIndex(f check.Finding) bool {
	return strings.Contains(f.Message, "index out of range [") || strings.Contains(f.Message, "slice bounds out of range [")
}

// floatLeftHint is added if an output that is still NaN may also have been added to.
const floatLeftHint = " (Adding to NaN gives NaN: if the kernel adds to its output, set that to zero first.)"

// diagnose returns the reason and hint of the first signature that matches.
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

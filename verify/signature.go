package verify

// A Reason is what a wrong result suggests about the kernel.
type Reason string

// The reasons that a check can give.
const (
	Fault          Reason = "the launch or the device failed"
	GuardAfter     Reason = "written past the end"
	GuardBefore    Reason = "written before the start"
	InputChanged   Reason = "an input was overwritten"
	Unsteady       Reason = "the result differs between runs"
	NotWritten     Reason = "nothing was written"
	FirstBlockOnly Reason = "only the first block's elements are right"
	TailMissing    Reason = "the elements after the last full block are missing"
	LastMissing    Reason = "the last element is missing"
	Accumulated    Reason = "added to what was there before"
	OffByOne       Reason = "each element is its neighbour's value"
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
		OffByOne, func(o *observation) bool { return o.owned() && (o.shifted(1) || o.shifted(-1)) },
		"Look for a + 1 or - 1 in the index, and for where counting starts.",
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
const unsteadyHint = "Same inputs, another result: threads race. Two threads write to the same element, or one reads what another has not written yet. Use atomicAdd, or __syncthreads() between writing and reading shared memory."

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
func (o *observation) owned() bool { return o.shared == "" && !o.input }

// onlyMissing says that elements before the border are right and the others unwritten.
func (o *observation) onlyMissing(border int) bool {
	if border <= 0 || border >= o.n || o.count != o.n-border || o.left != o.count {
		return false
	}
	for _, w := range o.wrong[:border] {
		if w {
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
	return max(d, -d) <= 1e-6*max(want, -want, 1)
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

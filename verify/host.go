package verify

import (
	"fmt"
	"math"
	"slices"
	"unsafe"
)

// OnlyFirst is the reason of results on the host whose first elements are right, and whose other elements are 0.
const OnlyFirst Reason = "only the first elements are right, and the rest is 0"

// RestGiven is the reason of results whose first elements are right, and whose other elements are the input's.
const RestGiven Reason = "only the first elements are right, and the rest is as it was given"

const wasItLaunched = "Was the kernel launched, with this result as its output, in the order of the kernel's parameters? Did Launch return an error? Was the result copied back?"

// hostSignatures are patterns in the results of functions. They are tried from top to bottom; the last one always matches. A 0 in place
// of another value counts as unwritten, as does what Function leaves in the memory of gpu.Alloc.
var hostSignatures = []signature{
	{
		NotWritten, func(o *observation) bool { return o.leftover == 0 && o.noneWritten() },
		"All elements are 0, as buffers and slices are at first. " + wasItLaunched,
	},
	{
		NotWritten, (*observation).noneWritten,
		"The elements are as they were before, in the memory that gpu.Alloc returned. " + wasItLaunched,
	},
	{
		LastMissing, func(o *observation) bool { return o.n > 1 && o.onlyMissing(o.n-1) },
		"Is the length that the kernel is given right, and its condition i < n?",
	},
	{
		OnlyFirst, func(o *observation) bool { return o.leftover == 0 && o.firstRight() > 0 },
		"There were too few threads for all elements: gpu.For(n, 256) makes as many blocks as n needs. A block has 1 024 threads at most, and one block is not enough for more. Did Launch return an error?",
	},
	{
		SomeUnwritten, func(o *observation) bool { return o.leftover > 0 && o.left == o.count },
		"The wrong elements are as they were before, in the memory that gpu.Alloc returned. There were too few threads for all elements, or a condition excludes some: gpu.For(n, 256) makes as many blocks as n needs.",
	},
	{
		RestGiven, func(o *observation) bool { return o.restGiven },
		"There were too few threads for all elements, or the kernels were told of fewer elements than there are. gpu.For(n, 256) makes as many blocks as n needs.",
	},
	{
		Copied, func(o *observation) bool { return o.copied },
		"What was given came back. Was a buffer that the kernel has written to copied back?",
	},
	{
		OffByOne, func(o *observation) bool { return o.shifted(1) || o.shifted(-1) },
		"Look for a + 1 or - 1 in an index, and for where counting starts.",
	},
	{
		Doubled, func(o *observation) bool { return o.count > 1 && 2*o.count > o.n && o.doubled() },
		"There is a factor of 2 too much, a division by 2 is missing, or something was added twice.",
	},
	{
		AllTheSame, func(o *observation) bool { return o.count > 2 && o.uniform() },
		"The result does not depend on the element.",
	},
	{
		CutToWhole, func(o *observation) bool { return o.n > 1 && o.cut() },
		"Somewhere on the way a number was kept in an integer, which has no places behind the point.",
	},
	{
		OneOff, func(o *observation) bool { return o.n > 1 && o.oneOff() },
		"Something was counted once too often or too seldom, or rounded another way than it should be: cut off, or to the nearest?",
	},
	{
		WrongValues, func(*observation) bool { return true },
		"Take the first wrong element and work it out by hand, step by step: which step is missing, in another place, or done with another number?",
	},
}

// leftoverByte is each byte of leftover.
const leftoverByte = 0x7F

// leftover returns the value that Function leaves in the memory of gpu.Alloc: a large number, which adds up to a wrong sum. A NaN would
// pass some comparisons unnoticed, as those of a maximum.
func leftover[T Number]() T {
	var v T
	for i := range unsafe.Sizeof(v) {
		*(*byte)(unsafe.Add(unsafe.Pointer(&v), i)) = leftoverByte
	}
	return v
}

// compareHost compares a result on the host; it returns nil if it is right. Floating-point numbers may differ by a few rounding errors.
func compareHost[T Number](got, want []T, tolerance float64, inputs []func() []float64) *observation {
	o := &observation{n: len(want), float: isFloat[T]()}
	if len(got) != len(want) {
		o.length, o.count = len(got), max(1, len(want))
		return o
	}
	o.length = len(got)
	o.wrong, o.poison = make([]bool, o.n), make([]bool, o.n)
	for i, v := range got {
		x, y := float64(v), float64(want[i])
		o.got, o.want = append(o.got, x), append(o.want, y)
		o.poison[i] = x == 0 || v == leftover[T]()
		if v == want[i] || o.float && math.Abs(x-y) <= max(tolerance, 8*epsilon[T]())*max(math.Abs(y), 1) {
			continue
		}
		o.wrong[i] = true
		o.count++
		if o.poison[i] {
			o.left++
		}
		if v == leftover[T]() {
			o.leftover++
		}
		if len(o.examples) < maxExamples {
			o.examples = append(o.examples, Mismatch{Index: i, Got: text(v), Want: text(want[i])})
		}
	}
	if o.count == 0 {
		return nil
	}
	for _, input := range inputs {
		in := input()
		o.copied = o.copied || o.n > 1 && slices.Equal(in, o.got)
		o.restGiven = o.restGiven || o.endsWith(in)
	}
	return o
}

// endsWith reports whether all elements from the first wrong one on are those of an input.
func (o *observation) endsWith(in []float64) bool {
	first := slices.Index(o.wrong, true)
	return first > 0 && len(in) == o.n && slices.Equal(in[first:], o.got[first:])
}

// noneWritten reports whether all wrong elements are unwritten, and no element that is not 0 is right.
func (o *observation) noneWritten() bool { return o.count > 0 && o.left == o.count && !o.someRight() }

// someRight reports whether an element that is not 0 is right.
func (o *observation) someRight() bool {
	for i, w := range o.wrong {
		if !w && o.got[i] != 0 {
			return true
		}
	}
	return false
}

// firstRight returns how many elements are right if all others are 0 after them; otherwise 0.
func (o *observation) firstRight() int {
	first := slices.Index(o.wrong, true)
	if first > 0 && o.onlyMissing(first) {
		return first
	}
	return 0
}

// hostFailure returns the failure of a result on the host.
func hostFailure(name string, n int, o *observation) *Failure {
	f := &Failure{Check: name, Reason: WrongValues, N: n, Sizes: []int{n}, Mismatches: o.examples}
	if o.length != o.n {
		f.Hint = "The result has another length than it should have."
		if o.length == 0 {
			f.Hint = "Nothing was returned. Is the result assigned, and was it copied back from the device?"
		}
		elements := "elements"
		if o.length == 1 {
			elements = "element"
		}
		f.message = fmt.Sprintf("%s: %s %s, want %s\n%s", name, spaced(o.length), elements, spaced(o.n), wrap(f.Hint))
		return f
	}
	for _, s := range hostSignatures {
		if s.match(o) {
			f.Reason, f.Hint = s.reason, s.hint
			break
		}
	}
	f.message = fmt.Sprintf("%s: %s\n%s\n\n%s of %s elements wrong", name, f.Reason, wrap(f.Hint), spaced(o.count), spaced(o.n))
	for _, m := range f.Mismatches {
		f.message += fmt.Sprintf("\n  element %d: got %s, want %s", m.Index, m.Got, m.Want)
	}
	return f
}

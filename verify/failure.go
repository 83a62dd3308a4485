package verify

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gopherwarp/gopherwarp/gpu/check"
)

// A Failure is a check that found a wrong result.
type Failure struct {
	Check string // the name given to the check
	// Reason is what the result suggests, Hint what to do about it.
	Reason Reason
	Hint   string
	// N is the size that shows it best, and Sizes are all that failed.
	N     int
	Sizes []int
	// Mismatches are the first wrong elements at size N.
	Mismatches []Mismatch
	// Err is what the launch, the device or its check mode said, if that is the reason.
	Err error

	message string
}

// Mismatch is a wrong element.
type Mismatch struct {
	Index     int
	Got, Want string
	Unwritten bool // the element holds what the check put there
}

func (f *Failure) Error() string { return f.message }

// ErrorKind is the name under which a notebook shows the error.
func (f *Failure) ErrorKind() string { return "CheckFailed" }

func (f *Failure) Unwrap() error { return f.Err }

// newFailure explains the findings by the one that says most.
func newFailure(name string, block int, right []int, found []*finding) *Failure {
	f := &Failure{Check: name}
	top := -1
	var best *finding
	var defects, warnings []check.Finding
	examinedAny := false
	for _, at := range found {
		f.Sizes = append(f.Sizes, at.n)
		// Of equally telling ones the largest: small sizes look alike whatever the cause. But what a
		// whole block shows clearly is not given up for a larger size that shows nothing in particular.
		rank, reason, hint := at.explain()
		tellsLess := rank == top && best.n >= block && !f.Reason.vague() && reason == WrongValues
		if rank >= top && !tellsLess {
			top, best, f.Reason, f.Hint = rank, at, reason, hint
		}
		if at.defects != nil {
			defects = at.defects
		}
		warnings = append(warnings, at.warnings...)
		examinedAny = examinedAny || at.examined
	}
	f.N, f.Err = best.n, best.err
	f.lead(defects, warnings, best.first())
	if f.Reason == Unsteady && len(defects) == 0 && examinedAny {
		f.Hint = unsetHint
	}

	f.describe(best, block, right)
	if len(defects) == 0 && f.Reason == LeftEarly {
		defects = warnings
	}
	if defects != nil {
		err := &check.Error{Findings: defects}
		f.message += "\n" + err.Error()
		if f.Err == nil {
			f.Err = err
		}
	}
	return f
}

// describe puts the failure and the finding that shows it best into words.
func (f *Failure) describe(best *finding, block int, right []int) {
	f.message = fmt.Sprintf("%s: %s\n%s\n\n", f.Check, f.Reason, wrap(f.Hint))
	o := best.first()
	if o == nil && best.err == nil {
		f.message += fmt.Sprintf("The result is right for n = %s, and still", spaced(best.n))
		return
	}
	f.message += "Wrong for " + list(f.Sizes)
	if len(right) > 0 {
		f.message += "; right for " + list(right)
	}
	if best.err != nil {
		f.message += fmt.Sprintf(".\nn = %s: %v", spaced(best.n), best.err)
		return
	}
	f.Mismatches = o.examples
	f.message += fmt.Sprintf(".\nn = %s, blocks of %d, seed %d: %s", spaced(best.n), block, seed(), o)
}

// lead has what check mode found give the reason, where that is the cause of what is wrong.
func (f *Failure) lead(defects, warnings []check.Finding, o *observation) {
	if len(defects) == 0 {
		if f.Reason.vague() && slices.ContainsFunc(warnings, func(w check.Finding) bool { return w.Kind == check.EarlyExit }) {
			f.Reason, f.Hint = LeftEarly, earlyHint
		}
		return
	}
	reason, hint := explainDefects(defects)
	switch {
	case reason == OutOfBounds && (f.Reason == GuardAfter || f.Reason == GuardBefore):
		return // which says the same of the result
	case reason != Race:
		f.Reason, f.Hint = reason, hint
	case f.Reason.vague():
		f.Reason, f.Hint = reason, hint
		if o != nil && o.shared == "" && !o.isTotal() && slices.ContainsFunc(defects, meetsOutside) {
			f.Reason, f.Hint = SharedElement, sharedHint
		}
	}
}

// meetsOutside says that a race is about global memory, and not about the shared memory of a block.
func meetsOutside(f check.Finding) bool { return f.Kind == check.Race && f.Space == "global" }

// vague says that a defect that check mode has found tells more.
func (r Reason) vague() bool {
	switch r {
	case Fault, WrongValues, Unsteady, TooLow, SecondLaunch, SomeUnwritten, OneOff, Doubled, AllTheSame, CutToWhole, OffByOne, Accumulated:
		return true
	}
	return false
}

// telling reports whether a reason explains a result also where runs differ: a GPU adds in another order each time, and
// what is added too often is rounded as often.
func (r Reason) telling() bool { return r == Accumulated || r == CountedOften || r == EachBlockAll }

// explain gives the reason of a finding, and how telling it is: a fault of the device most,
// then writing where nothing may be written, then wrong values, then a launch that was
// refused.
func (f *finding) explain() (rank int, reason Reason, hint string) {
	o := f.first()
	switch {
	case f.hung:
		return 3, Hangs, hangHint
	case f.err != nil && f.fatal():
		return 3, Fault, faultHint
	case f.err != nil:
		return 0, Fault, refusedHint
	case o == nil:
		reason, hint = explainDefects(f.defects)
		return 0, reason, hint
	}
	reason, hint = diagnose(o)
	switch {
	case o.before+o.after > 0 || reason == InputChanged:
		return 2, reason, hint
	case f.again > 0 && o.idle:
		return 1, reason, hint
	case f.again > 0 && f.runs[f.again] == o:
		return 1, SecondLaunch, secondLaunchHint
	case !reason.telling() && unsteady(f.runs):
		return 1, Unsteady, unsteadyHint
	default:
		return 1, reason, hint
	}
}

// String says what is wrong with an array and shows the first wrong elements.
func (o *observation) String() string {
	var parts []string
	if o.count > 0 {
		parts = append(parts, fmt.Sprintf("%s of %s %s wrong", spaced(o.count), spaced(o.n), o.plural()))
	}
	if o.before > 0 {
		parts = append(parts, fmt.Sprintf("%s %s written before the start", spaced(o.before), o.plural()))
	}
	if o.after > 0 {
		parts = append(parts, fmt.Sprintf("%s %s written past the end", spaced(o.after), o.plural()))
	}
	s := strings.Join(parts, ", ")
	for _, m := range o.examples {
		s += "\n  " + o.line(m)
	}
	return s + o.picture()
}

// plural is what several elements are called.
func (o *observation) plural() string {
	if o.shared != "" {
		return o.shared + "s"
	}
	return "elements"
}

// line describes a wrong element.
func (o *observation) line(m Mismatch) string {
	what := "element"
	if o.shared != "" {
		what = o.shared
	}
	s := fmt.Sprintf("%s %d", what, m.Index)
	switch {
	case o.table.columns > 0:
		t := o.table
		row, column := m.Index/t.columns, m.Index%t.columns
		s = fmt.Sprintf("row %d, column %d", row, column)
		if t.blockX > 0 {
			s += fmt.Sprintf(" (block (%d, %d), thread (%d, %d))", column/t.blockX, row/t.blockY, column%t.blockX, row%t.blockY)
		}
	case o.owned() && o.n > 1:
		s += fmt.Sprintf(" (block %d, thread %d)", m.Index/o.block, m.Index%o.block)
	}
	s += ": got " + m.Got
	if m.Unwritten {
		s += " (the check's poison)"
	}
	return s + ", want " + m.Want
}

// list writes sizes for people: "n = 0, 1 and 31".
func list(sizes []int) string {
	texts := make([]string, len(sizes))
	for i, n := range sizes {
		texts[i] = spaced(n)
	}
	last := len(texts) - 1
	if last > 0 {
		texts = slices.Replace(texts, last-1, last+1, texts[last-1]+" and "+texts[last])
	}
	return "n = " + strings.Join(texts, ", ")
}

// spaced writes a number with its thousands apart.
func spaced(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + " " + s[i:]
	}
	return s
}

// wrap breaks a text into lines, as front ends break those that are too long in the middle
// of a word.
func wrap(text string) string {
	const width = 88
	var b strings.Builder
	column := 0
	for i, word := range strings.Fields(text) {
		switch n := utf8.RuneCountInString(word); {
		case i == 0:
			column = n
		case column+1+n > width:
			b.WriteByte('\n')
			column = n
		default:
			b.WriteByte(' ')
			column += 1 + n
		}
		b.WriteString(word)
	}
	return b.String()
}

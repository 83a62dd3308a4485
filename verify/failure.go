package verify

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gopherwarp/gopherwarp/gpu/check"
	"github.com/gopherwarp/gopherwarp/internal/render"
)

// A Failure is the error of a check that found a wrong result.
type Failure struct {
	Check string // the name given to the check
	// Reason is the likely cause, Hint the remedy.
	Reason Reason
	Hint   string
	// N is the size that shows the failure best, and Sizes are all sizes that failed.
	N     int
	Sizes []int
	// Mismatches are the first wrong elements at size N.
	Mismatches []Mismatch
	// Err is the error of the launch, the device or check mode, if that is the reason.
	Err error

	message string
	replay  *replay // nil if there is none
}

// A Mismatch is a wrong element.
type Mismatch struct {
	Index     int
	Got, Want string
	Unwritten bool // whether the element still has the poison of the check
}

func (f *Failure) Error() string { return f.message }

// ErrorKind returns the name under which a notebook shows the error.
func (f *Failure) ErrorKind() string { return "CheckFailed" }

func (f *Failure) Unwrap() error { return f.Err }

// newFailure returns the failure that explains the findings by the most specific one.
func newFailure(name string, block int, right []int, found []*finding) *Failure {
	f := &Failure{Check: name}
	top := -1
	var best *finding
	var defects, warnings []check.Finding
	examinedAny := false
	for _, at := range found {
		f.Sizes = append(f.Sizes, at.n)
		// Of equally specific ones the largest: small sizes look alike whatever the cause. But a
		// specific reason that a whole block shows is preferred to a larger size with an unspecific one.
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

// describe sets the message for the failure and the finding that shows it best.
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

// lead takes the reason from the findings of check mode if they are the cause of the wrong result.
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

// meetsOutside reports whether a race is on global memory, not on a block's shared memory.
func meetsOutside(f check.Finding) bool { return f.Kind == check.Race && f.Space == "global" }

// vague reports whether a defect that check mode has found is more specific.
func (r Reason) vague() bool {
	switch r {
	case Fault, WrongValues, Unsteady, TooLow, SecondLaunch, SomeUnwritten, OneOff, Doubled, AllTheSame, CutToWhole, OffByOne, Accumulated:
		return true
	}
	return false
}

// telling reports whether a reason explains a result even if runs differ: a GPU adds in another order each time, and terms that are added
// too often are rounded as often.
func (r Reason) telling() bool { return r == Accumulated || r == CountedOften || r == EachBlockAll }

// explain returns the reason of a finding, and how specific it is: a fault of the device most, then writes where they are not allowed,
// then wrong values, then a launch that was rejected.
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

// String returns what is wrong with an array, and its first wrong elements.
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

// plural returns the name of several elements.
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

// list formats sizes as text: "n = 0, 1 and 31".
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

// spaced formats a number with spaces between groups of three digits.
func spaced(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + " " + s[i:]
	}
	return s
}

// wrap breaks a text into lines, since front ends break lines that are too long in the middle of a word.
func wrap(text string) string { return render.Wrap(text, 88) }

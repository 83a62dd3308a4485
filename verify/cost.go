package verify

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gopherwarp/gopherwarp/gpu/check"
)

// The reasons that a check of costs can give.
const (
	Uncoalesced   Reason = "accesses to global memory are not coalesced"
	BankConflicts Reason = "threads wait for each other's bank of shared memory"
	TooManyBytes  Reason = "too much global memory is read or written"
	TooMuchAtomic Reason = "too many atomic operations on global memory"
	LaunchCount   Reason = "too many launches"
)

// A Limit is an upper limit on one cost.
type Limit struct {
	reason Reason
	hint   string
	// one and unit are the unit of a cost of 1, and of any other.
	one, unit string
	most      float64
	// measure returns the cost, and the line that causes it, if there is one.
	measure func(r *check.Report) (cost float64, at *check.Access)
	// tell returns more about a cost that is too high than reason and hint do. It may be nil.
	tell func(r *check.Report) (reason Reason, hint, place string)
}

// SectorsPerRequest limits the mean number of 32-byte sectors of global memory that a request of a warp accesses, on the worst line.
// Coalesced accesses to elements of 4 bytes need 4, strided ones up to 32.
func SectorsPerRequest(most float64) Limit {
	return Limit{
		reason: Uncoalesced, hint: "Threads of a warp have consecutive threadIdx.x. Element i and element i + 1 should belong to threads x and x + 1: let x count along a row, also when you go through shared memory to get there.",
		one: "sector a request", unit: "sectors a request", most: most,
		measure: worstLine("global", check.Access.SectorsPerRequest),
	}
}

// ConflictsPerRequest limits the mean number of additional cycles of a warp's request to shared memory because of bank conflicts, on the
// worst line. 0 is the best.
func ConflictsPerRequest(most float64) Limit {
	return Limit{
		reason: BankConflicts, hint: "32 banks hold consecutive words. Threads of a warp that want different words of one bank take turns, as in a column of an array that is 32 wide. An array that is one column wider puts a column's elements into different banks.",
		one: "extra cycle a request (bank conflicts)", unit: "extra cycles a request (bank conflicts)", most: most,
		measure: worstLine("shared", check.Access.ConflictsPerRequest),
	}
}

// GlobalBytes limits the number of bytes that all threads together read and write in global memory.
func GlobalBytes(most int) Limit {
	return Limit{
		reason: TooManyBytes, hint: "Each element should come from global memory as seldom as possible: keep what is needed again in a variable or in shared memory, and what the next step reads in the same kernel.",
		one: "byte", unit: "bytes", most: float64(most),
		measure: total(func(a check.Access) float64 { return float64(a.Bytes) }, "global", "load", "store"),
	}
}

// GlobalAtomics limits the number of atomic operations of all threads on global memory. 0 means that none are needed.
func GlobalAtomics(most int) Limit {
	l := Limit{
		reason: TooMuchAtomic, hint: "Let the threads of a block put their results together first, in shared memory or by warp shuffles, so that one thread of the block goes to global memory.",
		one: "atomic operation", unit: "atomic operations", most: float64(most),
		measure: total(func(a check.Access) float64 { return float64(a.Lanes) }, "global", "atomic"),
	}
	if most == 0 {
		l.reason, l.hint = NeedlessAtom, "No two threads have the same element here, so nobody can come in between: read, compute and write it as usual. Atomic operations take turns in the cache."
	}
	return l
}

// Launches limits the number of launches.
func Launches(most int) Limit {
	return Limit{
		reason: LaunchCount, hint: "Each launch reads its inputs from memory and writes its results there. Put the steps into one kernel.",
		one: "launch", unit: "launches", most: float64(most),
		measure: func(r *check.Report) (float64, *check.Access) { return float64(r.Launches), nil },
	}
}

// worstLine returns a function that returns the highest cost of an access to that memory, and its line.
func worstLine(space string, cost func(check.Access) float64) func(*check.Report) (float64, *check.Access) {
	return func(r *check.Report) (worst float64, at *check.Access) {
		for i := range r.Accesses {
			if a := &r.Accesses[i]; a.Space == space && cost(*a) > worst {
				worst, at = cost(*a), a
			}
		}
		return worst, at
	}
}

// total returns a function that returns the sum of the costs of all lines, and the line with the highest cost.
func total(cost func(check.Access) float64, space string, ops ...string) func(*check.Report) (float64, *check.Access) {
	return func(r *check.Report) (sum float64, at *check.Access) {
		most := 0.0
		for i := range r.Accesses {
			a := &r.Accesses[i]
			for _, op := range ops {
				if a.Space == space && a.Op == op {
					c := cost(*a)
					sum += c
					if c > most {
						most, at = c, a
					}
				}
			}
		}
		return sum, at
	}
}

// Cost checks the costs of the launches in f, as counted by the simulator's check mode. It does not measure time, so the result is the
// same on every machine. If the device is a GPU, the simulator runs the kernels once more, with copies of their buffers. The last block
// should be full at f's size, or the limits must allow for it. At least one limit is needed.
//
// The kernels that f launches must have passed the check of their results with the same name before, by Run or Function: a kernel that
// does nothing has no costs. The error is a *Failure if a limit is exceeded or the results have not passed.
func Cost(name string, f func() error, limits ...Limit) error {
	if err := unproven(name, "costs", f); err != nil {
		return err
	}
	report, err := check.Run(f, check.WithSimulator())
	if err != nil {
		return fmt.Errorf("checking the costs of %s: %w", name, err)
	}
	return judge(name, report, limits)
}

// Count prints the costs of the launches in f, in the units of the limits, without checking them.
func Count(name string, f func() error, limits ...Limit) error {
	report, err := check.Run(f, check.WithSimulator())
	if err != nil {
		return fmt.Errorf("counting the costs of %s: %w", name, err)
	}
	fmt.Printf("%s: %s\n", name, amounts(report, limits))
	return nil
}

// judge checks a report against limits, and prints the costs if they are within them.
func judge(name string, report *check.Report, limits []Limit) error {
	if len(limits) == 0 {
		return errors.New("verify.Cost needs at least one limit")
	}
	if !writes(report) {
		f := &Failure{Check: name, Reason: NotWritten, Hint: "A kernel that does nothing costs nothing."}
		f.message = fmt.Sprintf("%s: %s\n%s", name, f.Reason, f.Hint)
		return f
	}
	if f := exceeded(name, report, limits); f != nil {
		return f
	}
	passed(name, "%s", amounts(report, limits))
	return nil
}

// amounts returns the costs that the limits measure, as text.
func amounts(report *check.Report, limits []Limit) string {
	var costs []string
	for _, l := range limits {
		cost, _ := l.measure(report)
		costs = append(costs, l.amount(cost))
	}
	return strings.Join(costs, ", ")
}

// exceeded returns the failure of the first limit that is exceeded, or nil.
func exceeded(name string, report *check.Report, limits []Limit) *Failure {
	for _, l := range limits {
		cost, at := l.measure(report)
		if cost <= l.most {
			continue
		}
		reason, hint, where := l.reason, l.hint, place(at)
		if l.tell != nil {
			reason, hint, where = l.tell(report)
		}
		f := &Failure{Check: name, Reason: reason, Hint: hint}
		f.message = fmt.Sprintf("%s: %s\n%s\n\n%s%s, at most %s allowed", name, reason, wrap(hint), where, l.amount(cost), figure(l.most))
		return f
	}
	return nil
}

// writes reports whether a kernel has written to global memory.
func writes(r *check.Report) bool {
	return slices.ContainsFunc(r.Accesses, func(a check.Access) bool { return a.Space == "global" && a.Op != "load" })
}

// amount formats a cost with its unit.
func (l *Limit) amount(cost float64) string {
	unit := l.unit
	if cost == 1 {
		unit = l.one
	}
	return figure(cost) + " " + unit
}

// place returns the position of an access as text.
func place(a *check.Access) string {
	if a == nil {
		return ""
	}
	return fmt.Sprintf("%s:%d, %s %s: ", a.Program, a.Line, a.Space, a.Op)
}

// figure formats a number, with one digit after the decimal point if it is not an integer.
func figure(v float64) string {
	if v == float64(int(v)) {
		return spaced(int(v))
	}
	return fmt.Sprintf("%.1f", v)
}

package verify

import (
	"errors"
	"fmt"
	"strings"

	"github.com/gopherwarp/gopherwarp/gpu"
)

// What a check of costs can find.
const (
	Uncoalesced   Reason = "neighbouring threads touch memory that is far apart"
	BankConflicts Reason = "threads wait for each other's bank of shared memory"
	TooManyBytes  Reason = "too much global memory is read or written"
	TooMuchAtomic Reason = "too many atomic operations on global memory"
	LaunchCount   Reason = "too many launches"
)

// A Limit is the most that something may cost.
type Limit struct {
	reason Reason
	hint   string
	// one and unit stand behind a cost of 1 and any other.
	one, unit string
	most      float64
	// measure finds the cost, and the line that causes it if there is one.
	measure func(r *gpu.Report) (cost float64, at *gpu.Access)
}

// SectorsPerRequest limits the 32-byte sectors of global memory that a request of a warp touches, on
// the worst line. Elements of 4 bytes side by side take 4, elements that are far from each other 32.
func SectorsPerRequest(most float64) Limit {
	return Limit{
		Uncoalesced, "Threads of a warp have consecutive threadIdx.x. Element i and element i + 1 should belong to threads x and x + 1: let x count along a row, also when you go through shared memory to get there.",
		"sector a request", "sectors a request", most,
		worstLine("global", gpu.Access.SectorsPerRequest),
	}
}

// ConflictsPerRequest limits how often a request of a warp to shared memory waits for a bank, on the
// worst line. 0 is the best.
func ConflictsPerRequest(most float64) Limit {
	return Limit{
		BankConflicts, "32 banks hold consecutive words. Threads of a warp that want different words of one bank take turns, as in a column of an array that is 32 wide. An array that is one column wider puts a column's elements into different banks.",
		"turn lost to bank conflicts a request", "turns lost to bank conflicts a request", most,
		worstLine("shared", gpu.Access.ConflictsPerRequest),
	}
}

// GlobalBytes limits what all threads together read and write in global memory.
func GlobalBytes(most int) Limit {
	return Limit{
		TooManyBytes, "Each element should come from global memory as seldom as possible: keep what is needed again in a variable or in shared memory, and what the next step reads in the same kernel.",
		"byte", "bytes", float64(most),
		total(func(a gpu.Access) float64 { return float64(a.Bytes) }, "global", "load", "store"),
	}
}

// GlobalAtomics limits the atomic operations of all threads on global memory.
func GlobalAtomics(most int) Limit {
	return Limit{
		TooMuchAtomic, "Let the threads of a block put their results together first, in shared memory or by warp shuffles, so that one thread of the block goes to global memory.",
		"atomic operation", "atomic operations", float64(most),
		total(func(a gpu.Access) float64 { return float64(a.Lanes) }, "global", "atomic"),
	}
}

// Launches limits the number of launches.
func Launches(most int) Limit {
	return Limit{
		LaunchCount, "Each launch reads its inputs from memory and writes its results there. Put the steps into one kernel.",
		"launch", "launches", float64(most),
		func(r *gpu.Report) (float64, *gpu.Access) { return float64(r.Launches), nil },
	}
}

// worstLine measures the line on which the cost of an access to that memory is highest.
func worstLine(space string, cost func(gpu.Access) float64) func(*gpu.Report) (float64, *gpu.Access) {
	return func(r *gpu.Report) (worst float64, at *gpu.Access) {
		for i := range r.Accesses {
			if a := &r.Accesses[i]; a.Space == space && cost(*a) > worst {
				worst, at = cost(*a), a
			}
		}
		return worst, at
	}
}

// total adds up what all lines cost; the line that has most of it is the one to name.
func total(cost func(gpu.Access) float64, space string, ops ...string) func(*gpu.Report) (float64, *gpu.Access) {
	return func(r *gpu.Report) (sum float64, at *gpu.Access) {
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

// Cost checks what the launches in f cost, in what check mode counts: not in time, so that the
// answer is the same on every machine. Give it a size at which the last block is full, or the limits must
// leave room for it. Only the simulator counts; on a GPU a line says that the check was skipped.
func Cost(name string, f func() error, limits ...Limit) error {
	d, err := gpu.Current()
	if err != nil {
		return fmt.Errorf("checking the costs of %s: %w", name, err)
	}
	if !d.Properties().Simulated {
		fmt.Printf("– SKIPPED the costs of %s: they are counted on the simulator (%%gpu sim)\n", name)
		return nil
	}
	report, err := gpu.Check(f)
	if err != nil {
		return fmt.Errorf("checking the costs of %s: %w", name, err)
	}
	if report.Launches == 0 {
		return fmt.Errorf("checking the costs of %s: the function launched no kernel, so there was nothing to count", name)
	}
	return judge(name, report, limits)
}

// judge holds a report against limits, and prints the costs if they are within.
func judge(name string, report *gpu.Report, limits []Limit) error {
	if len(limits) == 0 {
		return errors.New("verify.Cost needs at least one limit")
	}
	var costs []string
	for _, l := range limits {
		cost, at := l.measure(report)
		if cost > l.most {
			f := &Failure{Check: name, Reason: l.reason, Hint: l.hint}
			f.message = fmt.Sprintf("%s: %s\n%s\n\n%s%s, at most %s allowed", name, l.reason, wrap(l.hint), place(at), l.amount(cost), figure(l.most))
			return f
		}
		costs = append(costs, l.amount(cost))
	}
	fmt.Printf("✓ PASS %s: %s\n", name, strings.Join(costs, ", "))
	return nil
}

// amount writes a cost with its unit.
func (l *Limit) amount(cost float64) string {
	unit := l.unit
	if cost == 1 {
		unit = l.one
	}
	return figure(cost) + " " + unit
}

// place says where an access is.
func place(a *gpu.Access) string {
	if a == nil {
		return ""
	}
	return fmt.Sprintf("%s:%d, %s %s: ", a.Program, a.Line, a.Space, a.Op)
}

// figure writes a number with one digit behind the point if it has any.
func figure(v float64) string {
	if v == float64(int(v)) {
		return spaced(int(v))
	}
	return fmt.Sprintf("%.1f", v)
}

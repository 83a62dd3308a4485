package verify

import (
	"fmt"
	"slices"
	"sync"

	"github.com/gopherwarp/gopherwarp/internal/gpuhooks"
)

// NotGraded is the reason of a check that cannot be graded because of a missing prerequisite: a cost or a speed of kernels whose results
// have not passed.
const NotGraded Reason = "not graded here"

// A program is the source that a kernel was compiled from. A cell that is run again makes another one.
type program struct{ name, source string }

// proven has, by the names of checks, the programs whose results were right when the check passed last. It is global because it belongs
// to the session, as kernels do.
var proven struct {
	sync.Mutex
	by map[string][]program
}

// programsOf returns the programs of kernels, each once.
func programsOf(kernels []gpuhooks.Program) []program {
	var list []program
	for _, k := range kernels {
		if p := (program{k.Name, k.Source}); !slices.Contains(list, p) {
			list = append(list, p)
		}
	}
	return list
}

// prove records that the results of these programs have passed a check.
func prove(check string, programs []program) {
	proven.Lock()
	defer proven.Unlock()
	if proven.by == nil {
		proven.by = map[string][]program{}
	}
	proven.by[check] = programs
}

// disprove records that a check has not passed.
func disprove(check string) {
	proven.Lock()
	defer proven.Unlock()
	delete(proven.by, check)
}

// unproven returns why a cost or a speed is not graded, or nil: f launches no kernel, or one that has not passed the result check of that
// name in this session.
func unproven(check, what string, f func() error) error {
	kernels, err := gpuhooks.SkipLaunches(func() error {
		defer func() { _ = recover() }() // without kernels what was not computed may be an index; the run with them panics again
		return f()
	})
	if err != nil {
		return fmt.Errorf("checking %s of %s: %w", what, check, err)
	}
	proven.Lock()
	defer proven.Unlock()
	return lacking(check, what, programsOf(kernels), proven.by[check])
}

// lacking returns the failure of a check whose programs are not all among those that have passed, or nil.
func lacking(check, what string, used, passed []program) error {
	why := ""
	switch {
	case len(used) == 0:
		why = "The function launched no kernel."
	case len(passed) == 0:
		why = fmt.Sprintf("The results of %s have not passed their check in this session, and wrong ones may cost what they like. Mend those first, and run their check again.", check)
	default:
		for _, p := range used {
			if !slices.Contains(passed, p) {
				why = fmt.Sprintf("%s has changed since the results of %s passed their check. Run that check again first.", p.name, check)
			}
		}
	}
	if why == "" {
		return nil
	}
	f := &Failure{Check: check, Reason: NotGraded, Hint: why}
	f.message = fmt.Sprintf("%s: %s: %s\n%s", check, f.Reason, what, wrap(why))
	return f
}

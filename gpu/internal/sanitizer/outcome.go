package sanitizer

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// An outcome is what the helpers have made of a launch.
type outcome struct {
	found   []backend.Finding
	failed  error // of a helper that could not carry it out
	strange bool  // it uses memory from malloc of earlier kernels
}

// outcome has all helpers execute a job. Those that cannot be used again are stopped.
func (w *Watcher) outcome(j *job) (outcome, error) {
	results := make([]error, len(w.helpers))
	reports := make([]*backend.Report, len(w.helpers))
	var group sync.WaitGroup
	for i, h := range w.helpers {
		group.Go(func() { reports[i], results[i] = h.do(j, w.config.Timeout) })
	}
	group.Wait()

	var o outcome
	var simulated []backend.Finding
	var kept []*helper
	var hanging []string
	for i, h := range w.helpers {
		beside := w.beside(h)
		if r := reports[i]; r != nil {
			if beside {
				simulated = r.Findings
				w.add(&backend.Report{Accesses: r.Accesses, Operations: r.Operations, Efforts: r.Efforts})
			} else {
				o.found = append(o.found, r.Findings...)
				w.add(r)
			}
		}
		err := results[i]
		if err == nil && !h.full() {
			kept = append(kept, h)
			continue
		}
		if errors.Is(err, errHangs) {
			h.kill()
		}
		switch {
		case err != nil && beside:
			w.cannotSimulate(j.Kernel, err)
		case errors.Is(err, errHangs):
			hanging = append(hanging, h.tool)
		case o.failed == nil:
			o.failed = err
		}
		more, err := w.finish(h)
		if err != nil {
			return o, err
		}
		o.found = append(o.found, more...)
		o.strange = o.strange || h.strange
	}
	if o.strange {
		simulated = nil // it takes such memory for no memory
	}
	o.found = append(o.found, simulated...)
	w.simulated = appendFindings(w.simulated, simulated)
	w.helpers = kept
	if len(hanging) > 0 {
		f := w.endless(j, hanging)
		o.found = append(o.found, f)
		w.add(&backend.Report{Findings: []backend.Finding{f}})
	}
	return o, nil
}

// beside reports whether a helper is the simulator's, which checks what the tools check.
func (w *Watcher) beside(h *helper) bool {
	return h.tool == checkMode && !w.simulate && w.config.Sanitizer != ""
}

// cannotSimulate records why the simulator could not check a kernel that the tools have checked.
func (w *Watcher) cannotSimulate(kernel string, err error) {
	if errors.Is(err, errHangs) {
		err = fmt.Errorf("it had not ended after %v there", w.config.Timeout)
	}
	cause := fmt.Sprintf("the simulator could not check %s: %s", kernel, FirstError(err.Error()))
	if !slices.Contains(w.unsimulated, cause) {
		w.unsimulated = append(w.unsimulated, cause)
	}
}

// harmful reports whether a launch with these defects could affect more than its own results.
func harmful(findings []backend.Finding) bool {
	return slices.ContainsFunc(findings, func(f backend.Finding) bool {
		switch f.Kind {
		case backend.KindRace, backend.KindUninitialised, backend.KindEarlyExit:
			return false
		}
		return !f.Warning
	})
}

func (w *Watcher) endless(j *job, tools []string) backend.Finding {
	return backend.Finding{
		Kind: backend.KindDeadlock, Program: j.Program.Name, Kernel: j.Kernel, Count: 1, Thread: noThread,
		Message: fmt.Sprintf("the kernel had not ended after %v under %s: threads wait for something that does not come, or there is too much to check (%s gives it more time)",
			w.config.Timeout, strings.Join(tools, ", "), TimeoutEnv),
	}
}

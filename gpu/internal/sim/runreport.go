package sim

import (
	"slices"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	checkmode "github.com/gopherwarp/gopherwarp/gpu/internal/sim/check"
)

// tellFindings passes on what the last launch on a device has shown for the first time.
func (r *programRun) tellFindings(device int) {
	findings := r.devices[device].checks.report.Findings
	for len(r.shown) <= device {
		r.shown = append(r.shown, 0)
	}
	for ; r.shown[device] < len(findings); r.shown[device]++ {
		if r.checks.Found != nil {
			r.checks.Found(findings[r.shown[device]])
		}
	}
}

// end hands over what check mode has seen, and reports whether there are defects.
func (r *programRun) end() (defects bool) {
	if r.ended || r.module.checked == nil {
		return false
	}
	r.ended = true
	var all backend.Report
	for _, d := range r.devices {
		joinReports(&all, &d.checks.report)
	}
	if r.checks.Ended != nil {
		r.checks.Ended(all)
	}
	return slices.ContainsFunc(all.Findings, func(f backend.Finding) bool { return !f.Warning })
}

// joinReports adds what was seen on one device to what was seen on others.
func joinReports(r, o *backend.Report) {
	r.Launches += o.Launches
	for _, f := range o.Findings {
		checkmode.AddFinding(r, f)
	}
	for i := range o.Accesses {
		checkmode.AddAccess(r, &o.Accesses[i])
	}
	for i := range o.Operations {
		r.Operations = backend.JoinOperations(r.Operations, &o.Operations[i])
	}
	for i := range o.Efforts {
		r.Efforts = backend.JoinEfforts(r.Efforts, &o.Efforts[i])
	}
}

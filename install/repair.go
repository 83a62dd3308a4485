package install

import (
	"context"
	"strings"

	"github.com/gopherwarp/gopherwarp/gpu/device"
	"github.com/gopherwarp/gopherwarp/internal/completion"
	"github.com/gopherwarp/gopherwarp/internal/debugger"
	"github.com/gopherwarp/gopherwarp/internal/gotool"
	"github.com/gopherwarp/gopherwarp/internal/session"
	"github.com/gopherwarp/gopherwarp/kernel"
)

// A Repairer checks the contents of all files that gopherwarp keeps on disk and repairs damaged ones.
type Repairer struct {
	Config   session.Config
	History  string // the file that keeps cells for later sessions; "" for none
	Progress func(string)
}

// Repair returns a finding for each kind of file, with the damage that it has repaired.
func (r Repairer) Repair(ctx context.Context) []Finding {
	var golang gotool.Go
	one := func(wrong string, err error) ([]string, error) {
		if wrong == "" {
			return nil, err
		}
		return []string{wrong}, err
	}
	parts := []struct {
		name   string
		repair func() ([]string, error)
		remedy string
	}{
		{"session", func() (damaged []string, err error) {
			damaged, golang, err = session.Repair(ctx, r.Config, r.Progress)
			return damaged, err
		}, "rm -r " + r.Config.Cache + "/session && gopherwarp install"},
		{"kernels", device.Repair, "rm -r " + r.Config.Cache + "/sim"},
		{"gopls", func() ([]string, error) {
			return one(completion.RepairGopls(ctx, r.Config.Cache, golang, r.Progress))
		}, "gopherwarp install"},
		{"delve", func() ([]string, error) {
			return one(debugger.RepairDelve(ctx, r.Config.Cache, golang, r.Progress))
		}, "gopherwarp install"},
		{"history", func() ([]string, error) {
			if r.History == "" {
				return nil, nil
			}
			return one(kernel.RepairHistory(r.History))
		}, "mv " + r.History + " " + r.History + ".old"},
	}
	var findings []Finding
	for _, part := range parts {
		f := Finding{Name: "kept: " + part.name, State: OK, Found: "not damaged"}
		damaged, err := part.repair()
		if len(damaged) > 0 {
			f.State, f.Found, f.Problem = Warning, "repaired", strings.Join(damaged, "; ")
		}
		if err != nil {
			f.State, f.Found, f.Remedy = Failed, "", part.remedy
			f.Problem = strings.Join(append(damaged, "it can't be repaired: "+err.Error()), "; ")
		}
		findings = append(findings, f)
	}
	return findings
}

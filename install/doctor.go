package install

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/gopherwarp/gopherwarp/internal/session"
)

// State is the result of a check.
type State string

// The states of a check.
const (
	OK      State = "ok"
	Warning State = "warning" // something is slower or missing, but cells work
	Failed  State = "failed"  // cells or the simulator can't work
)

// DocsURL is the address of the directory with the pages for users.
const DocsURL = "https://github.com/gopherwarp/gopherwarp/blob/main/docs/"

// Finding is the result of one check.
type Finding struct {
	Name    string `json:"name"`
	State   State  `json:"state"`
	Found   string `json:"found,omitempty"`   // what was found, and where
	Problem string `json:"problem,omitempty"` // what is wrong; empty if nothing is
	Remedy  string `json:"remedy,omitempty"`  // the command that repairs it
}

// Report is the result of Examine.
type Report struct {
	OK       bool      `json:"ok"` // whether cells and the simulator can work
	Findings []Finding `json:"findings"`
}

// check is one check. If a needed one finds nothing but a problem, the report is not OK.
type check struct {
	name   string
	needed bool
	look   func(ctx context.Context, m *machine) (found string, t *trouble)
}

// trouble is a problem found by a check.
type trouble struct{ problem, remedy string }

// checks are in the order of the report.
var checks = []check{
	{"gopherwarp", false, lookProgram},
	{"Go", true, lookGo},
	{"gcc", true, compiler("gcc", "cells are linked with it")},
	{"g++", true, lookCXX},
	{"linker", true, lookLinker},
	{"gopls", false, lookGopls},
	{"Jupyter", false, lookJupyter},
	{"kernelspec", false, lookKernelspec},
	{"connections", false, lookConnections},
	{"cache", false, lookCache},
	{"NVIDIA driver", false, lookDriver},
	{"NVRTC", false, lookNVRTC},
	{"device", false, lookDevice},
}

// Examine checks the machine in this process's environment. program is the one that runs, config that of sessions.
func Examine(ctx context.Context, program Program, config session.Config) Report {
	look := func(ctx context.Context) (session.GoState, error) { return session.LookAtGo(ctx, config) }
	cache := func() (session.CacheState, error) { return session.LookAtCache(config) }
	return examine(ctx, &machine{program: program, golang: look, cache: cache, probe: probeGPU, hardware: nvidiaHardware})
}

func examine(ctx context.Context, m *machine) Report {
	r := Report{OK: true}
	for _, c := range checks {
		found, t := c.look(ctx, m)
		f := Finding{Name: c.name, State: OK, Found: found}
		if t != nil {
			f.State, f.Problem, f.Remedy = Warning, t.problem, t.remedy
			if c.needed && found == "" {
				f.State, r.OK = Failed, false
			}
		}
		r.Findings = append(r.Findings, f)
	}
	return r
}

// With returns the report with more findings.
func (r Report) With(more []Finding) Report {
	for _, f := range more {
		r.OK = r.OK && f.State != Failed
	}
	r.Findings = append(r.Findings, more...)
	return r
}

// WriteJSON writes the report as JSON.
func (r Report) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(r); err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	return nil
}

// WriteText writes the report as text.
func (r Report) WriteText(w io.Writer) error {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, f := range r.Findings {
		first := f.Found
		if first == "" {
			first = f.Problem
		}
		fmt.Fprintf(tw, "%s\t%s\t%s\n", f.State, f.Name, first)
		if f.Found != "" && f.Problem != "" {
			fmt.Fprintf(tw, "\t\t%s\n", f.Problem)
		}
		for line := range strings.Lines(f.Remedy) {
			fmt.Fprintf(tw, "\t\t  %s\n", strings.TrimRight(line, "\n"))
		}
	}
	verdict := "\nCells and the GPU simulator can work here.\n"
	if !r.OK {
		verdict = "\nCells can't work here until what failed is repaired.\n"
	}
	if slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.State != OK }) {
		verdict += "More about each line: " + DocsURL + "troubleshooting.md\n"
	}
	fmt.Fprint(tw, verdict)
	if err := tw.Flush(); err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	return nil
}

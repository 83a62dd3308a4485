//go:build linux

package main

import (
	"context"

	"github.com/gopherwarp/gopherwarp/install"
	"github.com/gopherwarp/gopherwarp/kernel"
)

// noEngine replaces an engine that can't be started, and returns the error for each cell.
type noEngine struct{ err error }

func (e noEngine) Execute(context.Context, kernel.Cell, kernel.Output) error {
	return &kernel.CellError{Name: "StartError", Value: e.err.Error(), Traceback: []string{
		"StartError: " + e.err.Error(), "More: " + install.DocsURL + "troubleshooting.md, and gopherwarp doctor",
	}}
}

func (noEngine) Interrupt() {}

func (noEngine) IsComplete(string) (status, indent string) { return "unknown", "" }

func (noEngine) Complete(_ context.Context, _ string, cursor int) (kernel.Completion, error) {
	return kernel.Completion{Start: cursor, End: cursor}, nil
}

func (noEngine) Inspect(context.Context, string, int, int) (kernel.MIMEBundle, error) {
	return nil, nil
}

func (noEngine) Close(bool) error { return nil }

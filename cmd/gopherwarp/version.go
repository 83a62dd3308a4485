//go:build linux

package main

import (
	"encoding/json"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/gopherwarp/gopherwarp/internal/gorelease"
)

// A versionReport is what "gopherwarp version --json" prints.
type versionReport struct {
	Version  string   `json:"version"`
	Commit   string   `json:"commit,omitempty"` // with "+" behind it if files had been changed
	Time     string   `json:"time,omitempty"`   // of the commit, as in RFC 3339
	Go       string   `json:"go"`               // the release that built the program
	Platform string   `json:"platform"`         // such as "linux/amd64"
	Cells    []string `json:"cells"`            // the releases of Go that compile cells, such as "go1.27"
}

func versionCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !asJSON {
				_, err := fmt.Fprintln(cmd.OutOrStdout(), "gopherwarp", buildVersion())
				return err
			}
			encoder := json.NewEncoder(cmd.OutOrStdout())
			encoder.SetIndent("", "  ")
			return encoder.Encode(describeVersion())
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON: version, commit, Go, platform and the releases of Go for cells")
	return cmd
}

func describeVersion() versionReport {
	r := versionReport{Version: buildVersion(), Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	for _, release := range gorelease.Known() {
		r.Cells = append(r.Cells, release.Language)
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return r
	}
	changed := false
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			r.Commit = s.Value
		case "vcs.time":
			r.Time = s.Value
		case "vcs.modified":
			changed = s.Value == "true"
		}
	}
	if changed && r.Commit != "" {
		r.Commit += "+"
	}
	return r
}

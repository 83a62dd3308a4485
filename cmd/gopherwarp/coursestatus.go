//go:build linux

package main

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/gopherwarp/gopherwarp/course"
	"github.com/gopherwarp/gopherwarp/internal/progress"
)

func courseStatusCommand() *cobra.Command {
	var source, format string
	cmd := &cobra.Command{
		Use: "status", Short: "Show what you have done in the lessons, your points, and what comes next", Args: cobra.NoArgs,
		Long: `Show what you have done in the lessons, your points, and what comes next. The kernel records which checks
pass where cells are run in a front end such as JupyterLab, in the file that GOPHERWARP_PROGRESS names or in
~/.local/state/gopherwarp/progress.jsonl. It is for you: teachers grade what you hand in.`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			lessons, err := course.Load(courseSource(source))
			if err != nil {
				return err
			}
			path, err := progress.Path()
			if err != nil {
				return err
			}
			state, err := course.Status(lessons, progress.Open(path))
			if err != nil {
				return err
			}
			return writeState(state, format, cmd.OutOrStdout())
		},
	}
	sourceFlag(cmd, &source)
	cmd.Flags().StringVar(&format, "format", "text", "text, json or csv")
	return cmd
}

func writeState(state course.State, format string, w io.Writer) error {
	switch format {
	case "text":
		state.Write(w)
		return nil
	case "csv":
		return state.CSV(w)
	case "json":
		return writeJSON(w, state)
	}
	return fmt.Errorf("there is no format %q: write text, json or csv", format)
}

func writeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

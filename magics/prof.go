package magics

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

func profMagic() *Magic {
	return &Magic{
		Name: "prof", Statement: true, Line: true, Cell: true, Usage: "[--times] [--timeline] [--json] STATEMENT",
		Summary: "profiles a statement: its kernels with times, memory, operations and occupancy, its copies, and what bounds each kernel",
		Run:     runProf,
	}
}

// profJSON is the value for --json, which changes what is shown.
const profJSON = "json"

func runProf(ctx context.Context, c *Call) error {
	s := &statementMagic{Call: c, list: "--times, --timeline and --json", flags: map[string]string{
		"--times":    ", prof.WithTimesOnly()",
		"--timeline": ", prof.WithTimeline()",
		"--json":     profJSON,
	}}
	return s.run(ctx, func(body string, flags []string) string {
		shown := "report"
		if slices.Contains(flags, profJSON) {
			shown = "prof.JSON{report}"
		}
		options := strings.ReplaceAll(strings.Join(flags, ""), profJSON, "")
		// The report replaces the progress.
		return fmt.Sprintf("func() error {"+
			"var area *display.Area;"+
			"show := func(p prof.Progress) { if area == nil { area = display.Live(p) } else { area.Update(p) } };"+
			"report, err := prof.Run(func() error {%s}, prof.WithProgress(show)%s);"+
			"if report != nil && (err == nil || !report.Empty()) { if area == nil { display.Show(%[3]s) } else { area.Update(%[3]s) } };"+
			"return err }()", body, options, shown)
	})
}

package magics

import (
	"context"
	"fmt"
	"strings"
)

func timeitGPUMagic() *Magic {
	return &Magic{
		Name: "timeit_gpu", Statement: true, Line: true, Cell: true, Usage: "[--bytes N] [--flops N] [--runs N] STATEMENT",
		Summary: "times a statement on the device: cold and back to back, median, spread, CPU time beside it, GB/s from the buffers that it uses",
		Run:     runTimeitGPU,
	}
}

// timeitGPU returns the statement magic with the options of prof.Time.
func timeitGPU(c *Call) *statementMagic {
	return &statementMagic{Call: c, list: "--bytes N, --flops N and --runs N", flags: map[string]string{
		"--bytes": ", prof.WithBytes(int64(%s))",
		"--flops": ", prof.WithFlops(int64(%s))",
		"--runs":  ", prof.WithMaxRuns(int(%s))",
	}}
}

func runTimeitGPU(ctx context.Context, c *Call) error {
	return timeitGPU(c).run(ctx, func(body string, options []string) string {
		// The result replaces the progress.
		return fmt.Sprintf("func() error {"+
			"var area *display.Area;"+
			"show := func(v display.Bundle) { if area == nil { area = display.Live(v) } else { area.Update(v) } };"+
			"timing, err := prof.Time(func() error {%s}, prof.WithTimeProgress(func(p prof.TimeProgress) { show(p) })%s);"+
			"if err == nil { show(timing) };"+
			"return err }()", body, strings.Join(options, ""))
	})
}

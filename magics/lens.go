package magics

import (
	"context"
	"fmt"
	"strings"
)

func lensMagic() *Magic {
	return &Magic{
		Name: "lens", Statement: true, Line: true, Cell: true, Usage: "[--block N] [--blocks N] STATEMENT",
		Summary: "records what the threads of a statement's kernels do on the simulator, and shows it step by step: lines, threads, and memory",
		Run:     runLens,
	}
}

func runLens(ctx context.Context, c *Call) error {
	s := &statementMagic{Call: c, list: "--block and --blocks", flags: map[string]string{
		"--block":  ", lens.WithBlocks(%s, 1)",
		"--blocks": ", lens.WithBlocks(0, %s)",
	}}
	return s.run(ctx, func(body string, flags []string) string {
		return fmt.Sprintf("func() error {"+
			"recording, err := lens.Run(func() error {%s}%s);"+
			"if recording != nil && (err == nil || !recording.Empty()) { display.Show(recording) };"+
			"return err }()", body, strings.Join(flags, ""))
	})
}

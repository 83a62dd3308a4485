package debugger

import (
	"context"

	"github.com/gopherwarp/gopherwarp/internal/gotool"
)

// DelveEnv is the environment variable with the path of another delve, or "off" for none.
const DelveEnv = "GOPHERWARP_DLV"

func delveTool() gotool.Tool {
	return gotool.Tool{Name: "delve", Package: "github.com/go-delve/delve/cmd/dlv", Version: "v1.27.2", Env: DelveEnv}
}

// InstallDelve downloads and builds delve into the cache, unless there is one already, and returns its path. It takes up to
// a minute; progress is called when the build starts.
func InstallDelve(ctx context.Context, cache string, golang gotool.Go, progress func(string)) (string, error) {
	tool := delveTool()
	return tool.Install(ctx, cache, golang, func() {
		progress("Building delve " + tool.Version + ", which stops cells at breakpoints (once; about a minute)")
	})
}

// RepairDelve checks the delve that InstallDelve has built, builds it again if it is damaged, and returns a description
// of the damage.
func RepairDelve(ctx context.Context, cache string, golang gotool.Go, progress func(string)) (wrong string, err error) {
	tool := delveTool()
	return tool.Repair(ctx, cache, golang, func() { progress("Building delve " + tool.Version + " again") })
}

package debugger

import (
	"context"

	"github.com/gopherwarp/gopherwarp/internal/gotool"
)

// DelveEnv is the environment variable that names another delve, or is "off" for none.
const DelveEnv = "GOPHERWARP_DLV"

func delveTool() gotool.Tool {
	return gotool.Tool{Name: "delve", Package: "github.com/go-delve/delve/cmd/dlv", Version: "v1.27.2", Env: DelveEnv}
}

// InstallDelve downloads and builds delve into the cache, unless one is to be had already, and
// returns its path. It takes up to a minute; progress is told what it is at.
func InstallDelve(ctx context.Context, cache string, golang gotool.Go, progress func(string)) (string, error) {
	tool := delveTool()
	return tool.Install(ctx, cache, golang, func() {
		progress("Building delve " + tool.Version + ", which stops cells at breakpoints (once; about a minute)")
	})
}

// RepairDelve reads the delve that InstallDelve has put into the cache, builds it again if it is damaged, and returns what was wrong.
func RepairDelve(ctx context.Context, cache string, golang gotool.Go, progress func(string)) (wrong string, err error) {
	tool := delveTool()
	return tool.Repair(ctx, cache, golang, func() { progress("Building delve " + tool.Version + " again") })
}

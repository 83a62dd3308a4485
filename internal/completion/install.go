package completion

import (
	"context"
	"go/version"

	"github.com/gopherwarp/gopherwarp/internal/gotool"
)

const (
	// GoplsVersion is the newest gopls that the oldest Go for cells can build.
	GoplsVersion = "v0.23.0"
	// GoplsEnv is the environment variable with the path of another gopls, or "off" for none.
	GoplsEnv = "GOPHERWARP_GOPLS"
)

func goplsTool(goversion string) gotool.Tool {
	return gotool.Tool{Name: "gopls", Package: "golang.org/x/tools/gopls", Version: GoplsVersion, Env: GoplsEnv, Release: version.Lang(goversion)}
}

// FindGopls returns the path of the gopls to use, or "": the one in GoplsEnv, the one that InstallGopls has built in the
// cache, one on the PATH, or one in the directory of go install. It ignores a gopls that was built by an older release of Go
// than cells are compiled with, since it can't read their export data.
func FindGopls(cache, goversion string) string { return goplsTool(goversion).Find(cache) }

// InstallGopls downloads and builds gopls into the cache, unless there is one already or GoplsEnv is "off". It is built by
// the Go that cells are compiled with. That takes about a minute; progress is called when the build starts.
func InstallGopls(ctx context.Context, cache string, golang gotool.Go, progress func(string)) error {
	_, err := goplsTool(golang.Version).Install(ctx, cache, golang, func() { progress("Building gopls " + GoplsVersion + ", for completion in cells") })
	return err
}

// RepairGopls checks the gopls that InstallGopls has built, builds it again if it is damaged, and returns a description
// of the damage.
func RepairGopls(ctx context.Context, cache string, golang gotool.Go, progress func(string)) (wrong string, err error) {
	return goplsTool(golang.Version).Repair(ctx, cache, golang, func() { progress("Building gopls " + GoplsVersion + " again") })
}

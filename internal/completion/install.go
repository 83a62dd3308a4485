package completion

import (
	"context"
	"go/version"

	"github.com/gopherwarp/gopherwarp/internal/gotool"
)

const (
	// GoplsVersion is the newest gopls that the oldest Go for cells can build.
	GoplsVersion = "v0.23.0"
	// GoplsEnv is the environment variable that names another gopls, or is "off" for none.
	GoplsEnv = "GOPHERWARP_GOPLS"
)

func goplsTool(goversion string) gotool.Tool {
	return gotool.Tool{Name: "gopls", Package: "golang.org/x/tools/gopls", Version: GoplsVersion, Env: GoplsEnv, Release: version.Lang(goversion)}
}

// FindGopls is the path of the gopls to use, or "": the one that the environment names, the one that
// InstallGopls has put into the cache, one on the PATH, or where go install puts programs.
// One that was built by an older release of Go than cells are compiled with does not count, as it can't read them.
func FindGopls(cache, goversion string) string { return goplsTool(goversion).Find(cache) }

// InstallGopls downloads and builds gopls into the cache, unless one is to be had already or there shall be
// none. It is built by the Go that cells are compiled with. That takes about a minute; progress is told what it is at.
func InstallGopls(ctx context.Context, cache string, golang gotool.Go, progress func(string)) error {
	_, err := goplsTool(golang.Version).Install(ctx, cache, golang, func() { progress("Building gopls " + GoplsVersion + ", for completion in cells") })
	return err
}

// RepairGopls reads the gopls that InstallGopls has put into the cache, builds it again if it is damaged, and returns what was wrong.
func RepairGopls(ctx context.Context, cache string, golang gotool.Go, progress func(string)) (wrong string, err error) {
	return goplsTool(golang.Version).Repair(ctx, cache, golang, func() { progress("Building gopls " + GoplsVersion + " again") })
}

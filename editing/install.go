package editing

import (
	"context"

	"github.com/gopherwarp/gopherwarp/internal/gotool"
)

const (
	// GoplsVersion is the newest gopls that the oldest Go for cells can build.
	GoplsVersion = "v0.23.0"
	// GoplsEnv is the environment variable that names another gopls, or is "off" for none.
	GoplsEnv = "GOPHERWARP_GOPLS"
)

func goplsTool() gotool.Tool {
	return gotool.Tool{Name: "gopls", Package: "golang.org/x/tools/gopls", Version: GoplsVersion, Env: GoplsEnv}
}

// FindGopls is the path of the gopls to use, or "": the one that the environment names, the one that
// InstallGopls has put into the cache, one on the PATH, or where go install puts programs.
func FindGopls(cache string) string { return goplsTool().Find(cache) }

// InstallGopls downloads and builds gopls into the cache, unless one is to be had already or there shall be
// none. It takes about a minute; progress is told what it is at.
func InstallGopls(ctx context.Context, cache string, progress func(string)) error {
	_, err := goplsTool().Install(ctx, cache, func() { progress("Building gopls " + GoplsVersion + ", for completion in cells") })
	return err
}

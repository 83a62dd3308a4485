package e2e

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gopherwarp/gopherwarp/kernel"
)

// inMounts starts a kernel in a mount namespace of its own, in which the commands
// are run first.
func inMounts(t *testing.T, commands string, env ...string) *notebook {
	t.Helper()
	if out, err := exec.Command("unshare", "-m", "--", "mount", "-t", "tmpfs", "none", t.TempDir()).CombinedOutput(); err != nil {
		t.Skipf("SKIPPED: mounts can't be made here: %v, %s", err, out)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	t.Cleanup(cancel)
	p, err := kernel.Launch{
		Argv: []string{"unshare", "-m", "--", "sh", "-ec", commands + `; exec "$0" kernel -f "$1"`, program, "{connection_file}"},
		Dir:  t.TempDir(), Env: env, Log: testLog{t},
	}.Start(ctx)
	if err != nil {
		t.Fatal(err)
	}
	n := &notebook{t, p}
	t.Cleanup(func() { _ = p.Stop(context.Background()) })
	return n
}

// TestUnusableFolders checks that a cell reports directories in which files can't be
// written or run, with a remedy.
func TestUnusableFolders(t *testing.T) {
	dir := t.TempDir()
	for _, tt := range []struct {
		name, mounts string
		env          []string
		want         []string
	}{
		{"no TMPDIR", "true", []string{"TMPDIR=" + filepath.Join(dir, "none")}, []string{filepath.Join(dir, "none"), "no such file or directory", "set TMPDIR to"}},
		{"no HOME", "true", []string{"HOME=", "XDG_CACHE_HOME="}, []string{"find a folder for caches", "set HOME, or XDG_CACHE_HOME"}},
		{"read-only TMPDIR", "mount -t tmpfs -o ro,size=1m none " + dir, []string{"TMPDIR=" + dir}, []string{"read-only file system", "set TMPDIR to"}},
		{"full TMPDIR", "mount -t tmpfs -o size=1m,nr_inodes=1 none " + dir, []string{"TMPDIR=" + dir}, []string{"no space left on device", "set TMPDIR to"}},
		{"TMPDIR without programs", "mount -t tmpfs -o noexec,size=1m none " + dir, []string{"TMPDIR=" + dir}, []string{dir, "noexec", "set TMPDIR to"}},
		{"read-only cache", "mount -t tmpfs -o ro,size=1m none " + dir, []string{"XDG_CACHE_HOME=" + dir}, []string{"read-only file system", "XDG_CACHE_HOME"}},
		{"cache without programs", "mount -t tmpfs -o noexec,size=1m none " + dir, []string{"XDG_CACHE_HOME=" + dir}, []string{dir, "noexec", "set XDG_CACHE_HOME to"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			n := inMounts(t, tt.mounts, tt.env...)
			for range 2 {
				o := n.cell("1 + 1")
				for _, part := range tt.want {
					if !strings.Contains(o.reply.Value, part) {
						t.Errorf("the cell says %s: %q, which lacks %q", o.reply.Status, o.reply.Value, part)
					}
				}
			}
		})
	}
}

// TestReadOnlyCache checks that a complete cache can be used when it is read-only.
func TestReadOnlyCache(t *testing.T) {
	cell := "import \"math/cmplx\"\ncmplx.Abs(3+4i)"
	kernels := "%%cuda\n__global__ void k(float *x) { x[0] = 1; }"
	n := open(t) // builds missing parts of the cache
	n.run(kernels)
	n.gives(cell, "5")
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	// Go's own cache must be writable.
	n = inMounts(t, "mount --bind '"+cache+"/gopherwarp' '"+cache+"/gopherwarp' && mount -o remount,bind,ro '"+cache+"/gopherwarp'")
	n.fails("if err := os.WriteFile(\""+cache+"/gopherwarp/x\", nil, 0o600); err != nil { panic(err) }", "read-only file system")
	n.gives(cell, "5")
	n.run(kernels)
	n.run("in := []float32{0}\nk.Launch(gpu.For(1, 1), gpu.InOut(in))")
	n.gives("in[0]", "1")
}

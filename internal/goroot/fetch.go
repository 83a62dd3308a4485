package goroot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"golang.org/x/mod/module"
	"golang.org/x/mod/sumdb/dirhash"
	modzip "golang.org/x/mod/zip"

	"github.com/gopherwarp/gopherwarp/internal/dirlock"
	"github.com/gopherwarp/gopherwarp/internal/gorelease"
)

const modulePath = "golang.org/toolchain"

// fetched returns the directory to which a release's toolchain is fetched.
func (o Options) fetched(r gorelease.Release) string {
	return filepath.Join(cacheDir(o.Cache), r.Toolchain)
}

// fetch downloads a release's toolchain, verifies it and unpacks it in the cache. It returns its directory.
func (o Options) fetch(ctx context.Context, r gorelease.Release, why string) (string, error) {
	sum := cmp.Or(o.checksum, r.Checksum(runtime.GOOS, runtime.GOARCH))
	if sum == "" {
		return "", fmt.Errorf("there is none for %s/%s", runtime.GOOS, runtime.GOARCH)
	}
	root := o.fetched(r)
	unlock, err := dirlock.Lock(cacheDir(o.Cache))
	if err != nil {
		return "", err
	}
	defer unlock()
	if Version(root) == r.Toolchain {
		return root, nil // another process has fetched it in the meantime
	}
	o.Progress(why + ": fetching " + r.Toolchain + " for cells (once)")
	file, err := os.CreateTemp(cacheDir(o.Cache), "zip-*")
	if err != nil {
		return "", err
	}
	defer os.Remove(file.Name())
	defer file.Close()
	version := "v0.0.1-" + r.Toolchain + "." + runtime.GOOS + "-" + runtime.GOARCH
	if err := o.download(ctx, version, file); err != nil {
		return "", err
	}
	got, err := dirhash.HashZip(file.Name(), dirhash.Hash1)
	if err != nil {
		return "", fmt.Errorf("check what was downloaded: %w", err)
	}
	if got != sum {
		return "", fmt.Errorf("what was downloaded has the checksum %s, not %s", got, sum)
	}
	o.Progress("Unpacking " + r.Toolchain)
	return root, unpack(file.Name(), version, root)
}

// unpack unpacks the zip file of a toolchain to a directory that it makes or replaces.
func unpack(file, version, root string) error {
	dir, err := os.MkdirTemp(filepath.Dir(root), "unpack-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := modzip.Unzip(dir, module.Version{Path: modulePath, Version: version}, file); err != nil {
		return fmt.Errorf("unpack: %w", err)
	}
	for _, programs := range []string{"bin/*", "pkg/tool/*/*"} {
		files, _ := filepath.Glob(filepath.Join(dir, programs)) // the patterns are well-formed
		for _, f := range files {
			if err := os.Chmod(f, 0o755); err != nil {
				return err
			}
		}
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		return err
	}
	if err := os.RemoveAll(root); err != nil {
		return err
	}
	return os.Rename(dir, root)
}

// errNotThere is the error of a proxy that does not have a module: then the next one is tried.
var errNotThere = errors.New("not there")

// download downloads the zip file of a toolchain from the first proxy of GOPROXY that has it.
func (o Options) download(ctx context.Context, version string, to *os.File) error {
	proxies, err := o.proxies(ctx)
	if err != nil {
		return err
	}
	for _, proxy := range proxies {
		err = o.downloadFrom(ctx, proxy.base+"/"+modulePath+"/@v/"+version+".zip", to)
		if err == nil || !proxy.next && !errors.Is(err, errNotThere) {
			return err
		}
	}
	return err
}

// A proxy is one entry of GOPROXY. If next is set, the next one is tried after any error.
type proxy struct {
	base string
	next bool
}

// direct is the source of toolchains without a proxy, according to the page of golang.org/toolchain.
const direct = "https://go.dev/dl/mod"

// proxies parses GOPROXY, from the environment or from a go command.
func (o Options) proxies(ctx context.Context) ([]proxy, error) {
	list := Lookup(append(os.Environ(), o.Env...), "GOPROXY")
	if program := Command(); list == "" && program != "" {
		if out, err := exec.CommandContext(ctx, program, "env", "GOPROXY").Output(); err == nil {
			list = strings.TrimSpace(string(out))
		}
	}
	if list == "" {
		list = "https://proxy.golang.org,direct"
	}
	var all []proxy
	for list != "" {
		end := strings.IndexAny(list+",", ",|")
		entry, rest := strings.TrimSpace(list[:end]), list[end:]
		next := strings.HasPrefix(rest, "|")
		list = strings.TrimLeft(rest, ",|")
		switch entry {
		case "":
			continue
		case "off":
			if len(all) == 0 {
				return nil, errors.New("GOPROXY=off forbids it")
			}
			return all, nil
		case "direct":
			return append(all, proxy{base: direct}), nil
		}
		all = append(all, proxy{strings.TrimRight(entry, "/"), next})
	}
	return all, nil
}

func (o Options) downloadFrom(ctx context.Context, address string, to *os.File) error {
	if err := to.Truncate(0); err != nil {
		return err
	}
	if _, err := to.Seek(0, io.SeekStart); err != nil {
		return err
	}
	u, err := url.Parse(address)
	if err != nil {
		return fmt.Errorf("read GOPROXY: %w", err)
	}
	if u.Scheme == "file" {
		from, err := os.Open(u.Path)
		if errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("%s: %w", u.Redacted(), errNotThere)
		} else if err != nil {
			return err
		}
		defer from.Close()
		_, err = io.Copy(to, from)
		return err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return fmt.Errorf("read GOPROXY: %w", err)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	switch answer.StatusCode {
	case http.StatusOK:
	case http.StatusNotFound, http.StatusGone:
		return fmt.Errorf("%s: %w", u.Redacted(), errNotThere)
	default:
		return fmt.Errorf("%s: %s", u.Redacted(), answer.Status)
	}
	_, err = io.Copy(to, &meter{from: answer.Body, total: answer.ContentLength, report: o.Progress})
	if err != nil {
		return fmt.Errorf("download %s: %w", u.Redacted(), err)
	}
	return nil
}

// A meter reports progress after each fifth of what is read through it.
type meter struct {
	from        io.Reader
	read, total int64
	reported    int64
	report      func(string)
}

func (m *meter) Read(p []byte) (int, error) {
	n, err := m.from.Read(p)
	m.read += int64(n)
	if m.total > 0 && m.read*5/m.total > m.reported {
		m.reported = m.read * 5 / m.total
		m.report(fmt.Sprintf("  %d of %d MB", m.read/1e6, m.total/1e6))
	}
	return n, err
}

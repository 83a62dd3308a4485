package driver

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// A cache keeps compiled programs in a folder, one file each. A file begins with a
// header that lets a damaged or foreign one be told from a good one; such a file is
// ignored and later overwritten. All failures of the disk mean only that a program is
// compiled again, so none is reported. A nil cache is empty and keeps nothing.
//
// A file holds: cacheMagic; SHA-256 of the rest; length of the description as uint32,
// little-endian; the description in JSON; the cubin or PTX.
type cache struct {
	dir  string
	tidy sync.Once
}

const (
	cacheMagic = "gopherwarp/nvrtc/2\n"
	// cacheKeep is how long a file stays that nobody reads.
	cacheKeep = 60 * 24 * time.Hour
	// nameMark stands for the program's name in kept logs, since one source is compiled
	// under as many names as it has cells.
	nameMark = "\x00"
)

// description is what a cache file holds besides the code.
type description struct {
	Lowered map[string]string
	Log     string
	PTX     string // beside a cubin
}

// userCache is the cache in the user's own cache folder; nil if there is no such folder.
func userCache() *cache {
	dir, err := os.UserCacheDir()
	if err != nil {
		return nil
	}
	return &cache{dir: filepath.Join(dir, "gopherwarp", "nvrtc")}
}

// cacheKey is equal for programs that compile to the same image. Programs of which it is not
// known which files they include are not cacheable. The program's name counts only where
// it gets into the code.
func cacheKey(p backend.Program, options []string, version string) (key string, cacheable bool) {
	files, known := userFiles(p)
	if !known {
		return "", false
	}
	name := ""
	if namesItself(p.Source, options) {
		name = p.Name
	}
	h := sha256.New()
	for _, part := range [][]string{{cacheMagic, version, name, p.Source, files}, options, p.Kernels} {
		fmt.Fprintf(h, "%d\n", len(part))
		for _, s := range part {
			fmt.Fprintf(h, "%d %s\n", len(s), s)
		}
	}
	return hex.EncodeToString(h.Sum(nil)), true
}

// namesItself tells whether the compiled code holds its file's name: for asserts and
// __FILE__, and for line information.
func namesItself(source string, options []string) bool {
	for _, word := range []string{"assert", "__FILE__", "source_location", "#line"} {
		if strings.Contains(source, word) {
			return true
		}
	}
	for _, o := range options {
		switch strings.TrimSpace(o) {
		case "-G", "--device-debug", "-lineinfo", "--generate-line-info":
			return true
		}
	}
	return false
}

func (c *cache) path(key string) string { return filepath.Join(c.dir, key+".cubin") }

// get finds the image of a program that is now called name.
func (c *cache) get(key, name string) (backend.Image, bool) {
	if c == nil {
		return backend.Image{}, false
	}
	file, err := os.ReadFile(c.path(key))
	if err != nil {
		return backend.Image{}, false
	}
	rest, ok := bytes.CutPrefix(file, []byte(cacheMagic))
	if !ok || len(rest) < sha256.Size+4 {
		return backend.Image{}, false
	}
	sum, rest := rest[:sha256.Size], rest[sha256.Size:]
	if got := sha256.Sum256(rest); !bytes.Equal(got[:], sum) {
		return backend.Image{}, false
	}
	n := binary.LittleEndian.Uint32(rest)
	rest = rest[4:]
	var about description
	if uint64(n) > uint64(len(rest)) || json.Unmarshal(rest[:n], &about) != nil {
		return backend.Image{}, false
	}
	now := time.Now()
	_ = os.Chtimes(c.path(key), now, now) // what is read stays
	return backend.Image{
		Data:    rest[n:],
		PTX:     []byte(about.PTX),
		Lowered: about.Lowered,
		Log:     strings.ReplaceAll(about.Log, nameMark, name),
		Cached:  true,
	}, true
}

// put keeps the image of a program that was compiled under the given name.
func (c *cache) put(key, name string, img backend.Image) {
	if c == nil {
		return
	}
	about, err := json.Marshal(description{Lowered: img.Lowered, Log: strings.ReplaceAll(img.Log, name, nameMark), PTX: string(img.PTX)})
	if err != nil {
		return
	}
	rest := binary.LittleEndian.AppendUint32(nil, uint32(len(about)))
	rest = append(append(rest, about...), img.Data...)
	sum := sha256.Sum256(rest)
	if os.MkdirAll(c.dir, 0o755) != nil {
		return
	}
	c.tidy.Do(c.removeOld)

	// Written under a name of its own and then renamed, so that nobody sees half a file.
	f, err := os.CreateTemp(c.dir, "new-*")
	if err != nil {
		return
	}
	_, err = f.Write(append(append([]byte(cacheMagic), sum[:]...), rest...))
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(f.Name(), c.path(key))
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
}

// Repair reads all compiled programs that are kept for GPUs, removes those that are damaged, and returns which: they are compiled again
// when a cell wants them.
func Repair() (damaged []string, err error) {
	c := userCache()
	if c == nil {
		return nil, nil
	}
	files, err := filepath.Glob(c.path("*"))
	for _, file := range files {
		if _, ok := c.get(strings.TrimSuffix(filepath.Base(file), ".cubin"), ""); !ok {
			damaged = append(damaged, file+" is not what was compiled")
			err = errors.Join(err, os.Remove(file))
		}
	}
	return damaged, err
}

// removeOld deletes what has not been read for long, and leftovers of writers that died.
func (c *cache) removeOld() {
	entries, err := os.ReadDir(c.dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > cacheKeep {
			_ = os.Remove(filepath.Join(c.dir, e.Name()))
		}
	}
}

package driver

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/internal/diskcache"
)

// A cache keeps compiled programs on disk. A nil one is empty and keeps nothing.
type cache struct{ disk *diskcache.Cache }

const (
	// cacheVersion changes with the description, or with how programs are compiled.
	cacheVersion = "gopherwarp/nvrtc/3\n"
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

// userCache returns the cache in the user's own cache directory.
func userCache() *cache { return &cache{diskcache.User("nvrtc")} }

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
	for _, part := range [][]string{{cacheVersion, version, name, p.Source, files}, options, p.Kernels} {
		fmt.Fprintf(h, "%d\n", len(part))
		for _, s := range part {
			fmt.Fprintf(h, "%d %s\n", len(s), s)
		}
	}
	return hex.EncodeToString(h.Sum(nil)), true
}

// namesItself reports whether the compiled code holds its file's name: for asserts and
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

// get returns the image of a program that now has that name.
func (c *cache) get(key, name string) (backend.Image, bool) {
	if c == nil {
		return backend.Image{}, false
	}
	text, code, ok := c.disk.Get(key)
	var about description
	if !ok || json.Unmarshal(text, &about) != nil {
		return backend.Image{}, false
	}
	return backend.Image{
		Data:    code,
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
	if err == nil {
		c.disk.Put(key, about, img.Data)
	}
}

// Repair reads all compiled programs that are kept for GPUs, removes those that are damaged, and returns which: they are compiled again
// when a cell wants them.
func Repair() (damaged []string, err error) { return diskcache.User("nvrtc").Repair() }

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

// A cache stores compiled programs on disk. A nil cache is empty and stores nothing.
type cache struct{ disk *diskcache.Cache }

const (
	// cacheVersion must be changed with the description, or with the way in which programs are compiled.
	cacheVersion = "gopherwarp/nvrtc/3\n"
	// nameMark replaces the program's name in stored logs, since the same source is compiled under different names, one for each
	// cell.
	nameMark = "\x00"
)

// description is the part of a cache file other than the code.
type description struct {
	Lowered map[string]string
	Log     string
	PTX     string // if the code is a cubin
}

// userCache returns the cache in the user's cache directory.
func userCache() *cache { return &cache{diskcache.User("nvrtc")} }

// cacheKey returns a key that is equal for programs that compile to the same image. Programs whose included files cannot be
// determined are not cacheable. The program's name is part of the key only if it is part of the code.
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

// namesItself reports whether the compiled code contains its file's name: for asserts and __FILE__, and for line information.
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

// get returns the stored image, with the given name in its log.
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

// put stores the image of a program that was compiled under the given name.
func (c *cache) put(key, name string, img backend.Image) {
	if c == nil {
		return
	}
	about, err := json.Marshal(description{Lowered: img.Lowered, Log: strings.ReplaceAll(img.Log, name, nameMark), PTX: string(img.PTX)})
	if err == nil {
		c.disk.Put(key, about, img.Data)
	}
}

// Repair reads all stored programs for GPUs, and removes and returns the damaged ones, which are compiled again when they are
// next used.
func Repair() (damaged []string, err error) { return diskcache.User("nvrtc").Repair() }

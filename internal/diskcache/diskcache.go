package diskcache

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gopherwarp/gopherwarp/internal/intact"
)

const (
	// Limit is the maximum size of all files of a cache, in bytes.
	Limit = 1 << 30
	// Keep is how long a file stays after its last use.
	Keep = 60 * 24 * time.Hour

	// A file's modification time is that of its last use, with this accuracy: so most reads write nothing.
	accuracy = time.Hour
	// abandoned is the age of a temporary file from which its writer is assumed to have been killed.
	abandoned = 24 * time.Hour
	// magic is the beginning of every file, and changes with the format.
	magic = "gopherwarp/cache/1\n"
)

// A Cache is a directory of files, each an entry: magic; SHA-256 of the rest; the length of the description as uint32,
// little-endian; the description; the data. A nil Cache is empty and stores nothing. Disk errors are ignored, as
// they only mean that an entry is made again.
type Cache struct {
	dir   string
	limit int64 // bytes
	keep  time.Duration

	mu      sync.Mutex
	trimmed bool
	written int64 // bytes since the last trim
}

// Open returns the cache in a directory, which Put makes.
func Open(dir string) *Cache { return &Cache{dir: dir, limit: Limit, keep: Keep} }

// User returns the cache of that name in the user's cache directory, or nil if there is no such directory.
func User(name ...string) *Cache {
	dir, err := os.UserCacheDir()
	if err != nil {
		return nil
	}
	return Open(filepath.Join(append([]string{dir, "gopherwarp"}, name...)...))
}

// Path returns the file of a key, which must be a file name that does not begin with a dot.
func (c *Cache) Path(key string) string { return filepath.Join(c.dir, key) }

// Get returns the description and the data stored under a key, and reports whether there are any.
func (c *Cache) Get(key string) (about, data []byte, ok bool) {
	if c == nil {
		return nil, nil, false
	}
	file, err := os.ReadFile(c.Path(key))
	if err != nil {
		return nil, nil, false
	}
	if about, data, ok = parse(file); !ok {
		return nil, nil, false
	}
	Touch(c.Path(key))
	return about, data, true
}

func parse(file []byte) (about, data []byte, ok bool) {
	rest, ok := bytes.CutPrefix(file, []byte(magic))
	if !ok || len(rest) < sha256.Size+4 {
		return nil, nil, false
	}
	sum, rest := rest[:sha256.Size], rest[sha256.Size:]
	if got := sha256.Sum256(rest); !bytes.Equal(got[:], sum) {
		return nil, nil, false
	}
	n, rest := binary.LittleEndian.Uint32(rest), rest[4:]
	if uint64(n) > uint64(len(rest)) {
		return nil, nil, false
	}
	return rest[:n:n], rest[n:], true
}

// Put stores data and their description under a key, and replaces an earlier entry.
func (c *Cache) Put(key string, about, data []byte) {
	if c == nil || os.MkdirAll(c.dir, 0o755) != nil {
		return
	}
	rest := binary.LittleEndian.AppendUint32(nil, uint32(len(about)))
	rest = append(append(rest, about...), data...)
	sum := sha256.Sum256(rest)
	file := slices.Concat([]byte(magic), sum[:], rest)
	if intact.Write(c.Path(key), file, 0o644) != nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.written += int64(len(file))
	// Files written by other processes are counted at the first Put of each process.
	if !c.trimmed || c.written > c.limit/16 {
		c.trim()
	}
}

// trim removes the files that were not used for long, and then the least recently used ones until the rest is small enough.
func (c *Cache) trim() {
	c.trimmed, c.written = true, 0
	Expire(c.dir, c.keep)
	files, size, err := c.files()
	if err != nil || size <= c.limit {
		return
	}
	slices.SortFunc(files, func(a, b fs.FileInfo) int { return cmp.Compare(a.ModTime().UnixNano(), b.ModTime().UnixNano()) })
	for _, f := range files {
		if size <= c.limit/4*3 { // leave room for more
			return
		}
		if os.Remove(c.Path(f.Name())) == nil {
			size -= f.Size()
		}
	}
}

// files returns the files of the cache, without those that are being written, and their total size in bytes.
func (c *Cache) files() (files []fs.FileInfo, size int64, err error) {
	if c == nil {
		return nil, 0, nil
	}
	entries, err := os.ReadDir(c.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, nil
	}
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() && !strings.HasPrefix(e.Name(), ".") {
			files = append(files, info)
			size += info.Size()
		}
	}
	return files, size, err
}

// Repair reads all files, removes damaged ones, and returns a message about each.
func (c *Cache) Repair() (damaged []string, err error) {
	files, _, err := c.files()
	for _, f := range files {
		path := c.Path(f.Name())
		file, read := os.ReadFile(path)
		if errors.Is(read, fs.ErrNotExist) {
			continue // another process has removed it
		}
		if _, _, ok := parse(file); read == nil && ok {
			continue
		}
		damaged = append(damaged, path+" is damaged")
		if removed := os.Remove(path); !errors.Is(removed, fs.ErrNotExist) {
			err = errors.Join(err, removed)
		}
	}
	return damaged, err
}

// Touch marks a file or directory as used, for Expire.
func Touch(path string) {
	if info, err := os.Stat(path); err == nil && time.Since(info.ModTime()) > accuracy {
		now := time.Now()
		_ = os.Chtimes(path, now, now)
	}
}

// Expire removes the files and directories in a directory that have not been marked as used for the time keep, and temporary ones
// whose writers are assumed to have been killed.
func Expire(dir string, keep time.Duration) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		limit := keep
		if strings.HasPrefix(e.Name(), ".") {
			limit = min(abandoned, keep)
		}
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > limit {
			_ = os.RemoveAll(filepath.Join(dir, e.Name()))
		}
	}
}

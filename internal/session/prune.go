package session

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/gopherwarp/gopherwarp/internal/dirlock"
)

// The cache has a directory for each toolchain that cells were compiled with, that is for a version of Go and of this
// module's sources. Each has 30 to 200 MB, so when one is made, others are removed.

const (
	// maxUnused is how long the directory of an unused toolchain is kept.
	maxUnused = 30 * 24 * time.Hour
	// maxToolchains is the maximum size of all toolchains in bytes. That is enough for two releases of Go with net/http and
	// some versions of the sources.
	maxToolchains = 1 << 30
)

// toolchainsDir returns the parent of the toolchains' directories.
func toolchainsDir(cache string) string { return filepath.Join(cache, "session") }

// A stored is a toolchain's directory in the cache.
type stored struct {
	dir  string
	size int64
	used time.Time
	// locks is whether processes that use it lock it, which earlier releases did not.
	locks bool
}

// counted returns the part of the size that counts toward the limit: all of it if the directory is locked while it is used.
func (s stored) counted() int64 {
	if !s.locks {
		return 0
	}
	return s.size
}

// prune removes directories of toolchains from the cache that were not used for maxUnused, and the least recently used of
// the others until the rest has a size of at most limit. It keeps those that processes use.
func prune(cache string, now time.Time, limit int64) error {
	all, err := storedIn(cache)
	if err != nil {
		return err
	}
	slices.SortFunc(all, func(a, b stored) int { return b.used.Compare(a.used) })
	var total int64
	var failed error
	for _, s := range all {
		fits := !s.locks || total+s.size <= limit
		if fits && now.Sub(s.used) <= maxUnused {
			total += s.counted()
			continue
		}
		removed, err := dirlock.Remove(s.dir)
		if !removed {
			total += s.counted()
			failed = errors.Join(failed, err)
		}
	}
	return failed
}

// storedIn returns the directories of toolchains in a cache.
func storedIn(cache string) ([]stored, error) {
	entries, err := os.ReadDir(toolchainsDir(cache))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list the toolchains in the cache: %w", err)
	}
	var all []stored
	for _, e := range entries {
		s := stored{dir: filepath.Join(toolchainsDir(cache), e.Name()), locks: true}
		if !e.IsDir() {
			continue
		}
		if s.used, err = dirlock.LastUse(s.dir); err != nil {
			info, err := e.Info()
			if err != nil {
				continue // it was removed in the meantime
			}
			s.used, s.locks = info.ModTime(), false
		}
		s.size = sizeOf(s.dir)
		all = append(all, s)
	}
	return all, nil
}

// sizeOf returns the size of all files in a directory tree in bytes.
func sizeOf(dir string) int64 {
	var total int64
	_ = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil // unreadable and removed files do not count
		}
		if info, err := d.Info(); err == nil && info.Mode().IsRegular() {
			total += info.Size()
		}
		return nil
	})
	return total
}

// A CacheState is the size of a cache.
type CacheState struct {
	Dir            string
	Size           int64 // in bytes
	Toolchains     int   // number of toolchains that cells were compiled with
	ToolchainsSize int64 // in bytes
}

// LookAtCache returns the size of the cache of sessions.
func LookAtCache(config Config) (CacheState, error) {
	state := CacheState{Dir: config.Cache, Size: sizeOf(config.Cache)}
	all, err := storedIn(config.Cache)
	for _, s := range all {
		state.Toolchains++
		state.ToolchainsSize += s.size
	}
	return state, err
}

package dirlock

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

const (
	buildName = "lock" // locked while a process builds
	useName   = "used" // locked by all users of the directory; its modification time is that of the last Use
)

// Lock makes the directory, waits until no other process has locked it, and locks it until unlock is called or this
// process exits. Without a lock file in a directory that is not writable, it does not wait: no process can build there,
// and what was built can be used.
func Lock(dir string) (unlock func(), err error) {
	path := filepath.Join(dir, buildName)
	for {
		if err := makeDir(dir); err != nil {
			return nil, err
		}
		f, err := open(path)
		if errors.Is(err, fs.ErrNotExist) {
			if isReadOnly(syscall.Access(dir, writable)) {
				return func() {}, nil // so no process builds here
			}
			continue // it was removed in the meantime
		}
		if err != nil {
			return nil, err
		}
		if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != nil {
			f.Close()
			return nil, fmt.Errorf("lock %s: %w", dir, err)
		}
		if isAt(f, path) {
			return func() { f.Close() }, nil
		}
		f.Close() // Remove has removed it
	}
}

// Use prevents Remove from removing a directory until release is called or this process exits. The caller has called Lock. A
// directory that is not writable is not removed anyway.
func Use(dir string) (release func(), err error) {
	path := filepath.Join(dir, useName)
	f, err := open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return func() {}, nil
	}
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_SH); err != nil {
		f.Close()
		return nil, fmt.Errorf("lock %s: %w", path, err)
	}
	now := time.Now()
	_ = os.Chtimes(path, now, now) // fails for another user's directory, which this user cannot remove either
	return func() { f.Close() }, nil
}

// LastUse returns the time of the last Use of a directory. The error is an fs.ErrNotExist if there was none.
func LastUse(dir string) (time.Time, error) {
	info, err := os.Stat(filepath.Join(dir, useName))
	if err != nil {
		return time.Time{}, err
	}
	return info.ModTime(), nil
}

// Remove removes a directory in which no process builds and that none uses, and reports whether it did. It may return an error, too, if
// some of the directory is left under another name.
func Remove(dir string) (removed bool, err error) {
	// The lock file is made if there is none, since a process that has just made the directory is about to lock it.
	build, err := os.OpenFile(filepath.Join(dir, buildName), os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return false, err
	}
	defer build.Close()
	if locked, err := tryLock(build); !locked {
		return false, err
	}
	if !isAt(build, build.Name()) {
		return false, nil // another process removed it, and may have made it again
	}
	used, err := os.OpenFile(filepath.Join(dir, useName), os.O_RDWR, 0)
	switch {
	case err == nil:
		defer used.Close()
		if locked, err := tryLock(used); !locked {
			return false, err
		}
	case !errors.Is(err, fs.ErrNotExist):
		return false, err
	}
	// Rename it first, so that no process finds it half removed.
	gone, err := os.MkdirTemp(filepath.Dir(dir), removedPrefix)
	if err != nil {
		return false, err
	}
	if err := os.Rename(dir, filepath.Join(gone, filepath.Base(dir))); err != nil {
		os.Remove(gone)
		return false, err
	}
	// Those who wait for the lock of the removed directory then lock the one that has its name now.
	build.Close()
	used.Close() // which may be nil
	return true, removeAll(gone)
}

// tryLock locks a file that no other process has locked, and reports whether it did.
func tryLock(f *os.File) (bool, error) {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("lock %s: %w", f.Name(), err)
	}
	return true, nil
}

// removeAll removes a renamed directory. Each process that looked up the directory before it was renamed may make a lock file in it once, while
// it is removed.
func removeAll(dir string) (err error) {
	for range mostLate {
		if err = os.RemoveAll(dir); !errors.Is(err, syscall.ENOTEMPTY) {
			break
		}
	}
	return err
}

// mostLate is the most such processes that removeAll expects.
const mostLate = 100

// removedPrefix is the prefix of a directory that contains one that is being removed.
const removedPrefix = ".removed-"

func open(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o644)
	if isReadOnly(err) {
		return os.Open(path)
	}
	return f, err
}

// makeDir makes a directory that other processes may remove at the same time.
func makeDir(dir string) error {
	for {
		err := os.MkdirAll(dir, 0o755)
		if !errors.Is(err, fs.ErrExist) {
			return err
		}
		// Another process made the directory, and may have removed it again before MkdirAll looked at it.
		info, statErr := os.Lstat(dir)
		if statErr == nil && !info.IsDir() {
			return err
		}
	}
}

// isAt reports whether f is the file at the path.
func isAt(f *os.File, path string) bool {
	mine, err := f.Stat()
	if err != nil {
		return false
	}
	now, err := os.Stat(path)
	return err == nil && os.SameFile(mine, now)
}

const writable = 2 // W_OK of access(2)

func isReadOnly(err error) bool {
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS)
}

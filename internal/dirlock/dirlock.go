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
	buildName = "lock" // locked by the one who builds
	useName   = "used" // locked by all who use the directory; its time is when one began
)

// Lock makes the directory, waits until no other process holds it, and holds it until unlock
// is called or this process ends. A directory that is there and can't be written to is held, too, as far as it can be:
// what has been built in it can be used.
func Lock(dir string) (unlock func(), err error) {
	path := filepath.Join(dir, buildName)
	for {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return nil, err
		}
		f, err := open(path)
		if errors.Is(err, fs.ErrNotExist) {
			if !isWritable(dir) {
				return func() {}, nil // so nobody builds here
			}
			continue // it was removed meanwhile
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
		f.Close() // Remove has taken it away
	}
}

// Use keeps a directory from being removed by Remove until release is called or this process ends. The caller holds its Lock. Where
// the directory can't be written to, nobody removes it.
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
	_ = os.Chtimes(path, now, now) // another user's directory is not ours to remove
	return func() { f.Close() }, nil
}

// LastUse returns when Use was last called for a directory. It is an fs.ErrNotExist if it never was.
func LastUse(dir string) (time.Time, error) {
	info, err := os.Stat(filepath.Join(dir, useName))
	if err != nil {
		return time.Time{}, err
	}
	return info.ModTime(), nil
}

// Remove removes a directory that no process builds in or uses, and reports whether it has done so.
func Remove(dir string) (removed bool, err error) {
	for _, name := range []string{buildName, useName} {
		f, err := os.OpenFile(filepath.Join(dir, name), os.O_RDWR, 0)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return false, err
		}
		defer f.Close()
		err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return false, nil
		}
		if err != nil {
			return false, fmt.Errorf("lock %s: %w", f.Name(), err)
		}
	}
	// All at once, so that nobody finds half of it.
	gone, err := os.MkdirTemp(filepath.Dir(dir), removedPrefix)
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(gone)
	if err := os.Rename(dir, filepath.Join(gone, filepath.Base(dir))); err != nil {
		return false, err
	}
	return true, os.RemoveAll(gone)
}

// removedPrefix begins the name of a directory that holds one that is being removed.
const removedPrefix = ".removed-"

func open(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o644)
	if isReadOnly(err) {
		return os.Open(path)
	}
	return f, err
}

// isAt reports whether f is the file that has the path now.
func isAt(f *os.File, path string) bool {
	mine, err := f.Stat()
	if err != nil {
		return false
	}
	now, err := os.Stat(path)
	return err == nil && os.SameFile(mine, now)
}

func isWritable(dir string) bool { return syscall.Access(dir, 2) == nil } // W_OK

func isReadOnly(err error) bool {
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS)
}

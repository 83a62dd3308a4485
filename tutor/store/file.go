package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/gopherwarp/gopherwarp/tutor"
)

// PathEnv is the environment variable with the path of the file, for classes that keep it elsewhere, or "off".
const PathEnv = "GOPHERWARP_TUTOR"

// DefaultPath returns the path of the user's file. It is "" if the variable is "off".
func DefaultPath() (string, error) {
	switch path := os.Getenv(PathEnv); path {
	case "":
	case "off":
		return "", nil
	default:
		return path, nil
	}
	data := os.Getenv("XDG_DATA_HOME")
	if data == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", fmt.Errorf("find a folder for the tutor's progress: %w: set HOME, or %s to the path of a file", err, PathEnv)
		}
		data = filepath.Join(home, ".local", "share")
	}
	return filepath.Join(data, "gopherwarp", "tutor", "learner.json"), nil
}

// A File is a tutor.Store in a file.
type File struct{ path string }

var _ tutor.Store = (*File)(nil)

// New returns the store in the file of that path, which need not exist.
func New(path string) *File { return &File{path} }

// Update implements tutor.Store.
func (f *File) Update(ctx context.Context, change func(*tutor.Learner) (*tutor.Learner, error)) error {
	unlock, err := f.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	old, err := f.read()
	if err != nil {
		return err
	}
	l, err := change(old)
	if err != nil || l == nil {
		return err
	}
	return f.write(l)
}

// read returns the state, or nil if there is none.
func (f *File) read() (*tutor.Learner, error) {
	data, err := os.ReadFile(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the tutor's progress: %w", err)
	}
	l, err := tutor.Decode(data)
	if newer := new(tutor.VersionError); errors.As(err, &newer) {
		return nil, fmt.Errorf("read the tutor's progress in %s: %w. Nothing was changed", f.path, err)
	}
	if err != nil {
		return nil, fmt.Errorf("read the tutor's progress in %s: %w. Nothing was changed: mend the file, put a copy in its place, or let %%tutor reset put it away", f.path, err)
	}
	return l, nil
}

// write replaces the file in one step.
func (f *File) write(l *tutor.Learner) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("write the tutor's progress to %s, which is as it was: %w", f.path, err)
		}
	}()
	data, err := l.Encode()
	if err != nil {
		return err
	}
	temp, err := os.CreateTemp(filepath.Dir(f.path), ".learner-*")
	if err != nil {
		return err
	}
	defer os.Remove(temp.Name()) // fails if it was renamed
	_, err = temp.Write(data)
	err = errors.Join(err, temp.Sync(), temp.Close())
	if err != nil {
		return err
	}
	return os.Rename(temp.Name(), f.path)
}

// lock locks the file until unlock is called or this process exits.
func (f *File) lock(ctx context.Context) (unlock func(), err error) {
	if err := os.MkdirAll(filepath.Dir(f.path), 0o700); err != nil {
		return nil, fmt.Errorf("make the folder of the tutor's progress: %w", err)
	}
	file, err := os.OpenFile(f.path+".lock", os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("lock the tutor's progress: %w", err)
	}
	locked := make(chan error, 1)
	go func() { locked <- syscall.Flock(int(file.Fd()), syscall.LOCK_EX) }()
	select {
	case err = <-locked:
	case <-ctx.Done():
		go func() { // the lock is let go as soon as it is had
			<-locked
			file.Close()
		}()
		return nil, ctx.Err()
	}
	if err != nil {
		file.Close()
		return nil, fmt.Errorf("lock the tutor's progress: %w", err)
	}
	return func() { file.Close() }, nil
}

// Reset implements tutor.Store: it renames the file.
func (f *File) Reset(ctx context.Context) (kept string, err error) {
	unlock, err := f.lock(ctx)
	if err != nil {
		return "", err
	}
	defer unlock()
	if _, err := os.Stat(f.path); errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	for n := 1; ; n++ {
		kept = fmt.Sprintf("%s.old-%d", f.path, n)
		if _, err := os.Lstat(kept); err == nil {
			continue
		}
		if err := os.Rename(f.path, kept); err != nil {
			return "", fmt.Errorf("put the tutor's progress away: %w", err)
		}
		return kept, nil
	}
}

package dirlock

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func TestRemove(t *testing.T) {
	for name, c := range map[string]struct {
		hold func(t *testing.T, dir string) (release func())
	}{
		"while it is built": {func(t *testing.T, dir string) func() { return lock(t, dir) }},
		"while it is used":  {use},
		"while two use it": {func(t *testing.T, dir string) func() {
			first, second := use(t, dir), use(t, dir)
			first()
			return second
		}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "made")
			release := c.hold(t, dir)
			if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o644); err != nil {
				t.Fatal(err)
			}
			if removed, err := Remove(dir); removed || err != nil {
				t.Errorf("removed is %v, error %v", removed, err)
			}
			if _, err := os.Stat(filepath.Join(dir, "file")); err != nil {
				t.Error(err)
			}
			release()
			if removed, err := Remove(dir); !removed || err != nil {
				t.Errorf("after its release removed is %v, error %v", removed, err)
			}
			if left, err := os.ReadDir(filepath.Dir(dir)); err != nil || len(left) > 0 {
				t.Errorf("left are %v, error %v", left, err)
			}
		})
	}
}

// TestLockOfRemoved waits for a lock of a directory that is removed in the meantime.
func TestLockOfRemoved(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "made")
	unlock := lock(t, dir)
	waiting := make(chan func())
	go func() {
		unlock, err := Lock(dir)
		if err != nil {
			t.Error(err)
		}
		waiting <- unlock
	}()
	if err := os.Rename(dir, filepath.Join(t.TempDir(), "removed")); err != nil { // in one step, as Remove does it
		t.Fatal(err)
	}
	unlock()
	unlock = <-waiting
	defer unlock()
	if removed, err := Remove(dir); removed || err != nil {
		t.Errorf("a locked directory: removed is %v, error %v", removed, err)
	}
}

// TestLocksOfRemoved removes a directory again and again while others lock it and use it: one at a time has locked it, and it is not removed
// meanwhile.
func TestLocksOfRemoved(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "made")
	var holders atomic.Int32
	var lockers, removers sync.WaitGroup
	done := make(chan struct{})
	for i := range 4 {
		file := filepath.Join(dir, strconv.Itoa(i))
		lockers.Go(func() {
			for range 300 {
				unlock, err := Lock(dir)
				if err != nil {
					t.Error(err)
					return
				}
				if n := holders.Add(1); n != 1 {
					t.Errorf("%d have locked the directory", n)
				}
				if err := os.WriteFile(file, nil, 0o644); err != nil {
					t.Error(err)
				}
				release, err := Use(dir)
				holders.Add(-1)
				unlock()
				if err != nil {
					t.Error(err)
					return
				}
				if _, err := os.Stat(file); err != nil {
					t.Errorf("the directory is removed while it is used: %v", err)
				}
				release()
			}
		})
		removers.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
				}
				if _, err := Remove(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
					t.Error(err)
				}
			}
		})
	}
	lockers.Wait()
	close(done)
	removers.Wait()
	left, err := filepath.Glob(filepath.Join(filepath.Dir(dir), removedPrefix+"*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left are %v, error %v", left, err)
	}
}

// TestRemoveNeverLocked removes a directory that no process has locked yet.
func TestRemoveNeverLocked(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "made")
	if removed, err := Remove(dir); removed || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a directory that does not exist: removed is %v, error %v", removed, err)
	}
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if removed, err := Remove(dir); !removed || err != nil {
		t.Errorf("removed is %v, error %v", removed, err)
	}
	if left, err := os.ReadDir(filepath.Dir(dir)); err != nil || len(left) > 0 {
		t.Errorf("left are %v, error %v", left, err)
	}
}

func TestLastUse(t *testing.T) {
	dir := t.TempDir()
	if _, err := LastUse(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("before: error %v", err)
	}
	before := time.Now().Add(-time.Hour)
	use(t, dir)()
	if err := os.Chtimes(filepath.Join(dir, useName), before, before); err != nil {
		t.Fatal(err)
	}
	use(t, dir)()
	if at, err := LastUse(dir); err != nil || time.Since(at) > time.Minute {
		t.Errorf("used at %v, error %v", at, err)
	}
}

func lock(t *testing.T, dir string) func() {
	t.Helper()
	unlock, err := Lock(dir)
	if err != nil {
		t.Fatal(err)
	}
	return unlock
}

func use(t *testing.T, dir string) func() {
	t.Helper()
	defer lock(t, dir)()
	release, err := Use(dir)
	if err != nil {
		t.Fatal(err)
	}
	return release
}

package store

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/gopherwarp/gopherwarp/tutor"
)

func step(l *tutor.Learner) (*tutor.Learner, error) {
	if l == nil {
		l = tutor.NewLearner(7)
	}
	l.Step++
	return l, nil
}

// TestTwoNotebooks changes one file through several stores at once: no change is lost.
func TestTwoNotebooks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a", "learner.json")
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			f := New(path)
			for range 25 {
				if err := f.Update(t.Context(), step); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	err := New(path).Update(t.Context(), func(l *tutor.Learner) (*tutor.Learner, error) {
		if l.Step != 100 || l.Seed != 7 {
			t.Errorf("step %d, seed %d", l.Step, l.Seed)
		}
		return nil, nil
	})
	if err != nil {
		t.Error(err)
	}
	if left, err := filepath.Glob(filepath.Join(filepath.Dir(path), ".learner-*")); err != nil || len(left) > 0 {
		t.Errorf("left are %v, %v", left, err)
	}
}

// TestUnreadable checks that a file that cannot be read stays as it is, and that reset puts it away.
func TestUnreadable(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"empty":              {"", "it is damaged"},
		"cut off":            {`{"version": 1, "concepts": {"a": `, "it is damaged"},
		"of another format":  {`{"name": "x"}`, "it has no version"},
		"with parts missing": {`{"version": 1, "concepts": null}`, "parts of it are missing"},
		"of a newer version": {`{"version": 99, "concepts": []}`, "a newer gopherwarp has written it (version 99"},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "learner.json")
			if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
			f := New(path)
			if err := f.Update(t.Context(), step); err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "Nothing was changed") {
				t.Errorf("error %v, want %q in it", err, c.want)
			}
			if got, err := os.ReadFile(path); err != nil || string(got) != c.text {
				t.Errorf("the file is %q, %v", got, err)
			}
			kept, err := f.Reset(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if got, err := os.ReadFile(kept); err != nil || string(got) != c.text {
				t.Errorf("%s is %q, %v", kept, got, err)
			}
			if err := f.Update(t.Context(), step); err != nil {
				t.Error(err)
			}
			if again, err := f.Reset(t.Context()); err != nil || again == kept {
				t.Errorf("a second reset keeps it in %s, %v", again, err)
			}
		})
	}
}

// TestRefusedChange checks that an error of a change leaves the file as it is.
func TestRefusedChange(t *testing.T) {
	path := filepath.Join(t.TempDir(), "learner.json")
	f := New(path)
	if err := f.Update(t.Context(), step); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	refused := errors.New("refused")
	err = f.Update(t.Context(), func(l *tutor.Learner) (*tutor.Learner, error) {
		l.Step = 99
		return l, refused
	})
	if after, readErr := os.ReadFile(path); !errors.Is(err, refused) || readErr != nil || string(after) != string(before) {
		t.Errorf("error %v, %v; the file is\n%s", err, readErr, after)
	}
	stopped, stop := context.WithCancel(t.Context())
	unlock, err := f.lock(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	stop()
	if err := f.Update(stopped, step); !errors.Is(err, context.Canceled) {
		t.Errorf("an update that waits for the lock, and is interrupted: %v", err)
	}
	unlock()
	if err := f.Update(t.Context(), step); err != nil {
		t.Error(err)
	}
}

// TestFullDisk writes where no file can be made.
func TestFullDisk(t *testing.T) {
	if os.Getuid() == 0 {
		// Root may write anywhere, so the folder is a file.
		path := filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := New(filepath.Join(path, "learner.json")).Update(t.Context(), step); err == nil || !strings.Contains(err.Error(), "make the folder") {
			t.Errorf("error %v", err)
		}
		return
	}
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o500); err != nil {
		t.Fatal(err)
	}
	if err := New(filepath.Join(dir, "learner.json")).Update(t.Context(), step); err == nil || !strings.Contains(err.Error(), "lock the tutor's progress") {
		t.Errorf("error %v", err)
	}
}

package foreign_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/gopherwarp/gopherwarp"
	"github.com/gopherwarp/gopherwarp/internal/session"
)

// allEnv makes the tests of this package run everything, which takes an hour or two.
const allEnv = "GOPHERWARP_FOREIGN"

// recorder keeps the output of a cell.
type recorder struct {
	mu             sync.Mutex
	stdout, stderr strings.Builder
}

func (r *recorder) Stream(name, text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if name == "stdout" {
		r.stdout.WriteString(text)
	} else {
		r.stderr.WriteString(text)
	}
}

func (r *recorder) Display(_, _ map[string]any, _ string)       {}
func (r *recorder) UpdateDisplay(_, _ map[string]any, _ string) {}
func (r *recorder) Result(_, _ map[string]any)                  {}
func (r *recorder) ClearOutput(bool)                            {}

func (r *recorder) Input(context.Context, string, bool) (string, error) {
	return "", errors.New("nobody to ask")
}

// cacheDir returns the cache of package session's tests, since building the session program takes long.
func cacheDir() string {
	dir, err := os.UserCacheDir()
	if err != nil {
		dir = os.TempDir()
	}
	return filepath.Join(dir, "gopherwarp-test")
}

func TestMain(m *testing.M) {
	flag.Parse()
	if testing.Short() {
		fmt.Println("SKIPPED: makes sessions; run the tests without -short")
		os.Exit(0)
	}
	// The first session would build the session program, and print that in its first cell.
	config := session.Config{Cache: cacheDir(), Sources: gopherwarp.Sources}
	if _, err := session.OpenToolchain(context.Background(), config, func(string) {}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

type notebook struct {
	t *testing.T
	*session.Session
}

func newNotebook(t *testing.T) *notebook {
	t.Helper()
	return newNotebookIn(t, t.TempDir())
}

func newNotebookIn(t *testing.T, dir string) *notebook {
	t.Helper()
	s, err := session.New(session.Config{Cache: cacheDir(), Sources: gopherwarp.Sources, Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return &notebook{t: t, Session: s}
}

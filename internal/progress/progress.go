package progress

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"time"
)

// EnvVar is the environment variable with the file of a learner's progress, or "off".
const EnvVar = "GOPHERWARP_PROGRESS"

// A Kind is the kind of an event.
type Kind string

const (
	Begin  Kind = "begin"  // the first cell of the lesson ran
	Check  Kind = "check"  // the check Name ran
	Answer Kind = "answer" // the question Name was answered by Text
	Hint   Kind = "hint"   // hint number Step for the exercise Name was shown
)

// An Event is something that a learner has done.
type Event struct {
	Time   time.Time `json:"time"`
	Lesson string    `json:"lesson"` // its path: "1-basics/first-kernel"
	Kind   Kind      `json:"kind"`
	Name   string    `json:"name,omitempty"`
	Right  bool      `json:"right,omitempty"` // of checks and answers
	Points int       `json:"points,omitempty"`
	Of     int       `json:"of,omitempty"` // the maximum of Points
	// Text is the first line of what a check that failed has reported, or the answer to a question.
	Text string `json:"text,omitempty"`
	Step int    `json:"step,omitempty"`
}

// maxText is the maximum number of bytes of Text that are kept.
const maxText = 300

// A Store is a file with events. Its methods are safe for concurrent use, also by other processes.
type Store struct {
	path string

	mu     sync.Mutex
	memory []Event // without a path
}

// Open returns the store in a file, which need not exist. Without a path the store is in the memory of this process.
func Open(path string) *Store { return &Store{path: path} }

// Path returns the file of this user: GOPHERWARP_PROGRESS, or progress.jsonl in the user's directory for states. It is "" if the variable
// is "off".
func Path() (string, error) {
	switch path := os.Getenv(EnvVar); path {
	case "":
	case "off":
		return "", nil
	default:
		return path, nil
	}
	dir := os.Getenv("XDG_STATE_HOME")
	if dir == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", fmt.Errorf("find a folder for the progress in the lessons: %w: set HOME, or %s to a file", err, EnvVar)
		}
		dir = filepath.Join(home, ".local", "state")
	}
	return filepath.Join(dir, "gopherwarp", "progress.jsonl"), nil
}

// Add appends events. Those without a time get the present one.
func (s *Store) Add(events ...Event) error {
	if len(events) == 0 {
		return nil
	}
	if s.path == "" {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.memory = append(s.memory, events...)
		return nil
	}
	// An empty line first: the last one may be cut off, where a process was killed.
	text := []byte("\n")
	for _, e := range events {
		if e.Time.IsZero() {
			e.Time = time.Now().Round(time.Millisecond)
		}
		e.Text = e.Text[:min(len(e.Text), maxText)]
		line, err := json.Marshal(e)
		if err != nil {
			return fmt.Errorf("keep the progress: %w", err)
		}
		text = append(append(text, line...), '\n')
	}
	if err := os.MkdirAll(filepath.Dir(s.path), 0o700); err != nil {
		return fmt.Errorf("keep the progress: %w", err)
	}
	f, err := os.OpenFile(s.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("keep the progress: %w", err)
	}
	// Closing the file releases the lock. Some network file systems have no locks; there two notebooks may mix a line.
	_ = syscall.Flock(int(f.Fd()), syscall.LOCK_EX)
	_, err = f.Write(text)
	if err := errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("keep the progress: %w", err)
	}
	return nil
}

// Events returns all events in the order in which they were added. A missing file has none, and damaged lines are skipped.
func (s *Store) Events() ([]Event, error) {
	if s.path == "" {
		s.mu.Lock()
		defer s.mu.Unlock()
		return slices.Clone(s.memory), nil
	}
	data, err := os.ReadFile(s.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the progress: %w", err)
	}
	var events []Event
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, len(data)+1) // a damaged line may be as long as the file
	for lines.Scan() {
		var e Event
		if json.Unmarshal(lines.Bytes(), &e) == nil && e.Lesson != "" && e.Kind != "" {
			events = append(events, e)
		}
	}
	return events, nil
}

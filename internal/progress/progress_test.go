package progress

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

func store(t *testing.T) *Store {
	t.Helper()
	return Open(filepath.Join(t.TempDir(), "new", "progress.jsonl"))
}

func events(t *testing.T, s *Store) []Event {
	t.Helper()
	list, err := s.Events()
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestStore(t *testing.T) {
	s := store(t)
	if list := events(t, s); len(list) != 0 {
		t.Errorf("a file that does not exist has %d events", len(list))
	}
	want := Event{Time: time.Unix(1000, 0).UTC(), Lesson: "1-basics/a", Kind: Check, Name: "check-a", Right: true, Points: 2, Of: 2}
	if err := s.Add(want, Event{Lesson: "1-basics/a", Kind: Hint, Name: "a", Step: 1, Text: strings.Repeat("x", 2*maxText)}); err != nil {
		t.Fatal(err)
	}
	list := events(t, s)
	if len(list) != 2 || list[0] != want {
		t.Fatalf("got %v, want %v and a hint", list, want)
	}
	if list[1].Time.IsZero() || len(list[1].Text) != maxText {
		t.Errorf("time %v, %d bytes of text, want now and %d", list[1].Time, len(list[1].Text), maxText)
	}
	if info, err := os.Stat(s.path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("others can read the file: %v, %v", info, err)
	}
	memory := Open("")
	if err := memory.Add(want); err != nil || len(events(t, memory)) != 1 {
		t.Errorf("a store without a file: %v, %v", events(t, memory), err)
	}
}

// TestDamage cuts and overwrites the file, and adds an event.
func TestDamage(t *testing.T) {
	for name, damage := range map[string]func([]byte) []byte{
		"cut within the last line":  func(b []byte) []byte { return b[:len(b)-20] },
		"zeros as after a crash":    func(b []byte) []byte { return append(b, make([]byte, 100_000)...) },
		"a text of somebody's":      func(b []byte) []byte { return append([]byte("dear diary\n{}\n[]\n\"x\"\n"), b...) },
		"a long line without end":   func(b []byte) []byte { return append(b, bytes.Repeat([]byte("y"), 200_000)...) },
		"an event of a later state": func(b []byte) []byte { return append(b, "{\"lesson\":\"a\",\"kind\":\"dream\",\"new\":[1]}\n"...) },
	} {
		t.Run(name, func(t *testing.T) {
			s := store(t)
			for i := range 3 {
				if err := s.Add(Event{Lesson: "a", Kind: Check, Name: fmt.Sprint(i)}); err != nil {
					t.Fatal(err)
				}
			}
			data, err := os.ReadFile(s.path)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(s.path, damage(data), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := s.Add(Event{Lesson: "a", Kind: Check, Name: "after"}); err != nil {
				t.Fatal(err)
			}
			var names []string
			for _, e := range events(t, s) {
				names = append(names, e.Name)
			}
			if got := strings.Join(names, " "); !strings.HasPrefix(got, "0 1") || !strings.HasSuffix(got, "after") {
				t.Errorf("got the events %s, want at least 0, 1 and after", got)
			}
		})
	}
}

const helper = "GOPHERWARP_TEST_PROGRESS"

// TestProcesses adds events from several processes, each with several goroutines.
func TestProcesses(t *testing.T) {
	const processes, goroutines, each = 3, 4, 25
	add := func(s *Store) {
		var wg sync.WaitGroup
		for range goroutines {
			wg.Go(func() {
				for range each {
					if err := s.Add(Event{Lesson: "a", Kind: Check, Name: "c", Text: strings.Repeat("z", maxText)}); err != nil {
						t.Error(err)
					}
				}
			})
		}
		wg.Wait()
	}
	if path := os.Getenv(helper); path != "" {
		add(Open(path))
		return
	}
	s := store(t)
	var wg sync.WaitGroup
	for range processes {
		wg.Go(func() {
			cmd := exec.Command(os.Args[0], "-test.run=^TestProcesses$")
			cmd.Env = append(os.Environ(), helper+"="+s.path)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
	wg.Wait()
	if got, want := len(events(t, s)), processes*goroutines*each; got != want {
		t.Errorf("%d events, want %d", got, want)
	}
}

func TestPath(t *testing.T) {
	t.Setenv("HOME", "/home/me")
	for _, c := range []struct{ variable, state, want string }{
		{"", "", "/home/me/.local/state/gopherwarp/progress.jsonl"},
		{"", "/state", "/state/gopherwarp/progress.jsonl"},
		{"/mine", "/state", "/mine"},
		{"off", "", ""},
	} {
		t.Setenv(EnvVar, c.variable)
		t.Setenv("XDG_STATE_HOME", c.state)
		if got, err := Path(); err != nil || got != c.want {
			t.Errorf("%q, %q: got %s, %v, want %s", c.variable, c.state, got, err, c.want)
		}
	}
}

func TestSummarize(t *testing.T) {
	at := func(s int64) time.Time { return time.Unix(s, 0) }
	lessons := Summarize([]Event{
		{Time: at(1), Lesson: "a", Kind: Begin},
		{Time: at(2), Lesson: "a", Kind: Check, Name: "c", Of: 3, Text: "wrong values"},
		{Time: at(3), Lesson: "a", Kind: Check, Name: "c", Right: true, Points: 3, Of: 3},
		{Time: at(4), Lesson: "a", Kind: Check, Name: "c", Of: 3, Text: "broken again"},
		{Time: at(4), Lesson: "a", Kind: Check, Name: "d", Right: true, Points: 1, Of: 1},
		{Time: at(5), Lesson: "a", Kind: Answer, Name: "q", Text: "a"},
		{Time: at(6), Lesson: "a", Kind: Answer, Name: "q", Text: "b", Right: true},
		{Time: at(7), Lesson: "a", Kind: Hint, Name: "x", Step: 2},
		{Time: at(8), Lesson: "a", Kind: Hint, Name: "x", Step: 1},
		{Time: at(9), Lesson: "b", Kind: "of a tutor"},
	})
	a := lessons["a"]
	if a.Points() != 4 || a.Begun != at(1) || a.Last != at(8) || a.Hints["x"] != 2 || a.Answers["q"].Text != "b" {
		t.Errorf("got %+v with %d points", a, a.Points())
	}
	if c := a.Checks["c"]; c.Tries != 3 || c.Passed != at(3) || c.Reason != "broken again" {
		t.Errorf("got %+v", c)
	}
	if lessons["b"] == nil || len(lessons) != 2 {
		t.Errorf("got the lessons %v", lessons)
	}
}

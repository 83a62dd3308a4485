package tutor

import (
	"errors"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/verify"
)

// failures are exercises that failed, one event each.
type failures []Miss

func (f failures) Missed(seen int) ([]Miss, int, error) {
	if len(f) == 0 {
		return nil, 0, errors.New("no such file")
	}
	return f[min(seen, len(f)):], len(f), nil
}

func (f failures) State() (any, error) {
	if len(f) == 0 {
		return nil, errors.New("no such file")
	}
	return map[string]int{"missed": len(f)}, nil
}

// TestExportCourse checks that the export has the progress in the course, and is a state that can be read again.
func TestExportCourse(t *testing.T) {
	s := begin(t, "--seed 3")
	s.Exercises = failures{{"first-kernel", "square: nothing was written"}}
	page := s.do(t, "export", "progress.json")
	if !strings.Contains(string(page.Data), `"missed": 1`) {
		t.Errorf("the export is\n%s", page.Data)
	}
	if l, err := Decode(page.Data); err != nil || l.Seed != s.store.l.Seed {
		t.Errorf("read again: %v", err)
	}
}

// TestMissedExercises checks which concepts come back after exercises that failed, each failure once.
func TestMissedExercises(t *testing.T) {
	for name, c := range map[string]struct {
		missed []Miss
		want   string // the concepts
	}{
		"by the reason":                  {[]Miss{{"first-kernel", "square: written past the end"}}, "guard"},
		"twice the same":                 {[]Miss{{"first-kernel", "a: threads race"}, {"atomics", "b: threads race"}}, "races"},
		"several":                        {[]Miss{{"warps", "a: threads race"}, {"warps", "b: counts are too low"}}, "races atomics"},
		"by the lesson, the least known": {[]Miss{{"monte-carlo", "pi: wrong values"}}, "monte-carlo"},
		"of a lesson without concepts":   {[]Miss{{"my-lesson", "x: wrong values"}}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := begin(t, "--seed 3")
			s.put(t, "grid-1-numeric")
			l := s.store.l
			l.progress("random").Mastery = 0.9
			s.Exercises = failures(c.missed)
			l.Pending = nil
			s.collect(l)
			if got := strings.Join(l.Queue, " "); got != c.want {
				t.Errorf("%q come back, want %q", got, c.want)
			}
			l.Queue = nil
			s.collect(l)
			if len(l.Queue) > 0 {
				t.Errorf("%q come back again", l.Queue)
			}
		})
	}
	s := begin(t, "--seed 3")
	s.put(t, "grid-1-numeric")
	s.store.l.Pending, s.Exercises = nil, failures(nil)
	if text := s.do(t, "next", "").Text(); !strings.Contains(text, "exercises in the lessons were not looked at: no such file") || s.store.l.Pending == nil {
		t.Errorf("if the progress can't be read it says\n%s", text)
	}
}

// TestReasons compares the reasons with those of package verify.
func TestReasons(t *testing.T) {
	known := map[string]bool{}
	for _, r := range []verify.Reason{
		verify.Uncoalesced, verify.BankConflicts, verify.TooManyBytes, verify.TooMuchAtomic, verify.LaunchCount, verify.TooManyCopies, verify.GuardAfter, verify.OutOfBounds,
		verify.LastMissing, verify.TailMissing, verify.FirstBlockOnly, verify.WrongStep, verify.IndexProduct, verify.Transposed, verify.WrongAxis, verify.Race, verify.Unsteady,
		verify.Barrier, verify.LeftEarly, verify.TooLow, verify.ScanShifted, verify.BlocksApart, verify.OneThread, verify.EachDoesAll, verify.NotOnDevice,
	} {
		known[string(r)] = true
	}
	b := bank(t)
	for _, r := range reasons {
		if !known[r.text] || b.Concept(r.concept) == nil {
			t.Errorf("%q, of %s, is no reason, or that is no concept", r.text, r.concept)
		}
	}
	if len(reasons) != len(known) {
		t.Errorf("%d reasons, want %d", len(reasons), len(known))
	}
}

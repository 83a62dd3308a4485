package tutor

import (
	"context"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "write the transcripts in testdata anew")

// A session is a tutor for a learner in memory.
type session struct {
	*Tutor
	store *memory
	now   time.Time
}

func begin(t *testing.T, args string) *session {
	t.Helper()
	b := bank(t)
	s := &session{store: &memory{}, now: time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)}
	s.Tutor = New(b, s.store, Options{Runner: believer{b}, Now: func() time.Time { return s.now }})
	if args != "" {
		s.do(t, "start", args)
	}
	return s
}

// do runs a command that must succeed.
func (s *session) do(t *testing.T, command, args string) *Page {
	t.Helper()
	page, err := s.Do(t.Context(), Request{Command: command, Args: args})
	if err != nil {
		t.Fatalf("%s %s: %v", command, args, err)
	}
	return page
}

// put makes an item pending, for a learner whose placement is over.
func (s *session) put(t *testing.T, id string) (*Item, *Pending) {
	t.Helper()
	item := s.bank.Item(id)
	if item == nil {
		t.Fatalf("there is no item %s", id)
	}
	l := s.store.l
	l.Placement, l.Entry = nil, 1
	l.Pending = &Pending{Item: id, Purpose: Learning}
	shown := len(item.Lines)
	if item.Type == Choice || item.Type == Multiple {
		shown = len(item.Answers)
	}
	for n := range shown {
		l.Pending.Order = append(l.Pending.Order, n)
	}
	for _, v := range item.Variables {
		if l.Pending.Values == nil {
			l.Pending.Values = map[string]string{}
		}
		l.Pending.Values[v.Name] = v.Values[0]
	}
	return item, l.Pending
}

// TestTranscripts compares the transcripts of three learners with those in testdata, which people have read.
func TestTranscripts(t *testing.T) {
	for name, c := range map[string]struct {
		make  func() *student
		steps int
	}{
		"novice":        {profiles()[1].make, 30},
		"expert":        {profiles()[3].make, 30},
		"misconception": {profiles()[5].make, 40},
	} {
		t.Run(name, func(t *testing.T) {
			got := transcript(t, c.make(), c.steps)
			if again := transcript(t, c.make(), c.steps); again != got {
				t.Error("the same seed and answers give another transcript")
			}
			golden(t, name, got)
		})
	}
	t.Run("commands", func(t *testing.T) { golden(t, "commands", allCommands(t)) })
}

// golden compares a transcript with that in testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name+".txt")
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile(file); err != nil || string(want) != got {
		t.Errorf("%s is not the transcript (%v): go test ./tutor -run TestTranscripts -update", file, err)
	}
}

// allCommands returns a transcript with each command, also where it is refused.
func allCommands(t *testing.T) string {
	t.Helper()
	s := begin(t, "")
	var b strings.Builder
	say := func(command string) {
		name, args, _ := strings.Cut(command, " ")
		page, err := s.Do(t.Context(), Request{Command: name, Args: args})
		text := ""
		if input := new(InputError); errors.As(err, &input) {
			text = "! " + err.Error()
		} else if err != nil {
			t.Fatalf("%s: %v", command, err)
		} else {
			text = page.Text()
		}
		b.WriteString(">>> %tutor " + command + "\n\n" + text + "\n\n")
	}
	for _, command := range []string{"next", "start --seed 4 --path module 2", "hint", "skip", "answer B", "hint", "next", "hint", "skip", "path quick"} {
		say(command)
	}
	s.put(t, "bandwidth-1-numeric")
	for _, command := range []string{
		"next", "answer fast", "answer 800 MB", "hint", "hint", "answer 1000", "reveal", "why", "answer 2000", "review guard", "start", "reveal", "define warp", "define occupancy",
		"define nothing of that", "path", "path module 4", "next", "reset", "map", "reset",
	} {
		say(command)
	}
	return b.String()
}

// transcript returns what a student and the tutor say.
func transcript(t *testing.T, who *student, steps int) string {
	t.Helper()
	who.seen, who.last = map[string]int{}, map[string]int{}
	who.Rand = newRand(5)
	s := begin(t, "")
	var b strings.Builder
	say := func(command, args string) {
		b.WriteString(strings.TrimSpace(">>> %tutor "+command+" "+args) + "\n\n" + s.do(t, command, args).Text() + "\n\n")
	}
	say("start", "--seed 11")
	for range steps {
		asked := s.store.l.Pending
		if asked == nil {
			say("next", "")
			if asked = s.store.l.Pending; asked == nil {
				break
			}
		}
		item := s.item(asked.Item)
		text := who.background
		if item != background {
			text = who.answer(s.Tutor, item, asked)
		}
		say("answer", text)
		if s.store.l.Pending == nil && item != background {
			who.seen[item.Concepts[0]]++
			who.step++
		}
	}
	say("map", "")
	return b.String()
}

// TestFeedback checks the eight steps and their order: after a first miss two of them and a hint, after the second one the third, and after a
// right answer the others.
func TestFeedback(t *testing.T) {
	titles := func(p *Page) string {
		var all []string
		for _, part := range p.Parts {
			all = append(all, part.Title)
		}
		return strings.Trim(strings.ReplaceAll(strings.Join(all, "|"), "||", "|"), "|")
	}
	const id = "guard-1-numeric"
	s := begin(t, "--seed 3")
	_, asked := s.put(t, id)
	asked.Values = map[string]string{"n": "1000", "b": "256"}
	first := s.do(t, "answer", "3")
	if got := titles(first); got != "What is right|The gap|Hint" || first.Next {
		t.Errorf("a first miss shows %s", got)
	}
	if text := first.Text(); !strings.Contains(text, "Rounded down, the last elements have no thread") || strings.Contains(text, "rounded up") {
		t.Errorf("a first miss says\n%s", text)
	}
	second := s.do(t, "answer", "floor(1000/256)")
	if got := titles(second); got != "What is right|The gap|The answer" || !second.Next {
		t.Errorf("a second miss shows %s", got)
	}
	const all = "The answer|Performance|CPU and GPU|Look it up|Alternatives|Where it is used"
	if got := titles(s.do(t, "why", "")); !strings.HasSuffix(got, "The gap|"+all) {
		t.Errorf("why shows %s", got)
	}
	s = begin(t, "--seed 3")
	s.put(t, id)
	if got := titles(s.do(t, "reveal", "")); got != all {
		t.Errorf("reveal shows %s", got)
	}
	s = begin(t, "--seed 3")
	_, asked = s.put(t, id)
	asked.Values = map[string]string{"n": "1000", "b": "256"}
	if got := titles(s.do(t, "answer", "(1000 + 255 - 231)/256 blocks")); got != all {
		t.Errorf("a right answer shows %s", got)
	}
}

// TestBadInput checks that what cannot be graded gives a sentence and counts for nothing.
func TestBadInput(t *testing.T) {
	for name, c := range map[string]struct {
		item, command, args, want string
	}{
		"a word for a choice":          {"host-device-1-choice", "answer", "first", `"first" is none of the choices A to D`},
		"a letter too far":             {"host-device-1-choice", "answer", "E", `is none of the choices A to D`},
		"several letters for a choice": {"host-device-1-choice", "answer", "A,B", `is none of the choices`},
		"a letter for a number":        {"grid-1-numeric", "answer", "B", `the answer "B" can't be read`},
		"another unit":                 {"transfers-4-numeric", "answer", "4 ms", "has another unit"},
		"words for lines":              {"guard-4-order", "answer", "first second", "is not the number of a line"},
		"a line twice":                 {"guard-4-order", "answer", "1 1", "twice"},
		"a line that is not there":     {"guard-4-order", "answer", "99", "is not the number of a line from 1 to 8"},
		"nothing":                      {"grid-1-numeric", "answer", "  ", "the answer is empty"},
		"10 MB":                        {"grid-1-numeric", "answer", strings.Repeat("1", 10<<20), "10485760 bytes, of which at most 1000 are read"},
		"an item that is not pending":  {"grid-1-numeric", "answer", "grid-3-choice A", "question grid-3-choice is no longer open"},
		"nothing pending":              {"", "answer", "A", "no question is waiting"},
		"a hint of nothing":            {"", "hint", "", "no question is waiting"},
		"a skip of nothing":            {"", "skip", "", "no question is waiting"},
		"why of nothing":               {"", "why", "", "nothing to explain yet"},
		"an unknown command":           {"", "anwser", "A", `no command "anwser"`},
		"an unknown path":              {"", "path", "fast", `"fast" is no path`},
		"a module too far":             {"", "path", "module 9", "with N from 1 to 4"},
		"a path with more":             {"", "path", "quick quick", "not expected after the path"},
		"an unknown term":              {"", "define", "zzz", `"zzz" is not defined here`},
		"no term":                      {"", "define", "", "which term?"},
		"an unknown concept":           {"", "review", "zzz", `"zzz" is no concept and no lesson`},
		"another seed":                 {"", "start", "--seed 8", "there is progress already, with the seed 3"},
		"a seed that is none":          {"", "start", "--seed x", `"x" is no seed`},
		"arguments of next":            {"", "next", "x", "not expected here"},
		"arguments of reset":           {"", "reset", "all", "not expected here"},
	} {
		t.Run(name, func(t *testing.T) {
			s := begin(t, "--seed 3")
			s.store.l.Pending = nil
			if c.item != "" {
				s.put(t, c.item)
			}
			before, err := s.store.l.Encode()
			if err != nil {
				t.Fatal(err)
			}
			page, err := s.Do(t.Context(), Request{Command: c.command, Args: c.args})
			if input := new(InputError); !errors.As(err, &input) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%+v, %v; want an error with %q", page, err, c.want)
			}
			if len(err.Error()) > 500 {
				t.Errorf("an error of %d bytes", len(err.Error()))
			}
			if after, err := s.store.l.Encode(); err != nil || string(after) != string(before) {
				t.Errorf("the state has changed to %s, %v", after, err)
			}
		})
	}
	if _, err := begin(t, "").Do(t.Context(), Request{Command: "next"}); !errors.Is(err, errNotStarted) {
		t.Errorf("before start: %v", err)
	}
}

// TestTwoNotebooks answers one question in two notebooks: the later answer is refused.
func TestTwoNotebooks(t *testing.T) {
	s := begin(t, "--seed 3")
	s.put(t, "scan-2-predict")
	other := &waiter{Runner: believer{s.bank}}
	slow := New(s.bank, s.store, Options{Runner: other, Now: func() time.Time { return s.now }})
	other.then = func() { s.do(t, "answer", "1 3 3 10 5 11 7 36") }
	_, err := slow.Do(t.Context(), Request{Command: "answer", Args: "0 1 3 6 10 15 21 28"})
	if err == nil || !strings.Contains(err.Error(), "answered in another notebook") {
		t.Errorf("error %v", err)
	}
	if n := len(s.store.l.Events); n != 1 || s.store.l.Events[0].Score != 1 {
		t.Errorf("events %+v", s.store.l.Events)
	}
}

// A waiter is a runner during which something else happens.
type waiter struct {
	Runner
	then func()
}

func (w *waiter) Output(ctx context.Context, device string, program []Cell) (string, error) {
	w.then()
	return w.Runner.Output(ctx, device, program)
}

// TestClockBackwards sets the clock back by years: the day of the state stays, and reviews are not due earlier.
func TestClockBackwards(t *testing.T) {
	s := begin(t, "--seed 3")
	day := s.store.l.Day
	s.now = s.now.AddDate(-5, 0, 0)
	s.put(t, "grid-1-numeric")
	s.do(t, "answer", "12*128")
	if l := s.store.l; l.Day != day || l.Concepts["grid"].Day != day {
		t.Errorf("day %d, want %d", l.Day, day)
	}
}

// TestResume continues from an encoded state.
func TestResume(t *testing.T) {
	s := begin(t, "--seed 3")
	s.do(t, "answer", "B")
	want := s.do(t, "next", "").Text()
	data, err := s.store.l.Encode()
	if err != nil {
		t.Fatal(err)
	}
	l, err := Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	other := begin(t, "")
	other.store.l = l
	if got := other.do(t, "next", "").Text(); got != want {
		t.Errorf("after a restart\n%s\nwant\n%s", got, want)
	}
	if text := other.do(t, "start", "").Text(); !strings.Contains(text, "Welcome back") {
		t.Errorf("start says\n%s", text)
	}
}

// TestChangedBank checks that questions that another version has asked are put aside.
func TestChangedBank(t *testing.T) {
	for name, p := range map[string]Pending{
		"an item that is gone":       {Item: "no-such-item"},
		"an item with fewer choices": {Item: "host-device-1-choice", Order: []int{4, 3, 2, 1, 0}},
		"a damaged order":            {Item: "host-device-1-choice", Order: []int{0, 0, 1, 2}},
		"an item without variables":  {Item: "grid-1-numeric"},
		"a type that has changed":    {Item: "host-device-2-short", Order: []int{0, 1}},
	} {
		t.Run(name, func(t *testing.T) {
			s := begin(t, "--seed 3")
			s.store.l.Pending = &p
			s.store.l.Last = &Closed{Pending: p}
			for _, command := range []string{"answer", "why", "hint"} {
				if _, err := s.Do(t.Context(), Request{Command: command}); err == nil {
					t.Errorf("%s: no error", command)
				}
			}
			s.do(t, "next", "")
			if got := s.store.l.Pending.Item; got == p.Item && len(s.store.l.Pending.Order) == len(p.Order) {
				t.Errorf("%s is still pending", got)
			}
		})
	}
}

// TestGrading checks what counts as right in each type, besides what the simulated learners answer.
func TestGrading(t *testing.T) {
	for name, c := range map[string]struct {
		item, args string
		right      bool
		want       string // in what is shown
	}{
		"a choice in lower case":    {"host-device-1-choice", "a", true, ""},
		"a choice by its text":      {"host-device-1-choice", "a copy of the slice in the device's memory.", true, ""},
		"choices without commas":    {"host-device-3-multiple", "AB", true, ""},
		"choices in another order":  {"host-device-3-multiple", "b a", true, ""},
		"one choice too few":        {"host-device-3-multiple", "A", false, "One that is right is missing"},
		"one choice too many":       {"host-device-3-multiple", "A B C", false, "on the host"},
		"a number in another unit":  {"host-device-4-numeric", "14000 MB", true, ""},
		"a number with its unit":    {"host-device-4-numeric", "14 GB", true, ""},
		"half of it":                {"host-device-4-numeric", "7", false, "they have two"},
		"a number close to it":      {"host-device-4-numeric", "13", false, "The order of magnitude is right"},
		"a percentage":              {"coalescing-3-numeric", "25 %", true, ""},
		"a percentage as a number":  {"coalescing-3-numeric", "25", true, ""},
		"a percentage as a part":    {"coalescing-3-numeric", "100*8/32", true, ""},
		"a word with its mark":      {"kernel-2-short", "`__global__`", true, ""},
		"another word":              {"kernel-2-short", "__shared__", false, "another word"},
		"an output with brackets":   {"reductions-4-predict", "[10 7 2 4]", true, ""},
		"an output with commas":     {"reductions-4-predict", "10,7,2,4", true, ""},
		"an output half right":      {"reductions-4-predict", "10 7 9 9", false, "The beginning is right: 10 7."},
		"lines in order":            {"guard-4-order", "1 2 3 4 5 6", true, ""},
		"equal lines exchanged":     {"async-4-order", "1 5 3 4 2 6", true, ""},
		"a line too early":          {"guard-4-order", "1 3 2 4 5 6", false, "comes too early"},
		"a line that is not needed": {"guard-4-order", "1 2 7 4 5 6", false, "does not belong there"},
		"lines missing":             {"guard-4-order", "1 2 3", false, "3 of 6 lines are missing"},
	} {
		t.Run(name, func(t *testing.T) {
			s := begin(t, "--seed 3")
			s.put(t, c.item)
			text := s.do(t, "answer", c.args).Text()
			if got := s.store.l.Pending == nil; got != c.right {
				t.Errorf("right is %v, want %v:\n%s", got, c.right, text)
			}
			if !strings.Contains(strings.Join(strings.Fields(text), " "), c.want) {
				t.Errorf("it says\n%s\nwant %q", text, c.want)
			}
		})
	}
}

// TestReviews checks that a missed exercise's concept is asked about next, and that a mastered concept comes back.
func TestReviews(t *testing.T) {
	s := begin(t, "--seed 3")
	s.put(t, "grid-1-numeric")
	s.do(t, "answer", "12*128")
	s.Exercises = failures{{"shared-memory", "transpose: accesses to global memory are not coalesced"}}
	s.do(t, "next", "")
	l := s.store.l
	if item := s.item(l.Pending.Item); item.Concepts[0] != "coalescing" || l.Pending.Purpose != Reviewing {
		t.Errorf("after a missed exercise %s is asked, for %s", item.ID, l.Pending.Purpose)
	}
	p := l.progress("grid")
	p.Standing, p.Mastery, p.Interval, p.Day = Mastered, 0.99, 3, l.Day
	c := s.chooser(l)
	if c.due(p) {
		t.Error("a review is due on the same day")
	}
	s.now = s.now.AddDate(0, 0, 3)
	s.clock(l)
	if !c.due(p) {
		t.Error("no review is due after the interval")
	}
}

package tutor

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A Tutor applies commands to the state of a learner.
type Tutor struct {
	bank  *Bank
	store Store
	Options
}

// Options are what a tutor can do without.
type Options struct {
	// Runner runs code. Without it nothing is asked for which code has to be run.
	Runner Runner
	// Now is the clock; time.Now by default.
	Now func() time.Time
	// Exercises has the learner's exercises in the course.
	Exercises Exercises
	// Define explains a term that is no concept: its name and a text in Markdown.
	Define func(term string) (name, text string, ok bool)
	// Phraser puts explanations into other words.
	Phraser Phraser
}

// A Phraser explains a question in other words. It decides nothing.
type Phraser interface {
	// Phrase returns an explanation of an answer to a question, as plain text. The question has its right answer with it.
	Phrase(ctx context.Context, question, answer string) (string, error)
}

// New returns a tutor.
func New(bank *Bank, store Store, o Options) *Tutor {
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Tutor{bank, store, o}
}

// background is the first question, whose answer sets the ability to begin with.
var background = &Item{
	ID: "background", Type: Choice,
	Prompt: "Before we begin: what describes you best?",
	Answers: []Answer{
		{Text: "I write some Go or Python, and have no experience with arrays or parallel programs", Right: true},
		{Text: "I compute with arrays, as in NumPy or with slices of numbers, on the CPU", Right: true},
		{Text: "I write parallel programs, or use arrays on a GPU, as in CuPy or PyTorch", Right: true},
		{Text: "I have written kernels in CUDA C or Numba", Right: true},
	},
}

// backgrounds are the abilities for the answers to background.
var backgrounds = []float64{-1.5, -0.5, 0.5, 1.5}

func (t *Tutor) item(id string) *Item {
	if id == background.ID {
		return background
	}
	return t.bank.Item(id)
}

// A Request is a command of a learner.
type Request struct {
	Command string // its name
	Args    string
	// Item is the question that an answer belongs to, if that is known. An answer to another one than the pending one is refused.
	Item string
	// Device is the device that kernels of an answer run on, or "" for the default one.
	Device string
}

// command is the function of a command.
type command func(t *Tutor, ctx context.Context, r Request) (*Page, error)

// Commands are the names of the commands, in the order in which they are listed.
var Commands = []string{"start", "next", "answer", "hint", "skip", "reveal", "why", "review", "map", "path", "define", "export", "reset"}

func (t *Tutor) command(name string) command {
	switch name {
	case "start":
		return (*Tutor).start
	case "next", "":
		return (*Tutor).next
	case "answer":
		return (*Tutor).answer
	case "hint":
		return (*Tutor).hint
	case "skip":
		return (*Tutor).skip
	case "reveal":
		return (*Tutor).reveal
	case "why":
		return (*Tutor).why
	case "review":
		return (*Tutor).review
	case "map", "status":
		return (*Tutor).progressMap
	case "path":
		return (*Tutor).path
	case "define":
		return (*Tutor).define
	case "export":
		return (*Tutor).export
	case "reset":
		return (*Tutor).reset
	}
	return nil
}

// Do runs a command. An *InputError changes nothing.
func (t *Tutor) Do(ctx context.Context, r Request) (*Page, error) {
	f := t.command(r.Command)
	if f == nil {
		return nil, inputError("there is no command %q: the commands are %s", short(r.Command), strings.Join(Commands, ", "))
	}
	r.Args = strings.TrimSpace(r.Args)
	return f(t, ctx, r)
}

var errNotStarted = &InputError{"there is no progress yet: %tutor start begins"}

// update changes the state of a learner who has started.
func (t *Tutor) update(ctx context.Context, change func(*Learner) error) error {
	return t.store.Update(ctx, func(l *Learner) (*Learner, error) {
		if l == nil {
			return nil, errNotStarted
		}
		t.clock(l)
		return l, change(l)
	})
}

// look passes the state of a learner who has started to a function that does not change it.
func (t *Tutor) look(ctx context.Context, at func(*Learner) error) error {
	return t.store.Update(ctx, func(l *Learner) (*Learner, error) {
		if l == nil {
			return nil, errNotStarted
		}
		return nil, at(l)
	})
}

// clock sets the day, which never decreases.
func (t *Tutor) clock(l *Learner) {
	const day = 24 * time.Hour
	l.Day = max(l.Day, int(t.Now().Unix()/int64(day/time.Second)))
}

func (t *Tutor) chooser(l *Learner) chooser { return chooser{t.bank, l, t.Runner != nil} }

func (t *Tutor) start(ctx context.Context, r Request) (*Page, error) {
	seed := rand.Uint64() >> 11 // which JSON holds exactly
	given := false
	args := strings.Fields(r.Args)
	var path *Path
	for len(args) > 0 {
		switch {
		case args[0] == "--seed" && len(args) > 1:
			n, err := strconv.ParseUint(args[1], 10, 53)
			if err != nil {
				return nil, inputError("%q is no seed: give a number, as in %%tutor start --seed 7", short(args[1]))
			}
			seed, given, args = n, true, args[2:]
		case args[0] == "--path" && len(args) > 1:
			p, taken, err := parsePath(args[1:])
			if err != nil {
				return nil, err
			}
			path, args = &p, args[1+taken:]
		default:
			return nil, inputError("%q is not expected here: write %%tutor start [--path standard|quick|module N] [--seed N]", short(args[0]))
		}
	}
	var page *Page
	err := t.store.Update(ctx, func(l *Learner) (*Learner, error) {
		isNew := l == nil
		if isNew {
			l = NewLearner(seed)
		} else if given && l.Seed != seed {
			return nil, inputError("there is progress already, with the seed %d: go on by %%tutor next, or begin anew by %%tutor reset", l.Seed)
		}
		t.clock(l)
		if path != nil {
			l.Path = *path
		}
		page = t.ask(l)
		if isNew {
			page.front(Part{Title: "Welcome", Text: "I ask one question at a time. The first ones, one about you and six to eight others, find where to begin; for those there are no hints. " +
				"Answer with `%tutor answer`, and say `%tutor skip` if you don't know. Your progress is kept, so stop whenever you like."})
		} else {
			page.front(Part{Title: "Welcome back", Text: t.summary(l)})
		}
		return l, nil
	})
	return page, err
}

// next shows the pending item, or asks another one.
func (t *Tutor) next(ctx context.Context, r Request) (*Page, error) {
	if r.Args != "" {
		return nil, inputError("%q is not expected here: write %%tutor next alone", short(r.Args))
	}
	var page *Page
	err := t.update(ctx, func(l *Learner) error {
		page = t.ask(l)
		return nil
	})
	return page, err
}

// ask returns the page of the pending item, after choosing one if there is none.
func (t *Tutor) ask(l *Learner) *Page {
	if l.Pending != nil && !l.Pending.fits(t.item(l.Pending.Item)) {
		l.Pending = nil // the bank has changed
	}
	notes := ""
	if l.Pending == nil {
		notes = t.collect(l)
		placing := l.Placement != nil
		t.choose(l)
		if placing && l.Placement == nil {
			notes = t.placed(l)
		}
	}
	if l.Pending == nil {
		page := &Page{Parts: []Part{{Title: "Done for today", Text: t.done(l)}}}
		page.add(Part{Text: notes})
		return page
	}
	page := t.question(l)
	if notes != "" {
		page.front(Part{Text: notes})
	}
	return page
}

// placed says where a learner begins whose placement has ended.
func (t *Tutor) placed(l *Learner) string {
	known := 0
	for _, p := range l.Concepts {
		if p.Standing == Known {
			known++
		}
	}
	text := fmt.Sprintf("That is enough to begin, in module %d: %s. ", l.Entry, modules[l.Entry])
	switch known {
	case 0:
		return text + "From now on there are hints and a second attempt."
	case 1:
		return text + "One concept counts as known until a review shows otherwise. From now on there are hints and a second attempt."
	}
	return text + fmt.Sprintf("%d concepts count as known until a review shows otherwise. From now on there are hints and a second attempt.", known)
}

// choose makes another item pending.
func (t *Tutor) choose(l *Learner) {
	item, purpose := background, Placing
	if l.Placement == nil || l.Step > 0 {
		item, purpose = t.chooser(l).next()
	}
	if item == nil {
		return
	}
	r := l.random()
	l.Step++
	l.Asked[item.ID] = l.Step
	l.Pending = &Pending{Item: item.ID, Purpose: purpose}
	switch {
	case item == background:
		l.Pending.Order = []int{0, 1, 2, 3}
	case item.Type == Choice || item.Type == Multiple:
		l.Pending.Order = r.Perm(len(item.Answers))
	case item.Type == Order:
		l.Pending.Order = r.Perm(len(item.Lines))
		if slices.IsSorted(l.Pending.Order) {
			slices.Reverse(l.Pending.Order) // it would be the answer
		}
	}
	for _, v := range item.Variables {
		if l.Pending.Values == nil {
			l.Pending.Values = map[string]string{}
		}
		l.Pending.Values[v.Name] = v.Values[r.IntN(len(v.Values))]
	}
}

// fits reports whether the item, which may be nil, is the one that was asked: another version of the bank may have another.
func (p *Pending) fits(i *Item) bool {
	if i == nil {
		return false
	}
	want := 0
	switch i.Type {
	case Choice, Multiple:
		want = len(i.Answers)
	case Order:
		want = len(i.Lines)
	}
	sorted := slices.Sorted(slices.Values(p.Order))
	for n, at := range sorted {
		if n != at {
			return false
		}
	}
	for _, v := range i.Variables {
		if _, ok := p.Values[v.Name]; !ok {
			return false
		}
	}
	return len(sorted) == want
}

// waiting returns the pending item.
func (t *Tutor) waiting(l *Learner) (*Item, error) {
	if l.Pending == nil {
		return nil, inputError("no question is waiting for an answer: %%tutor next asks one")
	}
	item := t.item(l.Pending.Item)
	if !l.Pending.fits(item) {
		return nil, inputError("the question %s is not in this program: %%tutor next asks another one", l.Pending.Item)
	}
	return item, nil
}

// expect returns an error if a request is about another item than the pending one.
func (l *Learner) expect(item string) error {
	if item == "" || l.Pending != nil && l.Pending.Item == item {
		return nil
	}
	return inputError("the question %s is no longer open: %%tutor next shows the one that is", item)
}

func (t *Tutor) answer(ctx context.Context, r Request) (*Page, error) {
	// An answer may begin with the ID of its question.
	if first, rest, _ := strings.Cut(r.Args, " "); r.Item == "" && t.item(first) != nil {
		r.Item, r.Args = first, strings.TrimSpace(rest)
	}
	var asked Pending
	var item *Item
	err := t.look(ctx, func(l *Learner) (err error) {
		if err := l.expect(r.Item); err != nil {
			return err
		}
		if item, err = t.waiting(l); err == nil {
			asked = *l.Pending
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	g, err := t.grade(ctx, item, &asked, r) // which may take a minute, in which other notebooks go on
	if err != nil {
		return nil, err
	}
	var page *Page
	err = t.update(ctx, func(l *Learner) error {
		if l.Pending == nil || l.Pending.Item != asked.Item || l.Pending.Attempts != asked.Attempts {
			return inputError("question %s was answered in another notebook meanwhile: %%tutor next shows where you are", asked.Item)
		}
		l.Pending.Attempts++
		page = t.graded(l, item, r.Args, g)
		page.Picture = g.picture
		return nil
	})
	return page, err
}

// maxTries is the number of attempts at an item. After the last one the answer is shown.
const maxTries = 2

// beginningOf returns as much of an answer as is kept.
func beginningOf(text string) string {
	const most = 4000
	return strings.ToValidUTF8(text[:min(len(text), most)], "")
}

// graded records a grade and returns its page.
func (t *Tutor) graded(l *Learner, item *Item, text string, g grade) *Page {
	c, asked := t.chooser(l), *l.Pending
	switch {
	case item == background:
		n, _ := item.letter(&asked, strings.TrimSpace(text))
		l.Ability, l.Placement.Module = backgrounds[n], n+1
		c.close(item, 1, true, "")
		return &Page{Parts: []Part{{Text: "Thank you. Now some questions to find where to begin."}}, Next: true}
	case g.right:
		c.close(item, score(asked.Attempts, asked.Hints), true, "")
		l.Last.Answer = beginningOf(text)
		return t.passed(l, item, &asked, text, g)
	case asked.Purpose == Placing, asked.Purpose == Checking, asked.Attempts >= maxTries:
		c.close(item, 0, false, g.misconception)
		l.Last.Answer = beginningOf(text)
		return t.failed(l, item, &asked, g)
	}
	return t.missed(l, item, &asked, g)
}

func (t *Tutor) hint(ctx context.Context, r Request) (*Page, error) {
	var page *Page
	err := t.update(ctx, func(l *Learner) error {
		if err := l.expect(r.Item); err != nil {
			return err
		}
		item, err := t.waiting(l)
		switch {
		case err != nil:
			return err
		case l.Pending.Purpose == Placing:
			return inputError("there are no hints while we look for where to begin: answer, or %%tutor skip")
		case l.Pending.Purpose == Checking:
			return inputError("there are no hints in the assessment of a module: answer, or %%tutor skip")
		case l.Pending.Hints >= len(item.Hints):
			return inputError("there is no further hint: answer, or %%tutor reveal shows the answer")
		}
		page = &Page{Item: item.ID, Parts: []Part{{Title: fmt.Sprintf("Hint %d of %d", l.Pending.Hints+1, len(item.Hints)), Text: l.Pending.fill(item.Hints[l.Pending.Hints])}}}
		l.Pending.Hints++
		return nil
	})
	return page, err
}

// giveUp closes the pending item without an answer, and shows it with what page adds.
func (t *Tutor) giveUp(ctx context.Context, r Request, page func(*Learner, *Item, *Pending) *Page) (*Page, error) {
	var p *Page
	err := t.update(ctx, func(l *Learner) error {
		if err := l.expect(r.Item); err != nil {
			return err
		}
		item, err := t.waiting(l)
		if err != nil {
			return err
		}
		if item == background {
			return inputError("please answer this one, with A, B, C or D: it says how hard the next questions are")
		}
		asked := *l.Pending
		t.chooser(l).close(item, 0, false, "")
		p = page(l, item, &asked)
		return nil
	})
	return p, err
}

func (t *Tutor) skip(ctx context.Context, r Request) (*Page, error) {
	return t.giveUp(ctx, r, func(l *Learner, item *Item, _ *Pending) *Page {
		p := &Page{Parts: []Part{{Text: "Skipped, and it will come back: " + t.name(item) + "."}}, Next: true}
		p.add(t.news(l, item)...)
		return p
	})
}

func (t *Tutor) reveal(ctx context.Context, r Request) (*Page, error) {
	return t.giveUp(ctx, r, func(l *Learner, item *Item, asked *Pending) *Page {
		p := &Page{Next: true}
		p.add(t.solution(item, asked, true)...)
		p.add(t.told(l, item, asked, "")...)
		p.add(t.news(l, item)...)
		return p
	})
}

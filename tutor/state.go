package tutor

import (
	"context"
	"encoding/json"
	"fmt"
)

// StateVersion is the version of the format of a learner's state.
const StateVersion = 1

// A Learner is the state of a learner. It contains all that the next question depends on, besides the bank and the day.
type Learner struct {
	Version int    `json:"version"`
	Seed    uint64 `json:"seed"`
	Path    Path   `json:"path"`
	// Step is the number of questions asked so far.
	Step int `json:"step"`
	// Day is the newest day of an answer, in days since 1970. It never decreases, even if the clock does.
	Day int `json:"day"`
	// Ability is the learner's general ability, on the scale of the items' levels, and Graded the number of items that it rests on.
	Ability float64 `json:"ability"`
	Graded  int     `json:"graded"`
	// Placement is nil when the placement has ended.
	Placement *Placement `json:"placement,omitempty"`
	// Entry is the module in which the placement has put the learner; 0 before.
	Entry    int                  `json:"entry,omitempty"`
	Concepts map[string]*Progress `json:"concepts"`
	// Asked has, by item, the step at which it was asked last, from 1.
	Asked map[string]int `json:"asked"`
	// Types are the types of the last two items.
	Types   []Type   `json:"types,omitempty"`
	Pending *Pending `json:"pending,omitempty"`
	// Last is the last item that is no longer pending.
	Last *Closed `json:"last,omitempty"`
	// Exercises is the number of events of the progress in the course that were looked at.
	Exercises int `json:"exercises,omitempty"`
	// Queue has concepts for the next questions.
	Queue []string `json:"queue,omitempty"`
	// Back is a concept to which the learner has stepped back.
	Back        *Back               `json:"back,omitempty"`
	Checkpoints map[int]*Checkpoint `json:"checkpoints,omitempty"`
	Events      []Event             `json:"events,omitempty"`
}

// A Path says which concepts are asked.
type Path struct {
	Quick  bool `json:"quick,omitempty"`
	Module int  `json:"module,omitempty"` // 0 for all
}

func (p Path) String() string {
	switch {
	case p.Module > 0:
		return fmt.Sprintf("module %d", p.Module)
	case p.Quick:
		return "quick"
	}
	return "standard"
}

// A Placement is the state of the questions that find where to begin.
type Placement struct {
	Answered int             `json:"answered"`
	Passed   map[string]bool `json:"passed"` // by concept
	Module   int             `json:"module"` // of the next item
	// Evidence has, by module, the logarithm of how much more likely the answers are from a learner who knows it.
	Evidence [Modules + 1]float64 `json:"evidence"`
}

// A Standing says how far a learner has come with a concept.
type Standing string

// The standings. A concept is open in the beginning.
const (
	Open     Standing = ""
	Known    Standing = "known"    // presumed by the placement
	Mastered Standing = "mastered" // shown by answers
	Helped   Standing = "helped"   // given up after many attempts: an instructor is needed
)

// A Progress is the state of a learner's knowledge of a concept.
type Progress struct {
	Standing Standing `json:"standing,omitempty"`
	Offset   float64  `json:"offset"` // is added to the ability
	Mastery  float64  `json:"mastery"`
	Count    int      `json:"count"`    // of items graded
	Attempts int      `json:"attempts"` // since the concept was opened
	Misses   int      `json:"misses"`   // in a row
	Clean    int      `json:"clean"`    // right at once, in a row
	Produced bool     `json:"produced,omitempty"`
	Coded    bool     `json:"coded,omitempty"`
	// Told reports whether the concept's own steps of feedback were shown.
	Told     bool `json:"told,omitempty"`
	Step     int  `json:"step"` // of the last item
	Day      int  `json:"day"`  // of the last item
	Interval int  `json:"interval,omitempty"`
	Returns  int  `json:"returns,omitempty"` // how often it was opened again
}

// A Purpose says why an item is asked.
type Purpose string

// The purposes.
const (
	Placing   Purpose = "placement"
	Learning  Purpose = "learning"
	Reviewing Purpose = "review"
	Checking  Purpose = "checkpoint"
)

// A Pending is the item that waits for an answer.
type Pending struct {
	Item    string  `json:"item"`
	Purpose Purpose `json:"purpose"`
	// Order has the indices of the choices or lines as they are shown.
	Order    []int             `json:"order,omitempty"`
	Values   map[string]string `json:"values,omitempty"` // of the variables
	Attempts int               `json:"attempts"`
	Hints    int               `json:"hints"`
}

// A Closed is an item that was answered, skipped or revealed.
type Closed struct {
	Pending
	Right bool `json:"right"`
	// Answer is the last answer, or its beginning; "" if none was given.
	Answer string `json:"answer,omitempty"`
	// Misconception is that of the last wrong answer.
	Misconception string `json:"misconception,omitempty"`
}

// A Back is a step back to a concept.
type Back struct {
	Concept string `json:"concept"`
	Left    int    `json:"left"` // number of questions
}

// A Checkpoint is the state of a module's assessment.
type Checkpoint struct {
	Tries int  `json:"tries"`
	Asked int  `json:"asked"` // of this try
	Right int  `json:"right"`
	Done  bool `json:"done"`
	Pass  bool `json:"pass"`
}

// An Event is the result of an item, for instructors.
type Event struct {
	Step          int     `json:"step"`
	Day           int     `json:"day"`
	Item          string  `json:"item"`
	Purpose       Purpose `json:"purpose"`
	Score         float64 `json:"score"`
	Misconception string  `json:"misconception,omitempty"`
}

// NewLearner returns the state of a learner who begins.
func NewLearner(seed uint64) *Learner {
	return &Learner{
		Version: StateVersion, Seed: seed, Placement: &Placement{Passed: map[string]bool{}, Module: 1},
		Concepts: map[string]*Progress{}, Asked: map[string]int{}, Checkpoints: map[int]*Checkpoint{},
	}
}

// Encode returns the state as JSON.
func (l *Learner) Encode() ([]byte, error) {
	return encode(l)
}

func encode(state any) ([]byte, error) {
	data, err := json.MarshalIndent(state, "", " ")
	return append(data, '\n'), err
}

// A VersionError is the error of a state that a newer program has written.
type VersionError struct{ Version int }

func (e *VersionError) Error() string {
	return fmt.Sprintf("a newer gopherwarp has written it (version %d; this one reads up to %d): install that one", e.Version, StateVersion)
}

// Decode reads a state.
func Decode(data []byte) (*Learner, error) {
	l := NewLearner(0)
	l.Placement = nil
	var v struct {
		Version int `json:"version"`
	}
	err := json.Unmarshal(data, &v)
	if err == nil && v.Version > StateVersion {
		return nil, &VersionError{v.Version}
	}
	if err == nil {
		err = json.Unmarshal(data, l)
	}
	switch {
	case err != nil:
		return nil, fmt.Errorf("it is damaged: %w", err)
	case v.Version < 1:
		return nil, fmt.Errorf("it is damaged: it has no version")
	case l.Concepts == nil || l.Asked == nil || l.Step < 0 || l.Exercises < 0 || l.Placement != nil && l.Placement.Passed == nil:
		return nil, fmt.Errorf("it is damaged: parts of it are missing")
	}
	if l.Checkpoints == nil {
		l.Checkpoints = map[int]*Checkpoint{}
	}
	for id, p := range l.Concepts {
		if p == nil {
			delete(l.Concepts, id)
		}
	}
	for module, c := range l.Checkpoints {
		if c == nil {
			delete(l.Checkpoints, module)
		}
	}
	return l, nil
}

// A Store keeps the state of a learner.
type Store interface {
	// Update calls change with the state, nil if there is none, and keeps what it returns, unless it returns an error or nil. Calls do not
	// overlap, whichever process makes them.
	Update(ctx context.Context, change func(*Learner) (*Learner, error)) error
	// Reset puts the state away, also one that cannot be read, so that there is none. It returns where it is now.
	Reset(ctx context.Context) (kept string, err error)
}

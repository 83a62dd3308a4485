package tutor

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
)

//go:embed bank
var embedded embed.FS

// Source returns the bank that this program was built with.
func Source() fs.FS {
	sub, err := fs.Sub(embedded, "bank")
	if err != nil {
		panic(err) // the directory is embedded
	}
	return sub
}

// A Bank has the concepts and the items that are about them.
type Bank struct {
	// Concepts are in an order in which each comes after those that it needs.
	Concepts []*Concept
	Items    []*Item // in the order of their IDs
	// Misconceptions are sentences by the names that distractors give.
	Misconceptions map[string]string

	concepts map[string]*Concept
	items    map[string]*Item
	about    map[string][]*Item // the items whose first concept it is
	needs    map[string]map[string]bool
}

// A Concept is something to learn.
type Concept struct {
	ID, Title string
	Module    int // 1 to Modules
	Needs     []string
	// Lessons are the names of the lessons that teach it, the main one first. There may be none.
	Lessons []string
	// Definition is what "define" shows.
	Definition string
	Steps      Steps // for items that have none of their own
	line       int
}

// Modules is the number of modules of the course.
const Modules = 4

// Steps are the parts of feedback that do not depend on the answer, in their order. Each is a sentence or two, and may be empty.
type Steps struct {
	Why         string // the right answer explained
	Performance string
	Compare     string // CPU against GPU
	See         string // references and the command to run
	Instead     string // alternatives
	Use         string // where it is used
}

// A Type says how an item is asked and graded.
type Type string

// The types of items.
const (
	Choice   Type = "choice"   // one of several answers
	Multiple Type = "multiple" // all right ones of several answers
	Numeric  Type = "numeric"  // a number, perhaps with a unit
	Predict  Type = "predict"  // the output of a program, which is run
	Order    Type = "order"    // lines in their order
	Short    Type = "short"    // a word
	Fix      Type = "fix"      // code with a bug, to be mended
	Write    Type = "write"    // code to be written
	Optimise Type = "optimise" // code that is right but too slow
)

var allTypes = []Type{Choice, Multiple, Numeric, Predict, Order, Short, Fix, Write, Optimise}

// IsCode reports whether the answer is code.
func (t Type) IsCode() bool { return t == Fix || t == Write || t == Optimise }

// produced reports whether the answer has to be produced, so that nobody gets it right by guessing.
func (t Type) produced() bool { return t.IsCode() || t == Numeric || t == Predict || t == Short }

// An Item is a question.
type Item struct {
	ID       string
	Type     Type
	Concepts []string // the first is the one that it tests
	Level    int      // of difficulty, -2 to 2
	Covers   []string // the IDs of errors and topics of the course's sources
	Prompt   string
	Answers  []Answer // right and wrong ones
	Unit     string   // of a number
	// Tolerance is the greatest error of a number, relative to the right one. Without it only rounding is forgiven.
	Tolerance float64
	Variables []Variable
	Lines     []Line // to be ordered
	Program   []Cell // whose output is predicted
	Hints     []string
	Steps     Steps
	Code      *Code // of items that ask for code
	dir       string
}

// Module returns the module of the item's concept.
func (b *Bank) Module(i *Item) int { return b.concepts[i.Concepts[0]].Module }

// An Answer is a possible answer to an item.
type Answer struct {
	Text  string
	Right bool
	// Value is the expression from which the number is computed again.
	Value         string
	Misconception string // of a wrong answer
	Credit        string // what is right about it
	Gap           string // what is not
}

// A Variable has the values of a name in braces that an item may be asked with.
type Variable struct {
	Name   string
	Values []string
}

// A Line is a line to be ordered.
type Line struct {
	// Rank is its position. Lines of equal rank may be exchanged; 0 is that of a line that does not belong there.
	Rank          int
	Text          string
	Misconception string
	Gap           string
}

// A Cell is a part of a program in one language, "cuda" or "go".
type Cell struct {
	Language, Text string
}

// Code is an item's code.
type Code struct {
	Language string // of the answer: "cuda" or "go"
	Setup    []Cell // run before the answer
	Given    string // what the learner begins with
	Solution string
	// Test is a cell of Go that fails if the answer is wrong. Learners do not see it.
	Test  string
	Wrong []WrongCode
}

// WrongCode is a wrong answer to an item that asks for code.
type WrongCode struct {
	Text string
	// Refused is a part of the message by which the test refuses it.
	Refused string
	Answer  // its misconception, credit and gap
}

// Load reads a bank: the files concepts.md and misconceptions.md, and items/*/item.md. Sources after the first one add to it, and need
// not have all of these.
func Load(first fs.FS, more ...fs.FS) (*Bank, error) {
	b := &Bank{concepts: map[string]*Concept{}, items: map[string]*Item{}, about: map[string][]*Item{}, Misconceptions: map[string]string{}}
	sources := append([]fs.FS{first}, more...)
	for n, source := range sources {
		if err := b.loadTexts(source, n > 0); err != nil {
			return nil, err
		}
	}
	for _, source := range sources {
		if err := b.loadItems(source); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(b.Items, func(x, y *Item) int { return strings.Compare(x.ID, y.ID) })
	b.close()
	return b, nil
}

// loadTexts reads concepts and misconceptions, which may be missing in a source that adds to others.
func (b *Bank) loadTexts(fsys fs.FS, adds bool) error {
	missing := func(err error) bool { return adds && errors.Is(err, fs.ErrNotExist) }
	text, err := fs.ReadFile(fsys, "concepts.md")
	if err != nil && !missing(err) {
		return fmt.Errorf("read the bank: %w", err)
	}
	concepts, err := parseConcepts(string(text))
	if err != nil {
		return fmt.Errorf("concepts.md:%w", err)
	}
	for _, c := range concepts {
		if b.concepts[c.ID] != nil {
			return fmt.Errorf("concepts.md:%d: there is another concept %s: choose another name", c.line, c.ID)
		}
		for _, need := range c.Needs {
			if b.concepts[need] == nil {
				return fmt.Errorf("concepts.md:%d: %s needs %s, which no concept before it is: concepts come after those that they need", c.line, c.ID, need)
			}
		}
		b.concepts[c.ID] = c
		b.Concepts = append(b.Concepts, c)
	}
	if text, err = fs.ReadFile(fsys, "misconceptions.md"); err != nil && !missing(err) {
		return fmt.Errorf("read the bank: %w", err)
	}
	misconceptions, err := parseMisconceptions(string(text))
	if err != nil {
		return fmt.Errorf("misconceptions.md:%w", err)
	}
	maps.Copy(b.Misconceptions, misconceptions)
	return nil
}

func (b *Bank) loadItems(fsys fs.FS) error {
	files, err := fs.Glob(fsys, "items/*/item.md")
	if err != nil {
		return err
	}
	if len(files) == 0 {
		return errors.New("no items/*/item.md: this is not a bank of questions")
	}
	for _, file := range files {
		text, err := fs.ReadFile(fsys, file)
		if err != nil {
			return err
		}
		item, err := parseItem(string(text))
		if err != nil {
			return fmt.Errorf("%s:%w", file, err)
		}
		item.dir = path.Dir(file)
		item.ID = path.Base(item.dir)
		for _, id := range item.Concepts {
			if b.concepts[id] == nil {
				return fmt.Errorf("%s:1: there is no concept %s: concepts.md has them", file, id)
			}
		}
		if b.items[item.ID] != nil {
			return fmt.Errorf("%s: there is another question %s: choose another name for its directory", file, item.ID)
		}
		b.items[item.ID] = item
		b.Items = append(b.Items, item)
		b.about[item.Concepts[0]] = append(b.about[item.Concepts[0]], item)
	}
	return nil
}

// close computes all that has to be known before each concept.
func (b *Bank) close() {
	b.needs = map[string]map[string]bool{}
	for _, c := range b.Concepts {
		all := map[string]bool{}
		for _, need := range c.Needs {
			all[need] = true
			maps.Copy(all, b.needs[need])
		}
		b.needs[c.ID] = all
	}
}

// Item returns the item of that ID, or nil.
func (b *Bank) Item(id string) *Item { return b.items[id] }

// Concept returns the concept of that ID, or nil.
func (b *Bank) Concept(id string) *Concept { return b.concepts[id] }

// About returns the items that test a concept.
func (b *Bank) About(concept string) []*Item { return b.about[concept] }

// find returns the concept that a learner may have meant by a term, or nil, and whether the term is its name.
func (b *Bank) find(term string) (c *Concept, exact bool) {
	fold := func(s string) string { return strings.ToLower(strings.TrimSpace(s)) }
	term = fold(term)
	if c := b.concepts[term]; c != nil {
		return c, true
	}
	if i := slices.IndexFunc(b.Concepts, func(c *Concept) bool { return fold(c.Title) == term || fold(c.Title) == term+"s" }); i >= 0 {
		return b.Concepts[i], true
	}
	for _, where := range []func(*Concept) string{func(c *Concept) string { return c.Title }, func(c *Concept) string { return c.Definition }} {
		for _, c := range b.Concepts {
			if strings.Contains(fold(where(c)), term) {
				return c, false
			}
		}
	}
	return nil, false
}

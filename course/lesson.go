package course

import (
	"cmp"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

//go:embed lessons inventory.txt order.txt
var embedded embed.FS

// Source returns the source of the course that this program was built with.
func Source() fs.FS { return embedded }

// Lesson is the source of one lesson.
type Lesson struct {
	// Path is its directory below lessons: "1-basics/first-kernel".
	Path string

	Title, Module, Time, Needs string
	Covers                     []string // items of the inventory
	Files                      []string // files in the lesson's directory that its cells read

	Cells []*Cell
	Wrong []*Answer // answers that must be refused
	Right []*Answer // answers other than the solution that must pass
	Hints []Hint    // for each exercise in the order in which they are shown

	Varies []Variable // constants that differ between the variants of the lesson

	pictures map[string]*picture // by the name of the SVG
	files    map[string][]byte   // by the names in Files
}

// Name returns the last element of the path.
func (l *Lesson) Name() string { return path.Base(l.Path) }

// A picture is drawn as SVG and displayed as PNG, since JupyterLab displays no SVG that is attached to a cell.
type picture struct {
	svg, png []byte
	drawn    string // the checksum of the SVG from which the PNG was made
}

// A Hint helps with an exercise.
type Hint struct {
	Exercise string
	Text     string // Markdown
	Line     int    // in the source file
}

// Cell is one cell of a lesson.
type Cell struct {
	ID       string
	Language string // "markdown", "go" or "cuda"
	Source   string // with the marks
	Line     int    // in the source file

	Exercise bool
	Check    bool
	For      []string // exercises of a check
	Points   int      // of a check, or of an answer in words
	Raises   bool     // whether the cell must fail

	Question *Question // that the cell answers, or nil
	// Words means that a learner writes an answer in the cell, which a person grades. The source is a model of it.
	Words bool
	// Stop means that the cell shows what has been done before a place to stop.
	Stop bool
}

// IsCode reports whether the cell can be run.
func (c *Cell) IsCode() bool { return c.Language != markdown }

const markdown = "markdown"

// Answer is an answer to an exercise, as changes to the solution.
type Answer struct {
	Exercise string
	Name     string
	Refused  string // a part of the message that refuses a wrong answer
	// OnGPU is the same on a GPU if it differs there, or "nothing" if only the simulator refuses it. For a right answer it is a
	// message by which a check without points may refuse it there.
	OnGPU string
	Line  int // in the source file
	hunks []hunk
	whole []string // lines that replace the whole solution, if there are no hunks
}

// Load returns all lessons by their modules, and within a module those that order.txt names in its order and then the others.
func Load(fsys fs.FS) ([]*Lesson, error) { return LoadVariant(fsys, "") }

// LoadVariant returns the lessons with the values that a seed, such as a student's name, gives to the constants that vary. The seed ""
// gives the first value to each.
func LoadVariant(fsys fs.FS, seed string) ([]*Lesson, error) {
	files, err := fs.Glob(fsys, "lessons/*/*/lesson.md")
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, errors.New("no lessons/*/*/lesson.md: this is not the source of a course")
	}
	var lessons []*Lesson
	for _, file := range files {
		l, err := load(fsys, path.Dir(file), seed)
		if err != nil {
			return nil, err
		}
		lessons = append(lessons, l)
	}
	order, err := fs.ReadFile(fsys, "order.txt")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	paths := strings.Fields(string(order))
	place := func(l *Lesson) int {
		if i := slices.Index(paths, l.Path); i >= 0 {
			return i
		}
		return len(paths)
	}
	slices.SortStableFunc(lessons, func(a, b *Lesson) int {
		return cmp.Or(strings.Compare(path.Dir(a.Path), path.Dir(b.Path)), cmp.Compare(place(a), place(b)))
	})
	return lessons, nil
}

// load returns the lesson in a directory.
func load(fsys fs.FS, dir, seed string) (*Lesson, error) {
	text, err := fs.ReadFile(fsys, path.Join(dir, "lesson.md"))
	if err != nil {
		return nil, err
	}
	source, varies, err := vary(string(text), dir, seed)
	if err != nil {
		return nil, fmt.Errorf("%s/lesson.md:%w", dir, err)
	}
	l, err := parse(strings.TrimPrefix(dir, "lessons/"), source)
	if err != nil {
		return nil, fmt.Errorf("%s/lesson.md:%w", dir, err)
	}
	l.Varies = varies
	l.files = map[string][]byte{}
	for _, name := range l.Files {
		if l.files[name], err = fs.ReadFile(fsys, path.Join(dir, name)); err != nil {
			return nil, fmt.Errorf("%s/lesson.md:1: %w", dir, err)
		}
	}
	l.pictures = map[string]*picture{}
	drawn := sums(fsys, path.Join(dir, "pictures.sum"))
	for _, c := range l.Cells {
		for _, name := range shown(c) {
			p := &picture{drawn: drawn[name]}
			if p.svg, err = fs.ReadFile(fsys, path.Join(dir, name)); err != nil {
				return nil, fmt.Errorf("%s/lesson.md:%d: %w", dir, c.Line, err)
			}
			if p.png, err = fs.ReadFile(fsys, path.Join(dir, pngName(name))); err != nil {
				return nil, fmt.Errorf("%s/lesson.md:%d: %w (make drawings makes it)", dir, c.Line, err)
			}
			l.pictures[name] = p
		}
	}
	return l, nil
}

// sums parses a file in the format of sha256sum: the checksum of each file by its name.
func sums(fsys fs.FS, name string) map[string]string {
	text, _ := fs.ReadFile(fsys, name) // Lint reports a missing file
	list := map[string]string{}
	for line := range strings.Lines(string(text)) {
		if sum, file, ok := strings.Cut(strings.TrimSpace(line), "  "); ok {
			list[file] = sum
		}
	}
	return list
}

func pngName(svg string) string { return strings.TrimSuffix(svg, ".svg") + ".png" }

// File returns the content of one of Files.
func (l *Lesson) File(name string) []byte { return l.files[name] }

// cell returns the cell with that name, or nil.
func (l *Lesson) cell(id string) *Cell {
	for _, c := range l.Cells {
		if c.ID == id {
			return c
		}
	}
	return nil
}

// Exercises returns the cells with exercises.
func (l *Lesson) Exercises() []*Cell {
	return slices.DeleteFunc(slices.Clone(l.Cells), func(c *Cell) bool { return !c.Exercise })
}

// answersTo returns the answers to an exercise.
func answersTo(answers []*Answer, exercise string) []*Answer {
	return slices.DeleteFunc(slices.Clone(answers), func(a *Answer) bool { return a.Exercise != exercise })
}

// hintsFor returns the hints for an exercise.
func (l *Lesson) hintsFor(exercise string) []Hint {
	return slices.DeleteFunc(slices.Clone(l.Hints), func(h Hint) bool { return h.Exercise != exercise })
}

// Questions returns the questions of the lesson.
func (l *Lesson) Questions() []*Question {
	var list []*Question
	for _, c := range l.Cells {
		if c.Question != nil {
			list = append(list, c.Question)
		}
	}
	return list
}

// Points returns the maximum number of points that the checks of the lesson give.
func (l *Lesson) Points() int {
	sum := 0
	for _, c := range l.Cells {
		if c.Check {
			sum += c.Points
		}
	}
	return sum
}

// checks returns the checks of an exercise.
func (l *Lesson) checks(exercise string) []*Cell {
	return slices.DeleteFunc(slices.Clone(l.Cells), func(c *Cell) bool { return !slices.Contains(c.For, exercise) })
}

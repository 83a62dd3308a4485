package course

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

//go:embed lessons inventory.txt
var embedded embed.FS

// Source is the source of the course that this program was built with.
func Source() fs.FS { return embedded }

// Lesson is the source of one lesson.
type Lesson struct {
	// Path is its directory below lessons: "1-basics/first-kernel".
	Path string

	Title, Module, Time, Needs string
	Covers                     []string // items of the inventory
	Files                      []string // that its cells read, in its directory

	Cells []*Cell
	Wrong []*Answer // that must be refused
	Right []*Answer // that must pass, beside the solution

	pictures map[string]*picture // by the name of the SVG
	files    map[string][]byte   // by the names in Files
}

// Name is the last part of the path.
func (l *Lesson) Name() string { return path.Base(l.Path) }

// A picture is drawn as SVG, and shown as PNG: JupyterLab shows no SVG that is attached to a cell.
type picture struct {
	svg, png []byte
	drawn    string // the checksum of the SVG that the PNG was made of
}

// Cell is one cell of a lesson.
type Cell struct {
	ID       string
	Language string // "markdown", "go" or "cuda"
	Source   string // with the marks
	Line     int    // of the source file

	Exercise bool
	Check    bool
	For      []string // exercises that a check is about
	Points   int      // of a check
	Raises   bool     // the cell fails, and is meant to
}

// IsCode reports whether the cell can be run.
func (c *Cell) IsCode() bool { return c.Language != markdown }

const markdown = "markdown"

// Answer is an answer to an exercise, as changes of the solution.
type Answer struct {
	Exercise string
	Name     string
	Refused  string // a part of the message that refuses a wrong one
	OnGPU    string // the same where it is another on a GPU, "nothing" if only the simulator can tell; of a right answer what a check without points may say there
	Line     int    // of the source file
	hunks    []hunk
	whole    []string // stands in the place of the whole solution, if there are no hunks
}

// Load reads all lessons, in the order of their directories.
func Load(fsys fs.FS) ([]*Lesson, error) {
	files, err := fs.Glob(fsys, "lessons/*/*/lesson.md")
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, errors.New("no lessons/*/*/lesson.md: this is not the source of a course")
	}
	var lessons []*Lesson
	for _, file := range files {
		l, err := load(fsys, path.Dir(file))
		if err != nil {
			return nil, err
		}
		lessons = append(lessons, l)
	}
	return lessons, nil
}

// load reads the lesson of a directory.
func load(fsys fs.FS, dir string) (*Lesson, error) {
	text, err := fs.ReadFile(fsys, path.Join(dir, "lesson.md"))
	if err != nil {
		return nil, err
	}
	l, err := parse(string(text))
	if err != nil {
		return nil, fmt.Errorf("%s/lesson.md:%w", dir, err)
	}
	l.Path = strings.TrimPrefix(dir, "lessons/")
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

// sums reads a file as sha256sum writes it: the checksum of each file by its name.
func sums(fsys fs.FS, name string) map[string]string {
	text, _ := fs.ReadFile(fsys, name) // where it is missing Lint says so
	list := map[string]string{}
	for line := range strings.Lines(string(text)) {
		if sum, file, ok := strings.Cut(strings.TrimSpace(line), "  "); ok {
			list[file] = sum
		}
	}
	return list
}

func pngName(svg string) string { return strings.TrimSuffix(svg, ".svg") + ".png" }

// File is what a cell finds in one of Files.
func (l *Lesson) File(name string) []byte { return l.files[name] }

// cell finds a cell by its name.
func (l *Lesson) cell(id string) *Cell {
	for _, c := range l.Cells {
		if c.ID == id {
			return c
		}
	}
	return nil
}

// Exercises are the cells that hold exercises.
func (l *Lesson) Exercises() []*Cell {
	return slices.DeleteFunc(slices.Clone(l.Cells), func(c *Cell) bool { return !c.Exercise })
}

// answersTo are the answers to an exercise.
func answersTo(answers []*Answer, exercise string) []*Answer {
	return slices.DeleteFunc(slices.Clone(answers), func(a *Answer) bool { return a.Exercise != exercise })
}

// checks are the checks of an exercise.
func (l *Lesson) checks(exercise string) []*Cell {
	return slices.DeleteFunc(slices.Clone(l.Cells), func(c *Cell) bool { return !slices.Contains(c.For, exercise) })
}

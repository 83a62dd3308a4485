package course

import (
	"embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/gopherwarp/gopherwarp/install"
	"github.com/gopherwarp/gopherwarp/internal/gorelease"
	"github.com/gopherwarp/gopherwarp/internal/nbformat"
)

//go:embed reference
var references embed.FS

// An Audience is a group of people who get some of the files.
type Audience string

const (
	Everyone    Audience = ""
	Students    Audience = "students"    // the learner's notebooks
	Instructors Audience = "instructors" // solutions, and the sources of assignments
)

// Options are those of Build.
type Options struct {
	Only Audience
	Seed string // with which the lessons were loaded
}

// Build returns the files of the course by their path: the learner's notebooks in the directories of their modules,
// solutions, and the sources of nbgrader's assignments.
func Build(lessons []*Lesson, o Options) (map[string][]byte, error) {
	files := map[string][]byte{}
	switch o.Only {
	case Everyone, Instructors:
		files["nbgrader/nbgrader_config.py"] = []byte(graderConfig)
	case Students:
	default:
		return nil, fmt.Errorf("there are no files for %q alone: there are those for students and for instructors", o.Only)
	}
	files["README.md"] = readme(lessons, o.Only)
	for name, data := range References() {
		files["reference/"+name] = data
	}
	reviewed, err := taught()
	if err != nil {
		return nil, err
	}
	for _, l := range lessons {
		for name, kind := range map[string]kind{
			l.Path + ".ipynb":                                           learner,
			path.Join("solutions", l.Path) + ".ipynb":                   solution,
			path.Join("nbgrader/source", l.Name(), l.Name()) + ".ipynb": grader,
		} {
			if o.Only != Everyone && (kind == learner) != (o.Only == Students) {
				continue
			}
			var end []*Cell
			if reviewed[l.Name()] && kind != grader {
				end = l.review()
			}
			data, err := l.notebook(kind, o.Seed, end)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", l.Path, err)
			}
			files[name] = data
			for file, data := range l.files {
				files[path.Join(path.Dir(name), file)] = data
			}
		}
	}
	return files, nil
}

// kind is a kind of notebook that is built from a lesson.
type kind int

const (
	learner  kind = iota // the learner's
	solution             // with the solutions, and all tests
	grader               // the same for nbgrader
)

// notebook returns a notebook without outputs, with more cells at its end.
func (l *Lesson) notebook(k kind, seed string, end []*Cell) ([]byte, error) {
	cells := []any{}
	if seed != "" && len(l.Varies) > 0 {
		cells = append(cells, codeCell("variant", "%progress --seed="+seed))
	}
	for _, c := range slices.Concat(l.Cells, end) {
		doc, err := l.cellOf(c, k)
		if err != nil {
			return nil, err
		}
		cells = append(cells, doc)
	}
	data, err := json.Marshal(map[string]any{
		"nbformat": 4, "nbformat_minor": 5, "cells": cells,
		"metadata": map[string]any{
			// All that a front end would add, or opening the notebook would change it.
			"kernelspec":    map[string]any{"name": install.KernelName, "display_name": install.DisplayName, "language": "go"},
			"language_info": install.Language(gorelease.Newest().Toolchain),
		},
	})
	if err != nil {
		return nil, err
	}
	nb, err := nbformat.Decode(data)
	if err != nil {
		return nil, err
	}
	return nb.Encode()
}

// cellOf returns a cell of the notebook.
func (l *Lesson) cellOf(c *Cell, k kind) (map[string]any, error) {
	source, err := c.in(k)
	if err != nil {
		return nil, fmt.Errorf("cell #%s: %w", c.ID, err)
	}
	doc := codeCell(c.ID, source)
	if !c.IsCode() {
		text, attachments, err := l.attach(k.links(source, l.Path))
		if err != nil {
			return nil, err
		}
		doc = map[string]any{"id": c.ID, "cell_type": markdown, "metadata": map[string]any{}, "source": strings.SplitAfter(text, "\n")}
		if len(attachments) > 0 {
			doc["attachments"] = attachments
		}
	}
	metadata := map[string]any{}
	if m := c.graderMetadata(); m != nil && k == grader {
		metadata["nbgrader"] = m
	}
	if c.Raises {
		metadata["tags"] = []string{"raises-exception"}
	}
	doc["metadata"] = metadata
	return doc, nil
}

// in returns the text of the cell in a notebook of that kind.
func (c *Cell) in(k kind) (string, error) {
	released := k == learner && (c.IsCode() || c.Words) || k == grader && c.Question != nil
	if !released {
		return c.Source, nil
	}
	return c.Released()
}

// codeCell returns a cell of code that has not run.
func codeCell(id, source string) map[string]any {
	return map[string]any{
		"id": id, "cell_type": "code", "metadata": map[string]any{}, "source": strings.SplitAfter(source, "\n"), "outputs": []any{}, "execution_count": nil,
	}
}

var (
	// glossaryLink matches a link to a term: [**coalesced**](glossary), or [**warps**](glossary#warp).
	glossaryLink = regexp.MustCompile(`\[(\*\*)?([^\]]*?)(\*\*)?\]\(glossary(#[^)]*)?\)`)
	// lessonLink matches a link to another lesson.
	lessonLink = regexp.MustCompile(`\[([^\]]*)\]\((?:\.\./)?[\w./-]+\.ipynb\)`)
)

// anchor returns the anchor of the glossary that a match of glossaryLink means.
func anchor(link []string) string {
	if link[4] != "" {
		return link[4]
	}
	return "#" + strings.ReplaceAll(strings.ToLower(link[2]), " ", "-")
}

// links returns the text with links that hold where the notebook lies. nbgrader hands out each lesson in its own directory, without the
// others, so its notebooks have none.
func (k kind) links(text, path string) string {
	text = glossaryLink.ReplaceAllStringFunc(text, func(found string) string {
		m := glossaryLink.FindStringSubmatch(found)
		if k == grader {
			return m[1] + m[2] + m[3]
		}
		target := "reference/glossary.md" + anchor(m)
		if m[2] == "glossary" {
			target = "reference/glossary.md"
		}
		up := strings.Count(path, "/")
		if k == solution {
			up++
		}
		return fmt.Sprintf("[%s%s%s](%s%s)", m[1], m[2], m[3], strings.Repeat("../", up), target)
	})
	if k == grader {
		text = lessonLink.ReplaceAllString(text, "$1")
	}
	return text
}

// graderMetadata returns nbgrader's metadata of a cell, or nil.
func (c *Cell) graderMetadata() map[string]any {
	if !c.Exercise && !c.Check && !c.Words {
		return nil
	}
	m := map[string]any{
		"schema_version": 3, "grade_id": c.ID, "task": false,
		"solution": c.Exercise || c.Words, "grade": c.Check || c.Words, "locked": c.Check,
	}
	if c.Check || c.Words {
		m["points"] = c.Points
	}
	return m
}

// imageLink matches a picture in Markdown, whose text may have brackets, as in x[2].
var imageLink = regexp.MustCompile(`(!\[(?:[^\[\]]|\[[^\[\]]*\])*\]\()([\w-]+\.svg)\)`)

// shown returns the pictures in a cell.
func shown(c *Cell) []string {
	var names []string
	if !c.IsCode() {
		for _, m := range imageLink.FindAllStringSubmatch(c.Source, -1) {
			names = append(names, m[2])
		}
	}
	return names
}

// attach returns the text with its pictures as attachments, so that the notebook can be copied alone.
func (l *Lesson) attach(text string) (string, map[string]any, error) {
	attachments := map[string]any{}
	for _, m := range imageLink.FindAllStringSubmatch(text, -1) {
		attachments[pngName(m[2])] = map[string]any{"image/png": base64.StdEncoding.EncodeToString(l.pictures[m[2]].png)}
	}
	text = imageLink.ReplaceAllStringFunc(text, func(link string) string {
		m := imageLink.FindStringSubmatch(link)
		return m[1] + "attachment:" + pngName(m[2]) + ")"
	})
	return text, attachments, nil
}

// graderConfig configures nbgrader for Go.
const graderConfig = `# Settings for nbgrader, in whose folder source/ lies: nbgrader generate_assignment LESSON
import os
import secrets

c = get_config()  # noqa: F821
# Checks draw other inputs at each grading.
os.environ.setdefault("GOPHERWARP_CHECK_SEED", secrets.token_hex(8))
# What is graded is no progress of the one who grades.
os.environ["GOPHERWARP_PROGRESS"] = "off"
os.environ["GOPHERWARP_TUTOR"] = "off"
c.CourseDirectory.course_id = "gopherwarp"
# One stub for Go and for CUDA C++, as a notebook has one language.
c.ClearSolutions.code_stub = {
    "go": "` + Stub + `",
    "python": "# YOUR CODE HERE\nraise NotImplementedError()",
}
# The first cell may have to wait for the session program to be built.
c.ExecutePreprocessor.timeout = 300
c.Execute.timeout = 300
# A cell that does not end is interrupted, and the ones behind it are graded.
c.ExecutePreprocessor.interrupt_on_timeout = True
c.Execute.interrupt_on_timeout = True
# Threads of a kernel that runs as plain Go may need some seconds to end, on a busy machine.
c.ExecutePreprocessor.iopub_timeout = 60
c.Execute.iopub_timeout = 60
`

// References returns the pages for looking things up, by name: the glossary, a cheat sheet, and other languages.
func References() map[string][]byte {
	pages := map[string][]byte{}
	for _, name := range []string{"cheatsheet.md", "glossary.md", "rosetta.md"} {
		data, err := references.ReadFile("reference/" + name)
		if err != nil {
			panic(err) // it is embedded
		}
		pages[name] = data
	}
	return pages
}

// readme returns the list of lessons.
func readme(lessons []*Lesson, only Audience) []byte {
	var b strings.Builder
	b.WriteString(readmeBegin)
	for _, l := range lessons {
		links := map[Audience]string{
			Everyone:    fmt.Sprintf("[%s](%s.ipynb) ([solution](solutions/%s.ipynb))", l.Title, l.Path, l.Path),
			Students:    fmt.Sprintf("[%s](%s.ipynb)", l.Title, l.Path),
			Instructors: fmt.Sprintf("[%s](solutions/%s.ipynb)", l.Title, l.Path),
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", l.Module, links[only], l.Time, l.Needs)
	}
	b.WriteString(readmeExercises)
	if only != Students {
		b.WriteString(readmeSolutions)
	}
	if only == Everyone {
		b.WriteString(readmeBuilt)
	}
	return []byte(b.String())
}

const readmeBegin = `# The course

Open the notebooks in JupyterLab ("make lab"). They run on a CUDA GPU or, without one, on the simulator.

| module | lesson | time | needs |
|---|---|---|---|
`

const readmeExercises = `
To look things up: the [glossary](reference/glossary.md), a [cheat sheet](reference/cheatsheet.md), and
[the same in CUDA C, Python and Go](reference/rosetta.md).

Where an exercise says YOUR CODE HERE, write. The check below it fails until the answer is right, and says what looks
wrong. "%hint" shows a hint, and "%progress" what is done and what comes next.
`

const readmeSolutions = `
The folder "solutions" has the same notebooks with all exercises solved; they can be run without JupyterLab:

    bin/gopherwarp run notebooks/solutions/1-basics/first-kernel.ipynb -o /tmp/out.ipynb

Teachers who use nbgrader find the notebooks that it makes assignments of, and its settings, in the folder "nbgrader".
`

const readmeBuilt = `
All of these files are built from course/lessons by "make notebooks". Change the sources there, not these: the tests
compare them.
`

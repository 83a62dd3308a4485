//go:build linux

package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/gopherwarp/gopherwarp/course"
	"github.com/gopherwarp/gopherwarp/magics"
	"github.com/gopherwarp/gopherwarp/tutor"
)

var (
	lessonName = regexp.MustCompile(`\b[Ll]essons? ([a-z][a-z0-9-]*)(?: and ([a-z][a-z0-9-]*))?(?:, section "([^"]+)")?`)
	numbered   = regexp.MustCompile(`^\d+\. `)
	magicName  = regexp.MustCompile("`%{1,2}([a-z_]+)")
)

// deadLinks returns a line for each lesson, section of a lesson or magic that the texts of a bank mention and that does not exist.
func deadLinks(bank *tutor.Bank, lessons []*course.Lesson) (problems []string) {
	l := links{headings: headings(lessons), magics: magics.Names()}
	for _, c := range bank.Concepts {
		for _, name := range c.Lessons {
			l.lesson(c.ID, name, "")
		}
		l.look(c.ID, c.Definition+"\n"+c.Steps.Text())
	}
	for _, i := range bank.Items {
		l.look(i.ID, strings.Join(append([]string{i.Prompt, i.Steps.Text()}, i.Hints...), "\n"))
	}
	return l.problems
}

// headings returns the headings of each lesson without their numbers, by its name.
func headings(lessons []*course.Lesson) map[string][]string {
	all := map[string][]string{}
	for _, l := range lessons {
		all[l.Name()] = []string{}
		for _, c := range l.Cells {
			if c.IsCode() {
				continue
			}
			for line := range strings.Lines(c.Source) {
				if text := strings.TrimLeft(line, "#"); text != line {
					all[l.Name()] = append(all[l.Name()], numbered.ReplaceAllString(strings.ReplaceAll(strings.TrimSpace(text), "`", ""), ""))
				}
			}
		}
	}
	return all
}

// links checks what texts mention.
type links struct {
	headings map[string][]string // by lessons
	magics   []string
	problems []string
}

func (l *links) report(where, format string, args ...any) {
	l.problems = append(l.problems, where+": "+fmt.Sprintf(format, args...))
}

// lesson checks a lesson, and a section of it if it is not "".
func (l *links) lesson(where, name, section string) {
	sections, ok := l.headings[name]
	switch {
	case !ok:
		l.report(where, "there is no lesson %s", name)
	case section != "" && !slices.Contains(sections, section):
		l.report(where, "lesson %s has no section %q", name, section)
	}
}

// look checks the lessons and magics in a text.
func (l *links) look(where, text string) {
	for _, m := range lessonName.FindAllStringSubmatch(text, -1) {
		l.lesson(where, m[1], m[3])
		if m[2] != "" {
			l.lesson(where, m[2], "")
		}
	}
	for _, m := range magicName.FindAllStringSubmatch(text, -1) {
		if !slices.Contains(l.magics, m[1]) {
			l.report(where, "there is no magic %s`", m[0])
		}
	}
}

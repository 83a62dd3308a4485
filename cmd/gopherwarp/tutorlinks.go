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
	headings := map[string][]string{}
	for _, l := range lessons {
		headings[l.Name()] = []string{}
		for _, c := range l.Cells {
			for line := range strings.Lines(c.Source) {
				if text := strings.TrimLeft(line, "#"); text != line && !c.IsCode() {
					headings[l.Name()] = append(headings[l.Name()], numbered.ReplaceAllString(strings.ReplaceAll(strings.TrimSpace(text), "`", ""), ""))
				}
			}
		}
	}
	known := magics.Names()
	look := func(where, text string) {
		for _, m := range lessonName.FindAllStringSubmatch(text, -1) {
			for _, name := range m[1:3] {
				if sections, ok := headings[name]; name != "" && !ok {
					problems = append(problems, fmt.Sprintf("%s: there is no lesson %s", where, name))
				} else if ok && m[3] != "" && !slices.Contains(sections, m[3]) {
					problems = append(problems, fmt.Sprintf("%s: lesson %s has no section %q", where, name, m[3]))
				}
			}
		}
		for _, m := range magicName.FindAllStringSubmatch(text, -1) {
			if !slices.Contains(known, m[1]) {
				problems = append(problems, fmt.Sprintf("%s: there is no magic %s`", where, m[0]))
			}
		}
	}
	for _, c := range bank.Concepts {
		for _, name := range c.Lessons {
			if headings[name] == nil {
				problems = append(problems, fmt.Sprintf("%s: there is no lesson %s", c.ID, name))
			}
		}
		look(c.ID, c.Definition+"\n"+c.Steps.Text())
	}
	for _, i := range bank.Items {
		look(i.ID, strings.Join(append([]string{i.Prompt, i.Steps.Text()}, i.Hints...), "\n"))
	}
	return problems
}

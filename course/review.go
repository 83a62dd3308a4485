package course

import (
	"fmt"

	"github.com/gopherwarp/gopherwarp/tutor"
)

// taught returns the names of lessons whose concepts the tutor has questions about.
func taught() (map[string]bool, error) {
	bank, err := tutor.Load(tutor.Source())
	if err != nil {
		return nil, fmt.Errorf("find the questions about lessons: %w", err)
	}
	names := map[string]bool{}
	for _, c := range bank.Concepts {
		for _, name := range c.Lessons {
			names[name] = true
		}
	}
	return names, nil
}

// review returns the cells at the end of a lesson by which the tutor asks about its concepts.
func (l *Lesson) review() []*Cell {
	return []*Cell{
		{ID: "text-review", Language: markdown, Source: "## Questions\n\nThe tutor asks about this lesson, one question at a time. If it does not know you yet, begin with `%tutor start`."},
		{ID: "review", Language: "go", Source: "%tutor review " + l.Name()},
	}
}

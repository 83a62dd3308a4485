package course

import (
	"fmt"
	"strings"
)

// Overview returns a page for instructors with the time, exercises and points of each lesson.
func Overview(lessons []*Lesson) []byte {
	var table, exercises strings.Builder
	minutes, count, lines, points := 0, 0, 0, 0
	for _, l := range lessons {
		written := 0
		for _, c := range l.Exercises() {
			n := solutionLines(c.Source)
			written += n
			checks, timed := []string{}, ""
			for _, check := range l.checks(c.ID) {
				if check.Points == 0 {
					timed = "speed, without points"
					continue
				}
				checks = append(checks, fmt.Sprintf("`%s` %d", check.ID, check.Points))
			}
			fmt.Fprintf(&exercises, "| %s | %s | %d | %s | %d | %s |\n", l.Title, c.ID, n, strings.Join(checks, ", "), len(l.hintsFor(c.ID)), timed)
		}
		for _, c := range l.Cells {
			if c.Words {
				fmt.Fprintf(&exercises, "| %s | %s, in words | | %d, by hand | 0 |  |\n", l.Title, c.ID, c.Points)
			}
		}
		fmt.Fprintf(&table, "| %s | [%s](../../notebooks/solutions/%s.ipynb) | %d | %d | %d | %d | %d | %d |\n",
			l.Module, l.Title, l.Path, claimedMinutes(l.Time), len(l.Exercises()), written, l.Points(), len(l.Questions()), len(l.Covers))
		minutes, count, lines, points = minutes+claimedMinutes(l.Time), count+len(l.Exercises()), lines+written, points+l.Points()
	}
	return fmt.Appendf(nil, `# Lessons, exercises and points

Built by "make notebooks". %d lessons of %.1f hours in all, with %d exercises of %d lines and %d points. No points need a GPU.

| module | lesson | minutes | exercises | lines to write | points | questions | items covered |
|---|---|--:|--:|--:|--:|--:|--:|
%s
## Exercises

What a GPU adds are the checks of speed.

| lesson | exercise | lines | checks and points | hints | on a GPU |
|---|---|--:|---|--:|---|
%s`, len(lessons), float64(minutes)/60, count, lines, points, table.String(), exercises.String())
}

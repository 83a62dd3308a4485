package progress

import "time"

// A Lesson is a learner's state in a lesson.
type Lesson struct {
	Begun, Last time.Time             // of its first and last event
	Checks      map[string]CheckState // by name
	Answers     map[string]Event      // the last answer to each question, by its name
	Hints       map[string]int        // the number of hints shown, by exercise
}

// CheckState is a learner's state in a check.
type CheckState struct {
	Tries  int
	Points int       // the most that it has given
	Of     int       // as of the last run
	Passed time.Time // when it first passed; zero if it never did
	Reason string    // what the last run reported, if it failed
}

// Points returns the points that the lesson's checks have given.
func (l *Lesson) Points() int {
	sum := 0
	for _, c := range l.Checks {
		sum += c.Points
	}
	return sum
}

// Summarize returns the state of each lesson that has events, by its path. A check that has passed once keeps its points.
func Summarize(events []Event) map[string]*Lesson {
	lessons := map[string]*Lesson{}
	for _, e := range events {
		l := lessons[e.Lesson]
		if l == nil {
			l = &Lesson{Begun: e.Time, Checks: map[string]CheckState{}, Answers: map[string]Event{}, Hints: map[string]int{}}
			lessons[e.Lesson] = l
		}
		l.Last = e.Time
		switch e.Kind {
		case Check:
			c := l.Checks[e.Name]
			c.Tries++
			c.Points, c.Of, c.Reason = max(c.Points, e.Points), e.Of, e.Text
			if e.Right && c.Passed.IsZero() {
				c.Passed = e.Time
			}
			l.Checks[e.Name] = c
		case Answer:
			l.Answers[e.Name] = e
		case Hint:
			l.Hints[e.Name] = max(l.Hints[e.Name], e.Step)
		}
	}
	return lessons
}

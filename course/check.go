package course

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gopherwarp/gopherwarp/kernel"
)

// Kernel runs cells; *kernel.Client implements it.
type Kernel interface {
	Execute(ctx context.Context, q kernel.ExecuteRequest) (kernel.ExecuteReply, error)
}

// A Result is the result of Check for a lesson.
type Result struct {
	Lesson   *Lesson
	Cells    int // number of cells that ran as expected
	Refused  int // number of wrong answers and unsolved exercises that were refused as expected
	Passed   int // number of right answers that passed as expected
	Problems []string
	// AcceptedWrong, RefusedRight and FalseCauses count answers with an unexpected result.
	AcceptedWrong, RefusedRight, FalseCauses int
	Took                                     time.Duration
}

// Check runs a lesson in one session: the solution from top to bottom, then its exercises as they are handed out and with
// text that does not compile, which must get no points, then each wrong and each right answer, each with the checks of its
// exercise. limit is the maximum time of a cell. progress is called before each step; it may be nil. The error is that of
// the kernel; problems of the lesson are in the result.
func Check(ctx context.Context, k Kernel, l *Lesson, limit time.Duration, progress func(what string)) (Result, error) {
	if progress == nil {
		progress = func(string) {}
	}
	begin := time.Now()
	c := checker{ctx: ctx, kernel: k, limit: limit, progress: progress, result: Result{Lesson: l}}
	err := c.lesson(l)
	c.result.Took = time.Since(begin)
	return c.result, err
}

type checker struct {
	ctx      context.Context
	kernel   Kernel
	gpu      bool // whether the device is a GPU, not the simulator
	limit    time.Duration
	progress func(string)
	result   Result
}

func (c *checker) problem(l *Lesson, line int, format string, args ...any) {
	found := fmt.Sprintf("%s/lesson.md:%d: %s", l.Path, line, fmt.Sprintf(format, args...))
	c.result.Problems = append(c.result.Problems, found)
	c.progress("FAILED: " + found)
}

func (c *checker) lesson(l *Lesson) error {
	o, err := c.run(`fmt.Print("simulated: ", must(gpu.Current()).Properties().Simulated)`)
	if err != nil {
		return err
	}
	if o.failed {
		return fmt.Errorf("asking for the device: %s", o)
	}
	c.gpu = strings.Contains(o.stdout, "simulated: false")
	for _, cell := range l.Cells {
		if !cell.IsCode() {
			continue
		}
		c.progress("#" + cell.ID)
		o, err := c.run(cell.Source)
		if err != nil {
			return fmt.Errorf("cell #%s: %w", cell.ID, err)
		}
		switch {
		case o.failed != cell.Raises:
			c.problem(l, cell.Line, "cell #%s %s", cell.ID, o)
		case o.stderr != "":
			c.problem(l, cell.Line, "cell #%s writes to standard error, which costs its points: %q", cell.ID, o.stderr)
		default:
			c.result.Cells++
		}
	}
	if len(c.result.Problems) > 0 {
		return nil // the rest would report the same problems
	}
	for _, exercise := range l.Exercises() {
		if err := c.exercise(l, exercise); err != nil {
			return fmt.Errorf("exercise #%s: %w", exercise.ID, err)
		}
	}
	for _, cell := range l.Cells {
		if cell.Question == nil {
			continue
		}
		if err := c.question(l, cell); err != nil {
			return fmt.Errorf("question #%s: %w", cell.ID, err)
		}
	}
	return nil
}

// question runs the question as it is handed out, and with answers that are wrong, each of which must be explained.
func (c *checker) question(l *Lesson, cell *Cell) error {
	c.progress("#" + cell.ID)
	released, err := cell.Released()
	if err != nil {
		return err
	}
	wants := map[string]string{released: "Not answered yet"}
	for answer, why := range cell.Question.wrongAnswers() {
		wants["%answer "+cell.ID+" "+answer] = why
	}
	for _, code := range slices.Sorted(maps.Keys(wants)) {
		o, err := c.run(code)
		if err != nil {
			return err
		}
		want := wants[code]
		if cell.Question.Predict && code != released {
			want = "Recorded"
		}
		switch {
		case strings.Contains(o.shown, "✓"):
			c.result.AcceptedWrong++
			c.problem(l, cell.Line, "%q is taken for right", code)
		case o.failed, !strings.Contains(o.shown, want):
			c.result.FalseCauses++
			c.problem(l, cell.Line, "%q does not say %q: it %s %s", code, want, o, o.shown)
		default:
			c.result.Refused++
		}
	}
	return nil
}

// hints asks for all hints for an exercise.
func (c *checker) hints(l *Lesson, exercise *Cell) error {
	for _, h := range l.hintsFor(exercise.ID) {
		o, err := c.run("%hint " + exercise.ID)
		if err != nil {
			return err
		}
		if o.failed || !strings.Contains(o.shown, h.Text) {
			c.problem(l, h.Line, "%%hint %s does not show %q: it %s %s", exercise.ID, h.Text, o, o.shown)
			continue
		}
		c.result.Cells++
	}
	return nil
}

// exercise runs the exercise with text that does not compile, unsolved, and with each wrong and right answer, and at
// last the solution.
func (c *checker) exercise(l *Lesson, exercise *Cell) error {
	if err := c.hints(l, exercise); err != nil {
		return err
	}
	if err := c.broken(l, exercise); err != nil {
		return err
	}
	if err := c.unsolved(l, exercise); err != nil {
		return err
	}
	for _, w := range answersTo(l.Wrong, exercise.ID) {
		c.progress(fmt.Sprintf("#%s: %s", w.Exercise, w.Name))
		if err := c.wrong(l, exercise, w); err != nil {
			return fmt.Errorf("%s: %w", w.Name, err)
		}
	}
	for _, r := range answersTo(l.Right, exercise.ID) {
		c.progress(fmt.Sprintf("#%s: %s (right)", r.Exercise, r.Name))
		if err := c.right(l, exercise, r); err != nil {
			return fmt.Errorf("%s: %w", r.Name, err)
		}
	}
	o, err := c.run(exercise.Source)
	if err == nil && o.failed {
		c.problem(l, exercise.Line, "after the wrong answers the solution of #%s %s", exercise.ID, o)
	}
	return err
}

// broken runs text that does not compile, after the solution has run: the checks must not grade the solution instead.
func (c *checker) broken(l *Lesson, exercise *Cell) error {
	c.progress("#" + exercise.ID + " not compiling")
	source, err := replaceSolution(strings.Split(exercise.Source, "\n"), []string{"this does not compile"})
	if err != nil {
		return err
	}
	o, err := c.run(source)
	if err != nil {
		return err
	}
	if !o.failed {
		c.problem(l, exercise.Line, "#%s compiles with any text in it", exercise.ID)
		return nil
	}
	return c.noPoints(l, exercise, "with text that does not compile", "not graded here")
}

// unsolved runs the exercise as it is handed out.
func (c *checker) unsolved(l *Lesson, exercise *Cell) error {
	c.progress("#" + exercise.ID + " unsolved")
	released, err := exercise.Released()
	if err != nil {
		return err
	}
	o, err := c.run(released)
	if err != nil {
		return err
	}
	if o.failed {
		c.problem(l, exercise.Line, "#%s does not compile without its solution: %s", exercise.ID, o)
		return nil
	}
	return c.noPoints(l, exercise, "without a solution", "")
}

// noPoints runs all checks of an exercise. All must refuse it, with part in the message.
func (c *checker) noPoints(l *Lesson, exercise *Cell, how, part string) error {
	refused := true
	for _, cell := range l.checks(exercise.ID) {
		if cell.Points == 0 {
			continue
		}
		o, err := c.run(cell.Source)
		if err != nil {
			return err
		}
		switch {
		case !o.failed:
			c.result.AcceptedWrong++
			c.problem(l, cell.Line, "#%s gives %d points to #%s %s", cell.ID, cell.Points, exercise.ID, how)
		case o.kind != "CheckFailed":
			c.problem(l, cell.Line, "%s #%s is not refused by a check, but %s", how, exercise.ID, o)
		case !strings.Contains(o.message, part):
			c.result.FalseCauses++
			c.problem(l, cell.Line, "%s #%s is refused without saying %q: it %s", how, exercise.ID, part, o)
		default:
			headline, _, _ := strings.Cut(o.message, "\n")
			c.progress("    refused: " + headline)
			continue
		}
		refused = false
	}
	if refused {
		c.result.Refused++
	}
	return nil
}

func (c *checker) right(l *Lesson, exercise *Cell, r *Answer) error {
	source, err := r.apply(exercise.Source)
	if err != nil {
		return err
	}
	o, err := c.run(source)
	if err == nil && !o.failed {
		o, err = c.checks(l, exercise.ID)
	}
	slow := c.gpu && r.OnGPU != "" && strings.Contains(o.message, r.OnGPU)
	switch {
	case err != nil:
		return err
	case o.failed && !slow:
		c.result.RefusedRight++
		c.problem(l, r.Line, "the right answer %q %s", r.Name, o)
	default:
		c.result.Passed++
	}
	return nil
}

func (c *checker) wrong(l *Lesson, exercise *Cell, w *Answer) error {
	source, err := w.apply(exercise.Source)
	if err != nil {
		return err
	}
	reasons := []string{w.Refused}
	if c.gpu && w.OnGPU != "" {
		reasons = append(reasons, w.OnGPU) // which of two comes first may be chance on a GPU
	}
	if slices.Contains(reasons, "nothing") {
		return nil
	}
	o, err := c.run(source)
	if err == nil && !o.failed {
		o, err = c.checks(l, exercise.ID)
	}
	switch {
	case err != nil:
		return err
	case !o.failed:
		c.result.AcceptedWrong++
		c.problem(l, w.Line, "the wrong answer %q passes all checks", w.Name)
	case !slices.ContainsFunc(reasons, func(r string) bool { return strings.Contains(o.message, r) }):
		c.result.FalseCauses++
		c.problem(l, w.Line, "the wrong answer %q is refused without saying %q: it %s", w.Name, strings.Join(reasons, `" or "`), o)
	default:
		c.result.Refused++
		headline, _, _ := strings.Cut(o.message, "\n")
		c.progress("    refused: " + headline)
	}
	return nil
}

// checks runs the checks of an exercise until one fails.
func (c *checker) checks(l *Lesson, exercise string) (o outcome, err error) {
	for _, cell := range l.checks(exercise) {
		if o, err = c.run(cell.Source); err != nil || o.failed {
			return o, err
		}
	}
	return o, nil
}

// outcome is the result of a cell.
type outcome struct {
	failed         bool
	kind, message  string
	stdout, stderr string
	shown          string // the texts that were displayed
}

func (o outcome) String() string {
	if !o.failed {
		return "does not fail"
	}
	return "fails: " + o.kind + ": " + o.message
}

// run runs a cell. It returns an error if the cell exceeds the limit.
func (c *checker) run(source string) (outcome, error) {
	ctx, cancel := context.WithTimeout(c.ctx, c.limit)
	defer cancel()
	var mu sync.Mutex
	var stdout, stderr, shown strings.Builder
	reply, err := c.kernel.Execute(ctx, kernel.ExecuteRequest{Code: source, OnOutput: func(m *kernel.Message) {
		var content struct {
			Name, Text string
			Data       map[string]any
		}
		if m.DecodeContent(&content) != nil {
			return
		}
		mu.Lock()
		defer mu.Unlock()
		switch {
		case m.Header.Type == "display_data":
			fmt.Fprintln(&shown, content.Data["text/plain"])
		case m.Header.Type != "stream":
		case content.Name == "stderr":
			stderr.WriteString(content.Text)
		default:
			stdout.WriteString(content.Text)
		}
	}})
	if err != nil {
		if errors.Is(err, context.DeadlineExceeded) {
			err = fmt.Errorf("it ran for %v: %w", c.limit, err)
		}
		return outcome{}, err
	}
	mu.Lock()
	defer mu.Unlock()
	return outcome{reply.Status != "ok", reply.Name, reply.Value, stdout.String(), stderr.String(), shown.String()}, nil
}

// Table writes a line for each result, and then the problems.
func Table(w io.Writer, results []Result) {
	fmt.Fprintf(w, "%-36s %6s %8s %8s %8s\n", "lesson", "cells", "refused", "passed", "time")
	accepted, refused, causes := 0, 0, 0
	for _, r := range results {
		state := ""
		if n := len(r.Problems); n > 0 {
			state = fmt.Sprintf("  FAILED: %d", n)
		}
		fmt.Fprintf(w, "%-36s %6d %8d %8d %6.1f s%s\n", r.Lesson.Path, r.Cells, r.Refused, r.Passed, r.Took.Seconds(), state)
		accepted, refused, causes = accepted+r.AcceptedWrong, refused+r.RefusedRight, causes+r.FalseCauses
	}
	fmt.Fprintf(w, "wrong answers accepted: %d, right answers refused: %d, false causes: %d\n", accepted, refused, causes)
	for _, r := range results {
		for _, p := range r.Problems {
			fmt.Fprintln(w, p)
		}
	}
}

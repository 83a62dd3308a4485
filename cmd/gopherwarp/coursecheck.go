//go:build linux

package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/gopherwarp/gopherwarp/course"
	"github.com/gopherwarp/gopherwarp/kernel"
)

// lessonCellLimit is the maximum time for one cell of a lesson, on a slow machine.
const lessonCellLimit = 5 * time.Minute

type courseCheck struct {
	source, device, seed string
	parallel             int
	every                int // wrong answers, of which one is tried
	strict               bool
}

func courseCheckCommand() *cobra.Command {
	var o courseCheck
	cmd := &cobra.Command{
		Use: "check [LESSON…]", Short: "Run lessons, their solutions and their wrong answers",
		Long: `Run lessons, all of them by default: solutions must pass, exercises as they are handed out must compile and be
refused, and each wrong answer must be refused for its reason. A lesson is named by its path, as
"gopherwarp course list" shows it, or by the last element of the path. Departures from the house style
of the lessons in this program, such as a missing picture, are warnings in another course.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return checkCourse(cmd.Context(), args, o, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	f := cmd.Flags()
	sourceFlag(cmd, &o.source)
	f.BoolVar(&o.strict, "strict", false, "fail if a lesson departs from the house style, as the lessons in this program must not")
	f.StringVar(&o.seed, "seed", "", "check the variant of the student with this `NAME`")
	f.StringVar(&o.device, "device", "", "where GPU code runs: auto, sim, sim:MODEL or cuda:N")
	f.IntVar(&o.every, "every", 1, "try one in `N` of the wrong answers, and of the right ones beside the solution")
	f.IntVarP(&o.parallel, "parallel", "j", runtime.NumCPU(), "lessons to run at a time")
	return cmd
}

func checkCourse(ctx context.Context, names []string, o courseCheck, stdout, stderr io.Writer) error {
	if err := checkDevice(o.device); err != nil {
		return err
	}
	if o.every < 1 {
		return fmt.Errorf("--every is %d; it must be 1 or more", o.every)
	}
	fsys := courseSource(o.source)
	all, err := course.LoadVariant(fsys, o.seed)
	if err != nil {
		return err
	}
	items, err := course.Inventory(fsys)
	if err != nil {
		return err
	}
	lessons, err := choose(all, names)
	if err != nil {
		return err
	}
	if !lint(lessons, items, o.strict || o.source == "", stdout) {
		return exitStatus(1)
	}
	for i, l := range lessons {
		lessons[i] = sampled(l, o.every)
	}

	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM) // so that the table shows the results so far
	defer stop()
	results, errs := make([]course.Result, len(lessons)), make([]error, len(lessons))
	var mu sync.Mutex // of stdout
	turns := make(chan struct{}, max(1, o.parallel))
	var wg sync.WaitGroup
	for _, i := range longestFirst(lessons) {
		l := lessons[i]
		turns <- struct{}{}
		wg.Go(func() {
			defer func() { <-turns }()
			results[i], errs[i] = checkLesson(ctx, l, o, stderr, func(what string) {
				mu.Lock()
				defer mu.Unlock()
				fmt.Fprintf(stdout, "%s %s\n", l.Path, what)
			})
		})
	}
	wg.Wait()
	fmt.Fprintln(stdout)
	course.Table(stdout, results)
	for i, r := range results {
		if errs[i] != nil {
			fmt.Fprintf(stderr, "%s: %v\n", r.Lesson.Path, errs[i])
		}
		if errs[i] != nil || len(r.Problems) > 0 {
			err = exitStatus(1)
		}
	}
	return err
}

// lint prints the problems of lessons and their departures from the house style, and reports whether they can be run. If strict, lessons
// that depart from the style cannot.
func lint(lessons []*course.Lesson, items []course.Item, strict bool, stdout io.Writer) bool {
	ok := true
	for _, l := range lessons {
		problems, style := l.Lint(items)
		for _, p := range problems {
			fmt.Fprintln(stdout, p)
		}
		for _, s := range style {
			if !strict {
				s = "warning: " + s
			}
			fmt.Fprintln(stdout, s)
		}
		if len(problems) > 0 || strict && len(style) > 0 {
			ok = false
		}
	}
	return ok
}

// sampled returns a lesson with one in n of its answers.
func sampled(l *course.Lesson, n int) *course.Lesson {
	few := *l
	few.Wrong, few.Right = oneIn(n, l.Wrong), oneIn(n, l.Right)
	return &few
}

func oneIn(n int, answers []*course.Answer) (few []*course.Answer) {
	for i := 0; i < len(answers); i += n {
		few = append(few, answers[i])
	}
	return few
}

// longestFirst returns the indices of lessons ordered by their number of answers, so that no long lesson begins when the
// others have ended.
func longestFirst(lessons []*course.Lesson) []int {
	order := make([]int, len(lessons))
	for i := range order {
		order[i] = i
	}
	answers := func(i int) int { return len(lessons[i].Wrong) + len(lessons[i].Right) }
	slices.SortStableFunc(order, func(a, b int) int { return answers(b) - answers(a) })
	return order
}

// choose returns the lessons with these paths or last elements of them.
func choose(all []*course.Lesson, names []string) ([]*course.Lesson, error) {
	if len(names) == 0 {
		return all, nil
	}
	var chosen []*course.Lesson
	for _, name := range names {
		i := slices.IndexFunc(all, func(l *course.Lesson) bool { return l.Path == name || l.Name() == name })
		if i < 0 {
			return nil, fmt.Errorf("there is no lesson %q: gopherwarp course list shows them", name)
		}
		chosen = append(chosen, all[i])
	}
	return chosen, nil
}

// checkLesson runs a lesson with a kernel of its own.
func checkLesson(ctx context.Context, l *course.Lesson, o courseCheck, stderr io.Writer, progress func(string)) (r course.Result, err error) {
	r.Lesson = l
	err = inLesson(ctx, l, o.source, o.device, stderr, func(k *kernel.Process) (err error) {
		r, err = course.Check(ctx, k, l, lessonCellLimit, progress)
		return err
	})
	return r, err
}

// inLesson calls f with a kernel that runs in a directory with the files of a lesson, which is of the course in source.
func inLesson(ctx context.Context, l *course.Lesson, source, device string, stderr io.Writer, f func(*kernel.Process) error) error {
	dir, err := os.MkdirTemp("", "gopherwarp-lesson-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	for _, name := range l.Files {
		if err := os.WriteFile(filepath.Join(dir, name), l.File(name), 0o644); err != nil {
			return err
		}
	}
	var env []string
	if source != "" {
		if source, err = filepath.Abs(source); err != nil {
			return err
		}
		env = []string{courseVariable + "=" + source}
	}
	k, err := startKernel(ctx, dir, device, stderr, env...)
	if err != nil {
		return err
	}
	defer func() {
		stopCtx, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTimeout)
		defer cancel()
		_ = k.Stop(stopCtx) // errors of the kernel were reported by f
	}()
	return f(k)
}

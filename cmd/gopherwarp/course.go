//go:build linux

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/gopherwarp/gopherwarp/course"
)

// lessonCellLimit is the maximum time for one cell of a lesson, on a slow machine.
const lessonCellLimit = 5 * time.Minute

func courseCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "course", Short: "List, build and check the lessons"}
	cmd.AddCommand(courseListCommand(), courseBuildCommand(), courseCheckCommand())
	return cmd
}

func courseListCommand() *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List the lessons, with time and what they need", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			lessons, err := course.Load(course.Source())
			if err != nil {
				return err
			}
			w := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
			fmt.Fprintln(w, "LESSON\tTITLE\tTIME\tEXERCISES\tNEEDS")
			for _, l := range lessons {
				fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%s\n", l.Path, l.Title, l.Time, len(l.Exercises()), l.Needs)
			}
			return w.Flush()
		},
	}
}

func courseBuildCommand() *cobra.Command {
	var source, coverage string
	var compare bool
	cmd := &cobra.Command{
		Use: "build FOLDER", Short: "Build the notebooks of the course into a folder", Args: cobra.ExactArgs(1),
		Long: `Build the notebooks of the course into a folder: the learner's, the solutions, and the sources of
nbgrader's assignments. Files of the same name are replaced; other notebooks there are an error, as they
may be yours.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			fsys := course.Source()
			if source != "" {
				fsys = os.DirFS(source)
			}
			return buildCourse(fsys, args[0], coverage, compare, cmd.OutOrStdout())
		},
	}
	f := cmd.Flags()
	f.StringVar(&source, "source", "", "build from the sources in `FOLDER`, not from those in this program")
	f.StringVar(&coverage, "coverage", "", "also write to `FILE` what the lessons cover")
	f.BoolVar(&compare, "compare", false, "write nothing, and fail if a file is not as it would be built")
	return cmd
}

// buildCourse writes the files of the course, or compares them.
func buildCourse(fsys fs.FS, dir, coverage string, compare bool, stdout io.Writer) error {
	lessons, err := course.Load(fsys)
	if err != nil {
		return err
	}
	files, err := course.Build(lessons)
	if err != nil {
		return err
	}
	built := map[string][]byte{}
	for name, data := range files {
		built[filepath.Join(dir, filepath.FromSlash(name))] = data
	}
	strangers, err := strangers(dir, built)
	if err != nil {
		return err
	}
	if len(strangers) > 0 {
		return fmt.Errorf("no lesson builds %s: move or remove files that are not of the course", strings.Join(strangers, ", "))
	}
	if coverage != "" {
		items, err := course.Inventory(fsys)
		if err != nil {
			return err
		}
		built[coverage] = course.Coverage(items, lessons)
	}
	var differ []string
	for name, data := range built {
		if old, err := os.ReadFile(name); err == nil && bytes.Equal(old, data) {
			continue
		}
		differ = append(differ, name)
		if compare {
			continue
		}
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(name, data, 0o644); err != nil {
			return err
		}
	}
	slices.Sort(differ)
	if compare && len(differ) > 0 {
		return fmt.Errorf("not as their sources would build them: %s: run make notebooks", strings.Join(differ, ", "))
	}
	for _, name := range differ {
		fmt.Fprintln(stdout, name)
	}
	return nil
}

// strangers returns the notebooks in the directory that are not built: those of a renamed lesson, or others.
func strangers(dir string, built map[string][]byte) (list []string, err error) {
	err = filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist) && name == dir:
			return fs.SkipAll
		case err != nil:
			return err
		case d.IsDir() && d.Name() == ".ipynb_checkpoints":
			return fs.SkipDir
		case filepath.Ext(name) == ".ipynb" && built[name] == nil:
			list = append(list, name)
		}
		return nil
	})
	return list, err
}

type courseCheck struct {
	source, device string
	parallel       int
}

func courseCheckCommand() *cobra.Command {
	var o courseCheck
	cmd := &cobra.Command{
		Use: "check [LESSON…]", Short: "Run lessons, their solutions and their wrong answers",
		Long: `Run lessons, all of them by default: solutions must pass, exercises as they are handed out must compile and be
refused, and each wrong answer must be refused for its reason. A lesson is named by its path, as
"gopherwarp course list" shows it, or by the last element of the path.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return checkCourse(cmd.Context(), args, o, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.source, "source", "", "check the sources in `FOLDER`, not those in this program")
	f.StringVar(&o.device, "device", "", "where GPU code runs: auto, sim, sim:MODEL or cuda:N")
	f.IntVarP(&o.parallel, "parallel", "j", runtime.NumCPU(), "lessons to run at a time")
	return cmd
}

func checkCourse(ctx context.Context, names []string, o courseCheck, stdout, stderr io.Writer) error {
	if err := checkDevice(o.device); err != nil {
		return err
	}
	fsys := course.Source()
	if o.source != "" {
		fsys = os.DirFS(o.source)
	}
	all, err := course.Load(fsys)
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
	var found []string
	for _, l := range lessons {
		found = append(found, l.Lint(items)...)
	}
	if len(found) > 0 {
		fmt.Fprintln(stdout, strings.Join(found, "\n"))
		return exitStatus(1)
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
			results[i], errs[i] = checkLesson(ctx, l, o.device, stderr, func(what string) {
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
func checkLesson(ctx context.Context, l *course.Lesson, device string, stderr io.Writer, progress func(string)) (course.Result, error) {
	dir, err := os.MkdirTemp("", "gopherwarp-lesson-")
	if err != nil {
		return course.Result{Lesson: l}, err
	}
	defer os.RemoveAll(dir)
	for _, name := range l.Files {
		if err := os.WriteFile(filepath.Join(dir, name), l.File(name), 0o644); err != nil {
			return course.Result{Lesson: l}, err
		}
	}
	k, err := startKernel(ctx, dir, device, stderr)
	if err != nil {
		return course.Result{Lesson: l}, err
	}
	defer func() {
		stopCtx, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTimeout)
		defer cancel()
		_ = k.Stop(stopCtx) // errors of the kernel were reported by Check
	}()
	return course.Check(ctx, k, l, lessonCellLimit, progress)
}

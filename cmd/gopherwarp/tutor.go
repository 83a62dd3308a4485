//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/gopherwarp/gopherwarp/course"
	"github.com/gopherwarp/gopherwarp/internal/progress"
	"github.com/gopherwarp/gopherwarp/tutor"
	"github.com/gopherwarp/gopherwarp/tutor/bench"
	"github.com/gopherwarp/gopherwarp/tutor/phrase"
	"github.com/gopherwarp/gopherwarp/tutor/store"
)

// lazyTutor is the tutor of a kernel. The bank is read when it is first asked.
type lazyTutor struct {
	open  func() (*tutor.Tutor, error)
	bench *bench.Bench
}

func newTutor() *lazyTutor {
	b := newBench(io.Discard)
	return &lazyTutor{bench: b, open: sync.OnceValues(func() (*tutor.Tutor, error) {
		bank, _, err := loadBank(os.Getenv(bankVariable))
		if err != nil {
			return nil, err
		}
		state, err := store.DefaultPath()
		if err != nil {
			return nil, err
		}
		var where tutor.Store = store.New(state)
		if state == "" {
			where = store.InMemory()
		}
		file, err := progress.Path()
		if err != nil {
			return nil, err
		}
		o := tutor.Options{Runner: b, Exercises: exercises{progress.Open(file)}, Define: course.Define}
		endpoint, err := phrase.FromEnv()
		if err != nil {
			return nil, err
		}
		if endpoint != nil {
			o.Phraser = endpoint
		}
		return tutor.New(bank, where, o), nil
	})}
}

// bankVariable has the directory with questions that are not those of this program.
const bankVariable = "GOPHERWARP_TUTOR_BANK"

// loadBank returns the questions in a directory, or those of this program if it is "". A directory without concepts.md has questions that
// are added to those of this program; own are their names.
func loadBank(dir string) (bank *tutor.Bank, own []string, err error) {
	if dir == "" {
		bank, err = tutor.Load(tutor.Source())
		return bank, nil, err
	}
	fsys := os.DirFS(dir)
	if _, err := fs.Stat(fsys, "concepts.md"); err == nil {
		bank, err = tutor.Load(fsys)
		return bank, nil, err
	}
	files, err := fs.Glob(fsys, "items/*/item.md")
	if err != nil {
		return nil, nil, err
	}
	for _, file := range files {
		own = append(own, path.Base(path.Dir(file)))
	}
	bank, err = tutor.Load(tutor.Source(), fsys)
	return bank, own, err
}

// exercises are those of the course, by the learner's progress in it.
type exercises struct{ store *progress.Store }

// Missed implements tutor.Exercises.
func (e exercises) Missed(seen int) (missed []tutor.Miss, events int, err error) {
	all, err := e.store.Events()
	if err != nil {
		return nil, 0, err
	}
	if seen > len(all) {
		seen = 0 // the file was put away, and begun anew
	}
	for _, event := range all[seen:] {
		if event.Kind == progress.Check && !event.Right {
			missed = append(missed, tutor.Miss{Lesson: path.Base(event.Lesson), Reason: event.Text})
		}
	}
	return missed, len(all), nil
}

// State implements tutor.Exercises.
func (e exercises) State() (any, error) {
	lessons, err := course.Load(courseSource(os.Getenv(courseVariable)))
	if err != nil {
		return nil, err
	}
	return course.Status(lessons, e.store)
}

// newBench returns a bench whose kernels are this program, in a directory of their own.
func newBench(log io.Writer) *bench.Bench {
	return bench.New(func(ctx context.Context) (bench.Kernel, error) {
		dir, err := os.MkdirTemp("", "gopherwarp-tutor-")
		if err != nil {
			return nil, err
		}
		k, err := startKernel(ctx, dir, "", log)
		if err != nil {
			return nil, errors.Join(err, os.RemoveAll(dir))
		}
		return &benchKernel{Kernel: k, dir: dir}, nil
	})
}

// A benchKernel removes its directory at its end.
type benchKernel struct {
	bench.Kernel
	dir string
}

// Stop stops the kernel and removes its directory.
func (k *benchKernel) Stop(ctx context.Context) error {
	return errors.Join(k.Kernel.Stop(ctx), os.RemoveAll(k.dir))
}

// Do implements magics.Tutor.
func (t *lazyTutor) Do(ctx context.Context, r tutor.Request) (*tutor.Page, error) {
	opened, err := t.open()
	if err != nil {
		return nil, err
	}
	return opened.Do(ctx, r)
}

// Close implements magics.Tutor.
func (t *lazyTutor) Close() error { return t.bench.Close() }

func tutorCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "tutor", Short: "Check the questions of %tutor, or begin a new one"}
	cmd.AddCommand(tutorCheckCommand(), tutorNewCommand())
	return cmd
}

type tutorCheck struct {
	source, device string
	lint           bool
}

func tutorCheckCommand() *cobra.Command {
	var o tutorCheck
	cmd := &cobra.Command{
		Use: "check [QUESTION…]", Short: "Check the questions, and run those with code",
		Long: `Check the questions, all of them by default: numbers are computed again, each wrong answer names a misconception
and says what is wrong with it, programs print what they should, solutions pass their tests, and each wrong
answer in code is refused for its reason. Lessons and magics that texts mention exist. Each concept has at least four
questions, on two levels, and one of code; that is not looked at if questions are named.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return checkTutor(cmd.Context(), args, o, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.source, "source", "", "check the bank in `FOLDER`, not the one in this program; without concepts.md, only the questions that it adds to that one")
	f.StringVar(&o.device, "device", "", "where code runs: auto, sim, sim:MODEL or cuda:N")
	f.BoolVar(&o.lint, "lint", false, "run nothing")
	return cmd
}

func checkTutor(ctx context.Context, names []string, o tutorCheck, stdout, stderr io.Writer) error {
	if err := checkDevice(o.device); err != nil {
		return err
	}
	bank, own, err := loadBank(o.source)
	if err != nil {
		return err
	}
	if len(names) == 0 {
		names = own
	}
	items, err := chooseItems(bank, names)
	if err != nil {
		return err
	}
	lessons, err := course.Load(courseSource(os.Getenv(courseVariable)))
	if err != nil {
		return err
	}
	report := bank.Lint()
	problems := append(report.Problems, deadLinks(bank, lessons)...)
	if len(names) > 0 {
		report.Short = nil
	}
	ran := 0
	if !o.lint {
		b := newBench(stderr)
		defer b.Close() // its errors have no meaning for the questions
		for _, i := range items {
			if i.Code == nil && i.Type != tutor.Predict {
				continue
			}
			fmt.Fprintln(stdout, i.ID)
			found, err := bank.Prove(ctx, i, b, o.device)
			if err != nil {
				return err
			}
			problems = append(problems, found...)
			ran++
		}
	}
	for _, p := range problems {
		fmt.Fprintln(stdout, "FAILED:", p)
	}
	for _, s := range report.Short {
		fmt.Fprintln(stdout, "FAILED:", s)
	}
	fmt.Fprintf(stdout, "%d concepts, %d questions (%s), %d with code run, %d errors of the sources covered, %d problems, %d concepts short\n",
		len(bank.Concepts), report.Items, report.Types(), ran, len(report.Covered), len(problems), len(report.Short))
	if len(problems)+len(report.Short) > 0 {
		return exitStatus(1)
	}
	return nil
}

// chooseItems returns the questions of these names, or all.
func chooseItems(bank *tutor.Bank, names []string) ([]*tutor.Item, error) {
	if len(names) == 0 {
		return bank.Items, nil
	}
	var chosen []*tutor.Item
	for _, name := range names {
		i := bank.Item(name)
		if i == nil {
			return nil, fmt.Errorf("there is no question %q: the folders in items are their names", name)
		}
		chosen = append(chosen, i)
	}
	return chosen, nil
}

func tutorNewCommand() *cobra.Command {
	var kind, concept string
	cmd := &cobra.Command{
		Use: "new FOLDER", Short: "Begin a new question: a folder with an item.md to fill in", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			text, err := tutor.Template(tutor.Type(kind), concept)
			if err != nil {
				return err
			}
			file := filepath.Join(args[0], "item.md")
			if _, err := os.Lstat(file); !errors.Is(err, fs.ErrNotExist) {
				return fmt.Errorf("%s exists: choose another folder", file)
			}
			if err := os.MkdirAll(args[0], 0o755); err != nil {
				return err
			}
			if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s\nFill it in; gopherwarp tutor check --source FOLDER checks the bank that it is in.\n", file)
			return nil
		},
	}
	cmd.Flags().StringVar(&kind, "type", string(tutor.Choice), "the `TYPE` of the question: "+strings.Join(tutor.Types(), ", "))
	cmd.Flags().StringVar(&concept, "concept", "index1d", "the `CONCEPT` that it is about")
	return cmd
}

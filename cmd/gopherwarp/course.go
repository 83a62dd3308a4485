//go:build linux

package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/gopherwarp/gopherwarp/course"
)

func courseCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "course", Short: "List, build, check and grade the lessons, and show what is done in them"}
	cmd.AddCommand(courseListCommand(), courseStatusCommand(), courseBuildCommand(), courseCheckCommand(), courseNewCommand(), courseGradeCommand(), courseVerifyCommand())
	return cmd
}

func courseListCommand() *cobra.Command {
	var source string
	cmd := &cobra.Command{
		Use: "list", Short: "List the lessons, with time and what they need", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			lessons, err := course.Load(courseSource(source))
			if err != nil {
				return err
			}
			w := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
			fmt.Fprintln(w, "LESSON\tTITLE\tTIME\tEXERCISES\tPOINTS\tNEEDS")
			for _, l := range lessons {
				fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%d\t%s\n", l.Path, l.Title, l.Time, len(l.Exercises()), l.Points(), l.Needs)
			}
			return w.Flush()
		},
	}
	sourceFlag(cmd, &source)
	return cmd
}

// sourceFlag adds the flag with the directory of a course.
func sourceFlag(cmd *cobra.Command, source *string) {
	cmd.Flags().StringVar(source, "source", os.Getenv(courseVariable), "the sources of the course are in `FOLDER`, not in this program")
}

func courseBuildCommand() *cobra.Command {
	var o courseBuild
	cmd := &cobra.Command{
		Use: "build FOLDER", Short: "Build the notebooks of the course into a folder", Args: cobra.ExactArgs(1),
		Long: `Build the notebooks of the course into a folder: the learner's, the solutions, and the sources of
nbgrader's assignments. Files of the same name are replaced; other notebooks there are an error, as they
may be yours.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return buildCourse(args[0], o, cmd.OutOrStdout())
		},
	}
	sourceFlag(cmd, &o.source)
	f := cmd.Flags()
	f.StringVar(&o.coverage, "coverage", "", "also write to `FILE` what the lessons cover, and the reference pages beside it")
	f.BoolVar(&o.compare, "compare", false, "write nothing, and fail if a file is not as it would be built")
	f.StringVar(&o.seed, "seed", "", "build the variant of the student with this `NAME`: constants that vary follow from it")
	f.StringVar(&o.only, "only", "", "build the notebooks of `PEOPLE` alone: students (no solutions, no sources of assignments) or instructors")
	return cmd
}

// courseBuild has the options of course build.
type courseBuild struct {
	source, coverage, seed, only string
	compare                      bool
}

// buildCourse writes the files of the course, or compares them.
func buildCourse(dir string, o courseBuild, stdout io.Writer) error {
	fsys := courseSource(o.source)
	lessons, err := course.LoadVariant(fsys, o.seed)
	if err != nil {
		return err
	}
	files, err := course.Build(lessons, course.Options{Seed: o.seed, Only: course.Audience(o.only)})
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
	if o.coverage != "" {
		items, err := course.Inventory(fsys)
		if err != nil {
			return err
		}
		built[o.coverage] = course.Coverage(items, lessons)
		pages := course.References()
		pages["lessons.md"] = course.Overview(lessons)
		for name, data := range pages {
			built[filepath.Join(filepath.Dir(o.coverage), "reference", name)] = data
		}
	}
	var differ []string
	for name, data := range built {
		if old, err := os.ReadFile(name); err == nil && bytes.Equal(old, data) {
			continue
		}
		differ = append(differ, name)
		if o.compare {
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
	if o.compare && len(differ) > 0 {
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

//go:build linux

package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/gopherwarp/gopherwarp/course"
)

func courseNewCommand() *cobra.Command {
	var source string
	cmd := &cobra.Command{
		Use: "new MODULE/NAME", Short: "Write a small lesson to begin with", Args: cobra.ExactArgs(1),
		Long: `Write lessons/MODULE/NAME/lesson.md: a lesson with an exercise, its check, hints, a question, and wrong and right
answers. "gopherwarp course check --source ." runs it, and "gopherwarp course build --source . FOLDER" makes
its notebooks.`,
		Example: "  gopherwarp course new 1-mine/dot",
		RunE: func(cmd *cobra.Command, args []string) error {
			text, err := course.Template(args[0])
			if err != nil {
				return err
			}
			file := filepath.Join(source, "lessons", filepath.FromSlash(args[0]), "lesson.md")
			if _, err := os.Lstat(file); err == nil {
				return fmt.Errorf("write a new lesson: %s: %w: take another name", file, fs.ErrExist)
			}
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				return err
			}
			if err := os.WriteFile(file, text, 0o644); err != nil {
				return err
			}
			fmt.Fprintln(cmd.OutOrStdout(), file)
			return nil
		},
	}
	cmd.Flags().StringVar(&source, "source", ".", "the sources of the course are in `FOLDER`")
	return cmd
}

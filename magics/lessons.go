package magics

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/gopherwarp/gopherwarp/kernel"
)

// Lessons has what learners ask for in a lesson. The texts are Markdown.
type Lessons interface {
	// Ran records that a cell has run. failure is the first line of its error, or "".
	Ran(code, failure string) error
	Hint(exercise string) (markdown string, err error)
	Answer(args string) (markdown string, err error)
	Progress(args string) (markdown string, err error)
}

// ranInLesson records a cell that a front end has run for a learner. Programs that run notebooks send no cell ids.
func (e *Engine) ranInLesson(cell kernel.Cell, err error, out kernel.Output) {
	if e.lessons == nil || cell.ID == "" || cell.Silent {
		return
	}
	failure := ""
	if err != nil {
		failure, _, _ = strings.Cut(err.Error(), "\n")
		var failed *kernel.CellError
		if errors.As(err, &failed) {
			failure, _, _ = strings.Cut(failed.Value, "\n")
		}
	}
	if err := e.lessons.Ran(cell.Code, failure); err != nil {
		// The cell has done its work; losing the record must not fail it.
		out.Stream("stdout", fmt.Sprintf("The progress in the lesson was not recorded: %v\n", err))
	}
}

func hintMagic() *Magic {
	return lessonMagic("hint", "[EXERCISE]", "shows the next hint for an exercise of a lesson", Lessons.Hint)
}

func answerMagic() *Magic {
	return lessonMagic("answer", "[QUESTION ANSWER]", "answers a question of a lesson: a letter, a number, or letters in their order; alone it shows all answers", Lessons.Answer)
}

func progressMagic() *Magic {
	return lessonMagic("progress", "[LESSON | --seed=NAME]", "shows what is done in the lessons, or in one, the points, and what comes next; --seed chooses a student's variant of the lessons", Lessons.Progress)
}

// lessonMagic returns a magic that shows a text about lessons.
func lessonMagic(name, usage, summary string, text func(l Lessons, args string) (string, error)) *Magic {
	return &Magic{
		Name: name, Usage: usage, Summary: summary, Line: true,
		Run: func(_ context.Context, c *Call) error {
			if c.lessons == nil {
				return usageError("%%%s needs lessons, which this kernel has not: gopherwarp install makes one that has", name)
			}
			markdown, err := text(c.lessons, strings.TrimSpace(c.Args))
			if err != nil {
				return usageError("%v", err)
			}
			c.Out.Display(kernel.MIMEBundle{"text/plain": markdown, "text/markdown": markdown}, nil, "")
			return nil
		},
	}
}

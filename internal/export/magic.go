package export

import (
	"context"
	"fmt"
	"strings"

	"github.com/gopherwarp/gopherwarp/magics"
)

// A source is a part of a cell as Go.
type source struct {
	text  string
	made  bool              // whether the text is not the user's
	files map[string]string // variables with the content of files
	left  string            // what is left out, and why
}

// Why magics are left out.
const (
	noMeaning   = "it has no meaning in a program"
	noRecording = "a program records its kernels by package gpu/lens"
	noTiming    = "a program is timed by benchmarks or by package gpu/prof"
)

// refused are the magics without which the cells after them mean something else.
var refused = map[string]string{
	"capture": "its output would have to go to a variable: take the magic out of the cell",
	"reset":   "the cells before it belong to another program: export them as a notebook of their own",
	"restore": "it runs cells of an earlier session: put them into the notebook",
}

// translate returns a part of a cell as Go. Text that stands for a magic begins in the magic's line.
func (t *translation) translate(ctx context.Context, c *cell, p magics.Part) (source, error) {
	here := strings.Repeat("\n", max(p.Line-1, 0))
	leave := func(why string) (source, error) {
		return source{left: strings.TrimSpace(p.Mark+" "+firstLine(p.Args)) + " is left out: " + why}, nil
	}
	switch p.Magic {
	case "":
		text := p.Text
		if !p.Last { // only the cell's last expression is shown
			text = strings.TrimRight(text, " \t\n") + ";"
		}
		return source{text: text}, nil
	case "cuda":
		return t.cuda(ctx, c, p)
	case "time":
		return timed(p, here), nil
	case "timeit", "timeit_gpu", "prof":
		return leave(noTiming)
	case "lens":
		return leave(noRecording)
	case "env":
		return environment(p, here, leave)
	case "cd":
		if p.Args == "" {
			return leave(noMeaning)
		}
		return source{text: here + fmt.Sprintf("os.Chdir(%q);", p.Args), made: true}, nil
	case "args", "main", "exec":
		return arguments(p, here)
	case "gpu":
		if p.Args == "" || strings.TrimSpace(p.Args) == "mem" {
			return leave(noMeaning)
		}
		return source{text: here + fmt.Sprintf("gpu.Use(%q);", strings.TrimSpace(p.Args)), made: true}, nil
	case "get":
		return leave("go.mod has the version")
	}
	if why := refused[p.Magic]; why != "" {
		return source{}, fmt.Errorf("%s: %s", p.Mark, why)
	}
	return leave(noMeaning)
}

// timed returns what %time runs.
func timed(p magics.Part, here string) source {
	left := p.Mark + " is left out: " + noTiming + ". What it timed runs"
	if p.Text != "" {
		return source{text: p.Text, left: left}
	}
	text := here + p.Args
	if !p.Last {
		text += ";"
	}
	return source{text: text, left: left}
}

// environment returns what %env is: the form that shows variables is left out.
func environment(p magics.Part, here string, leave func(string) (source, error)) (source, error) {
	name, value, sets := strings.Cut(p.Args, "=")
	if n, v, ok := strings.Cut(p.Args, " "); ok && (!sets || len(n) < len(name)) {
		name, value, sets = n, strings.TrimSpace(v), true
	}
	if !sets {
		return leave(noMeaning)
	}
	if n := len(value); n > 1 && (value[0] == '"' || value[0] == '\'') && value[n-1] == value[0] {
		value = value[1 : n-1]
	}
	return source{text: here + fmt.Sprintf("os.Setenv(%q, %q);", name, value), made: true}, nil
}

// arguments returns what %args, %main and %exec are.
func arguments(p magics.Part, here string) (source, error) {
	args, call := p.Args, ""
	if p.Magic == "exec" {
		call, args, _ = strings.Cut(args, " ")
		call += "()"
	}
	words, err := magics.Words(args)
	if err != nil {
		return source{}, fmt.Errorf("%s: %w", p.Mark, err)
	}
	text := ""
	if len(words) > 0 || p.Magic == "args" {
		text = "os.Args = os.Args[:1];"
	}
	if len(words) > 0 {
		quoted := make([]string, len(words))
		for i, w := range words {
			quoted[i] = fmt.Sprintf("%q", w)
		}
		text = "os.Args = append(os.Args[:1], " + strings.Join(quoted, ", ") + ");"
	}
	if text += call; text == "" {
		return source{}, nil
	}
	return source{text: here + text, made: true}, nil
}

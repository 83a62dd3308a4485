package magics

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gopherwarp/gopherwarp/internal/spelling"
	"github.com/gopherwarp/gopherwarp/kernel"
)

// A Magic is a command that is not Go. It is on a separate line after a %, or, if it takes the cell, in the cell's first line after %%.
type Magic struct {
	Name    string
	Aliases []string
	Usage   string // arguments, e.g. "[--bytes N] STATEMENT"
	Summary string // one line for %help
	Line    bool   // can be used as %name
	Cell    bool   // can be used as %%name
	Code    string // the language of its cell, if not Go
	// Statement reports whether its arguments are Go.
	Statement bool
	Bare      bool // is used without a %
	Late      bool // runs after the rest of the cell, which it is about
	Again     bool // changes the session, so %restore runs it again
	Run       func(ctx context.Context, c *Call) error
}

// A Call is one use of a magic.
type Call struct {
	*Engine
	Magic *Magic
	Cell  kernel.Cell
	Out   kernel.Output // a magic may change it for the rest of the cell
	Args  string        // the rest of the line
	Line  int           // of the magic in the cell, from 1
	Col   int           // of Args, from 1
	// Body is the rest of the cell for a cell magic, after as many empty lines as precede it, so that it has the cell's line numbers.
	Body string
	Last bool // whether nothing follows in the cell
}

// text returns the rest of the cell as it was written.
func (c *Call) text() string { return strings.TrimPrefix(c.Body, strings.Repeat("\n", c.Line)) }

// onlyGo returns an error if the cell below the magic is not all Go.
func (c *Call) onlyGo() error {
	for _, p := range c.parts(c.Body) {
		if p.magic != "" {
			return usageError("%%%%%s is for Go alone: take the magic in line %d out of the cell", c.Magic.Name, p.line)
		}
	}
	return nil
}

// runHere runs Go that was generated from the magic, with the magic's line number.
func (c *Call) runHere(ctx context.Context, text string) error {
	return c.runGo(ctx, c.Cell, strings.Repeat("\n", c.Line-1)+text, true, c.Out)
}

// usageError returns the error of invalid arguments.
func (c *Call) usageError(format string, args ...any) error {
	return usageError("%s. Usage: %s", fmt.Sprintf(format, args...), c.Magic.usage())
}

// all returns the registry. %help lists it.
func all() []*Magic {
	return slices.Concat([]*Magic{
		cudaMagic(), timeitGPUMagic(), profMagic(), lensMagic(), gpuMagic(),
		timeMagic(), timeitMagic(),
		testMagic(), tutorMagic(), srcMagic(),
		whoMagic(), rmMagic(), resetMagic(), restoreMagic(),
		shellMagic(), bashMagic(), shMagic(), scriptMagic(), writefileMagic(),
		setMagic(), envMagic(), cdMagic(), argsMagic(), execMagic(), goflagsMagic(), captureMagic(),
		vetMagic(), getMagic(), autogetMagic(), noautogetMagic(),
		withInputsMagic("with_inputs", "lines", false), withInputsMagic("with_password", "lines that are not shown", true),
		historyMagic(), rerunMagic(), runMagic(), loadMagic(), fmtMagic(),
		hintMagic(), answerMagic(), progressMagic(),
		helpMagic(), versionMagic(), mainMagic(),
	}, pinfoMagics(), richMagics(), gonbHabits())
}

// Names returns the names of all magics, without %, and their aliases.
func Names() (names []string) {
	for _, m := range all() {
		names = append(append(names, m.Name), m.Aliases...)
	}
	return names
}

// find returns the magic of that name.
func (e *Engine) find(name string, cell bool) (*Magic, error) {
	mark := "%"
	if cell {
		mark = "%%"
	}
	for _, m := range e.magics {
		if m.called(name) {
			if cell && !m.Cell {
				return nil, usageError("%%%%%s does not take a cell: write %%%s", name, name)
			}
			if !cell && !m.Line && !m.Bare {
				return nil, usageError("%%%s takes a cell: write %%%%%s in the first line", name, name)
			}
			return m, nil
		}
	}
	hint := ""
	if near := e.nearest(name); near != "" {
		hint = fmt.Sprintf(" Did you mean %s%s?", mark, near)
	}
	return nil, usageError("there is no magic %s%s.%s %%help lists them all", mark, name, hint)
}

// called reports whether name is the magic's name or an alias.
func (m *Magic) called(name string) bool { return m.Name == name || slices.Contains(m.Aliases, name) }

// nearest returns the known magic with the fewest edits, if there are few.
func (e *Engine) nearest(name string) string {
	return spelling.Nearest(name, Names())
}

func usageError(format string, args ...any) error {
	return &kernel.CellError{Name: "UsageError", Value: fmt.Sprintf(format, args...)}
}

package magics

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/gopherwarp/gopherwarp/kernel"
)

func historyMagic() *Magic {
	return &Magic{
		Name: "history", Aliases: []string{"hist"}, Line: true, Usage: "[-n] [-l COUNT] [CELLS]",
		Summary: "shows the texts of the cells that ran in this session, with -n and their numbers: all, the last COUNT, or CELLS such as 3 or 3-5 8",
		Run:     runHistory,
	}
}

func rerunMagic() *Magic {
	return &Magic{
		Name: "rerun", Line: true, Usage: "[-l COUNT] [CELLS]",
		Summary: "runs cells of this session again: the last one, the last COUNT, or CELLS such as 3 or 3-5 8",
		Run:     runRerun,
	}
}

// An input is the text of a cell that ran.
type input struct {
	number int
	text   string
}

// inputsBefore returns the cells before a number, in their order.
func (e *Engine) inputsBefore(number int) (list []input) {
	e.mu.Lock()
	defer e.mu.Unlock()
	texts := map[int]string{}
	for name, text := range e.sources {
		n, err := strconv.Atoi(strings.TrimSuffix(strings.TrimPrefix(name, "cell["), "]"))
		if err == nil && n < number && strings.TrimSpace(text) != "" {
			texts[n] = text
		}
	}
	for _, n := range slices.Sorted(maps.Keys(texts)) {
		list = append(list, input{n, texts[n]})
	}
	return list
}

// A selection is what the arguments of these magics select.
type selection struct {
	numbers bool // show the cells' numbers
	last    int  // number of cells, if there are no ranges; negative for all
	ranges  [][2]int
}

// selection parses the arguments. preset is the number of cells without any.
func (c *Call) selection(preset int) (s selection, err error) {
	args, err := words(c.Args)
	if err != nil {
		return s, c.usageError("%v", err)
	}
	s.last = preset
	for i := 0; i < len(args); i++ {
		switch {
		case args[i] == "-n" && strings.Contains(c.Magic.Usage, "-n"):
			s.numbers = true
		case args[i] == "-l" && i+1 < len(args):
			i++
			if s.last, err = strconv.Atoi(args[i]); err != nil || s.last < 1 {
				return s, c.usageError("%q is not a number of cells", args[i])
			}
		default:
			from, to, dash := strings.Cut(args[i], "-")
			first, err := strconv.Atoi(from)
			end := first
			if dash && err == nil {
				end, err = strconv.Atoi(to)
			}
			if err != nil || first < 1 || end < first {
				return s, c.usageError("%q is not a cell, such as 3, or a range of cells, such as 3-5", args[i])
			}
			s.ranges = append(s.ranges, [2]int{first, end})
		}
	}
	return s, nil
}

// of returns the selected cells.
func (s selection) of(all []input) (list []input, err error) {
	if len(s.ranges) == 0 {
		if s.last >= 0 {
			all = all[max(0, len(all)-s.last):]
		}
		return all, nil
	}
	for _, r := range s.ranges {
		before := len(list)
		for _, in := range all {
			if in.number >= r[0] && in.number <= r[1] {
				list = append(list, in)
			}
		}
		if len(list) == before {
			name := strconv.Itoa(r[0])
			if r[1] > r[0] {
				name += "-" + strconv.Itoa(r[1])
			}
			return nil, usageError("no cell %s ran before this one in this session", name)
		}
	}
	return list, nil
}

// chosen returns the cells that the arguments select. Without any, they are the last ones of the given number, or all if it is negative.
func (c *Call) chosen(preset int) (list []input, numbers bool, err error) {
	s, err := c.selection(preset)
	if err != nil {
		return nil, false, err
	}
	list, err = s.of(c.inputsBefore(c.Cell.Count))
	return list, s.numbers, err
}

func runHistory(_ context.Context, c *Call) error {
	list, numbers, err := c.chosen(-1)
	if err != nil {
		return err
	}
	var b strings.Builder
	for _, in := range list {
		text := strings.TrimRight(in.text, "\n")
		if numbers {
			mark := strconv.Itoa(in.number) + ": "
			text = mark + strings.ReplaceAll(text, "\n", "\n"+strings.Repeat(" ", len(mark)))
		}
		b.WriteString(text + "\n")
	}
	if b.Len() > 0 {
		c.Out.Stream("stdout", b.String())
	}
	return nil
}

func runRerun(ctx context.Context, c *Call) error {
	list, _, err := c.chosen(1)
	if err != nil {
		return err
	}
	if len(list) == 0 {
		return usageError("no cell ran before this one in this session")
	}
	for _, in := range list {
		c.Out.Stream("stdout", fmt.Sprintf("cell[%d] again:\n%s\n", in.number, strings.TrimRight(in.text, "\n")))
		cell := kernel.Cell{Code: in.text, Count: in.number, AllowStdin: c.Cell.AllowStdin}
		if err := c.runParts(ctx, cell, c.parts(in.text), c.Out); err != nil {
			return err
		}
	}
	return nil
}

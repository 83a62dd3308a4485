package sim

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/sim/loopsplit"
	"github.com/gopherwarp/gopherwarp/internal/cudac"
)

// splits returns the split forms of the program's kernels by kernel, where they have one.
func splits(p backend.Program, options []string, file *cudac.File) map[*cudac.Kernel]loopsplit.Split {
	if readsOtherFiles(p.Source, options) || slices.Contains(options, "-O0") {
		return nil // a device function elsewhere may have a barrier; a debugger wants the source's own code
	}
	out := map[*cudac.Kernel]loopsplit.Split{}
	for _, s := range loopsplit.Splits(file, p.Name) {
		if s.Reason == "" {
			out[s.Kernel] = s
		}
	}
	return out
}

// insertSplits puts the split forms behind their kernels. What follows on the same line
// keeps its line and its column.
func insertSplits(p backend.Program, splits map[*cudac.Kernel]loopsplit.Split) string {
	list := slices.SortedFunc(maps.Values(splits), func(a, b loopsplit.Split) int { return a.End - b.End })
	var b strings.Builder
	done := 0
	for _, s := range list {
		b.WriteString(p.Source[done:s.End])
		b.WriteString(s.Text + resume(p, s.End))
		done = s.End
	}
	b.WriteString(p.Source[done:])
	return b.String()
}

// resume stands between inserted text, which ends a line, and the source from a place on: what
// follows keeps its line and its column.
func resume(p backend.Program, at int) string {
	before := p.Source[:at]
	column := len(before) - strings.LastIndexByte(before, '\n') - 1
	return fmt.Sprintf("# %d %s\n%s", strings.Count(before, "\n")+1, strconv.Quote(p.Name), strings.Repeat(" ", column))
}

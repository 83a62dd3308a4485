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

// splits returns the split forms of those of the program's kernels that have one.
func splits(p backend.Program, options []string, file *cudac.File) map[*cudac.Kernel]loopsplit.Split {
	if readsOtherFiles(p.Source, options) || slices.Contains(options, "-O0") {
		return nil // a device function elsewhere may have a barrier; with -G a debugger needs the source's own code
	}
	if waitsInLoops(p.Source) {
		return nil
	}
	return splitsOf(file, "", p.Name, nil)
}

// programSplits is splits for a file of a whole program, which is the source or, at a path, one that it includes. The parser has read all
// of them. A device function in one that it has passed over may have a barrier.
func programSplits(p backend.Program, options []string, f *programFile, path string, others *loopsplit.Others) map[*cudac.Kernel]loopsplit.Split {
	for name := range f.included {
		if !f.file.Files[name] {
			return nil
		}
	}
	if f.spins || waitsInLoops(p.Source) || slices.Contains(options, "-O0") {
		return nil
	}
	return splitsOf(f.file, path, p.Name, others)
}

func splitsOf(file *cudac.File, path, name string, others *loopsplit.Others) map[*cudac.Kernel]loopsplit.Split {
	out := map[*cudac.Kernel]loopsplit.Split{}
	for _, s := range loopsplit.Splits(file, path, name, others) {
		if s.Reason == "" {
			out[s.Kernel] = s
		}
	}
	return out
}

// insertSplits returns the program with the split forms after their kernels. The rest keeps its
// lines and columns.
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

// resume returns the text between inserted text, which ends a line, and the source from an offset
// on: the source keeps its lines and columns.
func resume(p backend.Program, at int) string {
	before := p.Source[:at]
	column := len(before) - strings.LastIndexByte(before, '\n') - 1
	return fmt.Sprintf("# %d %s\n%s", strings.Count(before, "\n")+1, strconv.Quote(p.Name), strings.Repeat(" ", column))
}

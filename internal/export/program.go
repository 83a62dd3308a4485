package export

import (
	"fmt"
	"go/format"
	"strings"

	"github.com/gopherwarp/gopherwarp/internal/session"
)

// write writes the program's files.
func (t *translation) write() error {
	g, err := t.lister.List()
	if err != nil {
		return err
	}
	t.devices = g.Imports(session.ModulePath + "/gpu")
	p := &printer{translation: t, listing: g}
	text := p.program()
	made, err := format.Source([]byte(text))
	if err != nil {
		return fmt.Errorf("the program of the notebook does not parse (report this as an error of gopherwarp): %w", err)
	}
	t.program.Files["main.go"] = made
	t.program.Needs = g.Imports(session.ModulePath)
	return t.writeModule()
}

// A printer writes the text of main.go.
type printer struct {
	*translation
	listing *session.Listing
	// The names of imports and functions that main needs.
	check, mayFail string
}

// program returns the text, which is not formatted.
func (p *printer) program() string {
	cells, calls := p.cellsText()
	main := p.main(calls)
	helpers := p.helpers() // the others say which are needed
	return fmt.Sprintf("// Command %s is the notebook %s as a program, written by gopherwarp export.\npackage main\n\nimport (\n%s)\n\n%s\n%s\n%s",
		p.Module, p.Notebook, p.listing.ImportDeclarations(), main, cells, helpers)
}

// A call is that of a function with the statements of a cell.
type call struct {
	function string
	mayFail  string // the helper that runs it if it may fail, or ""
}

func (c call) statement() string {
	if c.mayFail != "" {
		return c.mayFail + "(" + c.function + ")"
	}
	return c.function + "()"
}

// value returns the call as a func().
func (c call) value() string {
	if c.mayFail != "" {
		return "func() { " + c.statement() + " }"
	}
	return c.function
}

// cellsText returns the declarations of all cells, each with a function that has its statements, and the calls of these functions.
func (p *printer) cellsText() (text string, calls []call) {
	var b strings.Builder
	next := 0
	for _, c := range p.cells {
		if c.parts == 0 && len(c.left) == 0 {
			continue
		}
		fmt.Fprintf(&b, "\n// Cell %d.\n", c.number)
		for _, why := range c.left {
			b.WriteString("//\n")
			for line := range strings.Lines(why) {
				b.WriteString("// " + strings.TrimRight(line, "\n") + "\n")
			}
		}
		b.WriteString("\n")
		for i := range c.parts {
			part := p.listing.Cells[next]
			next++
			b.WriteString(part.Declarations)
			if strings.TrimSpace(part.Statements) == "" {
				continue
			}
			name := fmt.Sprintf("cell%d", c.number)
			if i > 0 {
				name += fmt.Sprintf("Part%d", i+1)
			}
			name = p.listing.Fresh(name)
			fmt.Fprintf(&b, "func %s() {\n%s\n}\n\n", name, strings.TrimRight(part.Statements, "\n"))
			run := call{function: name}
			if c.mayFail {
				if p.mayFail == "" {
					p.mayFail = p.listing.Fresh("mayFail")
				}
				run.mayFail = p.mayFail
			}
			calls = append(calls, run)
		}
	}
	return b.String(), calls
}

// main returns the function main, which runs the cells.
func (p *printer) main(calls []call) string {
	var b strings.Builder
	b.WriteString("func main() {\n")
	if !p.devices {
		for _, c := range calls {
			b.WriteString(c.statement() + "\n")
		}
		return b.String() + "}\n"
	}
	fmt.Fprintf(&b, "%s.Serve() // devices need no other program\n", p.listing.Import(session.ModulePath+"/gpu/device", "device"))
	p.check = p.listing.Helper(session.HelperCheck)
	gpu := p.listing.Import(session.ModulePath+"/gpu", "gpu")
	b.WriteString("for _, cell := range []func(){\n")
	for _, c := range calls {
		b.WriteString(c.value() + ",\n")
	}
	fmt.Fprintf(&b, "} {\ncell()\n%s(%s.Sync()) // a cell ends with its work on the device\n", p.check, gpu)
	if p.checks {
		b.WriteString(p.report())
	}
	b.WriteString("}\n")
	b.WriteString("}\n")
	return b.String()
}

// report returns the statements that print the report of check mode after a cell.
func (p *printer) report() string {
	check := p.listing.Import(session.ModulePath+"/gpu/check", "check")
	fmt := p.listing.Import("fmt", "fmt")
	return "report, err := " + check + ".TakeReport()\n" + p.check + "(err)\nif report != nil {\n" + fmt + ".Println(report.String() + \"\\n\" + report.Listing())\n" + p.check + "(report.Err())\n}\n"
}

// helpers returns the functions that the cells call.
func (p *printer) helpers() string {
	var b strings.Builder
	print := func() string { return p.listing.Import(session.ModulePath+"/display", "display") + ".Print" }
	if p.listing.Helpers[session.HelperShowChecked] != "" {
		fmt.Fprintf(&b, `
// %[1]s panics if the last value is an error, and prints the others if not.
func %[1]s(values ...any) {
	%[2]s(values...)
	if values = values[:len(values)-1]; len(values) > 0 {
		%[3]s(values...)
	}
}
`, p.listing.Helpers[session.HelperShowChecked], p.listing.Helper(session.HelperCheck), print())
	}
	if name := p.listing.Helpers[session.HelperCheck]; name != "" {
		fmt.Fprintf(&b, `
// %[1]s panics if the last value is an error, which ends the program as it would have ended the notebook's run.
func %[1]s(values ...any) {
	if err, ok := values[len(values)-1].(error); ok {
		panic(err)
	}
}
`, name)
	}
	if name := p.listing.Helpers[session.HelperMust]; name != "" {
		fmt.Fprintf(&b, `
// %[1]s returns v, or panics with err.
func %[1]s[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
`, name)
	}
	if name := p.listing.Helpers[session.HelperDisplay]; name != "" {
		fmt.Fprintf(&b, `
// %[1]s prints what a notebook shows for a value.
func %[1]s(v any) error {
	%[2]s(v)
	return nil
}
`, name, print())
	}
	if p.mayFail != "" {
		fmt.Fprintf(&b, `
// %[1]s runs a cell after whose failure the others run.
func %[1]s(cell func()) {
	defer func() {
		if err := recover(); err != nil {
			%[2]s.Fprintln(%[3]s.Stderr, err)
		}
	}()
	cell()
}
`, p.mayFail, p.listing.Import("fmt", "fmt"), p.listing.Import("os", "os"))
	}
	return b.String()
}

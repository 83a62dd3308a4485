package magics

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/gopherwarp/gopherwarp/session"
)

func timeitGPUMagic() *Magic {
	return &Magic{
		Name: "timeit_gpu", Statement: true, Line: true, Cell: true, Usage: "[--bytes N] [--flops N] [--runs N] [--flush] STATEMENT",
		Summary: "times a statement on the device: median, spread, CPU time beside it, GB/s from the buffers that it uses",
		Run:     runTimeitGPU,
	}
}

// timeitGPUOptions maps a flag to the option of package gpu that it stands for. N may be any
// Go expression without spaces, such as 3*4*n.
var timeitGPUOptions = map[string]string{
	"--bytes": "gpu.CountBytes(int64(%s))",
	"--flops": "gpu.CountFlops(int64(%s))",
	"--runs":  "gpu.MaxRuns(int(%s))",
	"--flush": "gpu.FlushL2()",
}

func runTimeitGPU(ctx context.Context, c *Call) error {
	options, stmt, err := timeitGPUArgs(c.Args)
	if err != nil {
		return err
	}
	line, col := c.Line, c.Col+strings.Index(c.Args, stmt)
	if c.Body != "" {
		if stmt != "" {
			return usageError("%%%%timeit_gpu times the cell below it: take %q from its line", stmt)
		}
		stmt, line, col = strings.TrimLeft(c.Body, "\n"), 1+len(c.Body)-len(strings.TrimLeft(c.Body, "\n")), 1
	}
	if strings.TrimSpace(stmt) == "" {
		return usageError("nothing to time: write %s", c.Magic.usage())
	}
	place := fmt.Sprintf("/*line %s:%d:%d*/", cellName(c.Cell), line, col)
	// Only type checking can tell whether the statement has a value, whose error counts.
	forms := []string{
		"return timedcell.LastError(" + place + strings.TrimSpace(stmt) + ")",
		place + stmt + "\nreturn nil",
	}
	if c.Body != "" || !session.IsExpression(stmt) {
		forms = forms[1:]
	}
	for i, body := range forms {
		text := fmt.Sprintf("import timedcell %q; fmt.Println(must(gpu.Time(func() error {%s}%s)))", session.CellImport, body, options)
		err = c.runHere(ctx, text)
		var compile *session.CompileError
		if i == len(forms)-1 || !errors.As(err, &compile) || !strings.Contains(err.Error(), "used as value") {
			break
		}
	}
	return err
}

// timeitGPUArgs takes the flags off a line. options is Go text for the call's last arguments.
func timeitGPUArgs(args string) (options, stmt string, err error) {
	stmt = args
	for strings.HasPrefix(stmt, "--") {
		flag, rest, _ := strings.Cut(stmt, " ")
		name, value, hasValue := strings.Cut(flag, "=")
		format, ok := timeitGPUOptions[name]
		if !ok {
			return "", "", usageError("%%timeit_gpu has no option %s; it has --bytes N, --flops N, --runs N and --flush", name)
		}
		rest = strings.TrimSpace(rest)
		if strings.Contains(format, "%s") {
			if !hasValue {
				value, rest, _ = strings.Cut(rest, " ")
				rest = strings.TrimSpace(rest)
			}
			if value == "" {
				return "", "", usageError("%s of %%timeit_gpu wants a number, as in %s %s", name, name, strconv.Itoa(1<<20))
			}
			format = fmt.Sprintf(format, value)
		}
		options += ", " + format
		stmt = rest
	}
	return options, stmt, nil
}

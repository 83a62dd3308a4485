package magics

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/gopherwarp/gopherwarp/internal/session"
)

// A statementMagic runs the Go statement after it, or the cell below it, as a function that it passes to a function of package gpu.
type statementMagic struct {
	*Call
	// flags maps a flag to Go text; %s stands for its value, any Go expression without spaces, such as 3*4*n.
	flags map[string]string
	// list has the flags in the form of usage.
	list string
}

// run runs the Go that wrap returns for the body of a func() error and the texts of the flags.
func (s *statementMagic) run(ctx context.Context, wrap func(body string, flags []string) string) error {
	flags, stmt, err := s.parse(s.Args)
	if err != nil {
		return err
	}
	name := s.Magic.Name
	line, col := s.Line, s.Col+strings.Index(s.Args, stmt)
	if s.Body != "" {
		if stmt != "" {
			return usageError("%%%%%s is about the cell below it: take %q from its line", name, stmt)
		}
		stmt, line, col = strings.TrimLeft(s.Body, "\n"), 1+len(s.Body)-len(strings.TrimLeft(s.Body, "\n")), 1
	}
	if strings.TrimSpace(stmt) == "" {
		return usageError("there is no statement: write %s", s.Magic.usage())
	}
	place := fmt.Sprintf("/*line %s:%d:%d*/", cellName(s.Cell), line, col)
	// Only type checking can determine whether the statement has a value, whose error is returned.
	bodies := []string{
		"return statementcell.LastError(" + place + strings.TrimSpace(stmt) + ")",
		place + stmt + "\nreturn nil",
	}
	if s.Body != "" || !session.IsExpression(stmt) {
		bodies = bodies[1:]
	}
	for i, body := range bodies {
		err = s.runHere(ctx, fmt.Sprintf("import statementcell %q; %s", session.CellImport, wrap(body, flags)))
		var compile *session.CompileError
		if i == len(bodies)-1 || !errors.As(err, &compile) || !strings.Contains(err.Error(), "used as value") {
			break
		}
	}
	return err
}

// shortOption matches an option such as IPython's magics have.
var shortOption = regexp.MustCompile(`^-[A-Za-z] ?\d+ `)

// parse returns the texts of the flags in a line, and the statement after them.
func (s *statementMagic) parse(args string) (flags []string, stmt string, err error) {
	stmt = args
	if option := shortOption.FindString(stmt); option != "" {
		return nil, "", usageError("%%%s has no option %s; it has %s", s.Magic.Name, option[:2], s.list)
	}
	for strings.HasPrefix(stmt, "--") {
		flag, rest, _ := strings.Cut(stmt, " ")
		name, value, hasValue := strings.Cut(flag, "=")
		text, ok := s.flags[name]
		if !ok {
			return nil, "", usageError("%%%s has no option %s; it has %s", s.Magic.Name, name, s.list)
		}
		rest = strings.TrimSpace(rest)
		if strings.Contains(text, "%s") {
			if !hasValue {
				value, rest, _ = strings.Cut(rest, " ")
				rest = strings.TrimSpace(rest)
			}
			if value == "" {
				return nil, "", usageError("%s of %%%s wants a number, as in %s %s", name, s.Magic.Name, name, strconv.Itoa(1<<20))
			}
			text = fmt.Sprintf(text, value)
		}
		flags = append(flags, text)
		stmt = rest
	}
	return flags, stmt, nil
}

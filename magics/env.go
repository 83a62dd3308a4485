package magics

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"github.com/gopherwarp/gopherwarp/internal/cellruntime/prochost"
)

func envMagic() *Magic {
	return &Magic{
		Name: "env", Again: true, Line: true, Usage: "[NAME | NAME=VALUE | NAME VALUE]",
		Summary: "shows the environment without secrets or one variable of it, or sets one for cells, commands and Go's tools",
		Run:     runEnv,
	}
}

func runEnv(ctx context.Context, c *Call) error {
	name, value, sets := strings.Cut(c.Args, "=")
	if n, v, ok := strings.Cut(c.Args, " "); ok && (!sets || len(n) < len(name)) {
		name, value, sets = n, strings.TrimSpace(v), true
	}
	if strings.ContainsAny(name, " \t\"'") || sets && name == "" {
		return c.usageError("%q is not the name of a variable", name)
	}
	if sets {
		return c.setEnv(ctx, prochost.Variable{Name: name, Value: unquote(value)})
	}
	env := slices.Sorted(slices.Values(c.surroundings(ctx).Env))
	found := false
	for _, entry := range env {
		if n, _, _ := strings.Cut(entry, "="); name == "" || n == name {
			if name == "" {
				entry = masked(entry)
			}
			c.Out.Stream("stdout", entry+"\n")
			found = true
		}
	}
	if !found {
		return usageError("%s is not set", name)
	}
	return nil
}

// Names of variables that contain secrets, and passwords in addresses. A notebook is shared with
// its output.
var (
	secretName = regexp.MustCompile(`(?i)TOKEN|SECRET|PASSW|PASSPHRASE|CREDENTIAL|APIKEY|ACCESSKEY|PRIVATE|(^|_)(KEYS?|KEY_ID|PASS|PWD|PAT|AUTH)$`)
	noSecret   = regexp.MustCompile(`^(PWD|OLDPWD)$`)
	userInURL  = regexp.MustCompile(`(://[^/@\s:]*:)[^/@\s]+@`)
)

// mask replaces secrets in output.
const mask = "********"

// masked returns an entry of the environment for the list of all entries, without secrets.
func masked(entry string) string {
	name, value, _ := strings.Cut(entry, "=")
	if value != "" && secretName.MatchString(name) && !noSecret.MatchString(name) {
		return name + "=" + mask + " (%env " + name + " shows it)"
	}
	return userInURL.ReplaceAllString(entry, "${1}"+mask+"@")
}

// setEnv sets a variable in the session process and in later ones.
func (c *Call) setEnv(ctx context.Context, v prochost.Variable) error {
	if err := c.call(ctx, prochost.CallEnv, v, &struct{}{}); err != nil {
		return err
	}
	c.session.Setenv(v.Name, v.Value)
	return nil
}

// unquote returns a value without its quotes.
func unquote(value string) string {
	if n := len(value); n >= 2 && (value[0] == '"' || value[0] == '\'') && value[n-1] == value[0] {
		return value[1 : n-1]
	}
	return value
}

func cdMagic() *Magic {
	return &Magic{
		Name: "cd", Aliases: []string{"pwd"}, Again: true, Line: true, Usage: "[FOLDER]",
		Summary: "changes the folder in which cells and commands run, or shows it",
		Run:     runCd,
	}
}

func runCd(ctx context.Context, c *Call) error {
	args, err := words(c.Args)
	if err != nil || len(args) > 1 {
		return c.usageError("one folder is expected; put a name with spaces into quotes")
	}
	around := c.surroundings(ctx)
	dir := around.Dir
	if len(args) == 0 && dir == "" {
		return errNoFolder
	}
	if len(args) == 1 {
		path, err := around.path(args[0])
		if err != nil {
			return err
		}
		if err := c.call(ctx, prochost.CallCd, path, &dir); err != nil {
			return err
		}
		c.session.SetDir(dir)
		if c.gonbui != nil {
			if err := c.setEnv(ctx, prochost.Variable{Name: gonbDir, Value: dir}); err != nil {
				return err
			}
		}
	}
	c.Out.Stream("stdout", dir+"\n")
	return nil
}

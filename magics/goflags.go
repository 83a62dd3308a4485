package magics

import (
	"context"
	"strings"

	"github.com/gopherwarp/gopherwarp/magics/prochost"
)

func goflagsMagic() *Magic {
	return &Magic{
		Name: "goflags", Again: true, Line: true, Usage: `[FLAGS | ""]`,
		Summary: `shows or sets flags, such as -tags=x, for Go's commands that fetch and compile packages; "" removes them`,
		Run:     runGoflags,
	}
}

// goFlags are the flags that don't change how the standard library is compiled. Packages
// must fit the session program.
var goFlags = map[string]bool{"-tags": true, "-p": true, "-mod": true, "-modcacherw": true}

func runGoflags(ctx context.Context, c *Call) error {
	if c.Args == "" {
		c.Out.Stream("stdout", withNewline(c.surroundings(ctx).get("GOFLAGS")))
		return nil
	}
	flags, err := words(c.Args)
	if err != nil {
		return c.usageError("%v", err)
	}
	flags = strings.Fields(strings.Join(flags, " "))
	for _, flag := range flags {
		name, _, _ := strings.Cut(flag, "=")
		name = "-" + strings.TrimLeft(name, "-")
		if !goFlags[name] {
			return c.usageError("%s can't be set: packages must be compiled as the session program is; -tags=…, -p=…, -mod=… and -modcacherw can", flag)
		}
	}
	return c.setEnv(ctx, prochost.Variable{Name: "GOFLAGS", Value: strings.Join(flags, " ")})
}

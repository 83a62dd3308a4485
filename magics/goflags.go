package magics

import (
	"context"
	"strings"

	"github.com/gopherwarp/gopherwarp/internal/cellruntime/prochost"
)

func goflagsMagic() *Magic {
	return &Magic{
		Name: "goflags", Again: true, Line: true, Usage: `[FLAGS | ""]`,
		Summary: `shows or sets flags: -gcflags='-N -m' for the compiler of cells, -tags=x and others for Go's commands that fetch and compile packages; "" removes them`,
		Run:     runGoflags,
	}
}

// goFlags are the flags that do not change how the standard library is compiled: packages must be compatible with the session program.
var goFlags = map[string]bool{"-tags": true, "-p": true, "-mod": true, "-modcacherw": true}

// compileFlags are compiler flags with which a cell remains compatible with its session.
var compileFlags = map[string]bool{"-N": true, "-l": true, "-m": true, "-S": true, "-B": true, "-d": true, "-live": true}

func runGoflags(ctx context.Context, c *Call) error {
	if c.Args == "" {
		text := c.surroundings(ctx).get("GOFLAGS")
		if flags := c.session.CompileFlags(); len(flags) > 0 {
			text = strings.TrimSpace(text + " -gcflags='" + strings.Join(flags, " ") + "'")
		}
		c.Out.Stream("stdout", withNewline(text))
		return nil
	}
	given, err := words(c.Args)
	if err != nil {
		return c.usageError("%v", err)
	}
	var flags, compiler []string
	for _, flag := range given {
		name, value, _ := strings.Cut(flag, "=")
		name = "-" + strings.TrimLeft(name, "-")
		switch {
		case flag == "":
		case name == "-gcflags":
			for _, f := range strings.Fields(value) {
				if name, _, _ := strings.Cut(f, "="); !compileFlags[name] {
					return c.usageError("%s can't be set for the compiler: -N, -l, -m, -S, -B, -d=… and -live can, for cells alone", f)
				}
				compiler = append(compiler, f)
			}
		case name == "-race":
			return c.usageError("-race can't be set: the race detector must be in the whole program, also in the session and the packages that it was built with. Write the code to files with %%%%writefile and run !go test -race")
		case strings.HasPrefix(name, "-cover"):
			// GoNB's notebooks set it. It changes no result, so it is no error.
			c.Out.Stream("stdout", flag+" is left out: it is not counted which lines of cells run. Write the code to files with %%writefile and run !go test -cover\n")
		case !goFlags[name]:
			return c.usageError("%s can't be set: packages must be compiled as the session program is; -gcflags=…, -tags=…, -p=…, -mod=… and -modcacherw can", flag)
		default:
			flags = append(flags, flag)
		}
	}
	if err := c.session.SetCompileFlags(ctx, compiler, c.Out); err != nil {
		return err
	}
	return c.setEnv(ctx, prochost.Variable{Name: "GOFLAGS", Value: strings.Join(flags, " ")})
}

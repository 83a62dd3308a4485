package prochost

import (
	"flag"
	"io"
	"os"
	"strings"
)

// The names of the handlers for the process's state.
const (
	CallState = "process.state"
	CallCd    = "process.cd"
	CallEnv   = "process.env"
	CallArgs  = "process.args"
	CallFlags = "process.flags" // is CallArgs and sets the flags that cells have defined
)

// State is the state of the process.
type State struct {
	Dir  string   // working directory; "" if it was removed
	Env  []string // as NAME=value
	Args []string // os.Args
}

func state(struct{}) (State, error) {
	dir, err := os.Getwd()
	if err != nil {
		dir = ""
	}
	return State{Dir: dir, Env: os.Environ(), Args: os.Args}, nil
}

// cd changes the working directory and returns it.
func cd(dir string) (string, error) {
	if err := os.Chdir(dir); err != nil {
		return "", err
	}
	return os.Getwd()
}

// A Variable is an environment variable to set.
type Variable struct{ Name, Value string }

func setEnv(v Variable) (struct{}, error) { return struct{}{}, os.Setenv(v.Name, v.Value) }

// setArgs sets the arguments of the program after its name.
func setArgs(args []string) (struct{}, error) {
	os.Args = append(os.Args[:1:1], args...)
	return struct{}{}, nil
}

// parseFlags sets the arguments, and the flags of package flag if cells have defined some. An invalid argument is an error; flag.Parse would
// end the cell.
func parseFlags(args []string) (struct{}, error) {
	if _, err := setArgs(args); err != nil {
		return struct{}{}, err
	}
	defined := false
	flag.VisitAll(func(f *flag.Flag) { defined = defined || !strings.HasPrefix(f.Name, "test.") })
	if !defined {
		return struct{}{}, nil
	}
	all := flag.CommandLine
	handling, output := all.ErrorHandling(), all.Output()
	all.Init(all.Name(), flag.ContinueOnError)
	all.SetOutput(io.Discard)
	defer func() {
		all.Init(all.Name(), handling)
		all.SetOutput(output)
	}()
	return struct{}{}, all.Parse(args)
}

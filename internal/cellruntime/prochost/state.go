package prochost

import "os"

// The names of the handlers for the process's state.
const (
	CallState = "process.state"
	CallCd    = "process.cd"
	CallEnv   = "process.env"
	CallArgs  = "process.args"
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

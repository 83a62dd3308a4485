package prochost

import "os"

// The names of the handlers for the process's surroundings.
const (
	CallState = "process.state"
	CallCd    = "process.cd"
	CallEnv   = "process.env"
	CallArgs  = "process.args"
)

// State is what the process has around it.
type State struct {
	Dir  string   // working folder; "" if it was removed
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

// cd changes the working folder and returns it.
func cd(dir string) (string, error) {
	if err := os.Chdir(dir); err != nil {
		return "", err
	}
	return os.Getwd()
}

// A Variable of the environment is to be set.
type Variable struct{ Name, Value string }

func setEnv(v Variable) (struct{}, error) { return struct{}{}, os.Setenv(v.Name, v.Value) }

// setArgs sets the arguments that the program believes it has, after its name.
func setArgs(args []string) (struct{}, error) {
	os.Args = append(os.Args[:1:1], args...)
	return struct{}{}, nil
}

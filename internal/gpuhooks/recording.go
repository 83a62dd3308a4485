package gpuhooks

// Stops are the lines at which a debugger stops, by the name of the program that has them.
type Stops map[string][]Stop

// A Stop is a line of a program, or of another file that #line in the program names.
type Stop struct {
	File string // "" for the program itself
	Line int
}

// A Recording is what one thread did in a launch that was recorded for a debugger: the thread that the launch chose by StopIn, or else the
// first one of block 0 that came to a line of the Stops.
type Recording struct {
	Program, Kernel string
	Site            string // of the launch, such as "cell[3]:2"
	Grid, BlockDim  [3]int
	Block, Thread   [3]int
	Params          []Variable
	Steps           []RecordedStep // empty if no thread came to a line
	Notes           []string       // that say what was left out
}

// A Variable is a parameter or a variable, with its value as text.
type Variable struct{ Name, Type, Value string }

// A RecordedStep is a line that the thread ran, of the program if File is "".
type RecordedStep struct {
	File     string
	Line     int
	Function string     // "" if it is not known
	Frame    uint64     // the address of its frame, which is larger for its caller
	Locals   []Variable // of the function, parameters included, as far as debug information has them
	Accesses []RecordedAccess
	Findings []string // of check mode at the line
}

// A RecordedAccess is an access to memory.
type RecordedAccess struct {
	Op    string // "r", "w" or "a" for an atomic operation
	Name  string // of the element, such as "x[3]"
	Value string // that was read or written
}

var (
	// Record makes launches of the programs on the simulator be recorded until it is called again; no stops end that. Launches in
	// checks and profiles, which observe them themselves, and those of graphs are not recorded.
	Record = func(stops Stops) {}

	// Recorded waits for the devices' work and returns the recordings since the last call.
	Recorded = func() ([]Recording, error) { return nil, nil }
)

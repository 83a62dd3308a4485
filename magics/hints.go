package magics

import "regexp"

// deviceHints are remedies for common mistakes in the use of kernels. Package session has those for Go; it does not know kernels.
var deviceHints = []struct {
	message *regexp.Regexp
	line    *regexp.Regexp // of the cell; nil for any
	hint    string         // may refer to groups of message
}{
	{
		regexp.MustCompile(`^cannot use (.+) \((?:variable|value) of type \[\](\w+)\) as gpu\.Ptr\[(\w+)\] value`), nil,
		"a kernel reads memory of the device: copy it there with gpu.ToDevice($1), or for this launch alone with gpu.In($1), gpu.Out($1) or gpu.InOut($1)",
	},
	{
		regexp.MustCompile(`^cannot use .+ of type \*gpu\.Buffer\[(\w+)\]\) as gpu\.Ptr\[(\w+)\] value`), nil,
		"the buffer holds $1 and the kernel wants $2: make the buffer of a []$2",
	},
	{
		regexp.MustCompile(`^cannot use .+ as gpu\.Launch value`), nil,
		"the first argument says how many threads run: gpu.For(n, 256), or gpu.Launch{Grid: gpu.Dim(…), Block: gpu.Dim(…)}",
	},
	{
		regexp.MustCompile(`cannot call (\w+) \(variable of type struct\{\*gpu\.Kernel`), nil,
		"launch a kernel by its method: $1.Launch(gpu.For(n, 256), …)",
	},
	{
		regexp.MustCompile(`^expected`), regexp.MustCompile(`<<<.*>>>`),
		"in Go, kernels are launched by a method: k.Launch(gpu.Launch{Grid: gpu.Dim(…), Block: gpu.Dim(…)}, …)",
	},
}

// deviceHint returns an explanation of a compile error in a line of a cell, or "".
func deviceHint(message, line string) string {
	for _, h := range deviceHints {
		if m := h.message.FindStringSubmatchIndex(message); m != nil && (h.line == nil || h.line.MatchString(line)) {
			return string(h.message.ExpandString(nil, h.hint, message, m))
		}
	}
	return ""
}

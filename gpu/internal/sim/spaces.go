package sim

import (
	"regexp"

	"github.com/gopherwarp/gopherwarp/internal/cudac"
)

// asksForSpace matches the functions and the instruction that tell constant memory from other memory.
var asksForSpace = regexp.MustCompile(`\b(__isConstant|__isGlobal|isspacep)\b`)

// constantEdits returns what registers the __constant__ variables of a file for them.
func constantEdits(source string) []cudac.Edit {
	return cudac.Constants(source, " static const gwsim::Constant gw_constant_%d(&%s);")
}

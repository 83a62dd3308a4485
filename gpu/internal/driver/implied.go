package driver

import "regexp"

// nvcc includes math.h and headers of limits and integer types before a source, and so does the simulator, so that sources use
// INFINITY or INT_MAX without including anything. NVRTC includes nothing. impliedHeaders are included by it only where a source
// uses one of their names, since CUDA's C++ library, which some of them consist of where it is installed, takes time to compile.
var impliedHeaders = []impliedHeader{
	implied("math.h", `INFINITY|NAN|M_(?:E|LN2|LN10|PI|PI_2|PI_4|1_PI|2_PI|SQRT2|SQRT1_2)`),
	implied("float.h", `(?:FLT|DBL)_(?:RADIX|DIG|MANT_DIG|MIN|MAX|EPSILON)`),
	implied("limits.h", `CHAR_BIT|(?:S?CHAR|SHRT|INT|LONG|LLONG)_(?:MIN|MAX)|U(?:CHAR|SHRT|INT|LONG|LLONG)_MAX`),
	implied("stdint.h", `u?int(?:8|16|32|64|ptr)_t|U?INT(?:8|16|32|64)_MAX|INT(?:8|16|32|64)_MIN`),
}

type impliedHeader struct {
	name string
	uses *regexp.Regexp
	// defines matches sources that declare such a name themselves, which the header would contradict.
	defines *regexp.Regexp
}

func implied(header, names string) impliedHeader {
	return impliedHeader{
		header,
		regexp.MustCompile(`\b(?:` + names + `)\b`),
		regexp.MustCompile(`(?m)^[ \t]*#[ \t]*define[ \t]+(?:` + names + `)\b|\btypedef\b[^;]*\b(?:` + names + `)[ \t]*;|\busing[ \t]+(?:` + names + `)[ \t]*=`),
	}
}

// impliedOptions returns NVRTC's options that include the headers whose names a source uses.
func impliedOptions(source string) []string {
	var options []string
	for _, h := range impliedHeaders {
		if h.uses.MatchString(source) && !h.defines.MatchString(source) {
			options = append(options, "--pre-include="+h.name)
		}
	}
	return options
}

package sim

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/gopherwarp/gopherwarp/internal/include"
)

// An option of NVRTC, and its translation for g++.
type option struct {
	names []string
	value bool // it takes a value, after "=" or as the next option
	gxx   func(value string) []string
}

func nothing(string) []string { return nil }

func put(flag string) func(string) []string {
	return func(value string) []string { return []string{flag + value} }
}

// standard translates the version of C++. The simulator's headers need C++17, so that what is older becomes it, with C++11's register.
func standard(version string) []string {
	switch version {
	case "c++98", "c++03", "c++11", "c++14", "gnu++98", "gnu++03", "gnu++11", "gnu++14":
		return []string{"-std=c++17", "-Wno-register"}
	}
	return []string{"-std=" + version}
}

// existing does as put for a file, which may also be one that the compiler looks up.
func existing(path string) string {
	if info, err := os.Stat(path); err == nil && !info.IsDir() {
		return include.Absolute(path)
	}
	return path
}

// archMacro is the macro from which the prelude defines __CUDA_ARCH__.
const archMacro = "GW_ARCH"

// oldestArch is the version of the oldest devices that are told apart. Books ask for older ones, whose lanes and functions are the same.
const oldestArch = 50

// arch translates sm_75 or compute_90a to the version that the source sees.
func arch(value string) []string {
	_, digits, ok := strings.Cut(value, "_")
	digits = strings.TrimRight(digits, "af")
	if n, err := strconv.Atoi(digits); ok && err == nil && n >= 10 {
		return []string{"-U" + archMacro, fmt.Sprintf("-D%s=%d", archMacro, max(n, oldestArch)*10)}
	}
	return nil
}

var knownOptions = []option{
	{[]string{"-std", "--std"}, true, standard},
	{[]string{"-use_fast_math", "--use_fast_math"}, false, func(string) []string {
		// Not -ffast-math: with it the loader changes the floating-point mode of the whole
		// process, and CUDA's fast math keeps infinities and NaNs.
		return []string{"-freciprocal-math", "-fno-signed-zeros"}
	}},
	{[]string{"-fmad", "--fmad"}, true, func(v string) []string {
		if v == "false" {
			return []string{"-ffp-contract=off"}
		}
		return []string{"-ffp-contract=fast"}
	}},
	{[]string{"-G", "--device-debug"}, false, func(string) []string { return []string{"-g", "-O0"} }},
	{[]string{"-w", "--disable-warnings"}, false, func(string) []string { return []string{"-w"} }},
	{[]string{"-D", "--define-macro"}, true, put("-D")},
	{[]string{"-U", "--undefine-macro"}, true, put("-U")},
	{[]string{"-I", "--include-path"}, true, func(v string) []string { return []string{"-I" + include.Absolute(v)} }},
	{[]string{"-include", "--pre-include"}, true, func(v string) []string { return []string{"-include", existing(v)} }},

	{[]string{"-arch", "--gpu-architecture"}, true, arch},

	// These options are about code for a GPU.
	{[]string{"-lineinfo", "--generate-line-info"}, false, nothing},
	{[]string{"-maxrregcount", "--maxrregcount"}, true, nothing},
	{[]string{"-ftz", "--ftz"}, true, nothing},
	{[]string{"-prec-sqrt", "--prec-sqrt"}, true, nothing},
	{[]string{"-prec-div", "--prec-div"}, true, nothing},
	{[]string{"-default-device", "--device-as-default-execution-space"}, false, nothing},
	{[]string{"-rdc", "--relocatable-device-code"}, true, nothing},
	{[]string{"-dopt", "--dopt"}, true, nothing},
	{[]string{"-extra-device-vectorization", "--extra-device-vectorization"}, false, nothing},
	{[]string{"-restrict", "--restrict"}, false, nothing},
	{[]string{"-Xptxas", "--ptxas-options"}, true, nothing},
	{[]string{"-diag-suppress", "--diag-suppress"}, true, nothing},
	{[]string{"-split-compile", "--split-compile"}, true, nothing},
}

// translate translates options of NVRTC to options of g++.
func translate(options []string) ([]string, error) {
	return translateBy("NVRTC", options, knownOptions)
}

// translateBy does so by tables of the options that a compiler has.
func translateBy(compiler string, options []string, tables ...[]option) ([]string, error) {
	var out []string
	for i := 0; i < len(options); i++ {
		text := strings.TrimSpace(options[i])
		opt, value, given := findOption(text, tables)
		if opt == nil {
			return nil, fmt.Errorf("option %q is not one that %s has", text, compiler)
		}
		if opt.value && !given {
			i++
			if i == len(options) {
				return nil, fmt.Errorf("option %q needs a value", text)
			}
			value = strings.TrimSpace(options[i])
		}
		out = append(out, opt.gxx(value)...)
	}
	return out, nil
}

// findOption finds an option. given reports whether its value is part of the text.
func findOption(text string, tables [][]option) (opt *option, value string, given bool) {
	name, value, given := strings.Cut(text, "=")
	for _, table := range tables {
		for i := range table {
			o := &table[i]
			for _, n := range o.names {
				switch {
				case name == n && (o.value || !given):
					return o, value, given
				case o.value && len(n) == 2 && len(text) > 2 && strings.HasPrefix(text, n): // -DN=3
					return o, text[2:], true
				}
			}
		}
	}
	return nil, "", false
}

// defines returns the macros that g++'s flags define, for the signature parser.
func defines(flags []string) []string {
	out := []string{"GOPHERWARP_SIM=1", "__CUDACC__=1", "__CUDA_ARCH__=900"} // as prelude.h does
	for _, f := range flags {
		if d, ok := strings.CutPrefix(f, "-D"); ok {
			if version, ok := strings.CutPrefix(d, archMacro+"="); ok {
				d = "__CUDA_ARCH__=" + version
			}
			out = append(out, d)
		}
	}
	return out
}

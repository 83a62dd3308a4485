package device

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// splitCommand takes the arguments of Program apart: those that flags has, to which the compiler's options are added as --flag,
// the files of the program, and the arguments of the program.
func splitCommand(args []string, flags *flag.FlagSet) (own, files, rest []string) {
	end := slices.Index(args, "--")
	all := end >= 0 // options may stand behind files
	if all {
		args, rest = args[:end], args[end+1:]
	}
	for i := 0; i < len(args); i++ {
		a := args[i]
		switch {
		case a != "-" && strings.HasPrefix(a, "-") && (all || len(files) == 0):
			taken := 1
			if name, _, given := strings.Cut(strings.TrimLeft(a, "-"), "="); flags.Lookup(name) != nil {
				if !given && !isBool(flags.Lookup(name)) {
					taken = 2
				}
				own = append(own, args[i:min(i+taken, len(args))]...)
			} else {
				own = append(own, "--flag="+a)
				if separate[a] && i+1 < len(args) {
					taken = 2
					own = append(own, "--flag="+args[i+1])
				}
			}
			i += taken - 1
		case len(files) == 0, all, isSource(a):
			files = append(files, a)
		default:
			return own, files, args[i:]
		}
	}
	return own, files, rest
}

// lateOption returns a note if an argument of the program looks like an option for the compiler, which may be why it does not compile.
func lateOption(args, rest []string) string {
	i := slices.IndexFunc(rest, func(a string) bool { return strings.HasPrefix(a, "-") })
	if i < 0 || slices.Contains(args, "--") {
		return ""
	}
	return fmt.Sprintf("note: %s stands behind the files, so that it is an argument of the program: put options of the compiler before the files, or add -- at the end\n", rest[i])
}

func isBool(f *flag.Flag) bool {
	b, ok := f.Value.(interface{ IsBoolFlag() bool })
	return ok && b.IsBoolFlag()
}

// separate are the options of nvcc that may have their value as the next argument.
var separate = setOf(`-I --include-path -isystem --system-include -include --pre-include -D --define-macro -U --undefine-macro
	-l --library -L --library-path -Xcompiler --compiler-options -Xlinker --linker-options -Xptxas --ptxas-options -Xnvlink --nvlink-options -Xcudafe
	-gencode --generate-code -arch --gpu-architecture -code --gpu-code -std --std -x --x -O --optimize -m --machine -t --threads
	-rdc --relocatable-device-code -maxrregcount --maxrregcount -default-stream --default-stream -cudart --cudart -ccbin --compiler-bindir
	-fmad --fmad -ftz --ftz -prec-div --prec-div -prec-sqrt --prec-sqrt -diag-suppress --diag-suppress -split-compile --split-compile
	-o --output-file`)

func setOf(words string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		set[w] = true
	}
	return set
}

// isSource reports whether an argument names a source that exists.
func isSource(a string) bool {
	switch filepath.Ext(a) {
	case ".cu", ".cpp", ".cc", ".cxx", ".c":
		info, err := os.Stat(a)
		return err == nil && !info.IsDir()
	}
	return false
}

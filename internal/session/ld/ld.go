package ld

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/gopherwarp/gopherwarp/internal/gorelease"
	"github.com/gopherwarp/gopherwarp/internal/slim"
)

// A Config has the programs and arguments for linking on this machine.
type Config struct {
	Driver        string   // the C compiler, which can link everything
	Linker        string   // the linker that the driver runs in the end; empty if that is unknown
	Before, After []string // the driver's own arguments to the linker, before and after the given ones
}

// Main links with the arguments of the process, and does not return.
func Main(config Config) {
	fmt.Fprintln(os.Stderr, "link a cell:", run(config, os.Args[1:]))
	os.Exit(1)
}

// run replaces the process by the linker, or returns an error.
func run(config Config, args []string) error {
	for _, arg := range args {
		if strings.HasSuffix(arg, gorelease.ProbeFile) {
			os.Exit(1) // none of the flags that Go's linker checks in this way is needed
		}
	}
	for _, arg := range args {
		if filepath.Base(arg) == gorelease.ObjectFile {
			if err := slim.Redirect(arg); err != nil {
				return err
			}
			if err := restoreNames(arg); err != nil {
				return fmt.Errorf("restore the names of functions in %s: %w", arg, err)
			}
		}
	}
	program, translated := config.Driver, append([]string{config.Driver}, args...)
	if rest, ok := translate(args); ok && config.Linker != "" {
		program, translated = config.Linker, slices.Concat([]string{config.Linker}, config.Before, rest, layout(config.Linker), config.After)
	}
	return fmt.Errorf("run %s: %w", program, syscall.Exec(program, translated, os.Environ()))
}

// layout returns the arguments with which a linker places a cell's writable data on the fewest pages: from the start of a
// page, where it otherwise begins at the end of the code. A session keeps all cells that it has loaded, and each page is 4
// KiB more per cell.
func layout(linker string) []string {
	switch filepath.Base(linker) {
	case "mold", "ld.lld":
		return []string{"-z", "separate-loadable-segments"}
	}
	return nil
}

// translate translates arguments of the driver into those of the linker. ok is false if one of them is unknown.
func translate(args []string) (translated []string, ok bool) {
	for _, arg := range args {
		switch list, isList := strings.CutPrefix(arg, "-Wl,"); {
		case arg == "-m64" || arg == "-O2" || arg == "-g":
		case arg == "-pthread":
			translated = append(translated, "-lpthread")
		case arg == "-rdynamic":
			translated = append(translated, "--export-dynamic")
		case isList:
			translated = append(translated, strings.Split(list, ",")...)
		case strings.HasPrefix(arg, "-") && arg != "-s" && arg != "-shared" && arg != "-o" &&
			!strings.HasPrefix(arg, "-l") && !strings.HasPrefix(arg, "-L"):
			return nil, false
		default:
			translated = append(translated, arg)
		}
	}
	return translated, true
}

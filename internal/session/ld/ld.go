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

// A Config says how this machine links.
type Config struct {
	Driver        string   // the C compiler, which can link everything
	Linker        string   // what it runs in the end; empty if that is not known
	Before, After []string // what it says to the linker, around what it has been told
}

// Main links what the arguments say, and does not return.
func Main(config Config) {
	fmt.Fprintln(os.Stderr, "link a cell:", run(config, os.Args[1:]))
	os.Exit(1)
}

// run becomes the linker, or returns what stopped it.
func run(config Config, args []string) error {
	for _, arg := range args {
		if strings.HasSuffix(arg, gorelease.ProbeFile) {
			os.Exit(1) // no flag that Go's linker asks for in this way is needed
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

// layout returns the arguments by which a linker places what a cell writes on the fewest pages: from the start of one on,
// where it otherwise begins wherever the code ends in the file. A session keeps all cells that it has loaded, and a page is
// 4 KiB more for each.
func layout(linker string) []string {
	switch filepath.Base(linker) {
	case "mold", "ld.lld":
		return []string{"-z", "separate-loadable-segments"}
	}
	return nil
}

// translate turns arguments of the driver into those of the linker, if it knows them all.
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

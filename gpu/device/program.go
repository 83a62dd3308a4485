package device

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/driver"
	"github.com/gopherwarp/gopherwarp/gpu/internal/findings"
	"github.com/gopherwarp/gopherwarp/internal/include"
	"github.com/gopherwarp/gopherwarp/internal/render"
)

// exitSource is the exit status of Program if the program does not compile.
const exitSource = 3

// programs is a backend that runs whole programs in this process.
type programs interface {
	backend.Backend
	BuildProgram(p backend.Program) (backend.Image, error)
	// RunProgram does not return if it succeeds.
	RunProgram(img backend.Image, args []string, checks backend.ProgramChecks) error
}

// A programRun is a request to Program.
type programRun struct {
	program backend.Program
	args    []string // the program's, without its name
	ordinal int
	build   bool   // compile only
	report  string // a file for check mode's report
	file    string // the first file of the program as it was named
	// The command of this process without the arguments of Program, and those without the program's: options and files.
	self, own, files []string
}

// Program compiles a CUDA C++ program that has a main function and runs it in place of this process. It returns only on failure, or with
// --build, and then returns an exit status: 1 for a fault, 2 for wrong arguments, 3 if the program does not compile. The arguments are
//
//	[--device auto|cuda:N|sim[:MODEL]] [--check] [--build] [--name NAME] [--report FILE] [--flag FLAG]… [FLAG]… FILE… [ARGUMENTS]
//
// FILE may be - for standard input. Names of existing C++, CUDA and C sources after the first FILE are files of the program, too.
// Options of the compiler such as -Iinclude stand before the first FILE, each with --flag or as they are; if there is a --,
// they may also stand behind, and what comes after the -- are the arguments. --build compiles the program without running it. With --check,
// defects of kernels are printed on standard error, and the exit status is 1 if there are any. --report writes them to a file as well: as
// SARIF if its name ends in .sarif or .sarif.json, as JUnit's XML if it ends in .xml. Otherwise it is JSON, and nothing is printed.
func Program(args []string) int {
	// Host code runs on this thread, and may need all of its stack.
	runtime.LockOSThread()
	var r programRun
	flags := flag.NewFlagSet("gopherwarp program", flag.ContinueOnError)
	flags.SetOutput(os.Stderr)
	device := flags.String("device", "auto", "auto, cuda:N, sim or sim:MODEL")
	name := flags.String("name", "", "what the compiler calls the program; its file name by default")
	flags.BoolVar(&r.program.Check, "check", false, "look for defects: by the simulator's check mode, and on a GPU by compute-sanitizer, too")
	flags.BoolVar(&r.build, "build", false, "only compile")
	flags.StringVar(&r.report, "report", "", "a file for the report of check mode: FILE.sarif, FILE.xml for JUnit, or JSON")
	flags.Func("flag", "an option of the compiler, as in --flag=-DN=3; can be repeated", func(s string) error {
		r.program.Options = append(r.program.Options, s)
		return nil
	})
	own, files, rest := splitCommand(args, flags)
	r.self, r.own, r.files = append([]string{"/proc/self/exe"}, os.Args[1:max(1, len(os.Args)-len(args))]...), own, files
	if err := flags.Parse(own); err != nil {
		return exitUsage
	}
	if slices.ContainsFunc(r.program.Options, func(o string) bool { return o == "-o" || o == "--output-file" }) {
		fmt.Fprintln(os.Stderr, "-o names a file for the program, but gopherwarp program runs it and keeps no file: leave -o out")
		return exitUsage
	}
	if len(files) == 0 {
		fmt.Fprintln(os.Stderr, "which program? gopherwarp program FILE.cu [ARGUMENTS]; - is standard input")
		return exitUsage
	}
	r.args, r.file = rest, files[0]
	if err := r.read(files); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return exitUsage
	}
	if *name != "" {
		r.program.Name = *name
	}
	err := r.start(*device)
	if err == nil {
		return exitOK
	}
	if failed := new(backend.CompileError); errors.As(err, &failed) {
		fmt.Fprint(os.Stderr, failed.Log+lateOption(args, rest))
		return exitSource
	}
	fmt.Fprintln(os.Stderr, err)
	return exitFault
}

// read reads the files of the program.
func (r *programRun) read(files []string) error {
	for i, file := range files {
		text, err := readSource(file)
		if err != nil {
			return err
		}
		if i > 0 {
			r.program.More = append(r.program.More, backend.Source{Name: file, Text: text})
			continue
		}
		r.program.Source, r.program.Name = text, filepath.Base(file)
		if file != "-" {
			r.program.Dir = filepath.Dir(file)
		}
	}
	return nil
}

func readSource(file string) (string, error) {
	if file == "-" {
		text, err := io.ReadAll(os.Stdin)
		return include.TextOf(text), err
	}
	text, err := os.ReadFile(file)
	return include.TextOf(text), err
}

// start runs the program, or builds it. If it runs, start returns only on failure.
func (r *programRun) start(device string) error {
	kind, rest, _ := strings.Cut(device, ":")
	model := ""
	if n, err := strconv.Atoi(rest); err == nil {
		r.ordinal = n
	} else if kind == "sim" {
		model = rest
		if i := strings.LastIndexByte(model, ':'); i >= 0 {
			model = model[:i] // a program may use all devices
		}
	}
	b, _, err := choose(backends, kind)
	if err == nil {
		b, err = imitate(b, model)
	}
	if err != nil {
		return err
	}
	p, ok := b.(programs)
	if !ok {
		return r.native()
	}
	img, err := p.BuildProgram(r.program)
	if err != nil {
		return err
	}
	fmt.Fprint(os.Stderr, r.warnings(img))
	if r.build {
		return nil
	}
	return p.RunProgram(img, append([]string{r.program.Name}, r.args...), backend.ProgramChecks{Found: r.showFinding, Ended: r.endChecks})
}

// warnings returns the compiler's messages once: for --build, or for a run that has compiled.
func (r *programRun) warnings(img backend.Image) string {
	if img.Cached && !r.build {
		return ""
	}
	return img.Log
}

// native builds the program with NVIDIA's compiler and executes it in place of this process, or from it if it is to be checked.
func (r *programRun) native() error {
	path, log, err := driver.BuildProgram(r.program, r.ordinal)
	if err != nil {
		return err
	}
	fmt.Fprint(os.Stderr, r.warnings(backend.Image{Log: log, Cached: log == ""}))
	if r.build {
		return nil
	}
	if r.program.Check {
		return r.checkNative(path)
	}
	return driver.ExecProgram(path, r.program.Name, r.args, r.ordinal)
}

// showFinding prints a finding of check mode, unless it goes to a file of JSON.
func (r *programRun) showFinding(f backend.Finding) {
	if r.printsFindings() {
		fmt.Fprintln(os.Stderr, f.String())
	}
}

// printsFindings reports whether findings are printed. Who asks for JSON shows them itself.
func (r *programRun) printsFindings() bool { return r.report == "" || findings.Format(r.report) != nil }

// endChecks prints the summary of check mode's report, and writes the report to the file that was asked for.
func (r *programRun) endChecks(report backend.Report) {
	if r.printsFindings() {
		printSummary(report)
	}
	if r.report == "" {
		return
	}
	write := findings.Format(r.report)
	if write == nil {
		write = func(r findings.Run) ([]byte, error) { return json.Marshal(r.Report) }
	}
	text, err := write(findings.Run{File: r.file, Report: report})
	if err == nil {
		err = os.WriteFile(r.report, text, 0o600)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "write the report of check mode: %v\n", err)
	}
}

func printSummary(report backend.Report) {
	warnings := 0
	for _, f := range report.Findings {
		if f.Warning {
			warnings++
		}
	}
	found := "no defects"
	if n := len(report.Findings) - warnings; n > 0 {
		found = render.Count(n, "defect", "defects")
	}
	if warnings > 0 {
		found += " and " + render.Count(warnings, "warning", "warnings")
	}
	fmt.Fprintf(os.Stderr, "check mode: %s found in %s\n", found, render.Count(report.Launches, "launch", "launches"))
}

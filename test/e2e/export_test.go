package e2e

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
)

// lessonsEnv selects the lessons that are exported: "all", or the name of one. By default it is exportedLesson, which takes the least time.
const (
	lessonsEnv     = "GOPHERWARP_EXPORT"
	exportedLesson = "monte-carlo"
)

// TestExportedLessons exports lessons with their solutions. The programs, which find no gopherwarp, must print the same as the notebooks.
func TestExportedLessons(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../../notebooks/solutions/*/*.ipynb")
	if err != nil || len(files) < 11 {
		t.Fatalf("%d lessons, want at least 11; error %v", len(files), err)
	}
	chosen := os.Getenv(lessonsEnv)
	if chosen == "" {
		chosen = exportedLesson
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".ipynb")
		if chosen != "all" && chosen != name {
			continue
		}
		t.Run(name, func(t *testing.T) {
			ran := filepath.Join(t.TempDir(), "ran.ipynb")
			run := exec.CommandContext(t.Context(), program, "run", "--device", "sim", "-o", ran, file)
			run.Env = append(os.Environ(), checkSeed)
			if out, err := run.CombinedOutput(); err != nil {
				t.Fatalf("gopherwarp run: %v\n%s", err, out)
			}
			made := exportTo(t, filepath.Join(t.TempDir(), "exported"), file)
			compareCells(t, outputs(t, ran), runBeside(t, made, file), runBeside(t, made, file))
		})
	}
}

// checkSeed makes package verify draw the same inputs in each run.
const checkSeed = "GOPHERWARP_CHECK_SEED=1"

// runBeside runs a program beside the notebook, on the simulator and without gopherwarp in PATH, and returns what it prints.
func runBeside(t *testing.T, made, notebook string) string {
	t.Helper()
	run := exec.CommandContext(t.Context(), made)
	run.Dir = filepath.Dir(notebook)
	run.Env = []string{"PATH=/usr/bin:/bin", "HOME=" + os.Getenv("HOME"), "GOPHERWARP_DEVICE=sim", checkSeed}
	var failed strings.Builder
	run.Stderr = &failed
	out, err := run.Output()
	if err != nil {
		t.Fatalf("the program: %v\n%s", err, &failed)
	}
	return string(out)
}

var (
	building = regexp.MustCompile(`^(Building|Compiling|Preparing|Testing) .*…$`)
	place    = regexp.MustCompile(`(cell\[\d+\](\.cu)?|main\.go|cell\d+\.cu)(:\d+|$)`)
	spaces   = regexp.MustCompile(`  +`) // in tables, whose columns are as wide as the places in them
	// firstLine is the line of a source in which the notebook has %%cuda.
	firstLine = regexp.MustCompile(`^ 1 // cell\[\d+\] of .*`)
	duration  = regexp.MustCompile(`\d(ns|µs|ms|s)\b`)
)

// lines returns the lines of output, without places and empty ones.
func lines(output string) []string {
	var all []string
	for line := range strings.Lines(output) {
		line = spaces.ReplaceAllString(place.ReplaceAllString(strings.TrimRight(line, " \n"), "PLACE"), " ")
		if line != "" && !building.MatchString(line) {
			all = append(all, firstLine.ReplaceAllString(line, " 1"))
		}
	}
	return all
}

// compareCells compares what a program prints with what the cells of the notebook have printed. A cell's lines may be in another order, as its
// displays do not come the same way as its standard output. Lines that differ in two runs of the program, or that have a duration, need only
// have the same words.
func compareCells(t *testing.T, cells []string, first, second string) {
	t.Helper()
	got, again := lines(first), lines(second)
	all, same := 0, 0
	for _, cell := range cells {
		want := lines(cell)
		all += len(want)
		if len(got) < len(want) || len(again) < len(want) {
			t.Fatalf("the program ends before\n%s\nIt prints\n%s", cell, first)
		}
		a, b := got[:len(want)], again[:len(want)]
		got, again = got[len(want):], again[len(want):]
		for _, list := range [][]string{want, a, b} {
			slices.SortStableFunc(list, func(x, y string) int { return strings.Compare(words(x), words(y)) })
		}
		for i, line := range want {
			switch {
			case a[i] == line:
				same++
			case nearlyEqual(a[i], line): // atomic functions add in another order
			case a[i] == b[i] && !duration.MatchString(line), words(a[i]) != words(line):
				t.Errorf("the program prints %q, and the notebook %q", a[i], line)
			}
		}
	}
	if len(got) > 0 || same < all/3 {
		t.Errorf("%d lines of %d are the same, and the program has %d more:\n%s", same, all, len(got), first)
	}
	t.Logf("%d of %d lines are the same, and the others have measurements", same, all)
}

// words returns the words of a line without units of time.
func words(line string) string {
	units := []string{"ns", "µs", "ms", "s", "m", "h", "e"}
	list := strings.FieldsFunc(line, func(r rune) bool { return !unicode.IsLetter(r) })
	return strings.Join(slices.DeleteFunc(list, func(word string) bool { return slices.Contains(units, word) }), " ")
}

// nearlyEqual reports whether two lines are numbers that differ by rounding.
func nearlyEqual(a, b string) bool {
	x, err := strconv.ParseFloat(a, 64)
	y, errB := strconv.ParseFloat(b, 64)
	return err == nil && errB == nil && math.Abs(x-y) <= 1e-6*math.Abs(y)
}

// exportTo exports a notebook and returns the path of the program that is built of it.
func exportTo(t *testing.T, dir, notebook string) string {
	t.Helper()
	sources, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	if out, err := exec.CommandContext(t.Context(), program, "export", "--replace", sources, notebook, dir).CombinedOutput(); err != nil {
		t.Fatalf("gopherwarp export: %v\n%s", err, out)
	}
	main, err := os.ReadFile(filepath.Join(dir, "main.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, command := range [][]string{{"gofmt", "-l", "."}, {"go", "vet", "-unsafeptr=false", "."}, {"go", "build", "-o", "program", "."}} {
		cmd := exec.CommandContext(t.Context(), command[0], command[1:]...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
			t.Fatalf("%v: %v\n%s\n%s", command, err, out, main)
		}
	}
	return filepath.Join(dir, "program")
}

// outputs returns the text of the outputs of each cell, without those of magics that programs leave out.
func outputs(t *testing.T, file string) []string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var nb struct {
		Cells []struct {
			Source  any
			Outputs []struct {
				Kind string `json:"output_type"`
				Text any
				Data map[string]any
			}
		}
	}
	if err := json.Unmarshal(data, &nb); err != nil {
		t.Fatal(err)
	}
	var cells []string
	for _, c := range nb.Cells {
		var b strings.Builder
		if text := strings.TrimSpace(joined(c.Source)); strings.HasPrefix(text, "%") && !strings.HasPrefix(text, "%%time") {
			continue
		}
		for _, o := range c.Outputs {
			text := joined(o.Text)
			if o.Kind != "stream" {
				text = joined(o.Data["text/plain"])
			}
			b.WriteString(strings.TrimSuffix(text, "\n"))
			if text != "" {
				b.WriteString("\n")
			}
		}
		cells = append(cells, b.String())
	}
	return cells
}

// joined returns a text that nbformat stores as a string or as a list of lines.
func joined(v any) string {
	list, ok := v.([]any)
	if !ok {
		text, _ := v.(string)
		return text
	}
	var b strings.Builder
	for _, line := range list {
		fmt.Fprint(&b, line)
	}
	return b.String()
}

// TestExportCommand exports what is no notebook of Go, and to folders with files: nothing may be written.
func TestExportCommand(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) string {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	const format = `{"nbformat": 4, "nbformat_minor": 4, "metadata": {%s}, "cells": [{"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": null, "source": %q}]}`
	good := write("good.ipynb", fmt.Sprintf(format, "", "fmt.Println(40 + 2)"))
	bad := write("bad.ipynb", fmt.Sprintf(format, "", "x :="))
	write("full/own.txt", "")
	for _, c := range []struct {
		name string
		args []string
		want string // words, in this order
	}{
		{"not there", []string{filepath.Join(dir, "none.ipynb"), "new"}, "none.ipynb no such file"},
		{"no notebook", []string{write("x.go", "package main\n"), "new"}, "x.go not a notebook"},
		{"another language", []string{write("py.ipynb", fmt.Sprintf(format, `"kernelspec": {"name": "python3", "language": "python"}`, "1")), "new"}, "py.ipynb python gopherwarp"},
		{"a cell that does not compile", []string{bad, "new"}, "bad.ipynb cell 1 can't be exported cell[1]:1"},
		{"no sources", []string{"--replace", dir, good, "new"}, "--replace go.mod sources of gopherwarp"},
		{"a folder with files", []string{good, "full"}, "full is not empty --force"},
		{"a file", []string{good, "x.go"}, "x.go not a directory"},
	} {
		t.Run(c.name, func(t *testing.T) {
			cmd := exec.CommandContext(t.Context(), program, append([]string{"export"}, c.args...)...)
			cmd.Dir = dir
			out, err := cmd.CombinedOutput()
			if err == nil {
				t.Fatalf("it succeeds:\n%s", out)
			}
			rest := string(out)
			for word := range strings.FieldsSeq(c.want) {
				i := strings.Index(rest, word)
				if i < 0 {
					t.Fatalf("the error should have %q in this order: %s", c.want, out)
				}
				rest = rest[i:]
			}
			if _, err := os.Stat(filepath.Join(dir, "new")); err == nil {
				t.Error("something was written")
			}
		})
	}
	out, err := exec.CommandContext(t.Context(), program, "export", "--force", good, filepath.Join(dir, "full")).CombinedOutput()
	if err != nil || !strings.Contains(string(out), "go build\n") {
		t.Fatalf("with --force: %v\n%s", err, out)
	}
	run := exec.CommandContext(t.Context(), "go", "run", ".")
	run.Dir = filepath.Join(dir, "full")
	if out, err := run.CombinedOutput(); err != nil || string(out) != "42\n" {
		t.Errorf("the program: %v\n%s", err, out)
	}
}

// TestDocsPrograms builds the programs in docs/ and runs them where there is no gopherwarp. Their // comments have the output.
func TestDocsPrograms(t *testing.T) {
	t.Parallel()
	programs := 0
	for name, blocks := range pages(t) {
		for _, b := range blocks {
			if b.how != "program" {
				continue
			}
			programs++
			dir := t.TempDir()
			main := filepath.Join(dir, "main.go")
			if err := os.WriteFile(main, []byte(b.text), 0o644); err != nil {
				t.Fatal(err)
			}
			build := exec.CommandContext(t.Context(), "go", "build", "-o", filepath.Join(dir, "program"), main)
			if out, err := build.CombinedOutput(); err != nil {
				t.Fatalf("docs/%s:%d: %v\n%s", name, b.line, err, out)
			}
			if got, want := runBeside(t, filepath.Join(dir, "program"), main), b.prints(); got != want {
				t.Errorf("docs/%s:%d prints %q, want %q", name, b.line, got, want)
			}
		}
	}
	if programs == 0 {
		t.Fatal("docs/ has no programs")
	}
}

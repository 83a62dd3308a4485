package main

import (
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gopherwarp/gopherwarp/kernel"
)

// Learners compare a GPU with a triple loop, so cells must run it as fast as a Go
// program, although an interrupt can end it.

//go:embed testdata/loop.go
var loopProgram string

// measureLoop runs the same functions in a cell and in a program, in alternation, and
// reports the times and their ratio.
func (b bench) measureLoop(dir string, turns int) error {
	file, program := filepath.Join(dir, "loop.go"), filepath.Join(dir, "loop")
	if err := os.WriteFile(file, []byte(loopProgram), 0o644); err != nil {
		return err
	}
	if out, err := exec.CommandContext(b.ctx, "go", "build", "-o", program, file).CombinedOutput(); err != nil {
		return fmt.Errorf("build the plain program: %w\n%s", err, out)
	}
	declarations, _, _ := strings.Cut(loopProgram, "func main()")
	_, declarations, _ = strings.Cut(declarations, "package main\n")
	if _, err := b.output(declarations); err != nil {
		return err
	}
	var cell, plain []time.Duration
	for range turns {
		text, err := b.output("print(measure())")
		if err != nil {
			return err
		}
		out, err := exec.CommandContext(b.ctx, program).CombinedOutput()
		if err != nil {
			return fmt.Errorf("run the plain program: %w", err)
		}
		for _, t := range []struct {
			text string
			list *[]time.Duration
		}{{text, &cell}, {string(out), &plain}} {
			ns, err := strconv.Atoi(strings.TrimSpace(t.text))
			if err != nil {
				return fmt.Errorf("the loop printed %q: %w", t.text, err)
			}
			*t.list = append(*t.list, time.Duration(ns))
		}
	}
	report("triple loop 256³ in a cell", cell)
	report("the same, plain Go program", plain)
	// The minimum of many runs shows the speed of the code; the median also that
	// of the machine.
	fmt.Printf("%-28s %.3f by the fastest, %.3f by the median\n", "ratio", float64(slices.Min(cell))/float64(slices.Min(plain)),
		float64(cell[len(cell)/2])/float64(plain[len(plain)/2]))
	return nil
}

// output runs a cell that must succeed and returns its output.
func (b bench) output(code string) (string, error) {
	var text strings.Builder
	reply, err := b.client.Execute(b.ctx, kernel.ExecuteRequest{Code: code, OnOutput: func(m *kernel.Message) {
		var content struct{ Text string }
		if m.Header.Type == "stream" && m.DecodeContent(&content) == nil {
			text.WriteString(content.Text)
		}
	}})
	if err == nil && reply.Status != "ok" {
		err = fmt.Errorf("a cell ended in %q: %s", reply.Status, reply.Value)
	}
	return text.String(), err
}

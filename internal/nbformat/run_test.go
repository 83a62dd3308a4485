package nbformat_test

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"os"
	"reflect"
	"testing"
	"time"

	"github.com/gopherwarp/gopherwarp/internal/nbformat"
	"github.com/gopherwarp/gopherwarp/kernel"
	"github.com/gopherwarp/gopherwarp/kernel/kerneltest"
)

// dial serves a test engine in this process and returns a client.
func dial(t *testing.T) *kernel.Client {
	t.Helper()
	dir, err := os.MkdirTemp("/tmp", "gw") // t.TempDir is too long for a unix socket
	if err != nil {
		t.Fatal(err)
	}
	conn := kernel.NewIPCConnection(dir)
	ctx, cancel := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() {
		served <- kernel.Serve(ctx, conn, kerneltest.New(), kernel.Config{Log: slog.New(slog.DiscardHandler)})
	}()
	c, err := kernel.Dial(ctx, conn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cancel()
		if err := <-served; err != nil {
			t.Error(err)
		}
		c.Close()
		os.RemoveAll(dir)
	})
	return c
}

type cell struct {
	source string
	tags   []string
}

func makeNotebook(t *testing.T, cells []cell) *nbformat.Notebook {
	t.Helper()
	var docs []any
	for _, c := range cells {
		docs = append(docs, map[string]any{
			"cell_type": "code", "source": c.source, "metadata": map[string]any{"tags": c.tags},
			"outputs": []any{map[string]any{"output_type": "stream", "name": "stdout", "text": "stale"}}, "execution_count": 99,
		})
	}
	data, err := json.Marshal(map[string]any{"nbformat": 4, "nbformat_minor": 5, "cells": docs})
	if err != nil {
		t.Fatal(err)
	}
	nb, err := nbformat.Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	return nb
}

const stale = `[{"name":"stdout","output_type":"stream","text":"stale"}]`

func streamOutput(name, lines string) string {
	return `{"name":"` + name + `","output_type":"stream","text":` + lines + `}`
}

func display(text string) string {
	return `{"data":{"text/plain":["` + text + `"]},"metadata":{},"output_type":"display_data"}`
}

func TestRun(t *testing.T) {
	for _, tt := range []struct {
		name   string
		cells  []cell
		runner nbformat.Runner
		want   []string // outputs of each cell
		fails  int      // number of the cell that stops the run; 0 for none
	}{
		{
			name:  "outputs",
			cells: []cell{{source: `out "a\nb"` + "\nout c\nerr e\nresult r"}},
			want: []string{"[" + streamOutput("stdout", `["a\n","bc"]`) + "," + streamOutput("stderr", `["e"]`) +
				`,{"data":{"text/plain":["r"]},"execution_count":1,"metadata":{},"output_type":"execute_result"}]`},
		},
		{
			name:  "a later cell updates what an earlier one shows",
			cells: []cell{{source: "display d old\ndisplay - other"}, {source: "update d new"}},
			want:  []string{"[" + display("new") + "," + display("other") + "]", "[]"},
		},
		{
			name: "clear",
			cells: []cell{
				{source: "out a\nclear"},
				{source: "out a\nclear-wait"},
				{source: "out a\nclear-wait\nout b\nout c"},
				{source: "display - a\nclear-wait\ndisplay - b"},
			},
			want: []string{
				"[]", "[" + streamOutput("stdout", `["a"]`) + "]", "[" + streamOutput("stdout", `["bc"]`) + "]", "[" + display("b") + "]",
			},
		},
		{
			name:  "stops at an error",
			cells: []cell{{source: "out a\nfail E v"}, {source: "out never"}},
			want: []string{
				"[" + streamOutput("stdout", `["a"]`) + `,{"ename":"E","evalue":"v","output_type":"error","traceback":["E: v","at line 1"]}]`, "[]",
			},
			fails: 1,
		},
		{
			name:  "goes on where the tag says so",
			cells: []cell{{source: "out a\nfail E v", tags: []string{"raises-exception"}}, {source: "error x"}, {source: "out never"}},
			want: []string{
				"[" + streamOutput("stdout", `["a"]`) + `,{"ename":"E","evalue":"v","output_type":"error","traceback":["E: v","at line 1"]}]`,
				`[{"ename":"Error","evalue":"x","output_type":"error","traceback":["Error: x"]}]`, "[]",
			},
			fails: 2,
		},
		{
			name:   "goes on when errors are allowed",
			cells:  []cell{{source: "error x"}, {source: "out b"}},
			runner: nbformat.Runner{AllowErrors: true},
			want:   []string{`[{"ename":"Error","evalue":"x","output_type":"error","traceback":["Error: x"]}]`, "[" + streamOutput("stdout", `["b"]`) + "]"},
		},
		{
			name:  "skips",
			cells: []cell{{source: "fail a b", tags: []string{"skip-execution"}}, {source: " \n"}, {source: "out b"}},
			want:  []string{stale, "[]", "[" + streamOutput("stdout", `["b"]`) + "]"},
		},
		{
			name:   "timeout",
			cells:  []cell{{source: "out a\nsleep"}, {source: "out never"}},
			runner: nbformat.Runner{Timeout: 50 * time.Millisecond},
			want: []string{
				"[" + streamOutput("stdout", `["a"]`) + `,{"ename":"Interrupted","evalue":"the cell was interrupted","output_type":"error","traceback":["Interrupted: the cell was interrupted"]}]`, "[]",
			},
			fails: 1,
		},
		{
			name:   "goes on after a timeout when errors are allowed",
			cells:  []cell{{source: "out a\nsleep"}, {source: "out b"}},
			runner: nbformat.Runner{Timeout: 50 * time.Millisecond, AllowErrors: true},
			want: []string{
				"[" + streamOutput("stdout", `["a"]`) + `,{"ename":"Interrupted","evalue":"the cell was interrupted","output_type":"error","traceback":["Interrupted: the cell was interrupted"]}]`, "[" + streamOutput("stdout", `["b"]`) + "]",
			},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			nb := makeNotebook(t, tt.cells)
			r := tt.runner
			r.Kernel = dial(t)
			err := r.Run(t.Context(), nb)
			failure, _ := errors.AsType[*nbformat.Failure](err)
			if failure == nil && err != nil {
				t.Fatal(err)
			}
			if number := numberOf(failure); number != tt.fails {
				t.Errorf("failed at cell %d (%v), want %d", number, err, tt.fails)
			}
			if got := errors.Is(err, nbformat.ErrTimeout); got != (tt.runner.Timeout > 0 && tt.fails > 0) {
				t.Errorf("timed out: %v", got)
			}
			var got []string
			for _, c := range nb.Cells {
				data, err := json.Marshal(c.Outputs())
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, string(data))
			}
			if !reflect.DeepEqual(got, tt.want) {
				t.Errorf("outputs\n%q, want\n%q", got, tt.want)
			}
		})
	}
}

func numberOf(f *nbformat.Failure) int {
	if f == nil {
		return 0
	}
	return f.Number
}

func TestRunInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	nb := makeNotebook(t, []cell{{source: "out a\nsleep"}, {source: "out never"}})
	r := nbformat.Runner{Kernel: dial(t), Progress: func(e nbformat.Event) {
		if !e.Done {
			cancel()
		}
	}}
	if err := r.Run(ctx, nb); !errors.Is(err, nbformat.ErrInterrupted) {
		t.Errorf("error = %v", err)
	}
	if n := len(nb.Cells[1].Outputs()); n != 0 {
		t.Errorf("the second cell has %d outputs", n)
	}
}

func TestRunSaysWhenTheKernelIsLost(t *testing.T) {
	c := dial(t)
	nb := makeNotebook(t, []cell{{source: "out a"}, {source: "sleep"}})
	r := nbformat.Runner{Kernel: c, Progress: func(e nbformat.Event) {
		if e.Number == 2 && !e.Done {
			if err := c.Shutdown(t.Context(), false); err != nil {
				t.Error(err)
			}
		}
	}}
	err := r.Run(t.Context(), nb)
	if err == nil || errors.Is(err, nbformat.ErrInterrupted) {
		t.Errorf("error = %v", err)
	}
	if len(nb.Cells[0].Outputs()) != 1 {
		t.Errorf("outputs of the first cell are lost: %v", nb.Cells[0].Outputs())
	}
}

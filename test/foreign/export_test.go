package foreign_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp"
	"github.com/gopherwarp/gopherwarp/internal/export"
	"github.com/gopherwarp/gopherwarp/internal/nbformat"
	"github.com/gopherwarp/gopherwarp/internal/session"
)

const (
	// exportsEnv is the number of random notebooks that are exported.
	exportsEnv             = "GOPHERWARP_EXPORTS"
	fewExports, allExports = 10, 400
)

// TestExportedNotebooks exports random notebooks, builds the programs, and compares what they print with the program in which each cell
// is a block. Cells that do not compile are tagged so that they may fail.
func TestExportedNotebooks(t *testing.T) {
	count, seed := fewExports, 1
	if os.Getenv(allEnv) != "" {
		count = allExports
	}
	for env, v := range map[string]*int{exportsEnv: &count, seedEnv: &seed} {
		if n, err := strconv.Atoi(os.Getenv(env)); err == nil {
			*v = n
		}
	}
	for first := seed; first < seed+count; first += judged {
		t.Run("from seed "+strconv.Itoa(first), func(t *testing.T) {
			t.Parallel()
			var books []*book
			for s := first; s < min(first+judged, seed+count); s++ {
				books = append(books, generate(uint64(s)))
			}
			want := judge(t, books)
			for i, b := range books {
				dir := t.TempDir()
				got, err := exported(t.Context(), b, dir)
				if err != nil {
					t.Errorf("seed %d: %v\n%s", first+i, err, b)
				} else if got != want[i] {
					main, _ := os.ReadFile(filepath.Join(dir, "main.go"))
					t.Errorf("seed %d: %v\n%s\n%s", first+i, differs(got, want[i]), b, main)
				}
			}
		})
	}
}

// exported exports a notebook to dir and returns what the program prints.
func exported(ctx context.Context, b *book, dir string) (string, error) {
	type cell struct {
		Kind     string         `json:"cell_type"`
		Source   string         `json:"source"`
		Metadata map[string]any `json:"metadata"`
	}
	var cells []cell
	for _, c := range b.cells {
		made := cell{"code", c.text + "\n;", map[string]any{}} // no value is shown
		if c.fails {
			made = cell{"code", c.text, map[string]any{"tags": []string{"raises-exception"}}}
		}
		cells = append(cells, made)
	}
	text, err := json.Marshal(map[string]any{"nbformat": 4, "nbformat_minor": 4, "metadata": map[string]any{}, "cells": cells})
	if err != nil {
		return "", err
	}
	nb, err := nbformat.Decode(text)
	if err != nil {
		return "", err
	}
	var log strings.Builder
	program, err := export.Notebook(ctx, nb, export.Options{
		Session: session.Config{Cache: cacheDir(), Sources: gopherwarp.Sources, Dir: dir}, Notebook: "random.ipynb", Dir: dir, Module: "random", Progress: &log,
	})
	if err != nil {
		return "", err
	}
	if err := program.Write(dir); err != nil {
		return "", err
	}
	build := exec.CommandContext(ctx, "go", "build", "-o", "program", ".")
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		main, _ := os.ReadFile(filepath.Join(dir, "main.go"))
		return "", errors.New(string(out) + "\n" + string(main))
	}
	out, err := exec.CommandContext(ctx, filepath.Join(dir, "program")).Output()
	return string(out), err
}

//go:build linux

package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Commands in Markdown: in backquotes, or a line of an indented block.
var (
	shellBlock  = regexp.MustCompile("(?ms)^```sh\n(.*?)^```$")
	docsCommand = regexp.MustCompile("(?m)(?:`|^(?:    |\\$ )|&& )(?:bin/)?(gopherwarp|make) ([^`\n|#]*)")
	docsWord    = regexp.MustCompile(`^[a-z][a-z0-9-]*$`)
)

// TestCommandsOfDocs checks that the subcommands and flags in docs/, README.md and CONTRIBUTING.md exist, and the targets of make.
func TestCommandsOfDocs(t *testing.T) {
	makefile, err := os.ReadFile("../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	pages := []string{"../../README.md", "../../CONTRIBUTING.md"}
	err = filepath.WalkDir("../../docs", func(path string, _ fs.DirEntry, err error) error {
		if filepath.Ext(path) == ".md" && filepath.Base(path) != "CHANGELOG.md" {
			pages = append(pages, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		indented := shellBlock.ReplaceAllStringFunc(string(text), func(b string) string { return strings.ReplaceAll(b, "\n", "\n    ") })
		for _, m := range docsCommand.FindAllStringSubmatch(indented, -1) {
			words := strings.Fields(m[2])
			if len(words) == 0 || !docsWord.MatchString(words[0]) {
				continue
			}
			seen++
			problem := ""
			if m[1] == "make" {
				problem = makeProblem(string(makefile), words)
			} else {
				problem = commandProblem(words)
			}
			if problem != "" {
				t.Errorf("%s: %s %s: %s", page, m[1], m[2], problem)
			}
		}
	}
	if seen < 60 {
		t.Errorf("%d commands were found: the pages have more", seen)
	}
}

// makeProblem returns what is wrong with arguments of make, or "".
func makeProblem(makefile string, words []string) string {
	for _, word := range words {
		if docsWord.MatchString(word) && !strings.Contains(makefile, "\n"+word+":") {
			return "there is no target " + word
		}
	}
	return ""
}

// commandProblem returns what is wrong with arguments of gopherwarp, or "".
func commandProblem(words []string) string {
	cmd, rest, err := (&app{}).command().Find(words)
	if err != nil || !cmd.HasParent() {
		return fmt.Sprintf("there is no such subcommand (%v)", err)
	}
	for _, word := range rest {
		name, _, _ := strings.Cut(strings.TrimLeft(word, "-"), "=")
		if !strings.HasPrefix(word, "-") || cmd.DisableFlagParsing {
			continue
		}
		if f := cmd.Flags(); f.Lookup(name) == nil && (len(name) != 1 || f.ShorthandLookup(name) == nil) {
			return "there is no flag " + word
		}
	}
	return ""
}

//go:build linux

package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
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
	// A command is in backquotes, or a line of a block, which is indented first if it is not.
	block := regexp.MustCompile("(?ms)^```sh\n(.*?)^```$")
	command := regexp.MustCompile("(?m)(?:`|^(?:    |\\$ )|&& )(?:bin/)?(gopherwarp|make) ([^`\n|#]*)")
	target := regexp.MustCompile(`^[a-z][a-z0-9-]*$`)
	seen := 0
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		indented := block.ReplaceAllStringFunc(string(text), func(b string) string { return strings.ReplaceAll(b, "\n", "\n    ") })
		for _, m := range command.FindAllStringSubmatch(indented, -1) {
			words := strings.Fields(m[2])
			if len(words) == 0 || !target.MatchString(words[0]) {
				continue
			}
			if m[1] == "make" {
				for _, word := range words {
					if target.MatchString(word) && !strings.Contains(string(makefile), "\n"+word+":") {
						t.Errorf("%s: make %s: there is no such target", page, word)
					}
				}
				seen++
				continue
			}
			cmd, rest, err := (&app{}).command().Find(words)
			if err != nil || !cmd.HasParent() {
				t.Errorf("%s: gopherwarp %s: there is no such subcommand (%v)", page, m[2], err)
				continue
			}
			seen++
			for _, word := range rest {
				name, _, _ := strings.Cut(strings.TrimLeft(word, "-"), "=")
				if !strings.HasPrefix(word, "-") || cmd.DisableFlagParsing {
					continue
				}
				if f := cmd.Flags(); f.Lookup(name) == nil && (len(name) != 1 || f.ShorthandLookup(name) == nil) {
					t.Errorf("%s: gopherwarp %s: there is no flag %s", page, m[2], word)
				}
			}
		}
	}
	if seen < 60 {
		t.Errorf("%d commands were found: the pages have more", seen)
	}
}

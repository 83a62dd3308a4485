package gokernel

import (
	_ "embed"
	"regexp"
	"strings"
)

//go:embed prelude.h
var prelude string

// defined matches what a paragraph of the prelude defines: functions, structs, macros, and instances of macros.
var defined = regexp.MustCompile(`(?m)^(?:template <[^>]*> )?(?:struct (\w+)|(?:static )?__device__ [^(=;]*?(\w+)[(;]|#define (\w+)|GO_ATOMIC_FLOAT\((\w+),)`)

// preludeNames are the names that the prelude defines.
var preludeNames = func() map[string]bool {
	names := map[string]bool{}
	for _, m := range defined.FindAllStringSubmatch(prelude, -1) {
		for _, name := range m[1:] {
			names[name] = true
		}
	}
	return names
}()

// word matches the names that the prelude uses, and qualified those that the code of a program uses.
var word, qualified = regexp.MustCompile(`\w+`), regexp.MustCompile(`\bgo::(\w+)`)

// preludeFor returns the paragraphs of the prelude that the code of a program needs, since compiling them all takes time. Paragraphs are apart by
// an empty line; the first and the last are those of the namespace.
func preludeFor(code string) string {
	paragraphs := strings.Split(strings.TrimSpace(prelude), "\n\n")
	needed := make([]bool, len(paragraphs))
	needed[0], needed[len(needed)-1] = true, true
	words := map[string]bool{}
	use := func(text string) {
		text = comment.ReplaceAllString(text, "")
		for _, w := range word.FindAllString(text, -1) {
			words[w] = true
		}
	}
	for _, m := range qualified.FindAllStringSubmatch(code, -1) {
		words[m[1]] = true
	}
	for again := true; again; {
		again = false
		for i, p := range paragraphs {
			if !needed[i] && defines(p, words) {
				needed[i], again = true, true
				use(p)
			}
		}
	}
	var b strings.Builder
	for _, i := range included {
		if words[i.word] {
			b.WriteString("#include <" + i.header + ">\n")
		}
	}
	b.WriteString("#line 1 \"prelude.h\"\n") // its lines are none of the program's
	for i, p := range paragraphs {
		if needed[i] {
			b.WriteString(p + "\n\n")
		}
	}
	return b.String()
}

// included are the headers of CUDA that the prelude needs if a word is used.
var included = []struct{ word, header string }{{"cooperative_groups", "cooperative_groups.h"}, {"wmma", "mma.h"}}

// defines reports whether a paragraph defines one of the words.
func defines(paragraph string, words map[string]bool) bool {
	for _, m := range defined.FindAllStringSubmatch(paragraph, -1) {
		for _, name := range m[1:] {
			if words[name] {
				return true
			}
		}
	}
	return false
}

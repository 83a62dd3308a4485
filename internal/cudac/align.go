package cudac

import (
	"strings"

	"github.com/gopherwarp/gopherwarp/internal/cxx"
)

// AlignFirst puts alignas(…) in front of the specifiers of a shared variable that it follows: nvcc takes both orders, C++ takes
// an alignas among specifiers for one of the type. All lines keep their numbers and lengths.
func AlignFirst(source string) string {
	if !strings.Contains(source, "alignas") {
		return source
	}
	toks, err := cxx.Lex(source)
	if err != nil {
		return source // the compiler's to report
	}
	var edits []Edit
	for i := range toks {
		if !toks[i].Is("__shared__") {
			continue
		}
		align := i + 1
		for align < len(toks) && isSpecifier(toks[align]) {
			align++
		}
		if align+1 >= len(toks) || !toks[align].Is("alignas") || !toks[align+1].Is("(") {
			continue
		}
		end := cxx.SkipGroup(toks, align+1)
		first := i
		for first > 0 && isSpecifier(toks[first-1]) {
			first--
		}
		before, gap := source[toks[first].Begin:toks[align-1].End], source[toks[align-1].End:toks[align].Begin]
		edits = append(edits, Edit{
			Begin: toks[first].Begin, End: toks[end-1].End,
			Text: source[toks[align].Begin:toks[end-1].End] + gap + before,
		})
	}
	return Apply(source, edits)
}

func isSpecifier(t cxx.Token) bool {
	switch t.Text {
	case "extern", "static", "volatile", "const", "constexpr", "__device__", "__shared__":
		return t.Kind == cxx.Ident
	}
	return false
}

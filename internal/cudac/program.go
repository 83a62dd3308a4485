package cudac

import (
	"fmt"
	"strings"

	"github.com/gopherwarp/gopherwarp/internal/cxx"
)

// A Body is the body of a kernel in the source: of an ordinary one, of a template, or of a
// template's specialisation.
type Body struct {
	Kernel *Kernel
	// Expr is an expression for the function inside the body, with a template's own parameters as
	// arguments: "scale<T, n>".
	Expr string
	// Args are the names of the parameters as arguments of a call: "x, n, more...".
	Args  []string
	Begin int // the offset after the opening brace, in bytes
	End   int // the offset after the closing brace
}

func newBody(k *Kernel, name string, specialised bool) Body {
	b := Body{Kernel: k, Expr: name, Begin: k.source.Begin, End: k.source.End}
	if k.IsTemplate() && !specialised {
		var args []string
		for _, tp := range k.Template {
			if tp.Pack {
				tp.Name += "..."
			}
			args = append(args, tp.Name)
		}
		b.Expr += "<" + strings.Join(args, ", ") + ">"
	}
	for i, p := range k.describe(nil) {
		if cxx.TopLevel(k.params[i], ".") >= 0 {
			p.Name += "..." // a pack
		}
		b.Args = append(b.Args, p.Name)
	}
	return b
}

// Bodies returns the bodies of all kernels, in the order of the source.
func (f *File) Bodies() []Body { return f.bodies }

// An Edit replaces the bytes of a source from Begin to End by Text.
type Edit struct {
	Begin, End int
	Text       string
}

// Apply applies edits, which are in order and do not overlap.
func Apply(source string, edits []Edit) string {
	var b strings.Builder
	done := 0
	for _, e := range edits {
		b.WriteString(source[done:e.Begin])
		b.WriteString(e.Text)
		done = e.End
	}
	b.WriteString(source[done:])
	return b.String()
}

// A LaunchSite is a launch of a kernel in host code: k<<<grid, block>>>(arguments).
type LaunchSite struct {
	Line   int
	Kernel string // the expression before <<<
	Config string // the text between the angle brackets
	Begin  int    // the offset of the expression, in bytes
	Args   int    // the offset of the parenthesis that opens the arguments
	End    int    // the offset after the closing parenthesis
}

// Launches returns the launches in a source, including those in macros.
func Launches(source string) ([]LaunchSite, error) {
	toks, err := cxx.Lex(source)
	if err != nil {
		return nil, err
	}
	var sites []LaunchSite
	for i, t := range toks {
		if t.Kind == cxx.Directive {
			more, err := inMacro(source, toks, i)
			if err != nil {
				return nil, err
			}
			sites = append(sites, more...)
			continue
		}
		if !opensLaunch(toks, i) {
			continue
		}
		site, err := launchAt(source, toks, i)
		if err != nil {
			return nil, err
		}
		sites = append(sites, site)
	}
	return sites, nil
}

// inMacro returns the launches in the directive at i, if it defines a macro.
func inMacro(source string, toks []cxx.Token, i int) ([]LaunchSite, error) {
	begin := 0
	if i > 0 {
		begin = toks[i-1].End
	}
	text := source[begin:toks[i].End]
	at := strings.Index(text, "define")
	if at < 0 || !strings.Contains(text, "<<<") || !strings.HasPrefix(strings.TrimSpace(strings.TrimPrefix(toks[i].Text, "#")), "define") {
		return nil, nil
	}
	at += len("define")
	sites, err := Launches(text[at:])
	for k := range sites {
		s := &sites[k]
		s.Line = toks[i].Line
		s.Begin, s.Args, s.End = s.Begin+begin+at, s.Args+begin+at, s.End+begin+at
	}
	return sites, err
}

// opensLaunch reports whether <<< is at i.
func opensLaunch(toks []cxx.Token, i int) bool {
	return i > 0 && i+2 < len(toks) && toks[i].Is("<") && toks[i+1].Is("<") && toks[i+1].Glued && toks[i+2].Is("<") && toks[i+2].Glued
}

func launchAt(source string, toks []cxx.Token, open int) (LaunchSite, error) {
	line := toks[open].Line
	wrong := func(format string, args ...any) (LaunchSite, error) {
		return LaunchSite{}, &Error{Line: line, Msg: fmt.Sprintf(format, args...)}
	}
	first := operand(toks, open)
	if first == open {
		return wrong("<<< needs the name of a kernel in front of it: kernel<<<grid, block>>>(arguments)")
	}
	closing := open + 3
	for !closesLaunch(toks, closing) {
		if closing >= len(toks) || toks[closing].Is(";") || toks[closing].Is("}") {
			return wrong("this launch has no closing >>>: kernel<<<grid, block>>>(arguments)")
		}
		if t := toks[closing]; t.Is("(") || t.Is("[") || t.Is("{") {
			closing = cxx.SkipGroup(toks, closing)
			continue
		}
		closing++
	}
	config := source[toks[open+2].End : toks[closing].End-1]
	if n := len(cxx.Split(toks[open+3 : closing])); n < 2 || n > 4 {
		return wrong("a launch has 2 to 4 values between <<< and >>>, for grid, block, bytes of shared memory and stream; this one has %d", n)
	}
	args := closing + 3
	if args >= len(toks) || !toks[args].Is("(") {
		return wrong("after >>> come the arguments of the kernel in parentheses")
	}
	end := cxx.SkipGroup(toks, args)
	if !toks[end-1].Is(")") {
		return wrong("the arguments of this launch have no closing parenthesis")
	}
	begin := toks[first].Begin
	return LaunchSite{
		Line: line, Kernel: source[begin:toks[open-1].End], Config: config,
		Begin: begin, Args: toks[args].End - 1, End: toks[end-1].End,
	}, nil
}

func closesLaunch(toks []cxx.Token, i int) bool {
	return i+2 < len(toks) && toks[i].Is(">") && toks[i+1].Is(">") && toks[i+1].Glued && toks[i+2].Is(">") && toks[i+2].Glued
}

// operand returns the beginning of the expression that ends before the token at end: a name with
// namespaces and template arguments, an element, a member, or an expression in parentheses.
func operand(toks []cxx.Token, end int) int {
	i := end
	for i > 0 {
		t := toks[i-1]
		switch {
		case t.Is("]"), t.Is(")"):
			i = groupBefore(toks, i-1)
		case t.Is(">"):
			i = anglesBefore(toks, i-1)
		case t.Kind == cxx.Ident && !isStatementWord(t.Text):
			i--
			switch {
			case i > 0 && (toks[i-1].Is("::") || toks[i-1].Is(".")):
				i--
				continue
			case i > 1 && toks[i-1].Is(">") && toks[i-1].Glued && toks[i-2].Is("-"):
				i -= 2
				continue
			}
			return i
		default:
			return i
		}
		if i == 0 || toks[i-1].Kind != cxx.Ident && !toks[i-1].Is("]") && !toks[i-1].Is(")") {
			return i
		}
	}
	return i
}

func isStatementWord(word string) bool {
	switch word {
	case "return", "else", "do", "case", "default", "goto", "throw", "if", "while", "for", "switch":
		return true
	}
	return false
}

// groupBefore returns the index of the opening bracket that the closing one at i matches.
func groupBefore(toks []cxx.Token, i int) int {
	for depth := 0; i >= 0; i-- {
		switch t := toks[i]; {
		case t.Is(")"), t.Is("]"), t.Is("}"):
			depth++
		case t.Is("("), t.Is("["), t.Is("{"):
			depth--
		}
		if depth == 0 {
			return i
		}
	}
	return 0
}

// anglesBefore is like groupBefore for an angle bracket.
func anglesBefore(toks []cxx.Token, i int) int {
	for depth := 0; i >= 0; i-- {
		switch t := toks[i]; {
		case t.Is(")"), t.Is("]"), t.Is("}"):
			i = groupBefore(toks, i)
		case t.Is(">"):
			depth++
		case t.Is("<"):
			depth--
		}
		if depth == 0 {
			return i
		}
	}
	return 0
}

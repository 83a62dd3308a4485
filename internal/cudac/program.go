package cudac

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
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
	// Args are the names of the parameters, as they are passed on: "x, n, more...".
	Args []string
	// Names are edits that give names to parameters without one; they are among Args. A parameter that a macro makes keeps an
	// empty name.
	Names []Edit
	Begin int // the offset after the opening brace, in bytes
	End   int // the offset after the closing brace
}

func newBody(k *Kernel, at Definition, name string, specialised bool) Body {
	b := Body{Kernel: k, Expr: name, Begin: at.Begin, End: at.End}
	if k.IsTemplate() && !specialised {
		var args []string
		for _, tp := range k.Template {
			if tp.Name == "" && tp.Default != "" {
				break // without a name it cannot be passed on, and is given by its default
			}
			if tp.Pack {
				tp.Name += "..."
			}
			args = append(args, tp.Name)
		}
		b.Expr += "<" + strings.Join(args, ", ") + ">"
	}
	for i, p := range k.describe(nil) {
		if p.Name == "" {
			p.Name = pointerName(k.params[i])
		}
		if at := nameless(k.params[i]); p.Name == "" && at >= 0 {
			p.Name = "gw_p" + strconv.Itoa(i)
			b.Names = append(b.Names, Edit{Begin: at, End: at, Text: " " + p.Name})
		}
		if cxx.TopLevel(k.params[i], ".") >= 0 {
			p.Name += "..." // a pack
		}
		b.Args = append(b.Args, p.Name)
	}
	return b
}

// pointerName returns the name of a parameter that is a pointer or reference to a function or an array: void (*name)(int).
func pointerName(param []cxx.Token) string {
	for i := 1; i+1 < len(param); i++ {
		if param[i].Kind == cxx.Ident && param[i+1].Is(")") && (param[i-1].Is("*") || param[i-1].Is("&")) {
			return param[i].Text
		}
	}
	return ""
}

// nameless returns the offset at which a parameter without a name would have it, or -1 if that is in a macro.
func nameless(param []cxx.Token) int {
	end := len(param)
	if i := cxx.TopLevel(param, "="); i >= 0 {
		end = i
	}
	if i := cxx.TopLevel(param[:end], "["); i >= 0 {
		end = i
	}
	for i := range param[:end] { // void (*)(int)
		if param[i].Is("(") && i+2 < end && (param[i+1].Is("*") || param[i+1].Is("&")) && param[i+2].Is(")") {
			end = i + 2
			break
		}
	}
	if end == 0 || param[end-1].End-param[end-1].Begin != len(param[end-1].Text) {
		return -1
	}
	return param[end-1].End
}

// Bodies are those of the kernels of the source, in its order.
func (f *File) Bodies() []Body { return f.BodiesIn("") }

// BodiesIn are those of the kernels of an included file, in its order. The source is "".
func (f *File) BodiesIn(path string) []Body {
	var in []Body
	for _, b := range f.bodies {
		if b.Kernel.Path == path {
			in = append(in, b)
		}
	}
	return in
}

// An Edit replaces the bytes of a source from Begin to End by Text.
type Edit struct {
	Begin, End int
	Text       string
}

// InOrder compares the beginnings of edits.
func InOrder(a, b Edit) int { return cmp.Compare(a.Begin, b.Begin) }

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
	if at < 0 || !strings.Contains(text, "<<") || !strings.HasPrefix(strings.TrimSpace(strings.TrimPrefix(toks[i].Text, "#")), "define") {
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

// opensLaunch reports whether <<< stands at i, perhaps with spaces, which some formatters put there. Three of these signs
// mean nothing else in C++.
func opensLaunch(toks []cxx.Token, i int) bool {
	return i > 0 && i+2 < len(toks) && toks[i].Is("<") && toks[i+1].Is("<") && toks[i+2].Is("<")
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
	closing := closingOf(toks, open)
	if closing < 0 {
		return wrong("this launch has no closing >>>: kernel<<<grid, block>>>(arguments)")
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

// closingOf returns the index of the >>> that belongs to the <<< at open, or -1. One without spaces comes first; with spaces
// it may be the end of a list of template arguments, unless the kernel's arguments follow.
func closingOf(toks []cxx.Token, open int) int {
	spaced := -1
	for i := open + 3; i < len(toks) && !toks[i].Is(";") && !toks[i].Is("}"); {
		switch t := toks[i]; {
		case t.Is("("), t.Is("["), t.Is("{"):
			i = cxx.SkipGroup(toks, i)
			continue
		case !t.Is(">") || i+2 >= len(toks) || !toks[i+1].Is(">") || !toks[i+2].Is(">"):
		case toks[i+1].Glued && toks[i+2].Glued:
			return i
		case spaced < 0 && i+3 < len(toks) && toks[i+3].Is("("):
			spaced = i
		}
		i++
	}
	return spaced
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

// LaunchesInKernels reports whether a kernel of a source launches another. It returns false for one that cannot be read.
func LaunchesInKernels(source string) bool {
	sites, err := Launches(source)
	if err != nil || len(sites) == 0 {
		return false
	}
	file, err := Parse(source)
	if err != nil {
		return false
	}
	return slices.ContainsFunc(file.BodiesIn(""), func(b Body) bool {
		return slices.ContainsFunc(sites, func(s LaunchSite) bool { return s.Begin >= b.Begin && s.Begin < b.End })
	})
}

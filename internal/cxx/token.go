package cxx

import "fmt"

// Kind is the kind of a token.
type Kind uint8

// The kinds of tokens.
const (
	Ident     Kind = iota
	Number         // a preprocessing number: 1e-3, 0x1p+4, 1'000
	String         // a string or character literal, with its quotes
	Punct          // one character, or ::
	Directive      // a whole preprocessor line, comments removed and lines joined
	Comment        // only from All
)

// A Token is a piece of a source.
type Token struct {
	Kind Kind
	Text string
	Line int // where it begins, from 1
	// Begin and End are its offsets in the source, in bytes.
	Begin, End int
	// Glued: nothing stands between this token and the one before, so that Join can put text
	// together the way it was written.
	Glued bool
	// Problem says why the token is not complete: a quote is missing, or the end of a comment.
	Problem string

	// Unsure: the token stands under a condition of the preprocessor that could not be decided.
	Unsure bool
	// File is the included file that the token stands in, "" for the source itself.
	File string
}

// Is reports whether the token is that word or punctuation. A string is none.
func (t Token) Is(text string) bool { return t.Kind != String && t.Text == text }

// Error is a failure to read a source at one of its lines.
type Error struct {
	Line int // from 1
	Msg  string
}

func (e *Error) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Msg) }

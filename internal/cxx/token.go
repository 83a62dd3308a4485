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

// A Token is a token of a source.
type Token struct {
	Kind Kind
	Text string
	Line int // of its beginning, from 1
	// Begin and End are its offsets in the source, in bytes.
	Begin, End int
	// Glued reports whether nothing is between this token and the preceding one, so that Join can
	// restore the text.
	Glued bool
	// Problem is why the token is not complete: a missing quote, or a missing end of a comment.
	Problem string

	// Unsure reports whether the token is in a preprocessor conditional that could not be evaluated.
	Unsure bool
	// File is the included file of the token, "" for the source itself.
	File string
}

// Is reports whether the token is that word or punctuation. It returns false for a string.
func (t Token) Is(text string) bool { return t.Kind != String && t.Text == text }

// Error is an error at a line of a source.
type Error struct {
	Line int // from 1
	Msg  string
}

func (e *Error) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Msg) }

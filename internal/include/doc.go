// Package include finds the files of the user's that a C++ source includes, so that what was
// compiled can be kept until one of them changes.
//
// It looks at directives alone and not at the conditions around them: a file too many only means
// that a program is compiled again for nothing. Headers that are in none of the directories given
// are the compiler's own, whose version the caller knows.
package include

// Package include finds the files of the user that a C++ source includes, so that the result of a
// compilation can be cached until one of them changes.
//
// It reads only the #include directives, not the conditions around them: an unnecessary file can
// only cause an unnecessary compilation. Headers that are in none of the given directories are the
// compiler's own, whose version the caller has.
package include

// Package intact reports whether files of a cache are still what they were when they were made. A disk that was full, a
// machine that lost power or a person may have cut them short, emptied or changed them.
//
// A look at each start must cost next to nothing, so it reads a file only if its time is another than it was or if it is
// small. A look in full reads it in any case.
package intact

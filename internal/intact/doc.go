// Package intact reports whether files of a cache are unchanged since they were made. A full disk, a power failure or a user
// may have truncated, emptied or changed them.
//
// A check at each start must cost almost nothing, so it reads a file only if its modification time has changed or if it is
// small. A full check reads every file.
//
// Write, by which such files are made, serves whatever must never be found half written, such as a notebook.
package intact

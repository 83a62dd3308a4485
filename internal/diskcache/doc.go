// Package diskcache keeps what takes long to make in files, which several processes share. A file that is damaged, was written
// by another version or cannot be read counts as missing; what has not been read for long is removed, and so is what has
// been read least recently when the files together are too large.
package diskcache

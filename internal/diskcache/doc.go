// Package diskcache stores data that take long to compute in files, which several processes share. A file that is damaged, was written
// by another version or cannot be read counts as missing. Files that have not been used for long are removed, and so are the
// least recently used ones when the total size is too large.
package diskcache

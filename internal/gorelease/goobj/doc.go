// Package goobj has the constants of Go's object files, which are the same in all known releases. Package slim
// reads and writes such files with them.
package goobj

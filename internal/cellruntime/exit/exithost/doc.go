// Package exithost makes os.Exit in the session process end the cell that called it, also if a
// library calls it. Only the session program links it: it uses internals of the runtime, which
// other programs cannot link.
package exithost

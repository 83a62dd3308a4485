// Package exithost makes os.Exit in the session process end the cell that called it, also
// when a library does. It is part of the session program alone: other programs can't link
// it, because it reaches into the runtime.
package exithost

package verify

import (
	"fmt"
	"os"
)

// passed prints the line of a check that has passed, with a summary of what it has tried. Its beginning is white on green, which is legible
// in light and dark themes, unless the environment
// variable NO_COLOR is set (https://no-color.org).
func passed(name, format string, args ...any) {
	passed := "✓ PASS " + name
	if os.Getenv("NO_COLOR") == "" {
		passed = "\x1b[38;2;255;255;255;48;2;0;105;50m" + passed + "\x1b[0m"
	}
	fmt.Printf("%s: %s\n", passed, fmt.Sprintf(format, args...))
}

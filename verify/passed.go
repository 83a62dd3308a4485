package verify

import (
	"fmt"
	"os"
)

// passed prints the line of a check that has passed, with a summary of what it has tried. The line is green unless the environment
// variable NO_COLOR is set (https://no-color.org).
func passed(name, format string, args ...any) {
	line := fmt.Sprintf("✓ PASS %s: %s", name, fmt.Sprintf(format, args...))
	if os.Getenv("NO_COLOR") == "" {
		line = "\x1b[32m" + line + "\x1b[0m"
	}
	fmt.Println(line)
}

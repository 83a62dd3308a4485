package verify

import (
	"fmt"
	"os"
	"strings"

	"github.com/gopherwarp/gopherwarp/internal/render"
)

// passedWidth is the maximum width of the lines about a check that has passed: JupyterLab shows 107 characters beside its panel.
const passedWidth = 104

// passed prints that a check has passed, with a summary of what it has tried. The beginning is white on green, which is legible in light
// and dark themes, unless the environment variable NO_COLOR is set (https://no-color.org).
func passed(name, format string, args ...any) {
	head := "✓ PASS " + name
	text := render.Wrap(head+": "+fmt.Sprintf(format, args...), passedWidth)
	if !strings.HasPrefix(text, head) {
		head = "✓ PASS" // the name has several lines
	}
	if os.Getenv("NO_COLOR") == "" {
		text = "\x1b[38;2;255;255;255;48;2;0;105;50m" + head + "\x1b[0m" + text[len(head):]
	}
	fmt.Println(text)
}

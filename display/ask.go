package display

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/gopherwarp/gopherwarp/internal/cellruntime/cell"
)

// Ask shows a prompt, waits for the user to enter a line, and returns it without its end. It returns an error where nobody can be asked,
// as when a notebook is run without a front end. Outside a notebook it reads standard input.
//
//	name := must(display.Ask("Your name? "))
func Ask(prompt string) (string, error) { return ask(prompt, false) }

// AskPassword is like Ask but does not show the input while it is typed.
func AskPassword(prompt string) (string, error) { return ask(prompt, true) }

func ask(prompt string, password bool) (string, error) {
	if host := cell.CurrentHost(); host != nil {
		return host.Input(prompt, password)
	}
	fmt.Print(prompt)
	line, err := bufio.NewReader(os.Stdin).ReadString('\n')
	if err != nil && (err != io.EOF || line == "") {
		return "", fmt.Errorf("read the answer to %q: %w", prompt, err)
	}
	return strings.TrimRight(line, "\r\n"), nil
}

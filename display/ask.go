package display

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/gopherwarp/gopherwarp/internal/cellruntime/cell"
)

// Ask shows a prompt and waits for the person's line, without its end. It fails where
// nobody can be asked, as when a notebook is run without a front end. Outside a notebook it
// reads standard input.
//
//	name := must(display.Ask("Your name? "))
func Ask(prompt string) (string, error) { return ask(prompt, false) }

// AskPassword is Ask for what must not be seen as it is typed.
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

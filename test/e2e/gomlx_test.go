package e2e

import (
	"fmt"
	"math"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/internal/nbformat"
)

// gomlxCell is the text of the lesson that fetches GoMLX, and the code that uses it.
var gomlxCell = regexp.MustCompile("(?s)`(%get (github.com/gomlx/gomlx@[^`]*))`.*?```go\n(.*?)```")

// TestGoMLX trains the network of the lesson on training with GoMLX, as the lesson shows it, and compares the losses: GoMLX has its own
// derivatives, of the same network with the same weights.
func TestGoMLX(t *testing.T) {
	t.Parallel()
	nb, err := nbformat.Read(filepath.Join("..", "..", "notebooks", "solutions", "4-applications", "training.ipynb"))
	if err != nil {
		t.Fatal(err)
	}
	n := open(t)
	for _, cell := range nb.Cells {
		source := cell.Source()
		if !cell.IsCode() {
			if m := gomlxCell.FindStringSubmatch(source); m != nil {
				compareGoMLX(t, n, m[1], m[2], m[3])
				return
			}
			continue
		}
		if !strings.HasPrefix(source, "%") && !strings.Contains(source, "verify.") {
			n.run(source)
		}
	}
	t.Fatal("the lesson has no text with GoMLX")
}

// compareGoMLX runs code that prints GoMLX's loss and ours.
func compareGoMLX(t *testing.T, n *notebook, get, module, code string) {
	t.Helper()
	if out, err := exec.CommandContext(t.Context(), "go", "mod", "download", module).CombinedOutput(); err != nil {
		t.Skipf("SKIPPED: GoMLX can't be fetched: %v, %s", err, out)
	}
	n.run(get)
	o := n.run(code)
	var theirs, ours float64
	if _, err := fmt.Sscan(lastLine(o.stdout), &theirs, &ours); err != nil {
		t.Fatalf("printed %q: %v", o.stdout, err)
	}
	if math.Abs(theirs-ours) > 1e-3*theirs || theirs > 0.9 {
		t.Errorf("the loss after 100 steps is %v with GoMLX and %v with arrays", theirs, ours)
	}
	t.Logf("GoMLX %v, arrays %v", theirs, ours)
}

func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return lines[len(lines)-1]
}

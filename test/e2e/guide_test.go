package e2e

import (
	"os"
	"strings"
	"testing"
)

// TestGuide checks that the marked examples of the guide give the results in
// their // comments.
func TestGuide(t *testing.T) {
	text, err := os.ReadFile("../../docs/guide.md")
	if err != nil {
		t.Fatal(err)
	}
	n := open(t)
	n.run("%gpu sim:x2")
	marked := strings.Split(string(text), "<!-- test -->\n```go\n")[1:]
	if len(marked) < 4 {
		t.Fatalf("the guide has %d examples that are marked", len(marked))
	}
	for _, rest := range marked {
		example, _, _ := strings.Cut(rest, "```\n")
		var want string
		for line := range strings.Lines(example) {
			if _, comment, ok := strings.Cut(line, "// "); ok && strings.HasPrefix(line, "fmt.Println(") {
				want += comment
			}
		}
		if got := n.run(example).stdout; got != want {
			t.Errorf("%s\nprints %q, want %q", example, got, want)
		}
	}
}

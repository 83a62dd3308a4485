package course

import (
	_ "embed"
	"fmt"
	"regexp"
	"strings"
)

//go:embed template.md
var template string

var lessonPath = regexp.MustCompile(`^([a-z0-9][a-z0-9-]*)/([a-z][a-z0-9-]*)$`)

// Template returns the source of a small lesson with that path, for authors to change.
func Template(path string) ([]byte, error) {
	m := lessonPath.FindStringSubmatch(path)
	if m == nil {
		return nil, fmt.Errorf("%q is no path of a lesson: write MODULE/NAME in small letters, digits and -, such as 1-mine/dot", path)
	}
	words := strings.ReplaceAll(m[2], "-", " ")
	module := strings.ReplaceAll(m[1], "-", " ")
	return []byte(strings.NewReplacer(
		"TITLE", strings.ToUpper(words[:1])+words[1:], "MODULE", module,
	).Replace(template)), nil
}

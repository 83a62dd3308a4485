package install

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// Program is a gopherwarp: the one that runs, for Examine.
type Program struct {
	Path    string // absolute
	Version string
}

// versionTime is how long another gopherwarp may take to say its version.
const versionTime = 10 * time.Second

// differs returns what is wrong with another gopherwarp if it is not of the version of p, and otherwise "".
func (p Program) differs(ctx context.Context, path string) string {
	if sameFile(p.Path, path) {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, versionTime)
	defer cancel()
	line, err := output(ctx, path, "version")
	if err != nil {
		return fmt.Sprintf("%s does not run: %v", path, err)
	}
	if version := strings.TrimPrefix(line, "gopherwarp "); version != p.Version {
		return fmt.Sprintf("%s is version %s", path, version)
	}
	return ""
}

func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

// lookProgram checks that all programs of this name on the PATH are of one version: a shell, Jupyter and a notebook may each find another.
func lookProgram(ctx context.Context, m *machine) (string, *trouble) {
	found := m.program.Version + " in " + m.program.Path
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		path, err := exec.LookPath(filepath.Join(dir, "gopherwarp"))
		if err != nil {
			continue
		}
		if problem := m.program.differs(ctx, path); problem != "" {
			return found, &trouble{"on the PATH there is another gopherwarp: " + problem, "which -a gopherwarp   # keep one, and remove the others or their folders from the PATH"}
		}
	}
	return found, nil
}

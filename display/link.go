package display

import (
	"fmt"
	"html"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
)

// link is a list of links to files.
type link struct {
	paths []string
	more  int // that are left out
}

// FileLink returns a link to a file, which JupyterLab opens. The file must be in the notebook's directory or below it, since Jupyter serves no
// others.
func FileLink(path string) (Bundle, error) {
	if _, err := os.Stat(path); err != nil {
		return nil, fmt.Errorf("link to a file: %w", err)
	}
	path, err := served(path)
	if err != nil {
		return nil, err
	}
	return link{paths: []string{path}}, nil
}

// maxLinks is the maximum number of links that FileLinks returns.
const maxLinks = 200

// FileLinks returns links to the files in a directory and those below it, without hidden ones, in lexical order. Of more than 200 the first
// ones are linked.
func FileLinks(dir string) (Bundle, error) {
	var l link
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		hidden := strings.HasPrefix(d.Name(), ".") && path != dir
		switch {
		case d.IsDir() && hidden:
			return fs.SkipDir
		case d.IsDir() || hidden:
			return nil
		case len(l.paths) == maxLinks:
			l.more++
			return nil
		}
		path, err = served(path)
		l.paths = append(l.paths, path)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("link to the files of a directory: %w", err)
	}
	return l, nil
}

// served returns a path as one below the working directory.
func served(path string) (string, error) {
	here, err := os.Getwd()
	if err != nil {
		return "", fmt.Errorf("link to %s: %w", path, err)
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", fmt.Errorf("link to %s: %w", path, err)
	}
	rel, err := filepath.Rel(here, abs)
	if err != nil || !filepath.IsLocal(rel) {
		return "", fmt.Errorf("link to %s: it is not below the notebook's directory %s, and Jupyter does not serve it: copy it there", path, here)
	}
	return filepath.ToSlash(rel), nil
}

// MIMEBundle returns the links, and the paths as text.
func (l link) MIMEBundle() map[string]any {
	var lines []string
	for _, p := range l.paths {
		at := url.URL{Path: p}
		href := at.EscapedPath()
		if strings.Contains(strings.SplitN(href, "/", 2)[0], ":") {
			href = "./" + href // not a scheme
		}
		lines = append(lines, fmt.Sprintf(`<a href="%s" target="_blank">%s</a>`, html.EscapeString(href), html.EscapeString(p)))
	}
	text := strings.Join(l.paths, "\n")
	switch {
	case l.more > 0:
		note := fmt.Sprintf("and %d more", l.more)
		lines, text = append(lines, note), text+"\n"+note
	case len(l.paths) == 0:
		return map[string]any{"text/plain": "(no files)"}
	}
	return map[string]any{"text/html": strings.Join(lines, "<br>\n"), "text/plain": text}
}

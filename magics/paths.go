package magics

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/gopherwarp/gopherwarp/internal/cellruntime/prochost"
	"github.com/gopherwarp/gopherwarp/internal/completion"
	"github.com/gopherwarp/gopherwarp/internal/session"
)

// takesPath matches the usage of magics with a path among their arguments, and takesFolder that of those whose paths are directories.
var (
	takesPath   = regexp.MustCompile(`\b(?:FILE|FOLDER|PATH)\b|^COMMAND$`)
	takesFolder = regexp.MustCompile(`^\[?FOLDER\]?$`)
)

// maxPaths is the maximum number of paths that are proposed.
const maxPaths = 500

// completePath proposes the paths that begin like the last word of a line. typed is the part of it that they replace.
func (e *Engine) completePath(ctx context.Context, line string, onlyFolders bool) (items []completion.Item, typed string) {
	typed, value, quoted := lastWord(line)
	around := e.surroundingsNow(ctx)
	dir, base := filepath.Split(value)
	in, err := around.path(dir)
	if dir == "" {
		in, err = around.Dir, nil
	}
	if err != nil || in == "" {
		return nil, typed
	}
	entries, err := os.ReadDir(in)
	if err != nil {
		return nil, typed
	}
	keep := typed[:len(typed)-len(lastPart(typed))] // the directory as it was written
	for _, entry := range entries {
		name := entry.Name()
		if !strings.HasPrefix(name, base) || strings.HasPrefix(name, ".") && !strings.HasPrefix(base, ".") || strings.ContainsAny(name, "\n\r") {
			continue
		}
		info, err := os.Stat(filepath.Join(in, name)) // follows links
		folder := err == nil && info.IsDir()
		if onlyFolders && !folder {
			continue
		}
		kind := "file"
		if !quoted {
			name = special.ReplaceAllString(name, `\$0`)
		}
		if folder {
			kind, name = "folder", name+"/"
		}
		if items = append(items, completion.Item{Text: keep + name, Kind: kind}); len(items) == maxPaths {
			break
		}
	}
	return items, typed
}

// special matches the characters that a shell does not take as a part of a word.
var special = regexp.MustCompile("[\\s'\"\\\\$&;|<>()*?\\[\\]{}!#`]")

// lastPart returns what follows the last slash of a path.
func lastPart(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }

// lastWord returns the last word of a command: as it was typed, without an opening quote, and its value.
func lastWord(line string) (typed, value string, quoted bool) {
	var word strings.Builder
	start := 0
	var quote byte
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case quote == 0 && c == '\\' && i+1 < len(line):
			i++
			word.WriteByte(line[i])
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '\'' || c == '"'):
			quote = c
			if word.Len() == 0 {
				start = i + 1
			}
		case quote == 0 && strings.IndexByte(" \t=|&;<>(`", c) >= 0:
			word.Reset()
			start = i + 1
		default:
			word.WriteByte(c)
		}
	}
	return line[start:], word.String(), quote != 0
}

// surroundingsNow returns the directory and the environment of the session process or, while a cell runs, those of the last time: completion
// does not wait for cells.
func (e *Engine) surroundingsNow(ctx context.Context) surroundings {
	reply, ok, err := e.session.TryCall(ctx, prochost.CallState, func([]session.Declared) ([]byte, error) { return json.Marshal(struct{}{}) })
	e.mu.Lock()
	defer e.mu.Unlock()
	var now surroundings
	if ok && err == nil && json.Unmarshal(reply, &now.State) == nil {
		e.around = now
	}
	if e.around.Dir == "" {
		e.around.Dir, _ = os.Getwd()
		e.around.Env = os.Environ()
	}
	return e.around
}

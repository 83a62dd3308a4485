package nbformat

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gopherwarp/gopherwarp/internal/intact"
)

// Notebook is a notebook file. Fields that this package does not use are kept as
// they were read.
type Notebook struct {
	Cells []*Cell
	doc   map[string]any
}

// Cell is one cell of a notebook.
type Cell struct {
	doc map[string]any
}

// Read reads a notebook of nbformat 4.
func Read(path string) (*Notebook, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read notebook: %w", err)
	}
	nb, err := Decode(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return nb, nil
}

// Decode decodes the text of a notebook file.
func Decode(data []byte) (*Notebook, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber() // numbers of unknown fields must not change
	nb := new(Notebook)
	if err := d.Decode(&nb.doc); err != nil {
		return nil, fmt.Errorf("not a notebook: %w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("not a notebook: text after its end")
	}
	switch major := fmt.Sprint(nb.doc["nbformat"]); major {
	case "4":
	case "1", "2", "3":
		return nil, fmt.Errorf("nbformat is %s: convert it with 'jupyter nbconvert --to notebook --nbformat 4'", major)
	default:
		return nil, errors.New("not a notebook of nbformat 4")
	}
	list, ok := nb.doc["cells"].([]any)
	if !ok {
		return nil, errors.New("damaged notebook: cells is not a list")
	}
	for i, item := range list {
		doc, ok := item.(map[string]any)
		if !ok {
			return nil, fmt.Errorf("damaged notebook: cell %d is not an object", i+1)
		}
		if _, err := text(doc["source"]); err != nil {
			return nil, fmt.Errorf("damaged notebook: source of cell %d: %w", i+1, err)
		}
		nb.Cells = append(nb.Cells, &Cell{doc})
	}
	return nb, nil
}

// text returns a value that nbformat stores either as a string or as a list of lines.
func text(v any) (string, error) {
	switch v := v.(type) {
	case string:
		return v, nil
	case []any:
		var b strings.Builder
		for _, line := range v {
			s, ok := line.(string)
			if !ok {
				return "", errors.New("a line is not a string")
			}
			b.WriteString(s)
		}
		return b.String(), nil
	}
	return "", errors.New("neither a string nor a list of lines")
}

// Encode returns the text of the notebook file as Jupyter writes it: sorted keys, an
// indent of one space. The format becomes 4.5 if it was older.
func (nb *Notebook) Encode() ([]byte, error) {
	nb.upgrade()
	var buf bytes.Buffer
	e := json.NewEncoder(&buf)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	if err := e.Encode(nb.doc); err != nil {
		return nil, fmt.Errorf("encode notebook: %w", err)
	}
	return buf.Bytes(), nil
}

// upgrade sets the id of every cell, as nbformat 4.5 requires. Ids are by position, so
// that two runs of one file write the same text.
func (nb *Notebook) upgrade() {
	if minor, ok := nb.doc["nbformat_minor"].(json.Number); ok {
		if n, err := minor.Int64(); err == nil && n >= 5 {
			return
		}
	}
	nb.doc["nbformat_minor"] = 5
	taken := make(map[string]bool)
	for _, c := range nb.Cells {
		taken[c.ID()] = true
	}
	for i, c := range nb.Cells {
		if c.ID() != "" {
			continue
		}
		id := fmt.Sprintf("cell-%d", i+1)
		for taken[id] {
			id += "x"
		}
		taken[id] = true
		c.doc["id"] = id
	}
}

// Write writes the notebook file. The old file stays intact until the new one is complete. What is not a file, such as
// /dev/null or a named pipe, is written to, not replaced.
func (nb *Notebook) Write(path string) error {
	data, err := nb.Encode()
	if err != nil {
		return err
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real // replace the target of a symbolic link, not the link
	}
	write, mode := intact.Write, os.FileMode(0o644)
	if info, err := os.Stat(path); err == nil {
		mode = info.Mode().Perm()
		if !info.Mode().IsRegular() {
			write = os.WriteFile
		}
	}
	if err := write(path, data, mode); err != nil {
		return fmt.Errorf("write notebook: %w", err)
	}
	return nil
}

// Language returns the programming language in the notebook's metadata, in lower case,
// and the name of its kernel. Both may be empty.
func (nb *Notebook) Language() (language, kernel string) {
	meta, _ := nb.doc["metadata"].(map[string]any)
	spec, _ := meta["kernelspec"].(map[string]any)
	info, _ := meta["language_info"].(map[string]any)
	kernel, _ = spec["name"].(string)
	language, _ = spec["language"].(string)
	if language == "" {
		language, _ = info["name"].(string)
	}
	return strings.ToLower(language), kernel
}

// metadata returns the notebook's metadata, which it makes if there are none.
func (nb *Notebook) metadata() map[string]any {
	meta, ok := nb.doc["metadata"].(map[string]any)
	if !ok {
		meta = make(map[string]any)
		nb.doc["metadata"] = meta
	}
	return meta
}

// SetKernel records the kernel that ran the notebook: the language as the kernel
// describes it, and the kernelspec if the notebook has none.
func (nb *Notebook) SetKernel(language map[string]any, name, displayName string) {
	meta := nb.metadata()
	meta["language_info"] = language
	if meta["kernelspec"] == nil {
		meta["kernelspec"] = map[string]any{"name": name, "display_name": displayName, "language": language["name"]}
	}
}

// ID returns the cell's id; empty before nbformat 4.5.
func (c *Cell) ID() string {
	id, _ := c.doc["id"].(string)
	return id
}

// IsCode reports whether the cell can be run.
func (c *Cell) IsCode() bool { return c.doc["cell_type"] == "code" }

// Source returns the text of the cell.
func (c *Cell) Source() string {
	s, _ := text(c.doc["source"]) // it was checked when it was read
	return s
}

// HasTag reports whether the cell has a tag.
func (c *Cell) HasTag(tag string) bool {
	meta, _ := c.doc["metadata"].(map[string]any)
	tags, _ := meta["tags"].([]any)
	return slices.Contains(tags, any(tag))
}

// Outputs returns the outputs of the cell, in the form in which the file stores them.
func (c *Cell) Outputs() []any {
	list, _ := c.doc["outputs"].([]any)
	return list
}

// setResult replaces the cell's outputs. A count of 0 means that it did not run.
func (c *Cell) setResult(outputs []any, count int) {
	c.doc["outputs"] = outputs
	c.doc["execution_count"] = nil
	if count > 0 {
		c.doc["execution_count"] = count
	}
}

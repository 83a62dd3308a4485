package course

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

// Item is a topic that the course must cover.
type Item struct {
	ID, Text string
	Dropped  string // why the course leaves it out, or ""
	Page     string // the reference page that has it, or ""
}

// Inventory reads the topics that the whole course must cover: a line for each item, with its name and a description. A course without
// inventory.txt has none.
func Inventory(fsys fs.FS) ([]Item, error) {
	text, err := fs.ReadFile(fsys, "inventory.txt")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var items []Item
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		id, what, ok := strings.Cut(line, " ")
		if !ok {
			return nil, fmt.Errorf("inventory.txt: %q: want a name and a description", line)
		}
		what, why, _ := strings.Cut(what, " -- dropped:")
		what, page, _ := strings.Cut(what, " -- page:")
		items = append(items, Item{id, strings.TrimSpace(what), strings.TrimSpace(why), strings.TrimSpace(page)})
	}
	return items, nil
}

// Coverage returns a page with the lessons that cover each item.
func Coverage(items []Item, lessons []*Lesson) []byte {
	covered, dropped := 0, 0
	var rows strings.Builder
	for _, item := range items {
		var links []string
		if item.Page != "" {
			links = append(links, fmt.Sprintf("[%s](reference/%s.md)", item.Page, item.Page))
		}
		for _, l := range lessons {
			if slices.Contains(l.Covers, item.ID) {
				links = append(links, fmt.Sprintf("[%s](../notebooks/%s.ipynb)", l.Title, l.Path))
			}
		}
		where := "to come"
		switch {
		case len(links) > 0:
			where = strings.Join(links, ", ")
			covered++
		case item.Dropped != "":
			where = "dropped"
			dropped++
		}
		fmt.Fprintf(&rows, "| %s | %s | %s | %s |\n", item.ID, inTable(item.Text), where, inTable(item.Dropped))
	}
	return fmt.Appendf(nil, `# What the course covers

Built by "make notebooks" from course/inventory.txt and the field covers of each lesson. An item counts where a learner does something with it: runs,
changes, answers or writes; what is only looked up is on a page. %d of %d items are covered, %d are dropped, for the reason in the last column, and %d are to come. Those that begin
with X are mistakes that are often seen in texts about GPU programming: lessons correct them or have the reader find them.

| item | what | lesson | why not |
|---|---|---|---|
%s`, covered, len(items), dropped, len(items)-covered-dropped, rows.String())
}

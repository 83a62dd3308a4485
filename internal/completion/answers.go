package completion

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
)

// itemKinds are the kinds of gopls's completion items, by LSP's numbers.
var itemKinds = map[int]string{
	2: kindMethod, 3: kindFunc, 5: kindField, 6: kindVar, 7: kindType, 8: kindType, 9: kindPackage,
	14: kindKeyword, 21: kindConst, 22: kindType, 25: kindType,
}

// items waits for completions and returns them.
func (c *call) items(ctx context.Context) ([]Item, error) {
	var list struct {
		Items []struct {
			Label, Detail string
			Kind          int
		}
	}
	if err := c.Wait(ctx, &list); err != nil {
		return nil, fmt.Errorf("complete by gopls: %w", err)
	}
	var items []Item
	for _, i := range list.Items {
		items = append(items, Item{Text: i.Label, Kind: itemKinds[i.Kind], Detail: i.Detail})
	}
	return items, nil
}

// description waits for the text that is shown when the pointer hovers over a name,
// and returns it.
func (c *call) description(ctx context.Context) (Description, bool, error) {
	var hover struct{ Contents struct{ Value string } }
	if err := c.Wait(ctx, &hover); err != nil {
		return Description{}, false, fmt.Errorf("describe by gopls: %w", err)
	}
	if hover.Contents.Value == "" {
		return Description{}, false, nil
	}
	var said struct{ Signature, FullDocumentation string }
	if err := json.Unmarshal([]byte(hover.Contents.Value), &said); err != nil {
		return Description{}, false, fmt.Errorf("describe by gopls: %w", err)
	}
	return Description{Language: "go", Signature: said.Signature, Doc: said.FullDocumentation}, said.Signature != "", nil
}

// source waits for the position of a name's declaration, and returns the declaration, or
// "" if there is none. dir is the workspace with the program's files.
func (c *call) source(ctx context.Context, p *program, dir, name string) (string, error) {
	var found []struct {
		URI   string
		Range struct{ Start position }
	}
	if err := c.Wait(ctx, &found); err != nil {
		return "", fmt.Errorf("find a declaration by gopls: %w", err)
	}
	if len(found) == 0 {
		return "", nil
	}
	u, err := url.Parse(found[0].URI)
	if err != nil {
		return "", fmt.Errorf("find a declaration by gopls: %w", err)
	}
	own, _ := strings.CutPrefix(u.Path, dir+"/")
	return declarationIn(u.Path, p.files[own], name, found[0].Range.Start.Line+1).source, nil
}

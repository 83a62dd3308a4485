package completion

import (
	"cmp"
	"context"
	"errors"
	"go/token"
	"go/types"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/gopherwarp/gopherwarp/internal/session"
)

const (
	// patience is the default of Config.Patience. Gopls usually answers much sooner, except when it has just been started,
	// or when it has to read a package for the first time.
	patience = 300 * time.Millisecond
	// retryAfter is the time after a failure of gopls until it is started again.
	retryAfter = 30 * time.Second
)

// Config is the configuration of an Editor.
type Config struct {
	// Session returns the state of the session; nil if it is not ready.
	Session func() *session.Knowledge
	// Gopls is the path of gopls, which is started when it is first needed; "" for none.
	Gopls string
	Cache string // directory for gopls's cache
	// Idle is the time without a request after which gopls is stopped; 0 for never.
	Idle time.Duration
	// Patience is the maximum time that a request waits for gopls; 0 for the default.
	Patience time.Duration
}

// An Editor completes and describes names in cells. Its methods may be called from any goroutine.
type Editor struct {
	config Config
	basic  basic

	mu     sync.Mutex // guards the fields below; never held while waiting for gopls
	writer writer
	gopls  *gopls
	failed time.Time
	users  int // number of requests in progress
	// patience is less than the configured one while gopls is slow.
	patience time.Duration
	idle     *time.Timer
	closed   bool
}

// New returns an editor.
func New(config Config) *Editor {
	src := &sources{}
	return &Editor{
		config: config, patience: cmp.Or(config.Patience, patience),
		basic: basic{sources: src}, writer: writer{sources: src, imported: map[string]map[string]bool{}},
	}
}

// Close stops gopls.
func (e *Editor) Close() {
	e.mu.Lock()
	g := e.gopls
	e.closed, e.gopls = true, nil
	e.mu.Unlock()
	if g != nil {
		g.stop()
	}
}

// Complete returns the possible completions at a byte offset of a cell's Go text, the likeliest first, and the offset in the
// text where they begin.
func (e *Editor) Complete(ctx context.Context, text string, offset int) (items []Item, start int) {
	ctx, end := e.begin(ctx)
	defer end()
	c := newCell(text, offset)
	k := e.config.Session()
	if lit, inside := c.literal(); inside {
		if k != nil && c.isImport(lit) {
			return importPaths(k, c.text[lit.start+1:c.offset]), lit.start + 1
		}
		return nil, offset
	}
	start, word := c.word()
	selecting := strings.HasSuffix(c.text[:start], ".")
	switch {
	case k == nil && selecting:
		return nil, start
	case k == nil:
		items = universe()
	default:
		items = e.completeGo(ctx, k, c)
	}
	if !selecting {
		items = append(items, c.words(k)...)
	}
	return matching(items, word), start
}

func (e *Editor) completeGo(ctx context.Context, k *session.Knowledge, c *cell) []Item {
	p, asked := e.ask(ctx, k, c, "textDocument/completion")
	if asked != nil {
		items, err := asked.items(ctx)
		e.note(err)
		if err == nil && len(items) > 0 {
			return items
		}
	}
	return e.basic.complete(k, c, p)
}

// Describe returns the description of the name at a byte offset of a cell's Go text, or of the function in the call around
// it. It includes the source if whole is set.
func (e *Editor) Describe(ctx context.Context, text string, offset int, whole bool) (Description, bool) {
	ctx, end := e.begin(ctx)
	defer end()
	k := e.config.Session()
	if k == nil {
		return Description{}, false
	}
	text, offset = NameAt(text, offset)
	if offset < 0 {
		return Description{}, false
	}
	c := newCell(text, offset)
	if _, inside := c.literal(); inside {
		return Description{}, false
	}
	return e.describeGo(ctx, k, c, whole)
}

// describeGo uses go/types first, unlike completeGo: it has the same information on a name, and gopls checks the whole
// package that declares it each time.
func (e *Editor) describeGo(ctx context.Context, k *session.Knowledge, c *cell, whole bool) (Description, bool) {
	e.mu.Lock()
	p := e.writer.program(k, c)
	e.mu.Unlock()
	if d, ok := e.basic.describe(k, c, p); ok {
		if !whole {
			d.Source = ""
		}
		return d, true
	}
	_, asked := e.ask(ctx, k, c, "textDocument/hover")
	if asked == nil {
		return Description{}, false
	}
	d, found, err := asked.description(ctx)
	e.note(err)
	if found && whole {
		d.Source = e.source(ctx, k, c)
	}
	return d, found
}

// source returns the declaration of the name at the cursor, by gopls, or "".
func (e *Editor) source(ctx context.Context, k *session.Knowledge, c *cell) string {
	p, asked := e.ask(ctx, k, c, "textDocument/definition")
	if asked == nil {
		return ""
	}
	_, name := c.name()
	text, err := asked.source(ctx, p, workspace(k.ModuleDir), name)
	e.note(err)
	return text
}

// NameAt returns the offset of the name that contains the offset or ends at it, or of the function's name in the call around
// it, or -1. It inserts a name after a dot without one.
func NameAt(text string, offset int) (string, int) {
	text = strings.ReplaceAll(text, "\r", " ")
	if offset > 0 && text[offset-1] == '.' && !isWord(runeAt(text, offset)) {
		text = text[:offset] + "_" + text[offset:]
		offset--
	}
	if start, name := (&cell{text: text, offset: offset}).name(); token.IsIdentifier(name) {
		return text, start
	}
	c := &cell{text: text, offset: offset}
	c.scan()
	end := c.callee()
	if end < 0 {
		return text, -1
	}
	return text, wordStart(text, end)
}

// ask makes the program of a cell and sends a request about the cursor to gopls. The call is nil if gopls is not ready in time.
func (e *Editor) ask(ctx context.Context, k *session.Knowledge, c *cell, method string) (*program, *call) {
	g := e.running(k)
	if g != nil {
		select {
		case <-g.ready:
		case <-ctx.Done():
			e.note(ctx.Err())
			go e.catchUp(g, k, c, method)
			g = nil
		}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	p := e.writer.program(k, c)
	if g == nil || g != e.gopls {
		return p, nil
	}
	err := g.err
	if err == nil {
		var asked *call
		if asked, err = g.ask(p, method); err == nil {
			return p, asked
		}
	}
	e.fail(g)
	return p, nil
}

// catchUp sends a request for which gopls was not ready in time. The response is not used, but makes the next one fast.
func (e *Editor) catchUp(g *gopls, k *session.Knowledge, c *cell, method string) {
	<-g.ready
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.gopls != g || g.err != nil {
		return
	}
	if _, err := g.ask(e.writer.program(k, c), method); err != nil {
		e.fail(g)
	}
}

// running returns gopls, which it starts if necessary, or nil if it is not available.
func (e *Editor) running(k *session.Knowledge) *gopls {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.gopls != nil && (!e.gopls.alive() || e.gopls.from != k.ModuleDir) {
		e.fail(e.gopls)
	}
	if e.closed || e.config.Gopls == "" || time.Since(e.failed) < retryAfter {
		return nil
	}
	if e.gopls == nil {
		e.gopls = startGopls(e.config.Gopls, e.config.Cache, k.ModuleDir, k.GoEnv())
	}
	return e.gopls
}

// begin records that a request is in progress until end is called, and limits its time.
func (e *Editor) begin(ctx context.Context) (patient context.Context, end func()) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.users++
	if e.idle != nil {
		e.idle.Stop()
	}
	patient, cancel := context.WithTimeout(ctx, e.patience)
	return patient, func() {
		cancel()
		e.mu.Lock()
		defer e.mu.Unlock()
		e.users--
		if e.users == 0 && e.config.Idle > 0 {
			e.idle = time.AfterFunc(e.config.Idle, e.rest)
		}
	}
}

// rest stops gopls and frees the memory of packages if no request is in progress.
func (e *Editor) rest() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.users > 0 {
		return
	}
	e.basic.forget()
	if e.gopls != nil {
		e.gopls.kill()
		e.gopls = nil
	}
}

// note adapts to the result of a request. A gopls that has exited is not used for some time. If it is late, as on a machine
// where cells use all processors, later requests wait for less time until one is in time again.
func (e *Editor) note(err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	full := cmp.Or(e.config.Patience, patience)
	switch {
	case err == nil:
		e.patience = full
	case errors.Is(err, context.DeadlineExceeded):
		e.patience = max(e.patience/2, full/10)
	case errors.Is(err, jsonrpc2.ErrClosed) && e.gopls != nil && !e.gopls.alive():
		e.fail(e.gopls)
	}
}

// fail kills a gopls that does not work. e.mu is held.
func (e *Editor) fail(g *gopls) {
	g.kill()
	if e.gopls == g {
		e.gopls, e.failed = nil, time.Now()
	}
}

// matching returns the items that begin with word, ignoring case, without duplicates.
func matching(items []Item, word string) []Item {
	seen := map[string]bool{}
	var found []Item
	for _, i := range items {
		if len(i.Text) >= len(word) && strings.EqualFold(i.Text[:len(word)], word) && !seen[i.Text] && i.Text != "_" {
			seen[i.Text] = true
			found = append(found, i)
		}
	}
	// Those in the same case come first, and packages that most programs do not import last.
	slices.SortStableFunc(found, func(a, b Item) int {
		return cmp.Or(cmp.Compare(caseRank(a.Text, word), caseRank(b.Text, word)), cmp.Compare(rareRank(a), rareRank(b)))
	})
	return found
}

// frequent are the packages that are imported most.
var frequent = strings.Fields("bufio bytes context cmp display errors fmt gpu io json http maps math nd os plot rand regexp slices sort strconv strings sync time verify")

func rareRank(i Item) int {
	if i.Kind == kindPackage && !slices.Contains(frequent, i.Text) {
		return 1
	}
	return 0
}

func caseRank(text, word string) int {
	if strings.HasPrefix(text, word) {
		return 0
	}
	return 1
}

// words returns keywords and packages, which follow all other completions.
func (c *cell) words(k *session.Knowledge) []Item {
	var items []Item
	for tok := token.BREAK; tok <= token.VAR; tok++ {
		items = append(items, Item{Text: tok.String(), Kind: kindKeyword})
	}
	if k == nil {
		return items
	}
	for _, path := range slices.Concat(k.Own(), k.Std()) {
		items = append(items, Item{Text: packageName(path), Kind: kindPackage, Detail: strconv.Quote(path)})
	}
	for _, name := range slices.Sorted(maps.Keys(k.Imports)) {
		if k.Imports[name] == session.CellImport {
			continue // an import of generated code
		}
		items = append(items, Item{Text: name, Kind: kindPackage, Detail: strconv.Quote(k.Imports[name])})
	}
	return items
}

// universe returns Go's predeclared names.
func universe() []Item {
	v := &view{}
	var items []Item
	for _, name := range types.Universe.Names() {
		items = append(items, v.item(types.Universe.Lookup(name)))
	}
	return items
}

// isImport reports whether a string is the path of an import.
func (c *cell) isImport(lit lexeme) bool {
	p := c.pieces[len(c.pieces)-1]
	return lit.Token == token.STRING && p.decl && strings.HasPrefix(c.text[p.first:], "import")
}

// importPaths returns the packages that can be imported without fetching them.
func importPaths(k *session.Knowledge, begun string) []Item {
	paths := slices.Concat(k.Own(), k.Std())
	for path := range k.Exports {
		if !slices.Contains(strings.Split(path, "/"), "internal") && !strings.HasPrefix(path, "vendor/") {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	var items []Item
	for _, path := range slices.Compact(paths) {
		items = append(items, Item{Text: path, Kind: kindPackage, Detail: filepath.Base(path)})
	}
	return matching(items, begun)
}

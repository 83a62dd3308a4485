package nbformat

import (
	"bytes"
	"encoding/json"
	"strings"
	"sync"

	"github.com/gopherwarp/gopherwarp/kernel"
)

// recorder converts the messages of all cells of a run to stored outputs. Messages may
// come for a cell that has ended: late output and updates of a display belong to it.
type recorder struct {
	mu       sync.Mutex
	cells    map[*Cell]*record
	displays map[string][]*output // by display id, in any cell
	widgets  widgets
}

// record has the outputs of one cell.
type record struct {
	outputs []*output
	clear   bool // whether the next output replaces the others
}

// output is one entry of a cell's outputs.
type output struct {
	kind     string // output_type
	name     string // of a stream
	text     strings.Builder
	data     map[string]any
	metadata map[string]any
	count    int
	failure  kernel.ExecuteReply
}

// content has the fields of all iopub messages that make outputs.
type content struct {
	Name      string
	Text      string
	Data      map[string]any
	Metadata  map[string]any
	Transient struct {
		DisplayID string `json:"display_id"`
	}
	Wait  bool
	Count int `json:"execution_count"`
	kernel.ExecuteReply
}

func newRecorder() *recorder {
	return &recorder{cells: make(map[*Cell]*record), displays: make(map[string][]*output), widgets: widgets{open: map[string]*widget{}}}
}

// add adds one message of a cell.
func (r *recorder) add(cell *Cell, m *kernel.Message) {
	r.widgets.add(m)
	switch m.Header.Type {
	case "stream", "display_data", "update_display_data", "execute_result", "error", "clear_output":
	default:
		return
	}
	var c content
	d := json.NewDecoder(bytes.NewReader(m.Content))
	d.UseNumber() // large integers in data must not lose digits
	if d.Decode(&c) != nil {
		return // a message that is not valid has no output
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	rec := r.cells[cell]
	if rec == nil {
		rec = new(record)
		r.cells[cell] = rec
	}
	switch m.Header.Type {
	case "clear_output":
		if rec.clear = c.Wait; !c.Wait {
			rec.outputs = nil
		}
	case "update_display_data":
		for _, o := range r.displays[c.Transient.DisplayID] {
			o.data, o.metadata = c.Data, c.Metadata
		}
	case "stream":
		rec.stream(c.Name).text.WriteString(c.Text)
	default:
		o := &output{kind: m.Header.Type, data: c.Data, metadata: c.Metadata, count: c.Count, failure: c.ExecuteReply}
		rec.append(o)
		if id := c.Transient.DisplayID; id != "" {
			r.displays[id] = append(r.displays[id], o)
		}
	}
}

func (r *record) append(o *output) {
	if r.clear {
		r.clear, r.outputs = false, nil
	}
	r.outputs = append(r.outputs, o)
}

// stream returns the output that text of a stream is added to: the last one, if it is
// of that stream.
func (r *record) stream(name string) *output {
	if n := len(r.outputs); n > 0 && !r.clear && r.outputs[n-1].kind == "stream" && r.outputs[n-1].name == name {
		return r.outputs[n-1]
	}
	o := &output{kind: "stream", name: name}
	r.append(o)
	return o
}

// stored returns the outputs of a cell in the form in which a notebook stores them.
func (r *recorder) stored(cell *Cell) []any {
	r.mu.Lock()
	defer r.mu.Unlock()
	list := []any{}
	if rec := r.cells[cell]; rec != nil {
		for _, o := range rec.outputs {
			list = append(list, o.stored())
		}
	}
	return list
}

func (o *output) stored() map[string]any {
	doc := map[string]any{"output_type": o.kind}
	switch o.kind {
	case "stream":
		doc["name"] = o.name
		doc["text"] = lines(o.text.String())
	case "error":
		doc["ename"], doc["evalue"] = o.failure.Name, o.failure.Value
		doc["traceback"] = append([]string{}, o.failure.Traceback...)
	default:
		data := make(map[string]any, len(o.data))
		for mime, v := range o.data {
			if s, ok := v.(string); ok && storedAsLines(mime) {
				v = lines(s)
			}
			data[mime] = v
		}
		doc["data"] = data
		doc["metadata"] = o.metadata
		if o.metadata == nil {
			doc["metadata"] = map[string]any{}
		}
		if o.kind == "execute_result" {
			doc["execution_count"] = o.count
		}
	}
	return doc
}

// storedAsLines reports whether Jupyter stores text of a MIME type as a list of lines, so
// that version control shows changes by line.
func storedAsLines(mime string) bool {
	return strings.HasPrefix(mime, "text/") || mime == "application/javascript" || mime == "image/svg+xml"
}

func lines(s string) []string {
	if s == "" {
		return []string{}
	}
	list := strings.SplitAfter(s, "\n")
	if list[len(list)-1] == "" {
		list = list[:len(list)-1]
	}
	return list
}

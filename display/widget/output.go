package widget

import (
	"encoding/base64"
	"fmt"
	"slices"

	"github.com/gopherwarp/gopherwarp/internal/cellruntime/valuefmt"
)

// maxOutputs is the maximum number of outputs in an Output: each change sends all of them.
const maxOutputs = 1000

// An Output is a part of the page for values and text.
type Output struct{ *Widget }

// NewOutput returns an empty Output.
func NewOutput(options ...Option) *Output {
	o := &Output{newWidget(outputArea, nil, options)}
	o.open()
	return o
}

// Show replaces what the Output holds by values, each as a cell's last expression is shown. It fails if the Output is closed.
func (o *Output) Show(values ...any) error {
	outputs := make([]any, len(values))
	for i, v := range values {
		outputs[i] = shownOutput(v)
	}
	return o.SetTrait("outputs", outputs)
}

// Append adds a value. Only the last thousand are kept. It fails if the Output is closed.
func (o *Output) Append(v any) error { return o.append(shownOutput(v)) }

// Printf adds text. It fails if the Output is closed.
func (o *Output) Printf(format string, args ...any) error {
	return o.append(map[string]any{"output_type": "stream", "name": "stdout", "text": fmt.Sprintf(format, args...)})
}

func (o *Output) append(output map[string]any) error {
	outputs, _ := o.get("outputs").([]any)
	outputs = append(slices.Clone(outputs), output)
	return o.SetTrait("outputs", outputs[max(0, len(outputs)-maxOutputs):])
}

// Clear removes everything. It fails if the Output is closed.
func (o *Output) Clear() error { return o.SetTrait("outputs", []any{}) }

// shownOutput returns a value as notebooks store it.
func shownOutput(v any) map[string]any {
	data, metadata, _ := valuefmt.Of(v)
	if data == nil {
		data = map[string]any{}
	}
	if data["text/plain"] == nil {
		data["text/plain"] = valuefmt.Text(v)
	}
	if metadata == nil {
		metadata = map[string]any{}
	}
	for mime, content := range data {
		if b, ok := content.([]byte); ok {
			data[mime] = base64.StdEncoding.EncodeToString(b)
		}
	}
	return map[string]any{"output_type": "display_data", "data": data, "metadata": metadata}
}

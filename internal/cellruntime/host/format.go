package host

import "github.com/gopherwarp/gopherwarp/internal/cellruntime/valuefmt"

// format returns the representations of a cell's result, and their metadata.
func format(values []any) (data, metadata map[string]any) {
	if len(values) == 1 {
		if data, metadata, ok := valuefmt.Of(values[0]); ok {
			if data["text/plain"] == nil {
				data["text/plain"] = valuefmt.Text(values...)
			}
			return data, metadata
		}
	}
	return map[string]any{"text/plain": valuefmt.Text(values...)}, nil
}

package host

import (
	"os"
	"strconv"

	"github.com/gopherwarp/gopherwarp/internal/cellruntime/proto"
	"github.com/gopherwarp/gopherwarp/internal/cellruntime/valuefmt"
)

// rows returns the number of elements that are shown of a long result. A value of RowsEnv that is not one is ignored.
func rows() int {
	if n, err := strconv.Atoi(os.Getenv(proto.RowsEnv)); err == nil && n >= 0 {
		return n
	}
	return valuefmt.DefaultRows
}

// format returns the representations of a cell's result, and their metadata.
func format(values []any) (data, metadata map[string]any) {
	if len(values) == 1 {
		if data, metadata, ok := valuefmt.Of(values[0]); ok {
			metadata = withAlt(data, metadata) // a text in Go's notation does not describe a picture
			if data["text/plain"] == nil {
				data["text/plain"] = valuefmt.Text(values...)
			}
			return data, metadata
		}
	}
	return map[string]any{"text/plain": valuefmt.Result(rows(), values...)}, nil
}

package verify

import (
	"fmt"
	"strings"
)

// The maximum size of a picture in characters.
const pictureWidth, pictureHeight = 64, 16

// picture returns a map of the wrong elements: a character for each part of the array, or of a table's rows and columns. It is empty if
// the examples are all wrong elements.
func (o *observation) picture() string {
	if o.count <= maxExamples || o.wrong == nil {
		return ""
	}
	columns, rows := o.n, 1
	if o.table.columns > 0 {
		columns, rows = o.table.columns, o.rows()
	}
	width, height := min(columns, pictureWidth), min(rows, pictureHeight)
	marks := make([]byte, width*height)
	for i, wrong := range o.wrong {
		at := &marks[i/columns*height/rows*width+i%columns*width/columns]
		switch {
		case wrong && o.poison[i]:
			*at |= 2
		case wrong:
			*at |= 4
		default:
			*at |= 1
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\n  where (. right, o unwritten, x wrong, * some of them):")
	for row := range height {
		b.WriteString("\n  ")
		for _, m := range marks[row*width : (row+1)*width] {
			b.WriteByte(".o*x***"[m-1])
		}
	}
	return b.String()
}

package widget

import (
	"errors"
	"fmt"
	"time"
)

// A File is a file that the user has chosen.
type File struct {
	Name     string
	Type     string // the MIME type
	Size     int
	Modified time.Time
	Content  []byte
}

// NewFileUpload returns a button to choose a file of the user's computer, or several with Trait("multiple", true). Trait("accept", ".png") and
// the like limits them. Contents are not repeated to the front end.
func NewFileUpload(options ...Option) *Control[[]File] {
	c := codec[[]File]{
		encode: func(files []File) any {
			all := make([]any, len(files))
			for i, f := range files {
				all[i] = map[string]any{"name": f.Name, "type": f.Type, "size": f.Size, "last_modified": f.Modified.UnixMilli(), "content": f.Content}
			}
			return all
		},
		decode: func(v any) ([]File, error) { return list(v, decodeFile) },
	}
	return newControl(fileUpload, "value", nil, c, nil, options)
}

func decodeFile(v any) (f File, err error) {
	m, ok := v.(map[string]any)
	if !ok {
		return f, fmt.Errorf("%s is not a file", shown(v))
	}
	f.Name, _ = m["name"].(string)
	f.Type, _ = m["type"].(string)
	if f.Content, ok = m["content"].([]byte); !ok {
		return f, errors.New("a file has no content")
	}
	f.Size = len(f.Content)
	if ms, err := number(m["last_modified"]); err == nil {
		f.Modified = time.UnixMilli(int64(ms))
	}
	return f, nil
}

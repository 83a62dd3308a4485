package kernel

import "testing"

func TestHelpSubject(t *testing.T) {
	for _, tt := range []struct {
		code, name string
		detail     int
	}{
		{"fmt.Println?", "fmt.Println", 0},
		{" ?größe \n", "größe", 0},
		{"x??", "x", 1},
		{"??x", "x", 1},
		{"%%cuda?", "%%cuda", 0},
		{"%help?", "%help", 0},
		{"x", "", 0},
		{"?", "", 0},
		{"?x?", "", 0},
		{"x???", "", 0},
		{"2?", "", 0},
		{"f(x)?", "", 0},
		{"x?\ny", "", 0},
		{"// why?", "", 0},
	} {
		name, detail, ok := helpSubject(tt.code)
		if name != tt.name || detail != tt.detail || ok != (tt.name != "") {
			t.Errorf("helpSubject(%q) = %q, %d, %v; want %q, %d", tt.code, name, detail, ok, tt.name, tt.detail)
		}
	}
}

package render

import (
	"html"
	"regexp"
	"strings"
	"testing"
)

func TestCUDA(t *testing.T) {
	const text = "   1  #include <a.h>\n   2  __global__ void f(float4 *x) { x[0] = 0x1fu + 2.5f; } // if\n   3  s = \"int <&>\"; c = 'a'; iffy = ifs;"
	page := CUDA(text)
	if got := html.UnescapeString(regexp.MustCompile(`</?span[^>]*>`).ReplaceAllString(page, "")); got != text {
		t.Errorf("the text is %q", got)
	}
	for word, style := range map[string]string{
		"#include": "keyword", "__global__": "keyword", "void": "variable-3", "float4": "variable-3", "0x1fu": "number", "2.5f": "number", "// if": "italic",
		html.EscapeString(`"int <&>"`): "string", html.EscapeString("'a'"): "string",
	} {
		if m := regexp.MustCompile(`<span style="([^"]*)">` + regexp.QuoteMeta(word) + "</span>").FindStringSubmatch(page); m == nil || !strings.Contains(m[1], style) {
			t.Errorf("%s has no colour %s in %s", word, style, page)
		}
	}
	if strings.Contains(page, ">if<") || strings.Contains(page, ">1<") || strings.Contains(page, ">3<") {
		t.Errorf("words of a comment or line numbers have colours: %s", page)
	}
}

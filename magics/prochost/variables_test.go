package prochost

import (
	"reflect"
	"strings"
	"testing"
)

func TestContent(t *testing.T) {
	var none map[string]int
	var nothing any
	n := 7
	for _, tc := range []struct {
		of   any
		want Content
	}{
		{new(int32), Content{Bytes: 4, Text: "0"}},
		{&[]float32{1, 2, 3}, Content{Bytes: 24 + 12, Text: "3 elements"}},
		{&[]string{"a"}, Content{Bytes: 24 + 16, Text: "1 element"}},
		{&[4]int16{}, Content{Bytes: 8, Text: "4 elements"}},
		{&map[int32]int32{1: 2}, Content{Bytes: 8 + 8, Text: "1 entry"}},
		{&none, Content{Bytes: 8, Text: "nil"}},
		{&nothing, Content{Bytes: 16, Text: "nil"}},
		{&[]any{1.5}[0], Content{Bytes: 16, Text: "float64"}},
		{&[]*int{&n}[0], Content{Bytes: 16}},
		{&[]string{"a\nb"}[0], Content{Bytes: 19, Text: `"a\nb"`}},
		{&[]string{strings.Repeat("ä", 100)}[0], Content{Bytes: 216, Text: `"` + strings.Repeat("ä", 32) + `"…`}},
		{&struct{ a, b int64 }{}, Content{Bytes: 16}},
		{&[]float32{0.1}[0], Content{Bytes: 4, Text: "0.1"}},
		{&[]func(){nil}[0], Content{Bytes: 8, Text: "nil"}},
	} {
		if got := content(reflect.ValueOf(tc.of).Elem()); got != tc.want {
			t.Errorf("%T %v: %+v, want %+v", tc.of, reflect.ValueOf(tc.of).Elem(), got, tc.want)
		}
	}
}

package prochost

import (
	"reflect"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/internal/cellruntime/cell"
)

func TestContent(t *testing.T) {
	var none map[string]int
	var nothing any
	n := 7
	type point struct{ X, Y int }
	type loop *loop // a pointer to itself
	var self loop
	self = &self
	for _, tc := range []struct {
		of   any
		want Content
	}{
		{new(int32), Content{Bytes: 4, Text: "0"}},
		{&[]float32{1, 2, 3}, Content{Bytes: 24 + 12, Text: "3 elements: [1 2 3]", Parts: true}},
		{&[]string{"a"}, Content{Bytes: 24 + 16, Text: `1 element: ["a"]`, Parts: true}},
		{&[][]byte{make([]byte, 1000)}[0], Content{Bytes: 1024, Text: "1000 elements: [" + strings.TrimRight(strings.Repeat("0 ", 24)[:47], " ") + "…", Parts: true}},
		{&[4]int16{}, Content{Bytes: 8, Text: "4 elements: [0 0 0 0]", Parts: true}},
		{&map[int32]int32{1: 2}, Content{Bytes: 8 + 8, Text: "1 entry"}},
		{&none, Content{Bytes: 8, Text: "nil"}},
		{&nothing, Content{Bytes: 16, Text: "nil"}},
		{&[]any{1.5}[0], Content{Bytes: 16, Text: "float64(1.5)"}},
		{&[]*int{&n}[0], Content{Bytes: 16, Text: "&7"}},
		{&[]*point{{1, 2}}[0], Content{Bytes: 24, Text: "&{X:1 Y:2}", Parts: true}},
		{&[]string{"a\nb"}[0], Content{Bytes: 19, Text: `"a\nb"`}},
		{&[]string{strings.Repeat("ä", 100)}[0], Content{Bytes: 216, Text: `"` + strings.Repeat("ä", 32) + `"…`}},
		{&struct{ a, b int64 }{}, Content{Bytes: 16, Text: "{a:0 b:0}", Parts: true}},
		{&[]float32{0.1}[0], Content{Bytes: 4, Text: "0.1"}},
		{&self, Content{Bytes: 16, Text: "&&&&&…"}},
		{&[]func(){nil}[0], Content{Bytes: 8, Text: "nil"}},
	} {
		if got := content(reflect.ValueOf(tc.of).Elem()); got != tc.want {
			t.Errorf("%T %v: %+v, want %+v", tc.of, reflect.ValueOf(tc.of).Elem(), got, tc.want)
		}
	}
}

func TestParts(t *testing.T) {
	type node struct {
		val  int
		next *node
		any  any
	}
	list := &node{1, &node{2, nil, []string{"a"}}, 3}
	list.next.next = list // a ring
	cell.Declare(1, "list", &list)
	variable := cell.Variable{Cell: 1, Name: "list"}
	for _, tc := range []struct {
		path []int
		want string
	}{
		{nil, "val int 1; next *prochost.node &{val:2 next:&{val:1 next:&… any:int(…)} any:[]s…+; any interface {} int(3)"},
		{[]int{1, 2}, `[0] string "a"`},
		{[]int{0}, ""},
		{[]int{9}, ""}, // removed at the same time
	} {
		list, err := parts(PartsRequest{variable, tc.path})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, p := range list {
			more := ""
			if p.Parts {
				more = "+"
			}
			got = append(got, p.Name+" "+p.Type+" "+p.Text+more)
		}
		if s := strings.Join(got, "; "); s != tc.want {
			t.Errorf("parts of %v: %s\nwant %s", tc.path, s, tc.want)
		}
	}
	if _, err := parts(PartsRequest{Variable: cell.Variable{Cell: 2, Name: "list"}}); err == nil {
		t.Error("no error for a variable that is not there")
	}
}

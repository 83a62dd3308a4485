// encoding/json and encoding/gob see exported fields only, and tags.
package main

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"strings"
)

type base struct {
	ID     int    `json:"id"`
	secret string // neither shows it
}

type Public struct{ Shown, hidden int }

type color int

const (
	red color = iota
	green
)

func (c color) MarshalText() ([]byte, error) { return []byte([...]string{"red", "green"}[c]), nil }

func (c *color) UnmarshalText(text []byte) error {
	switch string(text) {
	case "red":
		*c = red
	case "green":
		*c = green
	default:
		return fmt.Errorf("no color %q", text)
	}
	return nil
}

type node[T any] struct {
	Value T        `json:"value"`
	Next  *node[T] `json:"next,omitempty"`
	depth int
}

type record struct {
	base
	*Public
	Name    string            `json:"name" xml:"name,attr"`
	Tags    map[string]color  `json:"tags,omitempty"`
	Any     any               `json:"any"`
	Raw     json.RawMessage   `json:"raw"`
	private map[string]string //nolint
	List    node[color]       `json:"list"`
	Skip    int               `json:"-"`
	Num     float64           `json:",string"`
}

type shape interface{ area() float64 }

type square struct{ Side float64 }

func (s square) area() float64 { return s.Side * s.Side }

type drawing struct {
	Title  string
	Shapes []shape
	hidden int
}

func init() {
	gob.Register(square{})
}

func main() {
	r := record{
		base: base{7, "s"}, Public: &Public{1, 2}, Name: "n", Tags: map[string]color{"b": green, "a": red}, Any: []color{green},
		Raw: json.RawMessage(`{"x":1}`), private: map[string]string{"p": "q"}, List: node[color]{green, &node[color]{Value: red}, 3}, Skip: 1, Num: 2.5,
	}
	data, err := json.MarshalIndent(r, "", " ")
	fmt.Println(string(data), err)
	var back record
	back.Public = &Public{}
	fmt.Println(json.Unmarshal(data, &back), back.ID, back.secret, back.Name, back.Tags, back.List.Next.Value, back.Shown, back.Any)
	fmt.Println(json.Unmarshal([]byte(`{"tags": {"a": "blue"}}`), &back))
	fmt.Println(json.Unmarshal([]byte(`{"id": "x"}`), &back))
	fmt.Println(json.Unmarshal([]byte(`{"list": {"value": 3}}`), &back))
	_, err = json.Marshal(struct{ f func() }{})
	fmt.Println(err)
	_, err = json.Marshal(struct{ F func() }{})
	fmt.Println(err)
	d := json.NewDecoder(strings.NewReader(`{"hidden": 1}`))
	d.DisallowUnknownFields()
	fmt.Println(d.Decode(&Public{}))

	var buf bytes.Buffer
	in := drawing{"d", []shape{square{2}, square{3}}, 5}
	fmt.Println(gob.NewEncoder(&buf).Encode(in))
	var out drawing
	fmt.Println(gob.NewDecoder(&buf).Decode(&out))
	fmt.Printf("%+v %v\n", out, out.Shapes[1].area())
	fmt.Println(gob.NewEncoder(&buf).Encode(struct{ hidden int }{1}))
	var generic bytes.Buffer
	fmt.Println(gob.NewEncoder(&generic).Encode(node[string]{"v", nil, 2}))
	fmt.Println(strings.Contains(generic.String(), "depth"), strings.Contains(generic.String(), "node[string]"))

	x, err := xml.Marshal(Public{1, 2})
	fmt.Println(string(x), err)
}

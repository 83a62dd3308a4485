package display

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/internal/cellruntime/cell"
)

// contents returns what the data URL of a bundle's HTML holds.
func contents(t *testing.T, b Bundle, mimeType string) []byte {
	t.Helper()
	page, _ := b.MIMEBundle()["text/html"].(string)
	_, rest, ok := strings.Cut(page, `src="data:`+mimeType+`;base64,`)
	if !ok {
		t.Fatalf("%.100q has no data of type %s", page, mimeType)
	}
	encoded, _, _ := strings.Cut(rest, `"`)
	data, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestAudio(t *testing.T) {
	for name, tc := range map[string]struct {
		bundle Bundle
		want   []int16
		text   string
	}{
		"floats":       {Audio(2, []float64{0, 0.5, -1, math.NaN(), math.Inf(1)}), []int16{0, 16384, -32767, 0, 0}, "audio of 2.50 s, 1 channel, 2 samples per second"},
		"large floats": {Audio(2, []float32{10, -5}), []int16{32767, -16384}, "audio of 1.00 s"},
		"int16":        {Audio(2, []int16{7, -32768}), []int16{7, -32768}, "audio of 1.00 s"},
		"ints":         {Audio(2, []int{100, -50}), []int16{32767, -16384}, "audio of 1.00 s"},
		"silence":      {Audio(2, []int{0, 0}), []int16{0, 0}, "audio of 1.00 s"},
		"nothing":      {Audio(2, []float64{}), []int16{}, "audio of 0.00 s"},
		"two channels": {Audio(1, []int16{1, 2}, []int16{3, 4}), []int16{1, 3, 2, 4}, "audio of 2.00 s, 2 channels"},
	} {
		data := contents(t, tc.bundle, "audio/wav")
		const header = 44
		got := make([]int16, (len(data)-header)/2)
		if err := binary.Read(bytes.NewReader(data[header:]), binary.LittleEndian, got); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, tc.want) || string(data[:4]) != "RIFF" || int(binary.LittleEndian.Uint32(data[40:])) != 2*len(got) {
			t.Errorf("%s: samples %v, want %v; header %q", name, got, tc.want, data[:header])
		}
		if text := tc.bundle.MIMEBundle()["text/plain"].(string); !strings.HasPrefix(text, tc.text) {
			t.Errorf("%s: text %q, want %q", name, text, tc.text)
		}
	}
	for name, bad := range map[string]func(){
		"no channels":       func() { Audio[int](2) },
		"different lengths": func() { Audio(2, []int{1}, []int{1, 2}) },
		"no rate":           func() { Audio(0, []int{1}) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s was shown", name)
				}
			}()
			bad()
		}()
	}
}

func TestMediaFilesAndLinks(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{"a b.mp4": "film", "x.mp3": "sound", "data.bin": "?", "sub/100%.csv": "1", "sub/.hidden": "", "c:d": ""} {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	film, err := VideoFile("a b.mp4")
	if err != nil {
		t.Fatal(err)
	}
	if got := contents(t, film, "video/mp4"); string(got) != "film" {
		t.Errorf("the film is %q", got)
	}
	sound, err := AudioFile("x.mp3")
	if err != nil || string(contents(t, sound, "audio/mpeg")) != "sound" {
		t.Errorf("%v, %v", sound, err)
	}
	one, err := FileLink("a b.mp4")
	if want := `<a href="a%20b.mp4" target="_blank">a b.mp4</a>`; err != nil || one.MIMEBundle()["text/html"] != want {
		t.Errorf("%v, %v, want %s", one, err, want)
	}
	all, err := FileLinks(".")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := all.MIMEBundle()["text/plain"], "a b.mp4\nc:d\ndata.bin\nsub/100%.csv\nx.mp3"; got != want {
		t.Errorf("files %q, want %q", got, want)
	}
	for _, want := range []string{`href="sub/100%25.csv"`, `href="./c:d"`} {
		if page := all.MIMEBundle()["text/html"].(string); !strings.Contains(page, want) {
			t.Errorf("%s is not in %s", want, page)
		}
	}
	for name, tc := range map[string]struct {
		err  error
		want string
	}{
		"no film":            {second(VideoFile("data.bin")), "display.FileLink"},
		"missing film":       {second(VideoFile("b.mp4")), "no such file"},
		"link to nothing":    {second(FileLink("nothing")), "no such file"},
		"elsewhere":          {second(FileLink("/")), "copy it there"},
		"links to no folder": {second(FileLinks("nothing")), "no such file"},
	} {
		if tc.err == nil || !strings.Contains(tc.err.Error(), tc.want) {
			t.Errorf("%s: %v, want %q", name, tc.err, tc.want)
		}
	}
}

func second(_ Bundle, err error) error { return err }

func TestJSON(t *testing.T) {
	type point struct{ X, Y int }
	for name, tc := range map[string]struct {
		value any
		want  string
	}{
		"struct": {point{1, 2}, "{\n  \"X\": 1,\n  \"Y\": 2\n}"},
		"list":   {[]int{1}, "[\n  1\n]"},
		"text":   {`{"a": [1]}`, "{\n  \"a\": [\n    1\n  ]\n}"},
		"bytes":  {[]byte(`[1]`), "[\n  1\n]"},
		"words":  {"no JSON", `"no JSON"`},
	} {
		d := JSON(tc.value)
		if got := d.Data["text/plain"]; got != tc.want {
			t.Errorf("%s: %s, want %s", name, got, tc.want)
		}
		var a, b any
		raw, err := json.Marshal(d.Data["application/json"])
		if err != nil || json.Unmarshal(raw, &a) != nil || json.Unmarshal([]byte(tc.want), &b) != nil {
			t.Fatal(err)
		}
		if x, y := must(json.Marshal(a)), must(json.Marshal(b)); x != y {
			t.Errorf("%s: data %s, want %s", name, x, y)
		}
	}
}

func must(b []byte, err error) string {
	if err != nil {
		panic(err)
	}
	return string(b)
}

// asResult records values that are shown as results are.
type asResult struct {
	cell.Host
	shown []any
}

func (r *asResult) Show(v any) error {
	r.shown = append(r.shown, v)
	return nil
}

func TestShowOfOtherValues(t *testing.T) {
	r := &asResult{}
	cell.SetHost(r)
	defer cell.SetHost(nil)
	Show(3)
	Show(Math("x"))
	if len(r.shown) != 2 || r.shown[0] != 3 {
		t.Errorf("shown: %v", r.shown)
	}
}

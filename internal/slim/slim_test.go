package slim_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/internal/slim"
)

// archive returns the compiled archive of a package of the standard library.
func archive(t *testing.T, path string) []byte {
	t.Helper()
	out, err := exec.Command("go", "list", "-export", "-buildmode=plugin", "-f", "{{.Export}}", path).Output()
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(strings.TrimSpace(string(out)))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

var symbolLine = regexp.MustCompile(`\s(\d+) ([A-Za-z]) (.+)`)

// symbols lists the symbols that an archive defines, as "T size name".
func symbols(t *testing.T, data []byte) map[string]string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "p.a")
	if err := os.WriteFile(file, data, 0o644); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("go", "tool", "nm", "-size", file).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	defined := map[string]string{}
	for line := range strings.Lines(string(out)) {
		if m := symbolLine.FindStringSubmatch(line); m != nil {
			defined[m[3]] = m[2] + " " + m[1]
		}
	}
	return defined
}

// jumpSizes are the sizes of emptied functions.
var jumpSizes = map[string]int{"amd64": 6, "arm64": 12}

func TestRewrite(t *testing.T) {
	for _, path := range []string{"fmt", "strings", "runtime", "crypto/sha256", "net", "math/big"} {
		t.Run(path, func(t *testing.T) {
			data := archive(t, path)
			slimmed, err := slim.Rewrite(data, &slim.Symbols{})
			if err != nil {
				t.Fatal(err)
			}
			if len(slimmed) > len(data)/2 {
				t.Errorf("%d bytes became %d", len(data), len(slimmed))
			}
			before, after := symbols(t, data), symbols(t, slimmed)
			funcs, empty := 0, 0
			for name, was := range before {
				is := after[name]
				if was[0] == 'T' && strings.HasPrefix(name, path+".") && !strings.Contains(name, "[") {
					funcs++
					// Closures are identified by their content since Go 1.27: those that only emptied functions used are omitted.
					if is == "" || is == fmt.Sprint("T ", jumpSizes[runtime.GOARCH]) {
						empty++
					}
				}
				if strings.HasPrefix(name, "type:"+path+".") && is != was {
					t.Errorf("%s is %q, was %q", name, is, was)
				}
			}
			// The others are wrappers that other packages may have, too.
			if funcs < 5 || empty < funcs*2/3 {
				t.Errorf("%d of %d functions are empty or gone", empty, funcs)
			}
			again, err := slim.Rewrite(data, &slim.Symbols{})
			if err != nil || !bytes.Equal(slimmed, again) {
				t.Errorf("the second time made something else (%v)", err)
			}
		})
	}
}

// For data that are not an archive, or are damaged, Rewrite returns an error or an archive, and does not panic.
func TestRewriteGarbage(t *testing.T) {
	data := archive(t, "errors")
	for _, bad := range [][]byte{nil, []byte("!<arch>\n"), []byte("!<arch>\nx"), data[:100], bytes.Replace(data, []byte("go1."), []byte("go9."), -1)} {
		if out, err := slim.Rewrite(bad, &slim.Symbols{}); err == nil && len(out) > 8 {
			t.Errorf("%d bytes of %.20q became %d", len(bad), bad, len(out))
		}
	}
	for i := range 500 {
		bad := bytes.Clone(data)
		bad[(i*7919)%len(bad)] ^= 0x5a
		slim.Rewrite(bad, &slim.Symbols{})
		slim.Rewrite(bad[:i*len(bad)/500], &slim.Symbols{})
	}
}

func TestPackageOf(t *testing.T) {
	for name, want := range map[string]string{
		"fmt.Println": "fmt",
		"encoding/json.(*decodeState).object.func1":  "encoding/json",
		"gopkg.in/yaml%2ev3.Marshal":                 "gopkg.in/yaml.v3",
		"sync/atomic.(*Pointer[go.shape.int]).Load":  "sync/atomic",
		"slices.SortFunc[go.shape.[]a/b.T,c/d.Elem]": "slices",
		"main/c3.Ͼf": "main/c3",
	} {
		if got := slim.PackageOf(name); got != want {
			t.Errorf("PackageOf(%q) = %q, want %q", name, got, want)
		}
	}
}

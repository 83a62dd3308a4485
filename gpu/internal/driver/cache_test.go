package driver

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/internal/diskcache"
)

var testImage = backend.Image{
	Data:    []byte("\x7fELF and more"),
	PTX:     []byte(".version 9.0"),
	Lowered: map[string]string{"k": "_Z1kv"},
	Log:     "cell[1].cu(3): warning: this\ncell[1].cu(4): warning: that",
}

func TestCacheKeepsImages(t *testing.T) {
	c := &cache{diskcache.Open(t.TempDir())}
	if _, ok := c.get("a", "cell[1].cu"); ok {
		t.Fatal("an empty cache has an image")
	}
	c.put("a", "cell[1].cu", testImage)
	img, ok := c.get("a", "cell[22].cu")
	if !ok || !img.Cached || !bytes.Equal(img.Data, testImage.Data) || !bytes.Equal(img.PTX, testImage.PTX) || img.Lowered["k"] != "_Z1kv" {
		t.Fatalf("got %+v, %v", img, ok)
	}
	if want := "cell[22].cu(3): warning: this\ncell[22].cu(4): warning: that"; img.Log != want {
		t.Errorf("log %q, want the lines under the new name", img.Log)
	}
	// An entry of another version, or of another program.
	c.disk.Put("a", []byte("no JSON"), testImage.Data)
	if img, ok := c.get("a", "cell[1].cu"); ok {
		t.Errorf("an invalid description was read as %+v", img)
	}
}

func TestCacheKey(t *testing.T) {
	base := backend.Program{Name: "cell[1].cu", Source: "__global__ void k() {}", Kernels: []string{"k"}}
	key := func(p backend.Program, version string) (string, bool) { return cacheKey(p, p.Options, version) }
	first, ok := key(base, "13.0")
	if !ok {
		t.Fatal("a plain program is not cacheable")
	}

	same := base
	same.Name = "cell[2].cu"
	if k, _ := key(same, "13.0"); k != first {
		t.Error("the cell's number changes the key")
	}
	for name, change := range map[string]func(*backend.Program){
		"source":  func(p *backend.Program) { p.Source += " " },
		"options": func(p *backend.Program) { p.Options = []string{"-DN=1"} },
		"kernels": func(p *backend.Program) { p.Kernels = []string{"k", "l"} },
		"moved":   func(p *backend.Program) { p.Kernels, p.Options = nil, []string{"k"} },
	} {
		p := base
		change(&p)
		if k, ok := key(p, "13.0"); !ok || k == first {
			t.Errorf("%s: the key stays the same, or there is none", name)
		}
	}
	if k, _ := key(base, "12.9"); k == first {
		t.Error("NVRTC's version does not change the key")
	}
	assert := base
	assert.Source = "__global__ void k() { assert(0); }"
	k1, _ := key(assert, "13.0")
	assert.Name = "cell[2].cu"
	if k2, _ := key(assert, "13.0"); k1 == k2 {
		t.Error("an assert names its file, yet the file's name does not change the key")
	}

	dir := t.TempDir()
	header := filepath.Join(dir, "yours.cuh")
	for name, p := range map[string]backend.Program{
		"include path":   {Source: "#include <yours.cuh>", Options: []string{"-I" + dir}},
		"include path 2": {Source: "#include \"yours.cuh\"", Options: []string{"-I", dir}},
		"include path 3": {Source: "#include <yours.cuh>", Options: []string{"--include-path=" + dir}},
		"pre-include":    {Source: "int x;", Options: []string{"--pre-include=" + header}},
		"quoted header":  {Source: " # include \"yours.cuh\"\n", Name: filepath.Join(dir, "program.cu")},
	} {
		var keys []string
		for _, text := range []string{"int a;", "int a;", "int b;"} {
			if err := os.WriteFile(header, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
			k, ok := key(p, "13.0")
			if !ok {
				t.Errorf("%s: not cacheable", name)
			}
			keys = append(keys, k)
		}
		if keys[0] != keys[1] || keys[1] == keys[2] {
			t.Errorf("%s: the key depends on something else than what the file holds: %q", name, keys)
		}
	}
	for name, p := range map[string]backend.Program{
		"a macro": {Source: "#include NAME"}, "precompiled": {Source: "int x;", Options: []string{"--use-pch=mine.pch"}},
	} {
		if _, ok := key(p, "13.0"); ok {
			t.Errorf("%s: cacheable, though it is not known which files count", name)
		}
	}
	if _, ok := key(backend.Program{Source: "#include \"cuda_fp16.h\"\n"}, "13.0"); !ok {
		t.Error("CUDA's own header in quotes makes a program not cacheable")
	}
}

package driver

import (
	"bytes"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

var testImage = backend.Image{
	Data:    []byte("\x7fELF and more"),
	PTX:     []byte(".version 9.0"),
	Lowered: map[string]string{"k": "_Z1kv"},
	Log:     "cell[1].cu(3): warning: this\ncell[1].cu(4): warning: that",
}

func TestCacheKeepsImages(t *testing.T) {
	c := &cache{dir: filepath.Join(t.TempDir(), "made", "on", "demand")}
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
}

func TestCacheIgnoresDamage(t *testing.T) {
	c := &cache{dir: t.TempDir()}
	c.put("a", "x", testImage)
	good, err := os.ReadFile(c.path("a"))
	if err != nil {
		t.Fatal(err)
	}
	flipped := bytes.Clone(good)
	flipped[len(flipped)-1] ^= 1
	for name, content := range map[string][]byte{
		"empty": {}, "foreign": []byte("something else entirely"), "header only": []byte(cacheMagic),
		"cut short": good[:len(good)-1], "one bit off": flipped, "other version": append([]byte("gopherwarp/nvrtc/0\n"), good[len(cacheMagic):]...),
	} {
		t.Run(name, func(t *testing.T) {
			if err := os.WriteFile(c.path("a"), content, 0o644); err != nil {
				t.Fatal(err)
			}
			if img, ok := c.get("a", "x"); ok {
				t.Errorf("it was taken for %+v", img)
			}
			c.put("a", "x", testImage)
			if _, ok := c.get("a", "x"); !ok {
				t.Error("it was not replaced")
			}
		})
	}
}

func TestCacheForgetsTheUnread(t *testing.T) {
	dir := t.TempDir()
	(&cache{dir: dir}).put("old", "x", testImage)
	(&cache{dir: dir}).put("read", "x", testImage)
	long := time.Now().Add(-2 * cacheKeep)
	for _, key := range []string{"old", "read"} {
		if err := os.Chtimes((&cache{dir: dir}).path(key), long, long); err != nil {
			t.Fatal(err)
		}
	}
	c := &cache{dir: dir}
	c.get("read", "x")
	c.put("new", "x", testImage)
	for key, want := range map[string]bool{"old": false, "read": true, "new": true} {
		if _, ok := c.get(key, "x"); ok != want {
			t.Errorf("%s is there: %v, want %v", key, ok, want)
		}
	}
}

func TestCacheSharedByWriters(t *testing.T) {
	dir := t.TempDir()
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			c := &cache{dir: dir}
			for range 50 {
				c.put("a", "x", testImage)
				if img, ok := c.get("a", "x"); !ok || !bytes.Equal(img.Data, testImage.Data) {
					t.Errorf("got %+v, %v", img, ok)
				}
			}
		})
	}
	all.Wait()
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("%d files are left, want 1", len(entries))
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

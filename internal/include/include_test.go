package include

import (
	"os"
	"path/filepath"
	"testing"
)

// tree writes files and returns their directory.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestDigest(t *testing.T) {
	dir := tree(t, map[string]string{
		"own/a.h":     "#include \"sub/b.h\"\n#include <cstdio>\n#include \"a.h\"\n",
		"own/sub/b.h": "int b;\n#  include <c.h>\n",
		"inc/c.h":     "#if 0\n#include \"d.h\"\n#endif\n",
		"inc/d.h":     "int d;",
		"inc/e.h":     "int e;",
		"pre.h":       "int pre;",
		"other.h":     "int other;",
	})
	s := Search{Own: filepath.Join(dir, "own"), Dirs: []string{filepath.Join(dir, "early"), filepath.Join(dir, "inc")}, First: []string{filepath.Join(dir, "pre.h")}}
	const source = "#include \"a.h\"\n#include <vector>\n#include <e.h>\n"
	digest := func() string {
		t.Helper()
		d, known := s.Digest(source)
		if !known {
			t.Fatal("the digest is not known")
		}
		return d
	}
	last := digest()
	if again := digest(); again != last {
		t.Errorf("the digest changes by itself:\n%s\n%s", last, again)
	}
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"own/a.h", "own/sub/b.h", "inc/c.h", "inc/d.h", "inc/e.h", "pre.h"} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		write(name, string(text)+"// changed\n")
		if now := digest(); now == last {
			t.Errorf("a change of %s does not change the digest", name)
		} else {
			last = now
		}
	}
	write("other.h", "changed")
	if digest() != last {
		t.Error("a file that is not included changes the digest")
	}
	write("early/e.h", "int e;")
	if digest() == last {
		t.Error("a file in a directory that comes first does not change the digest")
	}
}

func TestDigestUnknown(t *testing.T) {
	dir := tree(t, map[string]string{"a.h": "#include MACRO\n"})
	for _, source := range []string{"#include NAME", "#define X <cstdio>\n # include X", "#include \"a.h\""} {
		if d, known := (Search{Own: dir}).Digest(source); known {
			t.Errorf("%q: the digest %q is said to be known", source, d)
		}
	}
	if d, known := (Search{}).Digest("#include \"missing.h\"\n#include <missing>\nconst char *s = \"#include X\";"); !known || d != "" {
		t.Errorf("files that are not there: %q, %v", d, known)
	}
}

// A source without a directory does not include files of this process's working directory.
func TestFind(t *testing.T) {
	dir := tree(t, map[string]string{"here.h": "int here;", "inc/there.h": "int there;", "inc/beside.h": "int beside;"})
	t.Chdir(dir)
	s := Search{Dirs: []string{filepath.Join(dir, "inc")}}
	if path, _, ok := s.Find("here.h", ""); ok {
		t.Errorf("found %s", path)
	}
	path, text, ok := s.Find("there.h", "")
	if want := filepath.Join(dir, "inc", "there.h"); path != want || text != "int there;" || !ok {
		t.Errorf("found %q, %q, %v", path, text, ok)
	}
	if _, text, ok := (Search{}).Find("beside.h", path); text != "int beside;" || !ok {
		t.Errorf("beside %s: %q, %v", path, text, ok)
	}
	if _, known := s.Digest(`#include "here.h"`); !known {
		t.Error("a file that is not there makes the digest unknown")
	}
}

package session

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

func TestOptionalPackages(t *testing.T) {
	const frob = ModulePath + "/frob"
	tools := &Toolchain{config: Config{
		Sources: fstest.MapFS{"go.mod": {Data: []byte("module x\n\nrequire example.test/one v1.2.0\n\nrequire (\n\texample.test/two/v2 v2.0.1 // indirect\n)\n")}},
		Optional: map[string][]string{
			frob:                       {"example.test/one/part", "example.test/two/v2"},
			ModulePath + "/incomplete": {"example.test/onemore"},
		},
	}}
	for path, want := range map[string]bool{frob: true, frob + "/internal/x": true, ModulePath + "/frobnicate": false, ModulePath: false} {
		if got := tools.optional(path); got != want {
			t.Errorf("%s: optional is %v", path, got)
		}
		if got := tools.carries(path + "/"); got == want {
			t.Errorf("%s: carried is %v", path, got)
		}
	}
	for _, c := range []struct {
		paths, session, want string
	}{
		{frob, "", "example.test/one/part@v1.2.0 example.test/two/v2@v2.0.1"},
		{frob, "module s\nrequire (\n\texample.test/one v1.1.0\n)\n", "example.test/one/part@v1.1.0 example.test/two/v2@v2.0.1"},
		{frob, "module s\nreplace (\n\texample.test/one v1.1.0 => ../one\n\texample.test/two/v2 => ../two\n)\nrequire example.test/one v1.1.0\n", "example.test/one/part@v1.1.0 example.test/two/v2@v2.0.1"},
		{frob, "module s\nrequire (\n\texample.test/two v1.9.0\n\texample.test/two/v2 v2.3.0\n)\n", "example.test/one/part@v1.2.0 example.test/two/v2@v2.3.0"},
		{"example.test/else example.test/one", "", "example.test/else example.test/one"},
		{"example.test/one/other example.test/else " + frob, "", "example.test/one/other@v1.2.0 example.test/else example.test/one/part@v1.2.0 example.test/two/v2@v2.0.1"},
	} {
		got, err := tools.queries(strings.Fields(c.paths), []byte(c.session))
		if err != nil || !slices.Equal(got, strings.Fields(c.want)) {
			t.Errorf("%s with %q: %v, %v, want %s", c.paths, c.session, got, err, c.want)
		}
	}
	if got, err := tools.queries([]string{ModulePath + "/incomplete"}, nil); err == nil || !strings.Contains(err.Error(), "needs example.test/onemore, which this program's go.mod does not have") {
		t.Errorf("a module that is not there: %v, %v", got, err)
	}
}

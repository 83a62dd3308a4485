package session

import "testing"

// An import is at fault if an error names its whole path, not if its path is a part of another one.
func TestNamesPath(t *testing.T) {
	for _, test := range []struct {
		text, path string
		want       bool
	}{
		{"k8s.io/klog/v2@v2.130.1: verifying module", "log", false},
		{"k8s.io/klog/v2@v2.130.1: verifying module", "k8s.io/klog/v2", true},
		{"fetch example.com/a/b: lookup disabled", "example.com/a", true},
		{"fetch example.com/ab: lookup disabled", "example.com/a", false},
		{"there is no package gopkg.in/yaml.v3", "gopkg.in/yaml", false},
		{"there is no package gopkg.in/yaml.v3.", "gopkg.in/yaml.v3", true},
		{"/home/log/x.go:1", "log", false},
		{"no package named log", "log", true},
	} {
		if got := namesPath(test.text, test.path); got != test.want {
			t.Errorf("%q names %q: %v", test.text, test.path, got)
		}
	}
}

package muxhost

import (
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
)

// TestKnown fails if a release of Go has other fields.
func TestKnown(t *testing.T) {
	if !isKnown() {
		t.Fatal("http.ServeMux has other fields than this package knows")
	}
}

func TestRemove(t *testing.T) {
	// More than the eight names that a node keeps in a slice.
	var want []string
	for i := range 20 {
		want = append(want, fmt.Sprintf("/n%d", i))
	}
	want = append(want, "/", "GET /get/{id}", "/tree/", "/exact/{$}", "other.test/", "/rest/{path...}")
	for _, name := range want {
		http.HandleFunc(name, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, name) })
	}
	names := patterns{}.Names()
	slices.Sort(want)
	if got := slices.Sorted(maps.Keys(names)); !slices.Equal(got, want) {
		t.Fatalf("names %q, want %q", got, want)
	}
	held := http.DefaultServeMux // as by a server
	patterns{}.Remove(map[string]bool{"/n3": true, "GET /get/{id}": true})
	for path, want := range map[string]string{"/n3": "/", "/n4": "/n4", "/get/3": "/", "/tree/x": "/tree/", "/rest/a/b": "/rest/{path...}"} {
		w := httptest.NewRecorder()
		held.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		if got := w.Body.String(); got != want {
			t.Errorf("%s is served by %q, want %q", path, got, want)
		}
	}
	http.HandleFunc("GET /get/{name}", func(http.ResponseWriter, *http.Request) {})
	defer func() {
		if said := fmt.Sprint(recover()); strings.Count(said, "muxhost_test.go:") != 2 {
			t.Errorf("a conflict does not name both places: %s", said)
		}
	}()
	http.HandleFunc("/n4", func(http.ResponseWriter, *http.Request) {})
}

package spelling

import "testing"

func TestNearest(t *testing.T) {
	known := []string{"encoding/asn1", "timeit", "time", "timeit_gpu", "encoding/json", "who"}
	for name, want := range map[string]string{
		"timit": "timeit", "TIME": "time", "tiemit_gpu": "timeit_gpu", "encodng/jsn": "encoding/json", "encoding/jsno": "encoding/json", "xyzzy": "", "wo": "who", "q": "", "": "",
	} {
		if got := Nearest(name, known); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", name, got, want)
		}
	}
}

func TestLikely(t *testing.T) {
	known := []string{"make", "int", "fmt", "sq", "user", "count", "point", "Println"}
	for name, want := range map[string]string{"main": "", "foo": "", "Sum": "", "use": "", "conut": "count", "Point": "point", "mkae": "make", "Printn": "Println"} {
		if got := Likely(name, known); got != want {
			t.Errorf("Likely(%q) = %q, want %q", name, got, want)
		}
	}
}

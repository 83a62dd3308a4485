package waiting

import (
	"fmt"
	"strings"
	"testing"
)

func TestBegin(t *testing.T) {
	shows := make(chan string, 100)
	show := func(data map[string]any, id string, update bool) { shows <- fmt.Sprint(update, data["text/plain"]) }
	end := Begin("quick", show)
	if end() || len(shows) > 0 {
		t.Error("short work is shown")
	}
	end = Begin("slow", show)
	first, second := <-shows, <-shows
	if !strings.HasPrefix(first, "falseslow  1.") || !strings.HasPrefix(second, "trueslow  1.") {
		t.Errorf("%q, %q", first, second)
	}
	for range 2 {
		if !end() {
			t.Error("nothing was shown")
		}
	}
	close(shows) // a later one would panic
	last := ""
	for last = range shows {
	}
	if !strings.HasPrefix(last, "trueslow  ") {
		t.Errorf("the last is %q", last)
	}
}

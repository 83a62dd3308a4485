package include

import (
	"slices"
	"testing"
)

func TestDirectives(t *testing.T) {
	const text = `#include "a.h" // "b.h"
  # include_next /* c */ <d//e.h>
#include MACRO
#includes "x.h"
/*
#include "f.h"
*/
const char *s = R"(
#include "g.h"
)"; // don't
#include \
	"h.h"
#error don't stop
#if 0
it's "open
#endif
#include "i.h"
/* the end is missing`
	want := []Directive{{"a.h", true, 1}, {"d//e.h", false, 2}, {"", false, 3}, {"h.h", true, 11}, {"i.h", true, 17}}
	if got := slices.Collect(Directives(text)); !slices.Equal(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}

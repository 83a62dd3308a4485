package nd

import (
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/internal/expression"
)

// Descriptions have types and folds by the numbers that they have here.
func TestDescribedNumbers(t *testing.T) {
	if int(expression.Types) != int(dtypes) {
		t.Errorf("descriptions have %d types, arrays %d", expression.Types, dtypes)
	}
	for dt := range dtypes {
		if d := expression.Type(dt); d.Size() != dt.Size() || d.Half() != dt.half() || d.Complex() != dt.is(kindComplex) {
			t.Errorf("type %d of descriptions is not %v", d, dt)
		}
	}
	for f, d := range map[fold]expression.Folding{
		foldSum: expression.Sum, foldProd: expression.Product, foldMin: expression.Minimum, foldMax: expression.Maximum, foldAny: expression.Any,
		foldAll: expression.All, foldArgmin: expression.Argmin, foldArgmax: expression.Argmax, foldMean: expression.Mean,
	} {
		if expression.Folding(f) != d {
			t.Errorf("fold %s has number %d in descriptions, want %d", f.name(), d, f)
		}
	}
}

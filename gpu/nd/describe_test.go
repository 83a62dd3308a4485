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

// The kernel with which a view of an array is assigned what was computed from the same memory needs no compiler.
func TestOutsideDescribed(t *testing.T) {
	for _, size := range []int{1, 2, 4, 8, 16} {
		k, err := expression.Decode(outsideSource(size, 2, "unsigned").description)
		if err != nil || k.Name != "outside" || len(k.Types) != 1 || k.Types[0].Size() != size {
			t.Errorf("the kernel for elements of %d bytes has the description %+v, %v", size, k, err)
		}
	}
}

package e2e

import (
	"strings"
	"testing"
)

// TestArrays uses arrays as users write them: without imports, and with errors that keep
// the session's values.
func TestArrays(t *testing.T) {
	t.Parallel()
	n := open(t)
	o := n.run("a := nd.Arange[float32](6).Reshape(2, 3)\na.Mul(a).AddScalar(0.5)")
	for _, want := range []string{"array([[ 0.5,  1.5,  4.5],\n       [ 9.5, 16.5, 25.5]]", "shape=(2, 3)", "dtype=float32"} {
		if !strings.Contains(o.result, want) {
			t.Errorf("the result is %s, want %s in it", o.result, want)
		}
	}
	n.gives("a.Sum(0).ToHost()", "[3 5 7]")
	n.gives("nd.Mean(a).Item()", "2.5")
	failed := n.fails("b := nd.Ones[float32](4)\na.Add(b)", "nd.Add: operands could not be broadcast together with shapes (2, 3) (4,)")
	if strings.Contains(failed.traceback, "layout.go") {
		t.Errorf("the traceback shows the package's own lines: %s", failed.traceback)
	}
	n.gives("a.Max().Item()", "5")
	// An array is the same type in all cells, with all its methods.
	n.gives("var held any = a\n_, ok := held.(*nd.Array[float32])\nok && reflect.TypeOf(held) == reflect.TypeFor[*nd.Array[float32]]()", "true")
	n.gives("held.(interface{ NDim() int }).NDim() + reflect.ValueOf(a).MethodByName(\"Size\").Call(nil)[0].Interface().(int)", "8")
	n.gives("copied := *a\ncopied.Sum().Item()", "15")
	n.fails("var nothing *nd.Array[float32]\na.Add(nothing)", "nd.Add: the array is nil")
	n.fails("var empty nd.Array[float32]\nempty.AddScalar(1)", "nd.AddScalar: the array is nil")
	n.gives("fmt.Sprint(nothing, &empty)", `"array(nil) array(nil)"`)
	// These packages need no imports either.
	n.gives("nd.MatMul(a, a.T()).ToHost()", "[5 14 14 50]")
	n.gives("random.Random[float64](random.New(7), 3).At(1).Item() == random.New(7).Stream().Float64(1)", "true")
	n.gives("npy.Save(\"a.npy\", a)\nmust(npy.Load[float32](\"a.npy\")).ToHost()", "[0 1 2 3 4 5]")
	n.gives("images.ToImage(images.Normalized(a)).Bounds().Dx()", "3")
}

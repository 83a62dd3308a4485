package expression

import (
	"reflect"
	"testing"
)

// example has a value other than zero in each field.
func example() *Kernel {
	return &Kernel{
		Name: "reduce_sum_add", Form: Fold, Result: Float32, Leaves: []Leaf{{Float64, false}, {Int64, true}},
		Steps: []Step{{Operand, Float64, []byte{0}}, {Constant, Float64, []byte{}}, {"Add", Float64, []byte{0, 1}}},
		Loops: 2, Reduced: 300, Folding: Mean, Acc: Float64, Parts: true, Columns: true, Types: []Type{Uint8}, Numbers: []int{1, 1 << 12},
		Folds: []RowFold{{
			[]Step{{Operand, Float64, []byte{0}}, {Constant, Float64, []byte{}}, {"Mul", Float64, []byte{0, 1}}}, Maximum, Float64, Float32,
		}, {[]Step{{Result, Float64, []byte{0}}}, Sum, Float64, Float32}},
	}
}

// severalOutputs is a kernel with several destinations.
func severalOutputs() *Kernel {
	return &Kernel{
		Form: Map, Result: Float32, Leaves: []Leaf{{Float32, false}}, Loops: 1,
		Steps:   []Step{{Operand, Float32, []byte{0}}, {"Neg", Float32, []byte{0}}},
		Outputs: []Output{{1, Float32}, {0, Float16}},
	}
}

func TestDecode(t *testing.T) {
	for _, want := range []*Kernel{example(), severalOutputs()} {
		got, err := Decode(want.Encode())
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("got %+v, %v, want %+v", got, err, want)
		}
	}
}

func TestDecodeBroken(t *testing.T) {
	whole := example().Encode()
	for n := range whole {
		if k, err := Decode(whole[:n]); err == nil {
			t.Errorf("the first %d bytes of %d are %+v, want an error", n, len(whole), k)
		}
	}
	if _, err := Decode(append(whole, 0)); err == nil {
		t.Error("a byte too many is no error")
	}
	later := example()
	later.Steps[2].Args[1] = 2
	if _, err := Decode(later.Encode()); err == nil {
		t.Error("a step that is its own argument is no error")
	}
	none := severalOutputs()
	none.Outputs[0].Value = 2
	if _, err := Decode(none.Encode()); err == nil {
		t.Error("an output of a step that is not there is no error")
	}
	folded := severalOutputs()
	folded.Form = Fold
	if _, err := Decode(folded.Encode()); err == nil {
		t.Error("a reduction with outputs is no error")
	}
	own := example()
	own.Folds[1].Steps[0].Args[0] = 1
	if _, err := Decode(own.Encode()); err == nil {
		t.Error("a reduction that needs its own result is no error")
	}
}

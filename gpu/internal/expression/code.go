package expression

import (
	"encoding/binary"
	"errors"
)

// version is the first byte of an encoded description.
const version = 3

// Encode returns the description as bytes.
func (k *Kernel) Encode() []byte {
	b := []byte{version}
	b = text(b, k.Name)
	b = append(b, byte(k.Form), byte(k.Result), byte(len(k.Leaves)))
	for _, l := range k.Leaves {
		b = append(b, byte(l.Type), truth(l.Index))
	}
	b = steps(b, k.Steps)
	b = binary.AppendUvarint(b, uint64(k.Loops))
	b = binary.AppendUvarint(b, uint64(k.Reduced))
	b = append(b, byte(k.Folding), byte(k.Acc), truth(k.Parts), truth(k.Columns), byte(len(k.Types)))
	for _, t := range k.Types {
		b = append(b, byte(t))
	}
	b = append(b, byte(len(k.Numbers)))
	for _, n := range k.Numbers {
		b = binary.AppendUvarint(b, uint64(n))
	}
	b = append(b, byte(len(k.Folds)))
	for _, f := range k.Folds {
		b = append(steps(b, f.Steps), byte(f.Folding), byte(f.Acc), byte(f.Result))
	}
	b = append(b, byte(len(k.Outputs)))
	for _, o := range k.Outputs {
		b = append(b, o.Value, byte(o.Result))
	}
	return b
}

func steps(b []byte, list []Step) []byte {
	b = append(b, byte(len(list)))
	for _, s := range list {
		b = append(text(b, s.Op), byte(s.Type), byte(len(s.Args)))
		b = append(b, s.Args...)
	}
	return b
}

func text(b []byte, s string) []byte { return append(binary.AppendUvarint(b, uint64(len(s))), s...) }

func truth(b bool) byte {
	if b {
		return 1
	}
	return 0
}

// errBroken is the error of bytes that are no description.
var errBroken = errors.New("the description of a kernel of arrays is broken: it comes from another version of gopherwarp")

// Decode is the inverse of Encode.
func Decode(data []byte) (*Kernel, error) {
	d := decoder{data: data, good: true}
	if d.byte() != version {
		return nil, errBroken
	}
	k := &Kernel{Name: d.text(), Form: Form(d.byte()), Result: d.kind()}
	for range d.byte() {
		k.Leaves = append(k.Leaves, Leaf{d.kind(), d.byte() != 0})
	}
	k.Steps = d.steps()
	k.Loops, k.Reduced = int(d.number()), int(d.number())
	k.Folding, k.Acc = Folding(d.byte()), d.kind()
	k.Parts, k.Columns = d.byte() != 0, d.byte() != 0
	for range d.byte() {
		k.Types = append(k.Types, d.kind())
	}
	for range d.byte() {
		k.Numbers = append(k.Numbers, int(d.number()))
	}
	for range d.byte() {
		k.Folds = append(k.Folds, RowFold{d.steps(), Folding(d.byte()), d.kind(), d.kind()})
	}
	for range d.byte() {
		k.Outputs = append(k.Outputs, Output{d.byte(), d.kind()})
	}
	if !d.good || len(d.data) > 0 || k.Folding >= Foldings || !k.ordered() {
		return nil, errBroken
	}
	return k, nil
}

// ordered reports whether all steps have earlier ones, leaves or results as arguments, and outputs have steps.
func (k *Kernel) ordered() bool {
	if k.Form != Map && len(k.Outputs) > 0 {
		return false
	}
	for _, o := range k.Outputs {
		if int(o.Value) >= len(k.Steps) {
			return false
		}
	}
	for i, f := range k.Folds {
		if f.Folding >= Foldings || len(f.Steps) == 0 || !k.stepsOrdered(f.Steps, i) {
			return false
		}
	}
	switch k.Form {
	case Join, Routine:
	case Rows:
		if len(k.Folds) == 0 {
			return false
		}
	default:
		if len(k.Steps) == 0 {
			return false
		}
	}
	return k.stepsOrdered(k.Steps, len(k.Folds))
}

// stepsOrdered is ordered for steps that may use so many results.
func (k *Kernel) stepsOrdered(list []Step, results int) bool {
	for i, s := range list {
		limit := i
		switch {
		case s.Op == Operand:
			limit = len(k.Leaves)
		case s.Op == Result:
			limit = results
		case s.Op == Constant && k.Form == Rows:
			limit = 1 << 8
		}
		for _, a := range s.Args {
			if int(a) >= limit {
				return false
			}
		}
		named := s.Op == Operand || s.Op == Result || s.Op == Constant && k.Form == Rows
		if named && len(s.Args) != 1 || len(s.Args) > 3 {
			return false
		}
	}
	return true
}

// A decoder takes values from the front of data until there are none left.
type decoder struct {
	data []byte
	good bool
}

func (d *decoder) bytes(n uint64) []byte {
	if n > uint64(len(d.data)) {
		d.good, n = false, 0
	}
	b := d.data[:n]
	d.data = d.data[n:]
	return b
}

func (d *decoder) byte() byte {
	if b := d.bytes(1); len(b) == 1 {
		return b[0]
	}
	return 0
}

func (d *decoder) kind() Type {
	t := Type(d.byte())
	if t >= Types {
		d.good = false
		return Bool
	}
	return t
}

func (d *decoder) steps() (list []Step) {
	for range d.byte() {
		s := Step{Op: d.text(), Type: d.kind()}
		s.Args = d.bytes(uint64(d.byte()))
		list = append(list, s)
	}
	return list
}

func (d *decoder) number() uint64 {
	v, n := binary.Uvarint(d.data)
	if n <= 0 || v > 1<<20 {
		d.good = false
		return 0
	}
	d.data = d.data[n:]
	return v
}

func (d *decoder) text() string { return string(d.bytes(d.number())) }

package expression

// Type is the type of a value. The numbers are those of nd.DType.
type Type uint8

// The types.
const (
	Bool Type = iota
	Int8
	Int16
	Int32
	Int64
	Uint8
	Uint16
	Uint32
	Uint64
	Float16
	BFloat16
	Float32
	Float64
	Complex64
	Complex128
	Types // their number
)

// Size returns the number of bytes of a value in memory.
func (t Type) Size() int { return int([Types]uint8{1, 1, 2, 4, 8, 1, 2, 4, 8, 2, 2, 4, 8, 8, 16}[t]) }

// Half reports whether the type has 16 bits and is computed with as float32.
func (t Type) Half() bool { return t == Float16 || t == BFloat16 }

// Complex reports whether values have two parts.
func (t Type) Complex() bool { return t == Complex64 || t == Complex128 }

// Form is the kind of a kernel, which decides what its arguments are. The words of a launch are in this order; the strides of an operand
// are in elements, by loop, and the last loop is the innermost one.
type Form uint8

// The forms.
const (
	// Map computes each element of the destination, or of several that are arranged alike: the innermost length; the offsets of the
	// destination and the operands; if there are other loops, two numbers of the grid and the other lengths; the strides of the destination
	// and the operands; the constants.
	Map Form = iota
	// Tile is Map for operands in another order than the destination: the last two lengths, the innermost first; two numbers of the grid;
	// the offsets; the other lengths; the strides; the constants.
	Tile
	// Fold reduces the values along loops: the number of results, of the values of each, of those of a segment, and of segments; the
	// offsets of the operands; the lengths of the loops over results and of those over values; for each operand the strides of both; the
	// constants.
	Fold
	// Join folds the accumulators of segments: the number of results and of segments, two numbers of the grid, and the number of values of
	// each result.
	Join
	// Rows reduces the values of each row in several ways, one after the other, and computes what is made of their results: the number of
	// rows and their length; the offsets of the operands; the lengths of the loops over rows; for each operand its strides along these and
	// along the row; the constants. The destinations are those of the reductions, whose operands are all there before, and then that of
	// Steps, if there are any.
	Rows
	// Routine is one of the kernels that are no expressions, by its name.
	Routine
)

// Folding is how values are folded. The numbers are those of package nd.
type Folding uint8

// The foldings.
const (
	Sum Folding = iota
	Product
	Minimum
	Maximum
	Any
	All
	Argmin
	Argmax
	Mean
	Foldings // their number
)

// Kernel is the description of a kernel.
type Kernel struct {
	Name   string // of a Routine
	Form   Form
	Result Type // of the destination's elements
	Leaves []Leaf
	Steps  []Step // the last one is the value, unless there are outputs
	Loops  int    // of a Map or Tile; of a Fold those over results, of Rows those over rows
	// Outputs are what a Map with several destinations stores in each; Result is the type of the first one then.
	Outputs []Output

	// Of a Fold or Join:
	Reduced int // loops over the values of a result
	Folding Folding
	Acc     Type // in which values are accumulated
	// Parts means that the destination gets the accumulators of segments. Those of a segment are adjacent if Columns is set, else those of
	// a result.
	Parts, Columns bool

	Folds []RowFold // of Rows

	// Of a Routine:
	Types   []Type // of its operands
	Numbers []int  // on which its code depends otherwise; none is negative
}

// Output is the number of the step that a destination gets, and the type of the destination's elements.
type Output struct {
	Value  uint8
	Result Type
}

// RowFold is a reduction of each row.
type RowFold struct {
	Steps   []Step // the last one is the value
	Folding Folding
	Acc     Type // in which values are accumulated
	Result  Type
}

// Leaf is an operand: memory, or the offset itself as a number.
type Leaf struct {
	Type  Type
	Index bool
}

// The operations of steps that are not named as in package nd.
const (
	Operand  = "operand"  // the leaf with the number Args[0]
	Constant = "constant" // the next of the launch's constants; in Rows that which begins with word Args[0] of them
	Result   = "result"   // in Rows the result for the row of the reduction with the number Args[0]
)

// Step is a value: an operand, a constant, or an operation on earlier values.
type Step struct {
	Op   string
	Type Type
	Args []uint8 // numbers of steps
}

package trace

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
)

// A Trace is a recorded launch.
type Trace struct {
	Program string `json:"program"`
	Kernel  string `json:"kernel"`
	Grid    [3]int `json:"grid"`  // in blocks
	Threads [3]int `json:"block"` // the size of a block, in threads
	// Lines are those that threads ran; steps have their indices.
	Lines    []Line    `json:"lines"`
	Memory   []*Memory `json:"memory"` // that they accessed
	Blocks   []*Block  `json:"blocks"`
	Findings []Finding `json:"findings,omitempty"`
	// Notes say what was left out.
	Notes []string `json:"notes,omitempty"`
}

// A Line is a line of the program or of a file that it includes.
type Line struct {
	File string `json:"file,omitempty"` // "" for the program itself
	Line int    `json:"line"`
}

// Memory is a buffer, a variable or a shared array of one block.
type Memory struct {
	Name  string `json:"name"`
	Space string `json:"space"` // "global" or "shared"
	Block int    `json:"block"` // whose shared memory it is: an index in Blocks; -1 for global memory
	Type  string `json:"type"`  // of its words, in Go's words; "" if it is unknown
	Word  int    `json:"word"`  // bytes of a word, in which accesses are counted
	Elem  int    `json:"elem"`  // bytes of an element: a multiple of Word, or less for an unknown type
	Start int    `json:"start"` // its address in bytes, from a multiple of 128: for banks and sectors
	Size  int    `json:"size"`  // in words
	Dims  []int  `json:"dims,omitempty"`
	// Rows are the words that are kept: the indices of their first words. A row has RowWords words.
	Rows     []int `json:"rows"`
	RowWords int   `json:"rowWords"`
	// Values are the words of the rows before the launch: numbers, or texts such as "NaN"; null if unknown.
	Values []any `json:"values"`
}

// A Block is what the threads of one block did.
type Block struct {
	Index    [3]int  `json:"index"` // blockIdx
	Ticks    int     `json:"ticks"` // the number of time steps
	Barriers []int   `json:"barriers,omitempty"`
	Warps    []*Warp `json:"warps"`
}

// A Warp is a list of steps. In a step the lanes of a mask run one line.
type Warp struct {
	Ticks []int    `json:"ticks"` // when each step takes place
	Lines []int    `json:"lines"` // indices in Trace.Lines
	Masks []uint32 `json:"masks"`
	// Accesses are ordered by step.
	Accesses []Access `json:"accesses"`
	// Frames are ordered by step and lane; there are none unless they were asked for.
	Frames []Frame `json:"frames,omitempty"`
}

// An Access is a load, store or atomic operation that lanes of a warp make together.
type Access struct {
	Step   int    `json:"s"`
	Memory int    `json:"m"` // an index in Trace.Memory; -1 if it goes to memory that the kernel may not use
	Op     string `json:"o"` // "r", "w" or "a" for an atomic operation
	Mask   uint32 `json:"k"`
	// Words are the indices of the accessed words, by lane. If Stride is not null, they are Words[0], Words[0] + *Stride, ….
	Words  []int `json:"i"`
	Stride *int  `json:"d,omitempty"`
	// Values are what was read or written, by lane; one value if all are the same. Olds are what atomic operations found.
	Values []any `json:"v"`
	Olds   []any `json:"b,omitempty"`
}

// A Finding is a defect of check mode at a line.
type Finding struct {
	Kind    string `json:"kind"`
	File    string `json:"file,omitempty"`
	Line    int    `json:"line"`
	Block   [3]int `json:"block"`
	Thread  [3]int `json:"thread"`
	Message string `json:"message"`
}

// Encode returns the trace as compressed JSON.
func (t *Trace) Encode() ([]byte, error) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if err := json.NewEncoder(z).Encode(t); err != nil {
		return nil, fmt.Errorf("encode a trace: %w", err)
	}
	if err := z.Close(); err != nil {
		return nil, fmt.Errorf("encode a trace: %w", err)
	}
	return b.Bytes(), nil
}

// Decode is the inverse of Encode.
func Decode(data []byte) (*Trace, error) {
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("decode a trace: %w", err)
	}
	t := &Trace{}
	text, err := io.ReadAll(z)
	if err == nil {
		err = json.Unmarshal(text, t)
	}
	if err != nil {
		return nil, fmt.Errorf("decode a trace: %w", err)
	}
	return t, nil
}

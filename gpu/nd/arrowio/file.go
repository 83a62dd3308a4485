package arrowio

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"syscall"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
)

// magic begins each file of Arrow. A stream has none.
const magic = "ARROW1"

// An Option changes how columns are read.
type Option func(*reading)

type reading struct {
	masked bool
	only   []string
}

// Masked allows missing elements: the columns' Valid has false for them. Their values are undefined.
func Masked() Option { return func(r *reading) { r.masked = true } }

// Only reads just these columns, in the order in which they are stored.
func Only(names ...string) Option { return func(r *reading) { r.only = append(r.only, names...) } }

// Record returns a record batch of columns, which must have equal lengths. The caller must release it.
func Record(table ...Column) (arrow.RecordBatch, error) {
	var fields []arrow.Field
	var columns []arrow.Array
	defer func() {
		for _, c := range columns {
			c.Release()
		}
	}()
	for _, c := range table {
		field, column, err := ToArrow(c)
		if err != nil {
			return nil, err
		}
		fields, columns = append(fields, field), append(columns, column)
		if column.Len() != columns[0].Len() {
			return nil, fmt.Errorf("column %q has %d rows, %q has %d", c.Name, column.Len(), table[0].Name, columns[0].Len())
		}
	}
	if len(columns) == 0 {
		return nil, errors.New("a table without columns")
	}
	return array.NewRecordBatch(arrow.NewSchema(fields, nil), columns, int64(columns[0].Len())), nil
}

// FromRecords copies the columns of record batches of one schema to the current device and concatenates them.
func FromRecords(schema *arrow.Schema, records []arrow.RecordBatch, opts ...Option) ([]Column, error) {
	var r reading
	for _, o := range opts {
		o(&r)
	}
	for _, name := range r.only {
		if !schema.HasField(name) {
			return nil, fmt.Errorf("there is no column %q", name)
		}
	}
	var table []Column
	for i, field := range schema.Fields() {
		if r.only != nil && !slices.Contains(r.only, field.Name) {
			continue
		}
		nulls := 0
		var parts []arrow.Array
		for _, rec := range records {
			parts = append(parts, rec.Column(i))
			nulls += rec.Column(i).NullN()
		}
		if nulls > 0 && !r.masked {
			return nil, fmt.Errorf("column %q: %d elements are missing (null): read it with arrowio.Masked, leave it out by arrowio.Only, or fill them before", field.Name, nulls)
		}
		c, err := FromArrow(field, parts...)
		if err != nil {
			return nil, fmt.Errorf("%w; arrowio.Only leaves columns out", err)
		}
		table = append(table, c)
	}
	return table, nil
}

// Save writes columns, which must have equal lengths, to an Arrow file. An existing file is replaced.
func Save(path string, table ...Column) (err error) {
	rec, err := Record(table...)
	if err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	defer rec.Release()
	f, err := os.Create(path)
	if err != nil {
		return fmt.Errorf("writing a table: %w", err)
	}
	w := bufio.NewWriterSize(f, 1<<16)
	out, err := ipc.NewFileWriter(w, ipc.WithSchema(rec.Schema()))
	if err == nil {
		err = errors.Join(out.Write(rec), out.Close(), w.Flush())
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	return nil
}

// Encode writes columns as an Arrow stream.
func Encode(w io.Writer, table ...Column) error {
	rec, err := Record(table...)
	if err != nil {
		return fmt.Errorf("writing a table: %w", err)
	}
	defer rec.Release()
	out := ipc.NewWriter(w, ipc.WithSchema(rec.Schema()))
	if err := errors.Join(out.Write(rec), out.Close()); err != nil {
		return fmt.Errorf("writing a table: %w", err)
	}
	return nil
}

// Load reads the columns of a file, which may contain a stream.
func Load(path string, opts ...Option) (table []Column, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("reading a table: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("reading a table: %w", err)
	}
	if info.Size() == 0 || !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: this is no file of Arrow: it is empty", path)
	}
	// Mapped, so that columns that are not wanted are not read, and the others are copied from the file to the device.
	data, err := syscall.Mmap(int(f.Fd()), 0, int(info.Size()), syscall.PROT_READ, syscall.MAP_PRIVATE)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", path, err)
	}
	defer func() { err = errors.Join(err, syscall.Munmap(data)) }()
	if table, err = read(data, opts); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return table, nil
}

func read(data []byte, opts []Option) (table []Column, err error) {
	if !bytes.HasPrefix(data, []byte(magic)) {
		return Decode(bytes.NewReader(data), opts...)
	}
	defer damaged(&err)
	r, err := fileReader(data)
	if err != nil {
		return nil, fmt.Errorf("the file is damaged: %w", err)
	}
	defer r.Close()
	var records []arrow.RecordBatch
	defer func() { release(records) }()
	for i := range r.NumRecords() {
		rec, err := r.RecordBatchAt(i)
		if err != nil {
			return nil, fmt.Errorf("the file is damaged: record batch %d: %w", i+1, err)
		}
		records = append(records, rec)
	}
	return FromRecords(r.Schema(), records, opts...)
}

// fileReader returns a reader that does not copy columns. With dictionaries the mapped reader of arrow-go 18.8 panics, as it makes no
// table of them; the other one, which copies, does not.
func fileReader(data []byte) (r *ipc.FileReader, err error) {
	defer func() {
		if recover() != nil {
			r, err = ipc.NewFileReader(bytes.NewReader(data))
		}
	}()
	return ipc.NewMappedFileReader(data)
}

// Decode reads the columns of a stream.
func Decode(r io.Reader, opts ...Option) (table []Column, err error) {
	defer damaged(&err)
	in, err := ipc.NewReader(r)
	if err != nil {
		return nil, fmt.Errorf("this is no stream of Arrow, or a damaged one: %w", err)
	}
	defer in.Release()
	var records []arrow.RecordBatch
	defer func() { release(records) }()
	for in.Next() {
		rec := in.RecordBatch()
		rec.Retain()
		records = append(records, rec)
	}
	if err := in.Err(); err != nil {
		return nil, fmt.Errorf("the stream is damaged: %w", err)
	}
	return FromRecords(in.Schema(), records, opts...)
}

func release(records []arrow.RecordBatch) {
	for _, r := range records {
		r.Release()
	}
}

// damaged converts a panic to an error: arrow-go panics with some damaged files.
func damaged(err *error) {
	if v := recover(); v != nil {
		*err = fmt.Errorf("the data are damaged: %v", v)
	}
}

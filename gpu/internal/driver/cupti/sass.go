package cupti

import (
	"errors"
	"runtime"
	"unsafe"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// operations are metrics that the GPU has no counters for: CUPTI patches the kernel's code, so that
// it counts its own instructions. CUPTI knows their names without the end.
var operations = []string{
	backend.MetricFAdd, backend.MetricFMul, backend.MetricFFMA,
	backend.MetricDAdd, backend.MetricDMul, backend.MetricDFMA,
	backend.MetricHAdd, backend.MetricHMul, backend.MetricHFMA,
}

const sumSuffix = ".sum"

// sass counts operations.
type sass struct {
	context uintptr
	device  uint32
	pinned  runtime.Pinner
	configs []sassConfig
	names   map[uint64]string // by the metric's number
	running bool
}

// StartOperations makes ready to count operations on the context's GPU.
func (l *Library) StartOperations(context uintptr, device int) error {
	if l.api.SassProperties == nil || l.api.SassSetConfig == nil || l.api.SassFlush == nil || l.api.ChipName == nil || l.api.Initialize == nil {
		return errors.New("the CUPTI at hand is older than CUDA 12.6, and cannot count operations (" + l.path + ")")
	}
	if l.sass != nil {
		return nil
	}
	chip, err := l.chip(device)
	if err != nil {
		return err
	}
	s := &sass{context: context, device: uint32(device), names: map[uint64]string{}}
	for _, name := range operations {
		text := append([]byte(name[:len(name)-len(sumSuffix)]), 0)
		p := sassPropertiesParams{chip: chip, name: &text[0]}
		if l.api.SassProperties(sized(&p, &p.head, &p.metric)) == 0 {
			s.configs = append(s.configs, sassConfig{id: p.metric.id})
			s.names[p.metric.id] = name
		}
	}
	if len(s.configs) == 0 {
		return errors.New("CUPTI counts no operations on this GPU")
	}
	s.pinned.Pin(&s.configs[0])
	l.sass = s
	return nil
}

// BeginOperations patches the code of the kernel that is launched next. EndOperations takes the
// patches out again.
func (l *Library) BeginOperations() error {
	s := l.sass
	p := sassSetConfigParams{count: uintptr(len(s.configs)), configs: &s.configs[0], device: s.device}
	if err := l.check(l.api.SassSetConfig(sized(&p, &p.head, &p.device)), "choosing operations"); err != nil {
		return err
	}
	// Only what runs is patched.
	e := sassEnableParams{context: s.context, lazy: 1}
	if err := l.check(l.api.SassEnable(sized(&e, &e.head, &e.lazy)), "counting operations"); err != nil {
		return errors.Join(err, l.unsetOperations())
	}
	s.running = true
	return nil
}

// EndOperations returns what was counted since BeginOperations, after which all work has ended.
func (l *Library) EndOperations() (backend.Counters, error) {
	s := l.sass
	if s == nil || !s.running {
		return nil, nil
	}
	s.running = false
	out, err := l.readOperations()
	d := sassDisableParams{context: s.context}
	if off := l.check(l.api.SassDisable(sized(&d, &d.head, &d.dropped)), "taking patches out of kernels"); err == nil {
		err = off
	}
	if off := l.unsetOperations(); err == nil {
		err = off
	}
	return out, err
}

func (l *Library) unsetOperations() error {
	p := sassUnsetParams{device: l.sass.device}
	return l.check(l.api.SassUnsetConfig(sized(&p, &p.head, &p.device)), "forgetting operations")
}

func (l *Library) readOperations() (backend.Counters, error) {
	s := l.sass
	p := sassDataParams{context: s.context}
	if err := l.check(l.api.SassData(sized(&p, &p.head, &p.instances)), "reading operations"); err != nil {
		return nil, err
	}
	out := backend.Counters{}
	for _, name := range s.names {
		out[name] = 0
	}
	if p.records == 0 || p.instances == 0 {
		return out, nil
	}
	records := make([]sassRecord, p.records)
	values := make([]sassValue, p.records*p.instances)
	var pinned runtime.Pinner
	defer pinned.Unpin()
	pinned.Pin(&values[0])
	for i := range records {
		records[i].size = unsafe.Sizeof(records[i])
		records[i].values = &values[uintptr(i)*p.instances]
	}
	pinned.Pin(&records[0])
	f := sassFlushParams{context: s.context, records: p.records, instances: p.instances, data: &records[0]}
	f.size = unsafe.Sizeof(f)
	if err := l.check(l.api.SassFlush(&f), "reading operations"); err != nil {
		return nil, err
	}
	for _, v := range values {
		if name := s.names[v.id]; name != "" {
			out[name] += float64(v.value)
		}
	}
	return out, nil
}

// The parameters of CUPTI's functions for patched code.

type sassMetric struct {
	id   uint64
	_, _ *byte // its name and what it means
}

type sassPropertiesParams struct {
	head
	chip, name *byte
	metric     sassMetric
}

// sassConfig asks for one value of a metric for the whole GPU.
type sassConfig struct {
	id uint64
	_  uint8 // granularity: 0 is the GPU
}

type sassSetConfigParams struct {
	head
	count   uintptr
	configs *sassConfig
	device  uint32
}

type sassUnsetParams struct {
	head
	device uint32
}

type sassEnableParams struct {
	head
	context uintptr
	lazy    uint8
}

type sassDisableParams struct {
	head
	context uintptr
	dropped uintptr
}

type sassDataParams struct {
	head
	context            uintptr
	records, instances uintptr
}

type sassValue struct{ id, value uint64 }

// sassRecord is about one instruction.
type sassRecord struct {
	head
	_      [2]uint32 // digest of the program, index of the function
	_      *byte     // its name
	_      uint32    // the instruction's place
	values *sassValue
}

type sassFlushParams struct {
	head
	context            uintptr
	records, instances uintptr
	data               *sassRecord
}
